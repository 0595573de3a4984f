/* SPDX-License-Identifier: MIT */
/* A line is 1.5 pixels wide: how far a pixel is from it is the difference of
 * the values over the slope.  Ink is black on what is light, else white. */
#include "vg-isolines.h"
#include <math.h>

/* Below what a line has to tell: a tenth of the lowest. */
static double
find_floor (const VgIsolines *self)
{
  double lowest = INFINITY;

  for (int i = 0; i < self->n_levels; i++)
    lowest = MIN (lowest, self->levels[i]);
  return lowest / 10;
}

static double
cover (const VgIsolines *self, double value, double slope)
{
  double most = 0;

  for (int i = 0; i < self->n_levels; i++)
    {
      double level = self->log_scale ? log (self->levels[i]) : self->levels[i];

      most = MAX (most, CLAMP (1.25 - fabs (value - level) / slope, 0, 1));
    }
  return most;
}

static void
blend (guint8 *rgba, double part)
{
  double shade = (0.2126 * rgba[0] + 0.7152 * rgba[1] + 0.0722 * rgba[2]) / 255;
  double ink = shade > 0.4 ? 0 : 255;

  for (int k = 0; k < 3; k++)
    rgba[k] = (guint8) lround (rgba[k] + 0.9 * part * (ink - rgba[k]));
}

static double
spline (double at)
{
  double x = fabs (at);

  return x >= 2 ? 0 : x < 1 ? (4 - 6 * x * x + 3 * x * x * x) / 6 : (2 - x) * (2 - x) * (2 - x) / 6;
}

/* A log scale spans decades of which the lower ones are noisy. */
double
vg_isolines_reach (const VgIsolines *self, double zoom, double pixels, double most)
{
  return CLAMP (pixels / zoom, self->log_scale ? 2 : 1, most);
}

/* As the shader's smoothed(). */
float
vg_isolines_smooth (const VgIsolines *self, VgIsolinesSample sample, gconstpointer data, double x, double y, double reach_x, double reach_y)
{
  double sum = 0, weights = 0, all = 0, lowest = find_floor (self);

  for (double v = floor (y - 2 * reach_y); v < y + 2 * reach_y; v++)
    for (double u = floor (x - 2 * reach_x); u < x + 2 * reach_x; u++)
      {
        double weight = spline ((u + 0.5 - x) / reach_x) * spline ((v + 0.5 - y) / reach_y);
        double value = sample (data, u, v);

        if (self->rings)
          weight *= fabs (u + 0.5 - self->column);
        all += weight;
        if (!isfinite (value))
          continue;
        sum += weight * (self->log_scale ? log (MAX (value, lowest)) : value);
        weights += weight;
      }
  return weights > 0.5 * all ? (float) (sum / weights) : NAN;
}

void
vg_isolines_draw (const VgIsolines *self, const float *field, int width, int height, guint8 *rgba)
{
  if (self->n_levels == 0)
    return;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        gsize i = (gsize) y * width + x;
        double value = field[i];
        double along = width < 2 ? 0 : x + 1 < width ? field[i + 1] - value : value - field[i - 1];
        double down = height < 2 ? 0 : y + 1 < height ? field[i + width] - value : value - field[i - width];
        double slope = hypot (along, down);

        if (slope > 0 && isfinite (slope))
          blend (rgba + 4 * i, cover (self, value, slope));
      }
}
