/* SPDX-License-Identifier: MIT */
#include "kernels/contour/net/contour-winograd.h"
#include "kernels/contour/net/contour-product.h"
#include "kernels/base/vg-simd.h"
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
/* Of each square of 6 x 6 inputs, 36 sums are taken; their products with 36 sums of the weights
 * give the 4 x 4 outputs in the middle.  Where each pixel of the coarser resolution stands for four
 * pixels, 11 of the 36 sums are 0.
 *
 * Squares lie on multiples of 4 pixels, so the bits of an output do not depend on the thread. */

enum {
  LANES = VG_CONTOUR_LANES,
  VECTOR = 8,
  SIDE = 4, /* of the outputs of a square */
  SUMS = SIDE + 2,
  PRODUCTS = SUMS * SUMS,
  SQUARES = 2 * VG_CONTOUR_STEP, /* computed one after the other with the same weights */
  /* floats between the sums of all squares and the next ones: without them the sums of a square
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
  return product / SUMS == 2 || product % SUMS == 2;
}

void
vg_contour_winograd_prepare (VgContourLayer *layer)
{
  /* the sums of three weights */
  static const double g[SUMS][3] = { { 1.0 / 4.0, 0, 0 },
                                     { -1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0 },
                                     { -1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0 },
                                     { 1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0 },
                                     { 1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0 },
                                     { 0, 0, 1 } };
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
            sum += g[product / SUMS][k / 3] * g[product % SUMS][k % 3] *
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

/* The sums of six inputs in a row, of which the first is IN[0] and the next is IN[STEP]. */
static inline void
sum_inputs (const Vector *in, gsize step, Vector out[SUMS])
{
  const Vector a = in[0], b = in[step], c = in[2 * step], d = in[3 * step], e = in[4 * step],
               f = in[5 * step];
  const Vector even = e - 4.0f * c, odd = d - 4.0f * b, near = e - c, far = 2.0f * (d - b);

  out[0] = 4.0f * (a - c) + near;
  out[1] = even + odd;
  out[2] = even - odd;
  out[3] = near + far;
  out[4] = near - far;
  out[5] = 4.0f * (b - d) + (f - d);
}

/* The same, but for the third, which is 0, if both in the middle and both beside them are equal. */
static inline void
sum_coarse_inputs (const Vector in[4], Vector out[SUMS])
{
  const Vector near = in[2] - in[1];

  out[0] = 4.0f * (in[0] - in[1]) + near;
  out[1] = 2.0f * near - 6.0f * in[1];
  out[3] = 3.0f * near;
  out[4] = -near;
  out[5] = in[3] - in[2] - 4.0f * near;
}

/* The four outputs of six products; STEP: vectors between two of them. */
static inline void
sum_outputs (const Vector *in, gsize step, Vector out[SIDE])
{
  const Vector a = in[step] + in[2 * step], b = in[step] - in[2 * step],
               c = in[3 * step] + in[4 * step], d = in[3 * step] - in[4 * step];

  out[0] = in[0] + a + c;
  out[1] = b + 2.0f * d;
  out[2] = a + 4.0f * c;
  out[3] = b + 8.0f * d + in[5 * step];
}

/* The sums of a square whose upper left pixel is IN; STRIDE: floats between two sums in OUT. */
VG_SIMD static void
sum_square (const float *in, gsize pixel, gsize row, int channels, float *out, gsize stride)
{
  for (int c = 0; c < channels; c += VECTOR, in += VECTOR, out += VECTOR)
    {
      Vector columns[SUMS][SUMS]; /* [x][y] */

      for (gsize x = 0; x < SUMS; x++)
        {
          Vector inputs[SUMS];

          for (gsize y = 0; y < SUMS; y++)
            inputs[y] = load (in + x * pixel + y * row);
          sum_inputs (inputs, 1, columns[x]);
        }
      for (gsize y = 0; y < SUMS; y++)
        {
          Vector sums[SUMS];

          sum_inputs (&columns[0][y], SUMS, sums);
          for (gsize x = 0; x < SUMS; x++)
            store (out + (SUMS * y + x) * stride, sums[x]);
        }
    }
}

/* The same for coarser pixels.  IN: upper left neighbour of those that cover the outputs. */
VG_SIMD static void
sum_coarse_square (const float *in, gsize pixel, gsize row, int channels, float *out, gsize stride)
{
  for (int c = 0; c < channels; c += VECTOR, in += VECTOR, out += VECTOR)
    {
      Vector columns[4][SUMS];

      for (gsize x = 0; x < 4; x++)
        {
          Vector inputs[4];

          for (gsize y = 0; y < 4; y++)
            inputs[y] = load (in + x * pixel + y * row);
          sum_coarse_inputs (inputs, columns[x]);
        }
      for (gsize y = 0; y < SUMS; y += y == 1 ? 2 : 1)
        {
          const Vector line[4] = { columns[0][y], columns[1][y], columns[2][y], columns[3][y] };
          Vector sums[SUMS];

          sum_coarse_inputs (line, sums);
          for (gsize x = 0; x < SUMS; x += x == 1 ? 2 : 1)
            store (out + (SUMS * y + x) * stride, sums[x]);
        }
    }
}

/* The outputs of a square from its products; STRIDE: floats between two products.  OUT: the upper
 * left one. */
VG_SIMD static void
add_products (const float *products, gsize stride, const float *bias, float *out, gsize pixel,
              gsize row)
{
  const Vector zero = { 0 };

  for (int c = 0; c < LANES; c += VECTOR)
    {
      const Vector start = load (bias + c);
      Vector columns[SUMS][SIDE]; /* [x][y] */

      for (gsize x = 0; x < SUMS; x++)
        {
          Vector inputs[SUMS];

          for (gsize y = 0; y < SUMS; y++)
            inputs[y] = load (products + (SUMS * y + x) * stride + c);
          sum_outputs (inputs, 1, columns[x]);
        }
      for (gsize y = 0; y < SIDE; y++)
        {
          Vector sums[SIDE];

          sum_outputs (&columns[0][y], SIDE, sums);
          for (gsize x = 0; x < SIDE; x++) /* negative ones become 0 */
            {
              const Vector sum = start + sums[x];

              store (out + x * pixel + y * row + c,
                     (Vector) ((sum > zero) & (__typeof__ (sum > zero)) sum));
            }
        }
    }
}

/* Writes the outputs in WINDOW of group G for the square at X, Y. */
static void
keep_outputs (const float *all, int x, int y, const VgContourWindow *window,
              const VgContourChannels *to, int g)
{
  for (int v = MAX (y, window->y0); v < MIN (y + SIDE, window->y1); v++)
    for (int u = MAX (x, window->x0); u < MIN (x + SIDE, window->x1); u++)
      memcpy (vg_contour_channels_at (to, u, v) + g * LANES, all + (SIDE * (v - y) + u - x) * LANES,
              sizeof (float) * LANES);
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

      sum_square (vg_contour_channels_at (from, x + SIDE * s - 1, y - 1), (gsize) own, from->row,
                  own, out, stride);
      if (coarse != NULL)
        sum_coarse_square (vg_contour_channels_at (coarse, x / 2 + 2 * s - 1, y / 2 - 1),
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
          const int u = x + SIDE * s;
          const float *from_products = products + s * LANES, *bias = layer->bias + g * LANES;

          if (u >= window->x0 && u + SIDE <= window->x1 && y >= window->y0 &&
              y + SIDE <= window->y1)
            add_products (from_products, SQUARES * LANES, bias,
                          vg_contour_channels_at (to, u, y) + g * LANES, (gsize) to->channels,
                          to->row);
          else
            {
              float all[SIDE * SIDE * LANES];

              add_products (from_products, SQUARES * LANES, bias, all, LANES, SIDE * LANES);
              keep_outputs (all, u, y, window, to, g);
            }
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
  const int x0 = window.x0 & -SIDE, y0 = window.y0 & -SIDE;

#pragma omp parallel for collapse(2) schedule(dynamic) num_threads(team->threads)
  for (int y = y0; y < window.y1; y += SIDE)
    for (int x = x0; x < window.x1; x += SIDE * SQUARES)
      convolve_squares (layer, from, coarse, to, &window, x, y,
                        MIN (SQUARES, (window.x1 - x + SIDE - 1) / SIDE),
                        team->work + (gsize) this_thread () * team->room);
}
