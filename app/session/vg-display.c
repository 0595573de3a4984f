/* SPDX-License-Identifier: MIT */
/* Automatic limits are percentiles, by default 0.5 and 99.5 %, on a linear scale of all finite
 * samples and on a logarithmic one of the positive ones, rounded outwards to two figures.  Half a
 * percent at either end is more than the dead pixels, reflections and failed fits of an ordinary
 * map, which would otherwise take most of the colours, and less than the smallest vessel or cell
 * that one looks for.  Two figures are short enough to read at the colour bar, stay the same from
 * one noisy frame to the next, and waste less than a tenth of the values.  Limits of a diverging
 * output are symmetric about its centre; those of a ratio have the same factor on both sides. */
#include "app/session/vg-display.h"
#include <math.h>
#include <string.h>
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-sort.h"
#include "kernels/base/vg-statistics-formula.h"
#include "kernels/base/vg-text.h"

enum { MOST_DECADES = 6 };

/* VALUE to two figures of SCALE, up or down; a float's own error is not rounded to the next. */
static double
round_to (double value, double scale, gboolean up)
{
  double exponent = floor (log10 (scale) + 1e-9) - 1, unit = pow (10, fabs (exponent));
  double figures = exponent < 0 ? value * unit : value / unit, nearest = round (figures);

  if (fabs (figures - nearest) > 2e-7 * fabs (figures))
    nearest = up ? ceil (figures) : floor (figures);
  return exponent < 0 ? nearest / unit : nearest * unit;
}

/* Two figures of each limit, so of the distance in decades. */
static void
logarithmic_limits (const VgStatistics *statistics, double *low, double *high)
{
  *high = statistics->most > 0 ? MIN (*high, statistics->most) : *high;
  *low = MIN (MAX (*low, *high * pow (10, -MOST_DECADES)), *high);
  *low = round_to (*low, *low, FALSE);
  *high = round_to (*high, *high, TRUE);
  if (!(*high > *low))
    *high = round_to (1.1 * *low, *low, TRUE);
}

/* Two figures of the distance between them, as 2.31 and 2.47. */
static void
linear_limits (const VgStatistics *statistics, double *low, double *high)
{
  double range = *high - *low;

  if (range > 0)
    {
      *low = round_to (*low, range, FALSE);
      *high = round_to (*high, range, TRUE);
    }
  if (statistics->most > 0 && *high > statistics->most)
    {
      *high = statistics->most;
      *low = *low < *high ? *low : MIN (statistics->min, 0);
    }
}

/* For a ratio: from 1 / k to k times the centre. */
static void
ratio_limits (double centre, double *low, double *high)
{
  const double least = 1.02, most = 100;
  double reach = fmax (*high / centre, *low > 0 ? centre / *low : 1);

  reach = fmax (reach, least);
  reach = fmin (round_to (reach, reach - 1, TRUE), most);
  *low = centre / reach;
  *high = centre * reach;
}

static void
diverging_limits (double centre, double *low, double *high)
{
  double reach = fmax (fabs (*low - centre), fabs (*high - centre));

  if (centre > 0 && *low >= 0) /* such as percentages, which are not below 0 */
    reach = fmin (reach, centre);
  reach = reach > 0 ? round_to (reach, reach, TRUE) : 0;
  *low = centre - reach;
  *high = centre + reach;
}

static void
automatic_limits (const VgDisplay *self, const VgOutput *output, const VgStatistics *statistics,
                  double *low, double *high)
{
  gboolean diverging = output != NULL && output->hints.diverging,
           ratio = self->log_scale && diverging && output->hints.centre > 0,
           decades = self->log_scale && !ratio && statistics != NULL && statistics->max > 0;
  double (*quantile) (const VgStatistics *, double) = decades ? vg_statistics_log_quantile
                                                              : vg_statistics_quantile;

  *low = 0;
  *high = 1;
  if (statistics == NULL || statistics->valid == 0)
    return;
  *low = quantile (statistics, self->auto_low_percent / 100);
  *high = quantile (statistics, self->auto_high_percent / 100);
  if (ratio)
    ratio_limits (output->hints.centre, low, high);
  else if (decades)
    logarithmic_limits (statistics, low, high);
  else if (diverging)
    diverging_limits (output->hints.centre, low, high);
  else
    linear_limits (statistics, low, high);
}

/* The limits of the table, if it has them; for categories those of their colours; else all numbers,
 * so that no two have the same colour. */
