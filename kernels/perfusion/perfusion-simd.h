/* SPDX-License-Identifier: MIT */
#pragma once
/* For files whose loops over lanes must become vector instructions, whatever
 * the build's own level: included first. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize ("O3")
#endif
/* Runs on any x86-64 and uses what the processor has. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define VG_PERFUSION_SIMD __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VG_PERFUSION_SIMD
#endif
