/* SPDX-License-Identifier: MIT */
#include "kernels/contour/net/contour-convolution.h"
#include "kernels/contour/net/contour-product.h"
#include "kernels/contour/net/contour-winograd.h"
#include <string.h>

enum { LANES = VG_CONTOUR_LANES, STEP = VG_CONTOUR_STEP };

gsize
vg_contour_channels_bytes (int width, int height, int channels)
{
  return sizeof (float) *
         ((gsize) (width + 1 + VG_CONTOUR_SPARE) * (gsize) (height + 1 + VG_CONTOUR_BELOW) +
          LANES) *
         (gsize) channels;
}

gboolean
vg_contour_channels_init (VgContourChannels *self, int width, int height, int channels)
{
  const gsize bytes = vg_contour_channels_bytes (width, height, channels),
              pixel = sizeof (float) * (gsize) channels;

  if (bytes > self->room)
    {
      vg_contour_channels_clear (self);
      self->data = g_try_malloc (bytes);
      self->room = self->data != NULL ? bytes : 0;
    }
  self->width = width;
  self->height = height;
  self->channels = channels;
  self->first = 0;
  self->row = (gsize) (width + 1 + VG_CONTOUR_SPARE) * (gsize) channels;
  if (self->data == NULL)
    return FALSE;
  memset (self->data, 0, sizeof (float) * self->row);
  for (int y = 0; y < height; y++)
    {
      memset (vg_contour_channels_at (self, -1, y), 0, pixel);
      memset (vg_contour_channels_at (self, width, y), 0, pixel * VG_CONTOUR_SPARE);
    }
  memset (vg_contour_channels_at (self, -1, height), 0,
          sizeof (float) * (VG_CONTOUR_BELOW * self->row + (gsize) LANES * (gsize) channels));
  return TRUE;
}

void
vg_contour_channels_clear (VgContourChannels *self)
{
  g_clear_pointer (&self->data, g_free);
  self->room = 0;
}

/* One row of one group of outputs.  IN: the first input of the first pixel's upper left neighbour,
 * ROW: floats between rows of inputs. */
static void
convolve_row (const VgContourLayer *layer, int g, const float *in, gsize row, gboolean rectify,
              float *out, gsize out_pixel, int width)
{
  const gsize inputs = (gsize) layer->inputs, across = (gsize) layer->side * inputs;
  const float *weights = layer->weights + (gsize) g * (gsize) layer->side * across * LANES;

  for (int x = 0; x < width; x += STEP, in += STEP * inputs)
    {
      float sums[STEP * LANES];

      vg_contour_multiply (in, inputs, row, layer->side, (int) across, weights,
                           layer->bias + g * LANES, sums, 1);
      for (int p = 0; p < MIN (STEP, width - x); p++, out += out_pixel) /* the border stays 0 */
        for (int lane = 0; lane < LANES; lane++)
          {
            const float sum = sums[p * LANES + lane];

            out[lane] = rectify && !(sum > 0.0f) ? 0.0f : sum;
          }
    }
}

void
vg_contour_convolve (const VgContourLayer *layer, const VgContourChannels *from,
                     const VgContourChannels *coarse, const VgContourChannels *to,
                     VgContourWindow window, const VgContourTeam *team)
{
  const int before = layer->side / 2;

  if (layer->products != NULL)
    {
      vg_contour_winograd (layer, from, coarse, to, window, team);
      return;
    }
  g_return_if_fail (coarse == NULL && from->channels == layer->inputs);
  /* dynamic: else a thread whose core is also used by another program delays all */
#pragma omp parallel for collapse(2) schedule(dynamic) num_threads(team->threads)
  for (int y = window.y0; y < window.y1; y++)
    for (int g = 0; g < layer->groups; g++)
      convolve_row (layer, g, vg_contour_channels_at (from, window.x0 - before, y - before),
                    from->row, layer->side > 1,
                    vg_contour_channels_at (to, window.x0, y) + g * LANES, (gsize) to->channels,
                    window.x1 - window.x0);
}

void
vg_contour_pool (const VgContourChannels *from, const VgContourChannels *to, VgContourWindow window,
                 const VgContourTeam *team)
{
#pragma omp parallel for schedule(static) num_threads(team->threads)
  for (int y = window.y0; y < window.y1; y++)
    for (int x = window.x0; x < window.x1; x++)
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
