/* SPDX-License-Identifier: MIT */
#include "kernels/contour/net/contour-winograd.h"
#include "kernels/contour/net/contour-product.h"
#include "kernels/base/vg-simd.h"
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
/* Of each square of 4 x 4 inputs, 16 sums are taken; their products with 16 sums of the weights
 * give the 2 x 2 outputs in the middle.  Where each pixel of the coarser resolution
 * stands for four pixels, 7 of the 16 sums are 0.
 *
 * Squares lie on even pixels, so the bits of an output depend neither on the window nor on the
 * thread. */

enum {
  LANES = VG_CONTOUR_LANES,
  VECTOR = 8,
  PRODUCTS = 16,
  SQUARES = 4 * VG_CONTOUR_STEP, /* computed one after the other with the same weights */
  /* floats between the sums of all squares and the next ones: without them the 16 sums of a square
   * would often lie in the same set of the cache */
  APART = 16,
};

typedef float Vector
    __attribute__ ((vector_size (VECTOR * sizeof (float)), aligned (4), may_alias));

static inline Vector
load (const float *at)
{
  return *(const Vector *) (const void *) at;
}

static inline void
store (float *at, Vector value)
{
  *(Vector *) (void *) at = value;
}

static gboolean
is_zero (int product)
{
  return product / 4 == 2 || product % 4 == 2;
}

void
vg_contour_winograd_prepare (VgContourLayer *layer)
{
  /* the sums of three weights */
  static const double g[4][3] = { { 1, 0, 0 }, { 0.5, 0.5, 0.5 }, { 0.5, -0.5, 0.5 }, { 0, 0, 1 } };
  const gsize inputs = (gsize) layer->inputs;

  if (layer->side != 3 || layer->inputs % VECTOR != 0)
    return;
  layer->products = g_new (float, (gsize) layer->groups *PRODUCTS *inputs *LANES);
  for (gsize group = 0; group < (gsize) layer->groups; group++)
    for (int product = 0; product < PRODUCTS; product++)
      for (gsize i = 0; i < inputs * LANES; i++)
        {
          double sum = 0.0;

          for (int k = 0; k < 9; k++)
            sum += g[product / 4][k / 3] * g[product % 4][k % 3] *
                   (double) layer->weights[(group * 9 + (gsize) k) * inputs * LANES + i];
          layer->products[(group * PRODUCTS + (gsize) product) * inputs * LANES + i] = (float) sum;
        }
}

gsize
vg_contour_winograd_work (const VgContourLayer *layer)
{
  return layer->products != NULL
             ? (gsize) PRODUCTS * (SQUARES * ((gsize) layer->inputs + LANES) + APART)
             : 0;
}

/* The sums of a square whose upper left pixel is IN; STRIDE: floats between two sums in OUT. */
VG_SIMD static void
sum_square (const float *in, gsize pixel, gsize row, int channels, float *out, gsize stride)
{
  for (int c = 0; c < channels; c += VECTOR, in += VECTOR, out += VECTOR)
    {
      Vector rows[4][4];

      for (gsize x = 0; x < 4; x++)
        {
          const Vector a = load (in + x * pixel), b = load (in + x * pixel + row),
                       d = load (in + x * pixel + 2 * row), e = load (in + x * pixel + 3 * row);

          rows[0][x] = a - d;
          rows[1][x] = b + d;
          rows[2][x] = d - b;
          rows[3][x] = b - e;
        }
      for (gsize y = 0; y < 4; y++)
        {
          const Vector *r = rows[y];

          store (out + 4 * y * stride, r[0] - r[2]);
          store (out + (4 * y + 1) * stride, r[1] + r[2]);
          store (out + (4 * y + 2) * stride, r[2] - r[1]);
          store (out + (4 * y + 3) * stride, r[1] - r[3]);
        }
    }
}

/* The same for coarser pixels.  IN: upper left neighbour of the pixel that covers the outputs. */
VG_SIMD static void
sum_coarse_square (const float *in, gsize pixel, gsize row, int channels, float *out, gsize stride)
{
  for (int c = 0; c < channels; c += VECTOR, in += VECTOR, out += VECTOR)
    {
      Vector rows[4][3];

      for (gsize x = 0; x < 3; x++)
        {
          const Vector a = load (in + x * pixel), b = load (in + x * pixel + row),
                       d = load (in + x * pixel + 2 * row);

          rows[0][x] = a - b;
          rows[1][x] = b + b;
          rows[3][x] = b - d;
        }
      for (gsize y = 0; y < 4; y += y == 1 ? 2 : 1)
        {
          const Vector *r = rows[y];

          store (out + 4 * y * stride, r[0] - r[1]);
          store (out + (4 * y + 1) * stride, r[1] + r[1]);
          store (out + (4 * y + 3) * stride, r[1] - r[2]);
        }
    }
}

