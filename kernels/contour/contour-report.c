/* SPDX-License-Identifier: MIT */
#include "contour-report.h"
#include "contour-outline.h"
#include "contour-run.h"
#include "vg-text.h"
#include <math.h>
/* Text outputs: the outlines as GeoJSON that QuPath opens, and a row per nucleus. */

const VgObjectColumn vg_contour_columns[] = {
  { "id", "Nucleus", NULL, TRUE },
  { "seed_x", "Seed x", "px", FALSE },
  { "seed_y", "Seed y", "px", FALSE },
  { "x", "x", "px", FALSE },
  { "y", "y", "px", FALSE },
  { "area_px2", "Area", "px\302\262", TRUE },
  { "perimeter_px", "Perimeter", "px", FALSE },
  { "major_px", "Long axis", "px", TRUE },
  { "minor_px", "Short axis", "px", TRUE },
  { "eccentricity", "Eccentricity", NULL, TRUE },
  { "angle_degrees", "Angle", "\302\260", FALSE },
  { "mean_stain", "Mean stain", NULL, TRUE },
  { "overlap_px2", "Overlap", "px\302\262", FALSE },
  { "partners", "Overlaps", NULL, TRUE },
  { NULL },
};

VgContourPlace
vg_contour_place_of (const VgImageInfo *info)
{
  return (VgContourPlace) { info->origin[0], info->origin[1], info->downsample > 0.0 ? info->downsample : 1.0 };
}

/* Pixel moments of a solid ellipse are a quarter of its squared half-axes. */
static void
measure_moments (const VgContourMask *mask, VgContourRow *row)
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

void
vg_contour_row_measure (VgContourRow *self, const VgContourObject *object, const VgContourMask *mask, const VgContourShape *outline,
                        const float *stain, int width, const VgContourPlace *place)
{
  double *const points[] = { &self->seed_x, &self->seed_y, &self->x, &self->y }, *const lengths[] = { &self->perimeter, &self->major, &self->minor };

  *self = (VgContourRow) { .seed_x = object->seed_x, .seed_y = object->seed_y, .area = vg_contour_shape_area (outline) * place->scale * place->scale,
                           .perimeter = vg_contour_perimeter (outline) };
  measure_moments (mask, self);
  for (int y = 0; y < mask->box.height; y++)
    for (int x = 0; x < mask->box.width; x++)
      if (mask->bits[y * mask->box.width + x])
        self->stain += stain[(gsize) (mask->box.y + y) * (gsize) width + (gsize) (mask->box.x + x)];
  self->stain /= (double) mask->area;
  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    *points[i] = (i % 2 ? place->y : place->x) + place->scale * *points[i];
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    *lengths[i] *= place->scale;
}

static void
append (GString *text, const char *before, double value)
{
  g_string_append (text, before);
  vg_text_append_number (text, round (value * 1e4) / 1e4);
}

void
vg_contour_table_head (GString *text)
{
  for (guint k = 0; vg_contour_columns[k].id != NULL; k++)
    g_string_append_printf (text, "%s%s", vg_contour_columns[k].id, vg_contour_columns[k + 1].id != NULL ? "," : "\n");
}

void
vg_contour_table_row (GString *text, guint id, const VgContourRow *row, double overlap, const char *partners)
{
  g_string_append_printf (text, "%u", id);
  append (text, ",", row->seed_x);
  append (text, ",", row->seed_y);
  append (text, ",", row->x);
  append (text, ",", row->y);
  append (text, ",", row->area);
  append (text, ",", row->perimeter);
  append (text, ",", row->major);
  append (text, ",", row->minor);
  append (text, ",", row->eccentricity);
  append (text, ",", row->angle_degrees);
  append (text, ",", row->stain);
  append (text, ",", overlap);
  g_string_append_printf (text, ",%s\n", partners);
}

static void
write_rings (GString *text, const VgContourShape *outline, const VgContourPlace *place)
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

          append (text, i > start ? ", [" : "[", place->x + place->scale * q->x);
          append (text, ", ", place->y + place->scale * q->y);
          g_string_append (text, "]");
        }
      g_string_append (text, "]");
      start = end;
    }
}

void
vg_contour_json_head (GString *text)
{
  g_string_append (text, "{\"type\": \"FeatureCollection\", \"features\": [\n");
}

void
vg_contour_json_row (GString *text, guint id, const VgContourRow *row, double overlap, const VgContourShape *outline,
                     const VgContourPlace *place, gboolean first)
{
  g_string_append_printf (text, "%s{\"type\": \"Feature\", \"geometry\": {\"type\": \"Polygon\", \"coordinates\": [", first ? "" : ",\n");
  write_rings (text, outline, place);
  g_string_append_printf (text, "]}, \"properties\": {\"objectType\": \"detection\", \"name\": \"Nucleus %u\", "
                                "\"classification\": {\"name\": \"Nucleus\", \"color\": [54, 102, 201]}, \"measurements\": {",
                          id);
  append (text, "\"Area px^2\": ", row->area);
  append (text, ", \"Perimeter px\": ", row->perimeter);
  append (text, ", \"Eccentricity\": ", row->eccentricity);
  append (text, ", \"Mean stain\": ", row->stain);
  append (text, ", \"Overlap px\": ", overlap);
  g_string_append (text, "}}}");
}

void
vg_contour_json_end (GString *text)
{
  g_string_append (text, "\n]}\n");
}

/* Pixels that other objects share with mask I, and the numbers of those objects. */
static gint64
find_partners (const VgContourScene *scene, const GPtrArray *masks, guint i, GString *partners)
{
  gint64 sum = 0;

  for (guint k = 0; k < masks->len; k++)
    {
      gint64 common = k == i ? 0 : vg_contour_mask_common (vg_contour_mask_at (masks, i), vg_contour_mask_at (masks, k));

      if (common == 0)
        continue;
      sum += common;
      g_string_append_printf (partners, "%s%u", partners->len > 0 ? " " : "", vg_contour_scene_object (scene, k)->id);
    }
  return sum;
}

char *
vg_contour_run_text (const VgContourRun *self, guint i, char **file_name, GError **error)
{
  const VgContourScene *scene = self->scene;
  g_autoptr (GPtrArray) masks = vg_contour_masks_of_scene (scene);
  gboolean table = i == VG_CONTOUR_OUTPUT_OBJECTS, first = TRUE;
  VgContourPlace place = vg_contour_place_of (&self->info);
  GString *text = g_string_new (NULL);

  (void) error;
  if (file_name != NULL)
    *file_name = g_strdup (table ? "objects.csv" : "contours.geojson");
  (table ? vg_contour_table_head : vg_contour_json_head) (text);
  for (guint k = 0, m = 0; k < scene->objects->len; k++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, k);
      VgContourShape *outline = vg_contour_outline (object, self->info.width, self->info.height);
      g_autoptr (GString) partners = g_string_new (NULL);
      VgContourRow row;
      double overlap;

      if (outline == NULL)
        continue;   /* it has no mask either */
      overlap = (double) find_partners (scene, masks, m, partners) * place.scale * place.scale;
      vg_contour_row_measure (&row, object, vg_contour_mask_at (masks, m++), outline, self->stain, self->info.width, &place);
      if (table)
        vg_contour_table_row (text, object->id, &row, overlap, partners->str);
      else
        vg_contour_json_row (text, object->id, &row, overlap, outline, &place, first);
      first = FALSE;
      vg_contour_shape_free (outline);
    }
  if (!table)
    vg_contour_json_end (text);
  return g_string_free (text, FALSE);
}