static void
label_limits (const VgDisplay *self, const VgOutput *output, const VgStatistics *statistics,
              double *low, double *high)
{
  gboolean fixed = output->hints.limits[1] > output->hints.limits[0],
           categories = g_str_equal (self->colormap, "categories");

  *low = fixed ? output->hints.limits[0] : 0;
  *high = fixed                                         ? output->hints.limits[1]
          : categories                                  ? VG_DISPLAY_LABELS
          : statistics != NULL && statistics->valid > 0 ? MAX (statistics->max, 1)
                                                        : 1;
}

void
vg_display_get_coloring (const VgDisplay *self, const VgOutput *output,
                         const VgStatistics *statistics, VgColoring *coloring)
{
  double low = self->low, high = self->high;
  gboolean labels = output != NULL && output->kind == VG_OUTPUT_LABELS;

  if (labels)
    label_limits (self, output, statistics, &low, &high);
  else if (self->auto_limits)
    automatic_limits (self, output, statistics, &low, &high);
  coloring->colormap = vg_colormap_find (self->colormap);
  if (coloring->colormap == NULL)
    coloring->colormap = vg_colormap_find ("viridis");
  coloring->low = self->reversed ? high : low;
  coloring->high = self->reversed ? low : high;
  coloring->gamma = self->gamma > 0 && !labels ? self->gamma : 1;
  coloring->log_scale = self->log_scale && !labels;
  memcpy (coloring->invalid_rgb, self->invalid_rgb, sizeof coloring->invalid_rgb);
}

int
vg_display_get_bar (const VgOutput *output, const VgColoring *coloring,
                    const VgStatistics *statistics)
{
  if (output == NULL || output->kind != VG_OUTPUT_LABELS)
    return 0;
  if (output->hints.instance != NULL ||
      !(statistics->max >= 1 && statistics->max <= VG_DISPLAY_LABELS))
    return VG_DISPLAY_NO_BAR;
  return g_strcmp0 (coloring->colormap->id, "categories") == 0 ? (int) statistics->max : 0;
}

void
vg_display_get_shares (const VgStatistics *statistics, double shares[VG_DISPLAY_LABELS + 1])
{
  double scale = vg_statistics_scale (statistics->min, statistics->max);

  for (int i = 0; i <= VG_DISPLAY_LABELS; i++)
    shares[i] = i >= statistics->min && i <= statistics->max
                    ? (double) statistics
                              ->histogram[vg_statistics_bin ((float) i, statistics->min, scale)] /
                          (double) statistics->valid
                    : 0;
}

gboolean
vg_display_get_window (const VgDisplay *self, double limits[2])
{
  limits[0] = self->level - 0.5 * self->width;
  limits[1] = self->level + 0.5 * self->width;
  return self->width > 0 && limits[1] > limits[0] && isfinite (limits[1] - limits[0]);
}

VgPlane
vg_display_get_volume (const VgPlane *plane)
{
  VgPlane volume = *plane;

  if (plane->slices > 1 && plane->height <= G_MAXINT / plane->slices)
    {
      volume.height *= plane->slices;
      volume.slices = 1;
    }
  return volume;
}

void
vg_display_get_brightness (const VgStatistics *statistics, double limits[2])
{
  limits[0] = limits[1] = 0;
  if (statistics->valid == 0)
    return;
  limits[0] = statistics->min < 0 ? vg_statistics_quantile (statistics, 0.01) : 0;
  limits[1] = MAX (vg_statistics_quantile (statistics, 0.99), limits[0]);
}

/* ---- isolines ---- */

/* In place; returns how many remain. */
static int
sort_levels (double *levels, int n)
{
  int kept = 0;

  for (int i = 0; i < n; i++)
    if (isfinite (levels[i]))
      levels[kept++] = levels[i];
  n = kept;
  vg_sort_doubles (levels, (gsize) n);
  kept = 0;
  for (int i = 0; i < n; i++)
    if (kept == 0 || levels[i] != levels[kept - 1])
      levels[kept++] = levels[i];
  return kept;
}

void
vg_display_sort_isolines (VgDisplay *self)
{
  self->n_isolines = sort_levels (self->isolines, CLAMP (self->n_isolines, 0, VG_DISPLAY_ISOLINES));
}

