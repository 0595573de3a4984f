/* SPDX-License-Identifier: MIT */
#include "app/batch/vg-tile-rings.h"
#include <math.h>
#include "kernels/shared/vg-outlines-draw.h"

#define LINE 1.5           /* width, pixels */
#define LEAST_STRENGTH 0.5 /* of dots, because a preview is not enlarged */
enum { ABOUT = 3 };        /* pixels about a ring that its line and seam reach */

struct _VgTileRings
{
  int width, height;
  double scale;
  float *rgba; /* premultiplied */
};

VgTileRings *
vg_tile_rings_new (int width, int height, int factor)
{
  VgTileRings *self = g_new0 (VgTileRings, 1);

  self->width = width;
  self->height = height;
  self->scale = 1.0 / factor;
  self->rgba = g_new0 (float, 4 * (gsize) width * (gsize) height);
  return self;
}

void
vg_tile_rings_free (VgTileRings *self)
{
  if (self == NULL)
    return;
  g_free (self->rgba);
  g_free (self);
}

/* The square of the distance of (X, Y) from the line between two points. */
static double
distance_to (double x, double y, const double *a, const double *b)
{
  double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
  double t = square > 0 ? CLAMP (((x - a[0]) * dx + (y - a[1]) * dy) / square, 0, 1) : 0;

  dx = x - a[0] - t * dx;
  dy = y - a[1] - t * dy;
  return dx * dx + dy * dy;
}

/* Squares of distances from the ring AT of the pixels of WIDTH x HEIGHT from (X0, Y0) on: no more
 * than the line needs. */
static float *
measure (const double *at, guint n, int x0, int y0, int width, int height)
{
  float *squares = g_new (float, (gsize) width *(gsize) height);

  for (gsize i = 0; i < (gsize) width * (gsize) height; i++)
    squares[i] = ABOUT * ABOUT;
  for (guint k = 0; k < n; k++)
    {
      const double *a = at + 2 * k, *b = at + 2 * ((k + 1) % n);
      int left = (int) floor (MIN (a[0], b[0])) - ABOUT,
          right = (int) ceil (MAX (a[0], b[0])) + ABOUT;
      int top = (int) floor (MIN (a[1], b[1])) - ABOUT,
          bottom = (int) ceil (MAX (a[1], b[1])) + ABOUT;

      for (int y = MAX (top, y0); y < MIN (bottom, y0 + height); y++)
        for (int x = MAX (left, x0); x < MIN (right, x0 + width); x++)
          {
            float *square = &squares[(gsize) (y - y0) * (gsize) width + (gsize) (x - x0)];

            *square = MIN (*square, (float) distance_to (x + 0.5, y + 0.5, a, b));
          }
    }
  return squares;
}

void
vg_tile_rings_add (VgTileRings *self, guint32 id, const double *points, guint n)
{
  g_autofree double *at = g_new (double, 2 * n + 1);
  g_autofree float *squares = NULL;
  double low[2] = { G_MAXDOUBLE, G_MAXDOUBLE }, high[2] = { -G_MAXDOUBLE, -G_MAXDOUBLE }, thinner,
         strength;
  int x0, y0, x1, y1;
  guint8 rgb[3];

  for (guint i = 0; i < 2 * n; i++)
    {
      at[i] = points[i] * self->scale;
      low[i % 2] = MIN (low[i % 2], at[i]);
      high[i % 2] = MAX (high[i % 2], at[i]);
    }
  x0 = (int) CLAMP (low[0] - ABOUT, 0, self->width);
  x1 = (int) CLAMP (high[0] + ABOUT + 1, 0, self->width);
  y0 = (int) CLAMP (low[1] - ABOUT, 0, self->height);
  y1 = (int) CLAMP (high[1] + ABOUT + 1, 0, self->height);
  if (n == 0 || x1 <= x0 || y1 <= y0)
    return;
  /* a tile is 1.8 times as wide and high as the object */
  strength = MAX (
      vg_outlines_strength (1.8 * sqrt ((high[0] - low[0]) * (high[1] - low[1])), &thinner),
      LEAST_STRENGTH);
  squares = measure (at, n, x0, y0, x1 - x0, y1 - y0);
  vg_outlines_color (id, TRUE, rgb);
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      {
        float *pixel = self->rgba + 4 * ((gsize) y * (gsize) self->width + (gsize) x);
        double line, seam, left;

        vg_outlines_cover (sqrt (squares[(gsize) (y - y0) * (gsize) (x1 - x0) + (gsize) (x - x0)]),
                           MAX (thinner * LINE, 1), &line, &seam);
        line *= strength;
        left = (1 - line) * (1 - strength * seam);
        for (int k = 0; k < 3; k++)
          pixel[k] = (float) (line * rgb[k] + left * pixel[k]);
        pixel[3] = (float) (1 - left * (1 - pixel[3]));
      }
}

void
vg_tile_rings_lay (const VgTileRings *self, guint8 *rgb)
{
  for (gsize i = 0; i < (gsize) self->width * (gsize) self->height; i++)
    for (int k = 0; k < 3; k++)
      rgb[3 * i + k] = (guint8) lround (self->rgba[4 * i + k] +
                                        (1 - self->rgba[4 * i + 3]) * rgb[3 * i + k]);
}
