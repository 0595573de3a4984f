/* SPDX-License-Identifier: MIT */
/* Colour maps, and values to colours on the host. */
#include "kernels/shared/vg-colormap.h"
#include "kernels/shared/vg-colormap-tables.h"
#include "kernels/shared/vg-coloring-formula.h"
#include <string.h>

static const VgColormap colormaps[] = {
  { "viridis", "Viridis", vg_colormap_viridis, FALSE },
  { "magma", "Magma", vg_colormap_magma, FALSE },
  { "inferno", "Inferno", vg_colormap_inferno, FALSE },
  { "cividis", "Cividis", vg_colormap_cividis, FALSE },
  { "turbo", "Turbo", vg_colormap_turbo, FALSE },
  { "gray", "Grey", vg_colormap_gray, FALSE },
  { "coolwarm", "Cool to warm", vg_colormap_coolwarm, TRUE },
  { "categories", "Categories", vg_colormap_categories, FALSE },
};

const VgColormap *
vg_colormaps (guint *n)
{
  *n = G_N_ELEMENTS (colormaps);
  return colormaps;
}

const VgColormap *
vg_colormap_find (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (colormaps); i++)
    if (g_strcmp0 (colormaps[i].id, id) == 0)
      return &colormaps[i];
  return NULL;
}

void
vg_colormap_category (guint i, guint8 rgb[3])
{
  memcpy (rgb, vg_colormap_categories[16 * (i % 16)], 3);
}

void
vg_coloring_limits (const VgColoring *self, double *low, double *high)
{
  *low = self->low;
  *high = self->high;
  if (!self->log_scale)
    return;
  /* without a positive limit there are no decades to show: take the six
   * below the other one, or below 1 */
  if (!(*low > 0) && !(*high > 0))
    *(self->low > self->high ? low : high) = 1;
  if (!(*low > 0))
    *low = *high * 1e-6;
  if (!(*high > 0))
    *high = *low * 1e-6;
  *low = log (*low);
  *high = log (*high);
}

double
vg_coloring_position (const VgColoring *self, double value)
{
  double low, high;

  vg_coloring_limits (self, &low, &high);
  return vg_coloring_formula (value, low, high, self->gamma, self->log_scale);
}

void
vg_coloring_apply (const VgColoring *self, const float *values, gsize n, guint8 *rgba)
{
  double low, high;

  vg_coloring_limits (self, &low, &high);
#pragma omp parallel for schedule(static) if (n > 1 << 16)
  for (gsize i = 0; i < n; i++)
    {
      double position = vg_coloring_formula (values[i], low, high, self->gamma, self->log_scale);
      const guint8 *rgb = isnan (position) ? self->invalid_rgb
                                           : self->colormap->rgb[vg_coloring_index (position)];

      memcpy (rgba + 4 * i, rgb, 3);
      rgba[4 * i + 3] = 255;
    }
}

void
vg_coloring_dim (guint8 *rgba, const float *light, gsize n, double low, double high)
{
#pragma omp parallel for schedule(static) if (n > 1 << 16)
  for (gsize i = 0; i < n; i++)
    {
      double part = isfinite (light[i]) ? CLAMP ((light[i] - low) / (high - low), 0, 1) : 0;

      for (int k = 0; k < 3; k++)
        rgba[4 * i + k] = (guint8) (rgba[4 * i + k] * part + 0.5);
    }
}
