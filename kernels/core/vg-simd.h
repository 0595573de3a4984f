/* SPDX-License-Identifier: MIT */
#pragma once
/* VG_SIMD before a function: it runs on any x86-64 and uses the vectors that
 * the processor has.  Left out where that does not go: clang passes no vectors
 * between functions of other targets, and the address sanitizer is not up
 * yet when the clones are chosen. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define VG_SIMD __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VG_SIMD
#endif
