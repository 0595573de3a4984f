/* SPDX-License-Identifier: MIT */
#pragma once
/* VG_SIMD before a function: it runs on any x86-64 and uses the vectors that
 * the processor has.  Left out where that does not go: clang passes no vectors
 * between functions of other targets, and the address sanitizer is not up
 * yet when the clones are chosen. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define VG_SIMD __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VG_SIMD
#endif

/* Numbers too small to be normal become 0 in this thread until vg_denormals_restore gets what was
 * returned: some processors take a hundred cycles for each operation on one, and a falling
 * exponential ends among them, where rounding keeps it from ever reaching 0. */
#ifdef __SSE__
#include <xmmintrin.h>
static inline unsigned
vg_denormals_flush (void)
{
  unsigned before = _mm_getcsr ();

  _mm_setcsr (before | 0x8040); /* results to 0, operands as 0 */
  return before;
}

static inline void
vg_denormals_restore (unsigned before)
{
  _mm_setcsr (before);
}
#else
static inline unsigned
vg_denormals_flush (void)
{
  return 0;
}
static inline void
vg_denormals_restore (unsigned before)
{
  (void) before;
}
#endif
