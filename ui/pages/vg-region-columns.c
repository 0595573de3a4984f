/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-region-columns.h"
#include <math.h>
#include "kernels/base/vg-text.h"
#include "ui/common/vg-number-format.h"
#include "ui/words/vg-translation.h"

static const struct
{
  int column;
  const char *title, *help, *of_voxels, *help_of_voxels; /* the latter for a volume; NULL: alike */
} headings[] = {
  { VG_REGION_NAME, N_ ("Region"), N_ ("Click a name to change it") },
  { VG_REGION_FIT, N_ ("Fit ± SE"),
    N_ ("Fit of the sum of the region's data, with its standard error"), NULL,
    N_ ("Fit of the region's mean curve, with its standard error. Slices of one name count as "
        "one region.") },
  { VG_REGION_KEPT_FIT, N_ ("Kept fit ± SE"),
    N_ ("The same of the region with this name in the kept result") },
  { VG_REGION_FIT_CHANGE, N_ ("Change ± SE"),
    N_ ("Difference of the two fits, with the standard error for two independent recordings") },
  { VG_REGION_MEAN, N_ ("Mean"), N_ ("Mean of the shown map in the region") },
  { VG_REGION_KEPT, N_ ("Kept"), N_ ("Mean of the kept map in the region") },
  /* xgettext:no-c-format */
  { VG_REGION_CHANGE, N_ ("Change (%)"), N_ ("Mean difference, in per cent of the kept mean") },
  { VG_REGION_POWER, N_ ("Power (mW)"),
    N_ ("Power in the region: mean power per volume, times volume") },
  { VG_REGION_SD, N_ ("SD"), N_ ("Standard deviation, n − 1") },
  { VG_REGION_MEDIAN, N_ ("Median"), N_ ("Half of the values are smaller, half are larger") },
  { VG_REGION_Q25, N_ ("Q1"), N_ ("Lower quartile: a quarter of the values are smaller") },
  { VG_REGION_Q75, N_ ("Q3"), N_ ("Upper quartile: a quarter of the values are larger") },
  { VG_REGION_MIN_VALUE, N_ ("Minimum"), N_ ("Smallest value") },
  { VG_REGION_MAX_VALUE, N_ ("Maximum"), N_ ("Largest value") },
  /* xgettext:no-c-format */
  { VG_REGION_BASELINE, N_ ("% of baseline"),
    N_ ("Mean of the map that is in per cent of the baseline") },
  { VG_REGION_AREA, N_ ("Area (px)"), N_ ("Pixels whose centre lies inside"), N_ ("Voxels"),
    N_ ("Voxels whose centre lies inside") },
  { VG_REGION_VOLUME, N_ ("Volume (ml)"), N_ ("Volume of the region") },
  { VG_REGION_COUNT, N_ ("With a value"), N_ ("Pixels that have a value"), N_ ("With a value"),
    N_ ("Voxels that have a value") },
};

const char *
vg_region_column_title (int column, gboolean voxels)
{
  const char *own = headings[column - VG_REGION_NAME].of_voxels;

  return _ (voxels && own != NULL ? own : headings[column - VG_REGION_NAME].title);
}

const char *
vg_region_column_help (int column, gboolean voxels)
{
  const char *own = headings[column - VG_REGION_NAME].help_of_voxels;

  return _ (voxels && own != NULL ? own : headings[column - VG_REGION_NAME].help);
}

double
vg_region_column_value (int column, const GArray *rows, guint i)
{
  const VgRegionResult *region = &g_array_index (rows, VgRegionRow, i).measured;
  const VgRegionFitted *fitted = &g_array_index (rows, VgRegionRow, i).fitted;
  const VgRegionStatistics *row = &region->statistics;

  switch (column)
    {
    case VG_REGION_FIT:
      return fitted->value;
    case VG_REGION_KEPT_FIT:
      return fitted->kept;
    case VG_REGION_FIT_CHANGE:
      return fitted->value - fitted->kept;
    case VG_REGION_AREA:
      return (double) (row->valid + row->invalid);
    case VG_REGION_VOLUME:
      return region->volume_ml > 0 ? region->volume_ml : NAN;
    case VG_REGION_POWER:
      return region->power_mw > 0 || region->power_mw < 0 ? region->power_mw : NAN;
    case VG_REGION_COUNT:
      return (double) row->valid;
    case VG_REGION_MEAN:
      return row->valid ? row->mean : NAN;
    case VG_REGION_SD:
      return row->valid > 1 ? row->sd : NAN;
    case VG_REGION_MEDIAN:
      return row->valid ? row->median : NAN;
    case VG_REGION_Q25:
      return row->valid ? row->q25 : NAN;
    case VG_REGION_Q75:
      return row->valid ? row->q75 : NAN;
    case VG_REGION_MIN_VALUE:
      return row->valid ? row->min : NAN;
    case VG_REGION_MAX_VALUE:
      return row->valid ? row->max : NAN;
    case VG_REGION_KEPT:
      return region->kept;
    case VG_REGION_CHANGE:
      return region->kept > 0 || region->kept < 0 ? 100 * row->mean / region->kept : NAN;
    case VG_REGION_NAME:
      return NAN;
    default:
      return region->of_baseline;
    }
}

