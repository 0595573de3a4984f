/* SPDX-License-Identifier: MIT */
/* Kernels of 1 exponential. */
#include "kernels/lifetime/fit/lifetime-fit-kernels.cuh"

LIFETIME_LAUNCH (1, true)
