/* SPDX-License-Identifier: MIT */
/* Kernels of 3 exponentials. */
#include "kernels/lifetime/fit/lifetime-fit-kernels.cuh"

LIFETIME_LAUNCH (3, true)