double
vg_region_column_error (int column, const GArray *rows, guint i)
{
  const VgRegionFitted *fitted = &g_array_index (rows, VgRegionRow, i).fitted;

  return column == VG_REGION_FIT          ? fitted->error
         : column == VG_REGION_KEPT_FIT   ? fitted->kept_error
         : column == VG_REGION_FIT_CHANGE ? vg_region_fitted_get_error (fitted)
                                          : (double) NAN;
}

static gboolean
has_error (int column)
{
  return column >= VG_REGION_FIT && column <= VG_REGION_FIT_CHANGE;
}

char *
vg_region_column_text (int column, const GArray *rows, guint i, int decimals)
{
  double value = vg_region_column_value (column, rows, i);

  return has_error (column) ? vg_format_with_error (value, vg_region_column_error (column, rows, i))
                            : vg_format_fixed (value, decimals);
}

gboolean
vg_region_column_is_optional (int column)
{
  return has_error (column) || column == VG_REGION_KEPT || column == VG_REGION_CHANGE ||
         column == VG_REGION_POWER || column == VG_REGION_BASELINE || column == VG_REGION_VOLUME ||
         column == VG_REGION_COUNT;
}

gboolean
vg_region_column_is_needed (int column, const GArray *rows)
{
  /* a kept fit alone would be read as the fit */
  gboolean needed = !vg_region_column_is_optional (column) ||
                    (column == VG_REGION_FIT &&
                     vg_region_column_is_needed (VG_REGION_KEPT_FIT, rows));

  for (guint i = 0; i < rows->len && !needed; i++)
    {
      const VgRegionResult *row = &g_array_index (rows, VgRegionRow, i).measured;

      needed = column == VG_REGION_COUNT ? row->statistics.invalid > 0
                                         : isfinite (vg_region_column_value (column, rows, i));
    }
  return needed;
}

/* The title of a column in a file, owned: MAP is what its numbers are of. */
static char *
write_title (int column, gboolean voxels, const char *map)
{
  if (column == VG_REGION_COUNT)
    return g_strdup (voxels ? _ ("Voxels with a value") : _ ("With a value (px)"));
  if (column == VG_REGION_NAME || column == VG_REGION_AREA ||
      (vg_region_column_is_optional (column) && !has_error (column)))
    return g_strdup (vg_region_column_title (column, voxels));
  return g_strdup_printf (_ ("%s of %s"),
                          column == VG_REGION_FIT        ? _ ("Fit")
                          : column == VG_REGION_KEPT_FIT ? _ ("Kept fit")
                          : column == VG_REGION_FIT_CHANGE
                              ? _ ("Change of the fit")
                              : vg_region_column_title (column, voxels),
                          map ? map : "");
}

static void
write_number (GString *text, const char *between, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE] = "";

  if (isfinite (value))
    g_ascii_formatd (digits, sizeof digits, "%.9g", value);
  g_string_append_printf (text, "%s%s", between, digits);
}

char *
vg_region_columns_write (VgSession *session, const GArray *rows, const char *map, gboolean voxels,
                         const char *between)
{
  GString *text = g_string_new (NULL);

  for (int column = VG_REGION_NAME; column <= VG_REGION_COUNT; column++)
    {
      g_autofree char *title = write_title (column, voxels, map);

      if (!vg_region_column_is_needed (column, rows))
        continue;
      g_string_append (text, column > VG_REGION_NAME ? between : "");
      vg_text_append_cell (text, title);
      if (!has_error (column))
        continue;
      g_string_append (text, between);
      vg_text_append_cell (text, _ ("Standard error"));
    }
  g_string_append_c (text, '\n');
  for (guint i = 0; i < MIN (rows->len, vg_session_get_n_regions (session)); i++)
    {
      vg_text_append_cell (text, vg_session_get_region (session, i)->name);
      for (int column = VG_REGION_NAME + 1; column <= VG_REGION_COUNT; column++)
        {
          if (!vg_region_column_is_needed (column, rows))
            continue;
          write_number (text, between, vg_region_column_value (column, rows, i));
          if (has_error (column))
            write_number (text, between, vg_region_column_error (column, rows, i));
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
