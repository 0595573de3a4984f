/* SPDX-License-Identifier: MIT */
/* Automatic limits leave out a percentage at either end; those of a diverging
 * output are symmetric about its centre.  Those of a logarithmic one reach
 * from a round number above its maximum over the decades below, as far as
 * there are values: they stay where they are while a map gets better. */
#include "vg-display.h"
#include <math.h>
#include <string.h>

enum { MOST_DECADES = 6 };

/* 1, 2 or 5 times a power of ten, VALUE or the next above. */
static double
round_up (double value)
{
  double power = pow (10, floor (log10 (value)));
  double digit = value / power;

  return power * (digit <= 1.0000001 ? 1 : digit <= 2.0000001 ? 2 : digit <= 5.0000001 ? 5 : 10);
}

static void
logarithmic_limits (const VgStatistics *statistics, double *low, double *high)
{
  *high = round_up (statistics->max);
  *low = *high * pow (10, -MOST_DECADES);
  if (statistics->min > *low)
    *low = MIN (1 / round_up (1 / statistics->min), *high / 10);
}

static void
automatic_limits (const VgDisplay *self, const VgOutput *output, const VgStatistics *statistics, double *low, double *high)
{
  *low = 0;
  *high = 1;
  if (statistics == NULL || statistics->valid == 0)
    return;
  if (self->log_scale && statistics->max > 0)
    {
      logarithmic_limits (statistics, low, high);
      return;
    }
  *low = vg_statistics_quantile (statistics, self->auto_low_percent / 100);
  *high = vg_statistics_quantile (statistics, self->auto_high_percent / 100);
  if (output != NULL && output->diverging)
    {
      double reach = MAX (fabs (*low - output->centre), fabs (*high - output->centre));

      *low = output->centre - reach;
      *high = output->centre + reach;
    }
}

void
vg_display_get_coloring (const VgDisplay *self, const VgOutput *output, const VgStatistics *statistics, VgColoring *coloring)
{
  double low = self->low, high = self->high;

  if (self->auto_limits)
    automatic_limits (self, output, statistics, &low, &high);
  coloring->colormap = vg_colormap_find (self->colormap);
  if (coloring->colormap == NULL)
    coloring->colormap = vg_colormap_find ("viridis");
  coloring->low = self->reversed ? high : low;
  coloring->high = self->reversed ? low : high;
  coloring->gamma = self->gamma > 0 ? self->gamma : 1;
  coloring->log_scale = self->log_scale;
  memcpy (coloring->invalid_rgb, self->invalid_rgb, sizeof coloring->invalid_rgb);
}
