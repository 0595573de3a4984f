/* SPDX-License-Identifier: MIT */
/* Kernels of 2 exponentials. */
#include "kernels/lifetime/fit/lifetime-fit-kernels.cuh"

LIFETIME_LAUNCH (2, true)
