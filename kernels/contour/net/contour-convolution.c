/* SPDX-License-Identifier: MIT */
#include "kernels/contour/net/contour-convolution.h"
#include "kernels/base/vg-simd.h"
#include <string.h>
/* A convolution computes 6 pixels of a row and 16 outputs at once: each weight that is loaded
 * serves 6 pixels, each input 16 outputs, and the 6 sums stay in registers. */

enum { LANES = VG_CONTOUR_LANES, STEP = 6 };

/* The vector is as long as a group; the compiler cuts it into the processor's own. */
typedef float Lanes __attribute__ ((vector_size (LANES * sizeof (float)), aligned (4), may_alias));

gsize
vg_contour_channels_bytes (int width, int height, int channels)
{
  return sizeof (float) * ((gsize) (width + 1 + VG_CONTOUR_SPARE) * (gsize) (height + 2) + LANES) *
         (gsize) channels;
}

gboolean
vg_contour_channels_init (VgContourChannels *self, int width, int height, int channels)
{
  *self = (VgContourChannels){ .width = width, .height = height, .channels = channels };
  self->row = (gsize) (width + 1 + VG_CONTOUR_SPARE) * (gsize) channels;
  self->data = g_try_malloc0 (vg_contour_channels_bytes (width, height, channels));
  return self->data != NULL;
}

void
vg_contour_channels_clear (VgContourChannels *self)
{
  g_clear_pointer (&self->data, g_free);
}

/* One row of one group of outputs.  IN: the first input of the first pixel's upper left neighbour;
 * PIXEL, ROW: floats between neighbours.  Writes whole steps of pixels. */
VG_SIMD static void
convolve_row (const float *in, gsize pixel, gsize row, int inputs, int side, const float *weights,
              const float *bias, gboolean rectify, float *out, gsize out_pixel, int width)
{
  for (int x = 0; x < width; x += STEP)
    {
      Lanes first = *(const Lanes *) (const void *) bias, sum[STEP];
      const float *w = weights;

      for (int p = 0; p < STEP; p++)
        sum[p] = first;
      for (int k = 0; k < side * side; k++)
        {
          const float *q = in + (gsize) (k / side) * row + (gsize) (x + k % side) * pixel;

          for (int i = 0; i < inputs; i++, w += LANES)
            {
              const Lanes weight = *(const Lanes *) (const void *) w;

              sum[0] += weight * q[i];
              sum[1] += weight * q[i + pixel];
              sum[2] += weight * q[i + 2 * pixel];
              sum[3] += weight * q[i + 3 * pixel];
              sum[4] += weight * q[i + 4 * pixel];
              sum[5] += weight * q[i + 5 * pixel];
            }
        }
      for (int p = 0; p < STEP; p++)
        {
          float *to = out + (gsize) (x + p) * out_pixel;

          if (x + p >= width) /* the frame stays 0 */
            break;
          for (int lane = 0; lane < LANES; lane++)
            to[lane] = rectify && !(sum[p][lane] > 0.0f) ? 0.0f : sum[p][lane];
        }
    }
}

void
vg_contour_convolve (const VgContourLayer *layer, const VgContourChannels *from,
                     const VgContourChannels *to, VgContourWindow window, gboolean rectify,
                     int threads)
{
  const gsize group = (gsize) layer->side * (gsize) layer->side * (gsize) layer->inputs * LANES;
  const int before = layer->side / 2;

  /* dynamic: else a thread whose core is also used by another program delays all */
#pragma omp parallel for collapse(2) schedule(dynamic) num_threads(threads)
  for (int y = window.y0; y < window.y1; y++)
    for (int g = 0; g < layer->groups; g++)
      convolve_row (vg_contour_channels_at (from, window.x0 - before, y - before),
                    (gsize) from->channels, from->row, layer->inputs, layer->side,
                    layer->weights + (gsize) g * group, layer->bias + g * LANES, rectify,
                    vg_contour_channels_at (to, window.x0, y) + g * LANES, (gsize) to->channels,
                    window.x1 - window.x0);
}

void
vg_contour_pool (const VgContourChannels *from, const VgContourChannels *to, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int y = 0; y < to->height; y++)
    for (int x = 0; x < to->width; x++)
      {
        const float *a = vg_contour_channels_at (from, 2 * x, 2 * y), *b = a + from->channels,
                    *c = a + from->row, *d = c + from->channels;
        float *out = vg_contour_channels_at (to, x, y);

        for (int i = 0; i < to->channels; i++)
          {
            float upper = a[i] > b[i] ? a[i] : b[i], lower = c[i] > d[i] ? c[i] : d[i];

            out[i] = upper > lower ? upper : lower;
          }
      }
}

void
vg_contour_enlarge (const VgContourChannels *from, const VgContourChannels *to, int first, int n,
                    int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int y = 0; y < to->height; y++)
    for (int x = 0; x < to->width; x++)
      memcpy (vg_contour_channels_at (to, x, y) + first,
              vg_contour_channels_at (from, x / 2, y / 2), sizeof (float) * (gsize) n);
}
