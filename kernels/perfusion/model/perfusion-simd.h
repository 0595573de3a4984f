/* SPDX-License-Identifier: MIT */
#pragma once
/* Include this first in files whose loops over lanes must be vectorised at any optimisation
 * level. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "kernels/base/vg-simd.h"
