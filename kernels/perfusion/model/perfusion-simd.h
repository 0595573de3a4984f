/* SPDX-License-Identifier: MIT */
#pragma once
/* For files whose loops over lanes must become vector instructions, whatever
 * the build's own level: included first. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "kernels/base/vg-simd.h"
