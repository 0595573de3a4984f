/* SPDX-License-Identifier: MIT */
#include "ui/inspect/vg-reading-text.h"
#include <math.h>
#include "app/reading/vg-region-sums.h"
#include "kernels/base/vg-length.h"
#include "ui/common/vg-number-format.h"
#include "ui/words/vg-translation.h"
#include "ui/layers/vg-region-shape.h"

gboolean
vg_reading_has_numbers (const VgReading *reading)
{
  gboolean words = FALSE;

  for (guint i = 0; i < reading->items->len; i++)
    {
      const VgReadingItem *item = &g_array_index (reading->items, VgReadingItem, i);

      if (item->word == NULL && isfinite (item->value))
        return TRUE;
      words = words || item->word != NULL;
    }
  return !words;
}

char *
vg_reading_text_item (const VgReading *reading, const VgReadingItem *item, double kept,
                      double kept_error)
{
  const char *unit = item->unit != NULL && isfinite (item->value) ? item->unit : "";
  g_autofree char *digits = NULL, *before = NULL, *beside = NULL, *change = NULL;

  if (item->word != NULL && reading->region && item->fraction < 1)
    return g_strdup_printf ("%s, %.0f %%", vg_translate (item->word), 100 * item->fraction);
  if (item->word != NULL)
    return g_strdup (vg_translate (item->word));
  digits = isfinite (item->median)  ? vg_format_with_quartiles (item->median, item->q25, item->q75)
           : isfinite (item->value) ? vg_format_with_error (item->value, item->error)
                                    : g_strdup ("–");
  before = isfinite (kept) ? vg_format_with_error (kept, kept_error) : NULL;
  if (before != NULL && isfinite (kept_error) && isfinite (item->value))
    {
      const VgRegionFitted fitted = { item->value, item->error, kept, kept_error };

      change = vg_format_with_error (item->value - kept, vg_region_fitted_get_error (&fitted));
      beside = g_strdup_printf (_ (" (kept %s, change %s)"), before, change);
    }
  else if (before != NULL)
    beside = g_strdup_printf (_ (" (kept %s)"), before);
  return g_strconcat (digits, *unit != '\0' ? " " : "", unit, beside, NULL);
}

char *
vg_reading_text_place (const VgOutput *output, const VgPlane *plane, double x, double y,
                       int length_unit)
{
  const char *const *axes = output->hints.axes;
  double factor;
  const char *unit = vg_length_convert (plane->unit, length_unit, &factor);
  g_autofree char *across = NULL, *down = NULL;

  if (axes[0] == NULL || axes[1] == NULL || *unit == '\0')
    return NULL;
  x = x < 0 ? -1 - floor (x) : floor (x); /* the image may show the plane mirrored beside it */
  across = vg_format_number (factor * vg_plane_position (plane, 0, x + 0.5));
  down = vg_format_number (factor * vg_plane_position (plane, 1, floor (y) + 0.5));
  return g_strdup_printf ("%s %s, %s %s %s", axes[0], across, axes[1], down, unit);
}

char *
vg_reading_text_size (const VgRegion *region, const VgPlane *plane, int length_unit)
{
  g_autofree char *width = NULL, *height = NULL;
  double across, down, factor;
  const char *unit;
  VgPoint low, high;

  vg_region_shape_box (region, &low, &high);
  if (!(plane->pixel_size[0] > 0 && plane->pixel_size[1] > 0 && *plane->unit != '\0'))
    {
      width = vg_format_number (high.x - low.x);
      height = vg_format_number (high.y - low.y);
      return g_strdup_printf ("%s × %s px", width, height);
    }
  across = plane->pixel_size[0] * (high.x - low.x);
  down = plane->pixel_size[1] * (high.y - low.y);
  if (length_unit == VG_LENGTH_OWN)
    length_unit = vg_length_tell (plane->unit, MAX (across, down));
  unit = vg_length_convert (plane->unit, length_unit, &factor);
  width = vg_format_number (factor * across);
  height = vg_format_number (factor * down);
  return g_strdup_printf ("%s × %s %s", width, height, unit);
}

/* What the values of a region are. */
static char *
describe_values (const VgReading *reading, gboolean volume)
{
  gulong n = (gulong) reading->pixels;

  if (!reading->region)
    return NULL;
  if (reading->counted)
    return g_strdup (_ ("Of the objects whose centroid lies in the region"));
  if (reading->summed && reading->missing > 0)
    return g_strdup_printf (
        volume ? _ ("Fit of the mean curve of all %lu voxels ± standard error; %lu have a value")
               : _ ("From the sum of all %lu pixels ± standard error; %lu have a value"),
        n + (gulong) reading->missing, n);
  if (reading->summed)
    return g_strdup (volume ? _ ("Fit of the mean curve of the voxels ± standard error")
                            : _ ("From the sum of the pixels ± standard error"));
  if (reading->rings && n > 1)
    return g_strdup_printf (_ ("Mean ± SD of %lu rings, weighted by volume"), n);
  for (guint i = 0; i < reading->items->len; i++)
    if (isfinite (g_array_index (reading->items, VgReadingItem, i).median))
      return g_strdup_printf (volume ? _ ("Mean ± SD or median (quartiles) of %lu voxels")
                                     : _ ("Mean ± SD or median (quartiles) of %lu pixels"),
                              n);
  if (n == 0)
    return g_strdup (volume ? _ ("No voxel has a value") : _ ("No pixel has a value"));
  if (n == 1)
    return g_strdup (volume ? _ ("One voxel has a value") : _ ("One pixel has a value"));
  return g_strdup_printf (volume ? _ ("Mean ± standard deviation of %lu voxels")
                                 : _ ("Mean ± standard deviation of %lu pixels"),
                          n);
}

/* The first line of the remark, such as both numbers, and the last, such as which to report, in the
 * language of the window; the reasons are in the report.  NULL: there is none. */
static char *
translate_remark (const VgReading *reading)
{
  g_auto (GStrv) lines = reading->remark != NULL ? g_strsplit (reading->remark, "\n", -1) : NULL;
  guint n = lines != NULL ? g_strv_length (lines) : 0;

  return n > 1   ? g_strdup_printf ("%s %s", vg_translate (lines[0]), vg_translate (lines[n - 1]))
         : n > 0 ? g_strdup (vg_translate (lines[0]))
                 : NULL;
}

char *
vg_reading_text_note (const VgReading *reading, gboolean volume, const char *kept)
{
  g_autofree char *values = describe_values (reading, volume), *remark = translate_remark (reading);
  const char *const lines[] = { values, remark, kept };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    if (lines[i] != NULL)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", lines[i]);
  return g_string_free (text, text->len == 0);
}
