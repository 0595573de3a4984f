/* SPDX-License-Identifier: MIT */
/* Automatic limits leave out a percentage at either end; those of a diverging
 * output are symmetric about its centre. */
#include "vg-display.h"
#include <math.h>
#include <string.h>

static void
automatic_limits (const VgDisplay *self, const VgOutput *output, const VgStatistics *statistics, double *low, double *high)
{
  *low = 0;
  *high = 1;
  if (statistics == NULL || statistics->valid == 0)
    return;
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
