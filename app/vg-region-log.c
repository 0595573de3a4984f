/* SPDX-License-Identifier: MIT */
/* regions.csv of a batch run: the time courses of the window, for every map. */
#include "vg-region-log.h"
#include <math.h>
#include "vg-statistics.h"
#include "vg-text.h"

typedef struct
{
  char *name;                     /* quoted for CSV */
  VgRegion region;
  int width, height;              /* of the maps the mask was made for */
  int x0, y0, x1, y1;
  guint8 *mask;                   /* NULL: holds no pixel */
} VgLoggedRegion;

struct _VgRegionLog
{
  const VgOperation *operation;
  GArray *regions;                /* of VgLoggedRegion */
  GString *text;
};

static void
clear_region (gpointer data)
{
  VgLoggedRegion *region = data;

  g_free (region->name);
  g_free (region->mask);
}

static gboolean
is_followed (const VgOutput *output)
{
  return output->time_course && output->kind == VG_OUTPUT_MAP && !output->view_only;
}

static char *
quote_csv (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "\"", -1);
  g_autofree char *doubled = g_strjoinv ("\"\"", parts);

  return g_strdup_printf ("\"%s\"", doubled);
}

VgRegionLog *
vg_region_log_new (const VgOperation *operation, const VgNamedRegion *const *regions)
{
  VgRegionLog *self;
  gboolean followed = FALSE;

  for (guint i = 0; i < operation->n_outputs; i++)
    followed |= is_followed (&operation->outputs[i]);
  if (!followed || regions == NULL || regions[0] == NULL)
    return NULL;

  self = g_new0 (VgRegionLog, 1);
  self->operation = operation;
  self->regions = g_array_new (FALSE, TRUE, sizeof (VgLoggedRegion));
  g_array_set_clear_func (self->regions, clear_region);
  for (guint i = 0; regions[i] != NULL; i++)
    {
      VgLoggedRegion region = { .name = quote_csv (regions[i]->name), .region = regions[i]->region };

      g_array_append_val (self->regions, region);
    }
  self->text = g_string_new ("frame,time_s,region");
  for (guint i = 0; i < operation->n_outputs; i++)
    if (is_followed (&operation->outputs[i]))
      {
        const VgOutput *output = &operation->outputs[i];

        g_string_append_printf (self->text, ",%s", output->id);
        if (output->unit != NULL && *output->unit != '\0')
          g_string_append_printf (self->text, " [%s]", output->unit);
      }
  g_string_append_c (self->text, '\n');
  return self;
}

static void
fit_mask (VgLoggedRegion *region, const VgPlane *plane)
{
  if (region->width == plane->width && region->height == plane->height)
    return;
  g_clear_pointer (&region->mask, g_free);
  region->width = plane->width;
  region->height = plane->height;
  if (vg_region_bounds (&region->region, plane->width, plane->height, &region->x0, &region->y0, &region->x1, &region->y1))
    region->mask = vg_region_mask (&region->region, region->x0, region->y0, region->x1, region->y1);
}

static double
region_mean (VgLoggedRegion *region, const VgPlane *plane)
{
  VgRegionStatistics statistics;

  fit_mask (region, plane);
  if (region->mask == NULL || region->region.slice >= MAX (plane->slices, 1))
    return NAN;
  vg_region_statistics_compute (&statistics, plane, region->mask, region->x0, region->y0, region->x1, region->y1, region->region.slice);
  return statistics.valid == 0 ? NAN : statistics.mean;
}

void
vg_region_log_add (VgRegionLog *self, VgExport *export, gint64 frame, double time_s)
{
  for (guint r = 0; r < self->regions->len; r++)
    {
      VgLoggedRegion *region = &g_array_index (self->regions, VgLoggedRegion, r);

      g_string_append_printf (self->text, "%" G_GINT64_FORMAT ",", frame);
      vg_text_append_number (self->text, time_s);
      g_string_append_printf (self->text, ",%s", region->name);
      for (guint i = 0; i < self->operation->n_outputs; i++)
        if (is_followed (&self->operation->outputs[i]))
          {
            VgPlane plane;
            double mean = vg_export_get_plane (export, i, &plane) ? region_mean (region, &plane) : NAN;

            g_string_append_c (self->text, ',');
            if (isfinite (mean))
              vg_text_append_number (self->text, mean);
          }
      g_string_append_c (self->text, '\n');
    }
}

const char *
vg_region_log_text (VgRegionLog *self, gsize *length)
{
  *length = self->text->len;
  return self->text->str;
}

void
vg_region_log_free (VgRegionLog *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->regions);
  g_string_free (self->text, TRUE);
  g_free (self);
}
