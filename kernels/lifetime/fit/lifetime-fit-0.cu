/* SPDX-License-Identifier: MIT */
/* Kernels of a stretched exponential. */
#include "kernels/lifetime/fit/lifetime-fit-kernels.cuh"

LIFETIME_LAUNCH (0, false)
