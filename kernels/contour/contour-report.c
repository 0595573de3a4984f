/* SPDX-License-Identifier: MIT */
#include "contour-mask.h"
#include "contour-outline.h"
#include "contour-run.h"
#include "vg-text.h"
#include <math.h>
/* Text outputs: the outlines as GeoJSON that QuPath opens, and a row per nucleus. */

typedef struct
{
  double area, perimeter, x, y, major, minor, eccentricity, angle_degrees, stain;
  gint64 overlap_px;
  GString *partners;         /* numbers of the objects that share pixels with it */
} Row;

/* Pixel moments of a solid ellipse are a quarter of its squared half-axes. */
static void
measure_moments (const VgContourMask *mask, Row *row)
{
  double sx = 0.0, sy = 0.0, sxx = 0.0, syy = 0.0, sxy = 0.0, n = (double) mask->area, difference, mean, root;

  for (int y = 0; y < mask->box.height; y++)
    for (int x = 0; x < mask->box.width; x++)
      if (mask->bits[y * mask->box.width + x])
        {
          sx += x;
          sy += y;
          sxx += (double) x * x;
          syy += (double) y * y;
          sxy += (double) x * y;
        }
  sx /= n;
  sy /= n;
  sxx = sxx / n - sx * sx + 1.0 / 12.0;   /* a pixel is a square, not a point */
  syy = syy / n - sy * sy + 1.0 / 12.0;
  sxy = sxy / n - sx * sy;
  difference = 0.5 * (sxx - syy);
  mean = 0.5 * (sxx + syy);
  root = sqrt (difference * difference + sxy * sxy);
  row->x = mask->box.x + sx + 0.5;
  row->y = mask->box.y + sy + 0.5;
  row->major = 4.0 * sqrt (mean + root);
  row->minor = 4.0 * sqrt (MAX (mean - root, 0.0));
  row->eccentricity = sqrt (MAX (1.0 - row->minor * row->minor / (row->major * row->major), 0.0));
  row->angle_degrees = 0.5 * atan2 (2.0 * sxy, sxx - syy) * 180.0 / G_PI;
}

static void
measure_partners (const VgContourScene *scene, const GPtrArray *masks, guint i, Row *row)
{
  const VgContourMask *mask = vg_contour_mask_at (masks, i);

  for (guint k = 0; k < masks->len; k++)
    {
      gint64 common = k == i ? 0 : vg_contour_mask_common (mask, vg_contour_mask_at (masks, k));

      if (common == 0)
        continue;
      row->overlap_px += common;
      g_string_append_printf (row->partners, "%s%u", row->partners->len > 0 ? " " : "", vg_contour_scene_object (scene, k)->id);
    }
}

static Row
measure (const VgContourRun *self, const GPtrArray *masks, guint i, const VgContourShape *outline)
{
  const VgContourMask *mask = vg_contour_mask_at (masks, i);
  Row row = { .area = vg_contour_shape_area (outline), .perimeter = vg_contour_perimeter (outline), .partners = g_string_new (NULL) };

  measure_moments (mask, &row);
  measure_partners (self->scene, masks, i, &row);
  for (int y = 0; y < mask->box.height; y++)
    for (int x = 0; x < mask->box.width; x++)
      if (mask->bits[y * mask->box.width + x])
        row.stain += self->stain[(gsize) (mask->box.y + y) * (gsize) self->info.width + (gsize) (mask->box.x + x)];
  row.stain /= (double) mask->area;
  return row;
}

static void
append (GString *text, const char *before, double value)
{
  g_string_append (text, before);
  vg_text_append_float (text, (float) (round (value * 1e4) / 1e4));
}

static void
write_row (GString *text, const VgContourObject *object, const Row *row)
{
  g_string_append_printf (text, "%u", object->id);
  append (text, ",", object->seed_x);
  append (text, ",", object->seed_y);
  append (text, ",", row->x);
  append (text, ",", row->y);
  append (text, ",", row->area);
  append (text, ",", row->perimeter);
  append (text, ",", row->major);
  append (text, ",", row->minor);
  append (text, ",", row->eccentricity);
  append (text, ",", row->angle_degrees);
  append (text, ",", row->stain);
  g_string_append_printf (text, ",%" G_GINT64_FORMAT ",%s\n", row->overlap_px, row->partners->str);
}

static void
write_rings (GString *text, const VgContourShape *outline)
{
  const VgContourPoint *p = &g_array_index (outline->points, VgContourPoint, 0);
  guint start = 0;

  for (guint r = 0; r < outline->ring_ends->len; r++)
    {
      guint end = g_array_index (outline->ring_ends, guint, r);

      g_string_append (text, r > 0 ? ", [" : "[");
      for (guint i = start; i <= end; i++)
        {
          const VgContourPoint *q = &p[i < end ? i : start];   /* closed: the first point again */

          append (text, i > start ? ", [" : "[", q->x);
          append (text, ", ", q->y);
          g_string_append (text, "]");
        }
      g_string_append (text, "]");
      start = end;
    }
}

static void
write_feature (GString *text, const VgContourObject *object, const Row *row, const VgContourShape *outline, gboolean first)
{
  g_string_append_printf (text, "%s{\"type\": \"Feature\", \"geometry\": {\"type\": \"Polygon\", \"coordinates\": [", first ? "" : ",\n");
  write_rings (text, outline);
  g_string_append_printf (text, "]}, \"properties\": {\"objectType\": \"detection\", \"name\": \"Nucleus %u\", "
                                "\"classification\": {\"name\": \"Nucleus\", \"color\": [54, 102, 201]}, \"measurements\": {",
                          object->id);
  append (text, "\"Area px^2\": ", row->area);
  append (text, ", \"Perimeter px\": ", row->perimeter);
  append (text, ", \"Eccentricity\": ", row->eccentricity);
  append (text, ", \"Mean stain\": ", row->stain);
  append (text, ", \"Overlap px\": ", (double) row->overlap_px);
  g_string_append (text, "}}}");
}

char *
vg_contour_run_text (const VgContourRun *self, guint i, char **file_name, GError **error)
{
  const VgContourScene *scene = self->scene;
  g_autoptr (GPtrArray) masks = vg_contour_masks_of_scene (scene);
  gboolean table = i == VG_CONTOUR_OUTPUT_OBJECTS;
  GString *text = g_string_new (table ? "id,seed_x,seed_y,x,y,area_px2,perimeter_px,major_px,minor_px,eccentricity,angle_degrees,mean_stain,"
                                        "overlap_px2,partners\n"
                                      : "{\"type\": \"FeatureCollection\", \"features\": [\n");
  gboolean first = TRUE;

  (void) error;
  if (file_name != NULL)
    *file_name = g_strdup (table ? "objects.csv" : "contours.geojson");
  for (guint k = 0, m = 0; k < scene->objects->len; k++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, k);
      VgContourShape *outline = vg_contour_outline (object, self->info.width, self->info.height);
      Row row;

      if (outline == NULL)
        continue;   /* it has no mask either */
      row = measure (self, masks, m++, outline);
      if (table)
        write_row (text, object, &row);
      else
        write_feature (text, object, &row, outline, first);
      first = FALSE;
      g_string_free (row.partners, TRUE);
      vg_contour_shape_free (outline);
    }
  if (!table)
    g_string_append (text, "\n]}\n");
  return g_string_free (text, FALSE);
}