int
vg_display_get_levels (const VgDisplay *self, const VgColoring *coloring,
                       double levels[VG_DISPLAY_LEVELS])
{
  double low, high, first, last, stride;
  int n = 0;

  for (int i = 0; i < self->n_isolines; i++)
    if (!coloring->log_scale || self->isolines[i] > 0)
      levels[n++] = self->isolines[i];
  if (!self->decades || !coloring->log_scale)
    return n;
  vg_coloring_limits (coloring, &low, &high);
  /* none at the limits themselves: there the colours end, and below there is mostly noise */
  first = floor (MIN (low, high) / G_LN10 + 1e-9) + 1;
  last = ceil (MAX (low, high) / G_LN10 - 1e-9) - 1;
  stride = MAX (1, ceil ((last - first + 1) / (VG_DISPLAY_LEVELS - VG_DISPLAY_ISOLINES)));
  for (double decade = ceil (first / stride) * stride; decade <= last && n < VG_DISPLAY_LEVELS;
       decade += stride)
    levels[n++] = pow (10, decade);
  return sort_levels (levels, n);
}

/* Goes down by half decades.  A line between two of them needs both to have little noise. */
double
vg_display_get_noise (const VgPlane *plane, const VgPlane *error)
{
  enum { BINS = 160, ZERO = BINS / 2, MOST = 30, UNKNOWN = 100 };
  gsize n = (gsize) plane->width * (gsize) plane->height * (gsize) MAX (plane->slices, 1),
        known = 0;
  double counts[BINS] = { 0 }, sums[BINS] = { 0 };
  int lowest = BINS;

  while (known < n && !isfinite (error->data[known]))
    known++;
  if (known == n) /* the first map has no errors yet */
    return INFINITY;
  for (gsize i = 0; i < n; i++)
    if (plane->data[i] > 0)
      {
        /* an infinite value is in the last bin */
        int place = (int) fmin (floor (2 * log10 (plane->data[i])), BINS),
            bin = CLAMP (place + ZERO, 0, BINS - 1);

        counts[bin]++;
        sums[bin] += isfinite (error->data[i]) ? MIN (error->data[i], UNKNOWN) : UNKNOWN;
      }
  for (int bin = BINS - 1; bin >= 0; bin--)
    if (counts[bin] > 0 && sums[bin] > MOST * counts[bin])
      return lowest == BINS ? INFINITY : pow (10, (lowest + 1 - ZERO) / 2.0) * (1 - 1e-9);
    else if (counts[bin] > 0)
      lowest = bin;
  return 0;
}

int
vg_display_drop_noise (const VgDisplay *self, double noise, double *levels, int n)
{
  int kept = 0;

  for (int i = 0; i < n; i++)
    {
      gboolean typed = FALSE;

      for (int k = 0; k < self->n_isolines; k++)
        typed |= self->isolines[k] == levels[i];
      if (typed || levels[i] >= noise)
        levels[kept++] = levels[i];
    }
  return kept;
}

gboolean
vg_display_parse_isolines (VgDisplay *self, const char *text, GError **error)
{
  g_autofree char *plain = g_strdup (text);
  const char *cursor = plain;
  double values[VG_DISPLAY_ISOLINES];
  int n = 0;

  for (char *c = g_strdelimit (plain, ";", ' '); *c != '\0'; c++)
    if (*c == ',')
      *c = c[1] == '\0' || g_ascii_isspace (c[1]) ? ' ' : '.';
  while (!vg_text_at_end (cursor))
    {
      if (n == VG_DISPLAY_ISOLINES)
        {
          g_set_error (error, VG_USAGE_ERROR, 0, "there are more than %d isolines; remove some",
                       VG_DISPLAY_ISOLINES);
          return FALSE;
        }
      if (!vg_text_read_number (&cursor, &values[n++]) ||
          (*cursor != '\0' && !g_ascii_isspace (*cursor)))
        {
          g_autofree char *quoted = vg_text_quote (text);

          g_set_error (error, VG_USAGE_ERROR, 0, "isolines need numbers such as 0.1, 1, 10, not %s",
                       quoted);
          return FALSE;
        }
    }
  memcpy (self->isolines, values, n * sizeof *values);
  self->n_isolines = n;
  vg_display_sort_isolines (self);
  return TRUE;
}

char *
vg_display_format_isolines (const VgDisplay *self)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < self->n_isolines; i++)
    {
      if (i > 0)
        g_string_append_c (text, ' ');
      vg_text_append_number (text, self->isolines[i]);
    }
  return g_string_free (text, FALSE);
}

gboolean
vg_display_get_orientation (const VgOperation *operation, const VgImageInfo *info,
                            const VgPlane *plane, VgOrientation *orientation)
{
  *orientation = (VgOrientation){ .known = FALSE };
  if (info == NULL || !vg_placement_is_of (info, plane))
    return FALSE;
  vg_placement_orientation (&info->placement, orientation);
  if (vg_operation_has_overlay (operation) || operation->cpu->objects != NULL)
    orientation->turned[0] = orientation->turned[1] = orientation->swapped = FALSE;
  return TRUE;
}