/* The 2 x 2 outputs of a square from its products; STRIDE: floats between two products. */
VG_SIMD static void
add_products (const float *products, gsize stride, const float *bias, float *const out[4])
{
  const Vector zero = { 0 };

  for (int c = 0; c < LANES; c += VECTOR)
    {
      Vector upper[4], lower[4], sums[4];

      for (gsize x = 0; x < 4; x++)
        {
          const float *at = products + x * stride + c;
          const Vector b = load (at + 4 * stride), d = load (at + 8 * stride);

          upper[x] = load (at) + b + d;
          lower[x] = b - d - load (at + 12 * stride);
        }
      sums[0] = load (bias + c) + (upper[0] + upper[1] + upper[2]);
      sums[1] = load (bias + c) + (upper[1] - upper[2] - upper[3]);
      sums[2] = load (bias + c) + (lower[0] + lower[1] + lower[2]);
      sums[3] = load (bias + c) + (lower[1] - lower[2] - lower[3]);
      for (int k = 0; k < 4; k++) /* negative ones become 0 */
        store (out[k] + c, (Vector) ((sums[k] > zero) & (__typeof__ (sums[k] > zero)) sums[k]));
    }
}

/* Computes N squares side by side, from X, Y on. */
static void
convolve_squares (const VgContourLayer *layer, const VgContourChannels *from,
                  const VgContourChannels *coarse, const VgContourChannels *to,
                  const VgContourWindow *window, int x, int y, int n, float *work)
{
  static const float none[LANES] = { 0 };
  const gsize inputs = (gsize) layer->inputs, stride = SQUARES * inputs + APART;
  const int own = from->channels, steps = (n + VG_CONTOUR_STEP - 1) / VG_CONTOUR_STEP;
  float *products = work + PRODUCTS * stride;

  for (int s = 0; s < n; s++)
    {
      float *out = work + (gsize) s * inputs;

      sum_square (vg_contour_channels_at (from, x + 2 * s - 1, y - 1), (gsize) own, from->row, own,
                  out, stride);
      if (coarse != NULL)
        sum_coarse_square (vg_contour_channels_at (coarse, x / 2 + s - 1, y / 2 - 1),
                           (gsize) coarse->channels, coarse->row, layer->inputs - own, out + own,
                           stride);
    }
  for (int g = 0; g < layer->groups; g++)
    {
      for (int p = 0; p < PRODUCTS; p++)
        vg_contour_multiply (work + (gsize) p * stride, inputs, 0, 1,
                             is_zero (p) ? own : layer->inputs,
                             layer->products + (gsize) (g * PRODUCTS + p) * inputs * LANES, none,
                             products + p * SQUARES * LANES, steps);
      for (int s = 0; s < n; s++)
        {
          float beyond[LANES] = { 0 }, *out[4]; /* outputs beyond the window are not kept */

          for (int k = 0; k < 4; k++)
            {
              const int u = x + 2 * s + k % 2, v = y + k / 2;

              out[k] = u >= window->x0 && u < window->x1 && v >= window->y0 && v < window->y1
                           ? vg_contour_channels_at (to, u, v) + g * LANES
                           : beyond;
            }
          add_products (products + s * LANES, SQUARES * LANES, layer->bias + g * LANES, out);
        }
    }
}

static int
this_thread (void)
{
#ifdef _OPENMP
  return omp_get_thread_num ();
#else
  return 0;
#endif
}

void
vg_contour_winograd (const VgContourLayer *layer, const VgContourChannels *from,
                     const VgContourChannels *coarse, const VgContourChannels *to,
                     VgContourWindow window, const VgContourTeam *team)
{
  const int x0 = window.x0 & ~1, y0 = window.y0 & ~1;

#pragma omp parallel for collapse(2) schedule(dynamic) num_threads(team->threads)
  for (int y = y0; y < window.y1; y += 2)
    for (int x = x0; x < window.x1; x += 2 * SQUARES)
      convolve_squares (layer, from, coarse, to, &window, x, y,
                        MIN (SQUARES, (window.x1 - x + 1) / 2),
                        team->work + (gsize) this_thread () * team->room);
}
