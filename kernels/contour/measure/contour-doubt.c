/* SPDX-License-Identifier: MIT */
#include "kernels/contour/measure/contour-doubt.h"
#include <math.h>
#include <string.h>
/* Three signs of a good outline are multiplied: the plane differs between both sides of the border,
 * the network is sure inside, and the shape is that of an ellipse, unlike that of two nuclei. */

/* Pixels outside of the border that are compared with the inside. */
enum { RING = 2 };
/* Two discs that touch have 0.9 of their ellipse's area, one nucleus 0.98 and more. */
#define SHAPE_SLOPE 4.0

static gboolean
has (const VgContourMask *mask, int x, int y)
{
  return x >= 0 && y >= 0 && x < mask->box.width && y < mask->box.height &&
         mask->bits[y * mask->box.width + x];
}

/* WIDE: the pixels of MASK and those within RING pixels of one, along both axes; its box is larger
 * by RING on each side.  Each pixel that is inside marks a square, row by row. */
static guint8 *
widen (const VgContourMask *mask)
{
  const gsize width = (gsize) mask->box.width, across = width + 2 * RING,
              height = (gsize) mask->box.height;
  guint8 *wide = g_malloc0 (across * (height + 2 * RING));

  for (gsize y = 0; y < height; y++)
    for (gsize x = 0; x < width; x++)
      if (mask->bits[y * width + x])
        for (gsize dy = 0; dy <= 2 * RING; dy++)
          memset (wide + (y + dy) * across + x, 1, 2 * RING + 1);
  return wide;
}

double
vg_contour_doubt (const VgContourMask *mask, const guint16 *grey, int width, int height,
                  gboolean learned, double shape)
{
  const int across = mask->box.width + 2 * RING;
  g_autofree guint8 *wide = widen (mask);
  double in = 0.0, out = 0.0, sure = 0.0, n_in = 0.0, n_out = 0.0, fit;

  for (int y = -RING; y < mask->box.height + RING; y++)
    for (int x = -RING; x < mask->box.width + RING; x++)
      {
        int u = mask->box.x + x, v = mask->box.y + y;
        double value;

        if (!wide[(y + RING) * across + x + RING] || u < 0 || v < 0 || u >= width || v >= height)
          continue;
        value = grey[(gsize) v * (gsize) width + (gsize) u] / (double) VG_CONTOUR_UNIT;
        if (has (mask, x, y))
          {
            in += value;
            sure += fabs (2.0 * value - 1.0);
            n_in++;
          }
        else
          {
            out += value;
            n_out++;
          }
      }
  if (n_in == 0.0)
    return 1.0;
  fit = n_out > 0.0 ? CLAMP (in / n_in - out / n_out, 0.0, 1.0) : 1.0;
  shape = CLAMP (1.0 - SHAPE_SLOPE * (1.0 - shape), 0.0, 1.0);
  return 1.0 - fit * shape * (learned ? sure / n_in : 1.0);
}
