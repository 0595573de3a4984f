/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-result.h"
#include "app/reading/vg-region-sums.h"
#include "app/session/vg-session.h"
/* The columns of the table of regions.  ROWS are of VgRegionRow. */
G_BEGIN_DECLS

typedef struct
{
  VgRegionResult measured; /* of the pixels of the shown map */
  VgRegionFitted fitted;   /* of the sum of their data; NaN: none */
} VgRegionRow;

typedef enum {
  VG_REGION_COLOR,
  VG_REGION_NAME,
  VG_REGION_FIT,
  VG_REGION_KEPT_FIT,
  VG_REGION_FIT_CHANGE,
  VG_REGION_MEAN,
  VG_REGION_KEPT,
  VG_REGION_CHANGE,
  VG_REGION_POWER,
  VG_REGION_SD,
  VG_REGION_MEDIAN,
  VG_REGION_Q25,
  VG_REGION_Q75,
  VG_REGION_MIN_VALUE,
  VG_REGION_MAX_VALUE,
  VG_REGION_BASELINE,
  VG_REGION_AREA,
  VG_REGION_VOLUME,
  VG_REGION_COUNT,
  VG_REGION_DELETE,
  VG_REGION_N_COLUMNS
} VgRegionColumn;

/* Of the columns from the name to the count; static strings.  VOXELS: of a volume. */
const char *vg_region_column_title (int column, gboolean voxels);
const char *vg_region_column_help (int column, gboolean voxels);
/* NaN: there is none. */
double vg_region_column_value (int column, const GArray *rows, guint i);
/* The standard error of a value, for the columns that have one; NaN: none. */
double vg_region_column_error (int column, const GArray *rows, guint i);
/* The cell of row I, owned; DECIMALS are those of columns without a standard error. */
char *vg_region_column_text (int column, const GArray *rows, guint i, int decimals);
/* Whether a column is empty for most maps. */
gboolean vg_region_column_is_optional (int column);
/* Whether a column tells anything: pixels with a value only where some have none; the fit also
 * where only the kept one has a value. */
gboolean vg_region_column_is_needed (int column, const GArray *rows);
/* The table as text, owned, with BETWEEN between the cells; MAP is what the numbers are of. */
char *vg_region_columns_write (VgSession *session, const GArray *rows, const char *map,
                               gboolean voxels, const char *between);

G_END_DECLS
