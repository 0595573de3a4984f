/* SPDX-License-Identifier: MIT */
#include "app/region/vg-region-objects.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "app/region/vg-region-index.h"
#include "kernels/base/vg-statistics.h"
#include "kernels/base/vg-text.h"

enum { CENTROID_X = 3, ELLIPSE_CORNERS = 96 };

static double
scale_of (const VgImageInfo *info)
{
  return info->downsample > 0 ? info->downsample : 1;
}

/* ---- the table ---- */

/* The cell number I of LINE. */
static double
read_cell (const char *line, int i)
{
  for (; i > 0 && line != NULL; i--)
    {
      line = strpbrk (line, ",\n");
      line = line != NULL && *line == ',' ? line + 1 : NULL;
    }
  return line != NULL ? g_ascii_strtod (line, NULL) : NAN;
}

struct _VgRegionColumn
{
  const VgNamedRegion *const *regions;
  GPtrArray *indices; /* of VgRegionIndex; NULL: nothing is in the region */
  VgImageInfo info;
  gboolean headed;
};

VgRegionColumn *
vg_region_column_new (const VgNamedRegion *const *regions, const VgImageInfo *info)
{
  VgRegionColumn *self = g_new0 (VgRegionColumn, 1);

  self->regions = regions;
  self->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_region_index_free);
  self->info = *info;
  for (guint i = 0; regions[i] != NULL; i++)
    g_ptr_array_add (self->indices, vg_region_index_new (&regions[i]->region));
  return self;
}

void
vg_region_column_free (VgRegionColumn *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->indices);
  g_free (self);
}

static char *
name_regions (const VgRegionColumn *self, double x, double y)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < self->indices->len; i++)
    if (self->indices->pdata[i] != NULL && vg_region_index_contains (self->indices->pdata[i], x, y))
      g_string_append_printf (names, "%s%s", names->len > 0 ? "; " : "", self->regions[i]->name);
  return g_string_free (names, FALSE);
}

void
vg_region_column_add (VgRegionColumn *self, const char *rows, GString *text)
{
  const VgImageInfo *info = &self->info;

  for (const char *line = rows; *line != '\0'; self->headed = TRUE)
    {
      const char *end = strchrnul (line, '\n');

      g_string_append_len (text, line, end - line);
      if (!self->headed)
        g_string_append (text, ",region");
      else
        {
          double x = (read_cell (line, CENTROID_X) - info->origin[0]) / scale_of (info),
                 y = (read_cell (line, CENTROID_X + 1) - info->origin[1]) / scale_of (info);
          g_autofree char *names = name_regions (self, x, y);

          g_string_append_c (text, ',');
          vg_text_append_cell (text, names);
        }
      g_string_append_c (text, '\n');
      line = *end == '\n' ? end + 1 : end;
    }
}

char *
vg_region_objects_to_csv (const char *table, const VgNamedRegion *const *regions,
                          const VgImageInfo *info)
{
  g_autoptr (VgRegionColumn) column = vg_region_column_new (regions, info);
  GString *text = g_string_sized_new (strlen (table) + 1024);

  vg_region_column_add (column, table, text);
  return g_string_free (text, FALSE);
}

/* ---- GeoJSON ---- */

static void
add_corner (GString *text, const VgImageInfo *info, double x, double y, gboolean first)
{
  g_string_append (text, first ? "[" : ", [");
  vg_text_append_decimal (text, info->origin[0] + scale_of (info) * x);
  g_string_append (text, ", ");
  vg_text_append_decimal (text, info->origin[1] + scale_of (info) * y);
  g_string_append_c (text, ']');
}

static void
add_corners (GString *text, const VgRegion *region, const VgImageInfo *info)
{
  int n = region->kind == VG_REGION_RECTANGLE ? 4
          : region->kind == VG_REGION_ELLIPSE ? ELLIPSE_CORNERS
                                              : region->n_points;

  for (int i = 0; i <= n; i++) /* closed: the first corner again */
    {
      int k = i % n;

      if (region->kind == VG_REGION_RECTANGLE)
        add_corner (text, info, region->x[k == 1 || k == 2], region->y[k >= 2], i == 0);
      else if (region->kind == VG_REGION_ELLIPSE)
        add_corner (text, info, region->x[0] + region->x[1] * cos (2 * G_PI * k / n),
                    region->y[0] + region->y[1] * sin (2 * G_PI * k / n), i == 0);
      else
        add_corner (text, info, region->x[k], region->y[k], i == 0);
    }
}

static void
add_quoted (GString *text, const char *name)
{
  g_string_append_c (text, '"');
  for (const char *p = name; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (text, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (text, "\\u%04x", (guint) *p);
    else
      g_string_append_c (text, *p);
  g_string_append_c (text, '"');
}

char *
vg_region_objects_to_geojson (const VgNamedRegion *const *regions, const VgImageInfo *info)
{
  GString *text = g_string_new ("{\"type\": \"FeatureCollection\", \"features\": [\n");

  for (guint i = 0; regions[i] != NULL; i++)
    {
      const guint8 *rgb = regions[i]->rgb;

      g_string_append_printf (text,
                              "%s{\"type\": \"Feature\", \"geometry\": {\"type\": \"Polygon\", "
                              "\"coordinates\": [[",
                              i > 0 ? ",\n" : "");
      add_corners (text, &regions[i]->region, info);
      g_string_append (text, "]]}, \"properties\": {\"objectType\": \"annotation\", \"name\": ");
      add_quoted (text, regions[i]->name);
      if (rgb[0] + rgb[1] + rgb[2] > 0) /* those of the command line have none */
        g_string_append_printf (text, ", \"color\": [%u, %u, %u]", rgb[0], rgb[1], rgb[2]);
      g_string_append (text, "}}");
    }
  g_string_append (text, "\n]}\n");
  return g_string_free (text, FALSE);
}

/* ---- areas ---- */

static double
count_pixels (const VgRegion *region, const VgImageInfo *info)
{
  g_autofree guint8 *mask = NULL;
  int x0, y0, x1, y1;
  double n = 0;

  if (region == NULL)
    return (double) info->width * info->height;
  if (!vg_region_bounds (region, info->width, info->height, &x0, &y0, &x1, &y1) ||
      (mask = vg_region_mask (region, x0, y0, x1, y1)) == NULL)
    return 0;
  for (gsize i = 0; i < (gsize) (x1 - x0) * (gsize) (y1 - y0); i++)
    n += mask[i] != 0;
  return n;
}

double
vg_region_objects_area_mm2 (const VgRegion *region, const VgImageInfo *info)
{
  double um[2];

  return vg_image_info_pixel_um (info, um) ? 1e-6 * um[0] * um[1] * count_pixels (region, info)
                                           : NAN;
}
