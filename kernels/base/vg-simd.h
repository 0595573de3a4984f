/* SPDX-License-Identifier: MIT */
#pragma once
/* VG_SIMD before a function compiles it for several vector widths; the processor's is chosen when
 * the program starts.  It is empty for clang, which cannot pass vectors between such functions, and
 * for the address sanitizer, which starts after the choice. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define VG_SIMD __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VG_SIMD
#endif

/* Rounds denormal numbers to 0 in this thread until vg_denormals_restore gets the returned value.
 * Some processors need a hundred cycles per operation on a denormal number, and falling
 * exponentials end among them. */
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
