/* SPDX-License-Identifier: MIT */
#include "kernels/contour/net/contour-product.h"
#include "kernels/base/vg-simd.h"
/* Each weight that is loaded is used for 6 pixels, each input for 16 outputs, and the sums stay in
 * registers.  Vectors here must be as long as those of the processor: gcc keeps longer ones in
 * memory, which is twelve times as slow. */

enum { LANES = VG_CONTOUR_LANES, STEP = VG_CONTOUR_STEP };

#define VECTOR(lanes)                                                                              \
  __attribute__ ((vector_size (lanes * sizeof (float)), aligned (4), may_alias)) float
typedef VECTOR (LANES) Wide;
typedef VECTOR (LANES / 2) Narrow;

#define MULTIPLY(name, Vector)                                                                     \
  VG_SIMD static void name (const float *in, gsize pixel, gsize row, int rows, int n,              \
                            const float *weights, const float *start, float *sums, int steps)      \
  {                                                                                                \
    enum { PARTS = LANES * sizeof (float) / sizeof (Vector) };                                     \
                                                                                                   \
    for (int s = 0; s < steps; s++, in += STEP * pixel, sums += STEP * LANES)                      \
      {                                                                                            \
        const float *w = weights;                                                                  \
        Vector sum[STEP][PARTS];                                                                   \
                                                                                                   \
        _Pragma ("GCC unroll 6") for (int p = 0; p < STEP; p++) for (int part = 0; part < PARTS;   \
                                                                     part++)                       \
            sum[p][part] = ((const Vector *) (const void *) start)[part];                          \
        for (int r = 0; r < rows; r++)                                                             \
          for (int i = 0; i < n; i++, w += LANES)                                                  \
            {                                                                                      \
              const Vector *weight = (const Vector *) (const void *) w;                            \
              const float *q = in + (gsize) r * row + i;                                           \
                                                                                                   \
              _Pragma ("GCC unroll 6") for (int p = 0; p < STEP; p++) for (int part = 0;           \
                                                                           part < PARTS; part++)   \
                  sum[p][part] += weight[part] * q[(gsize) p * pixel];                             \
            }                                                                                      \
        _Pragma ("GCC unroll 6") for (int p = 0; p < STEP; p++) for (int part = 0; part < PARTS;   \
                                                                     part++) (                     \
            (Vector *) (void *) sums)[p * (int) PARTS + part] = sum[p][part];                      \
      }                                                                                            \
  }

MULTIPLY (multiply_wide, Wide)
MULTIPLY (multiply_narrow, Narrow)

static gboolean
has_wide (void)
{
#ifdef __x86_64__
  return __builtin_cpu_supports ("avx512f") != 0;
#else
  return FALSE;
#endif
}

void
vg_contour_multiply (const float *in, gsize pixel, gsize row, int rows, int n, const float *weights,
                     const float *start, float *sums, int steps)
{
  (has_wide () ? multiply_wide : multiply_narrow) (in, pixel, row, rows, n, weights, start, sums,
                                                   steps);
}
