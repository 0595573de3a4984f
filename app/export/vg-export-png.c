/* SPDX-License-Identifier: MIT */
/* The maps as PNG: each sample is one pixel in the colour that the window gives it, without what
 * lies over or under the map, so that the file has the size and the rows of the data. */
#include "app/export/vg-export-private.h"
#include "app/figure/vg-map-picture.h"
#include "app/session/vg-display.h"

typedef struct
{
  VgExport *export;
  VgWork *work;
  const VgOutput *output;
  VgPlane plane;
  VgColoring coloring;
} Picture;

const VgDisplay *
vg_export_find_display (const VgExportOptions *options, VgSession *fresh, guint i)
{
  return options->displays != NULL && i < options->n_displays
             ? &options->displays[i]
             : vg_session_get_display_of (fresh, (int) i);
}

/* The limits are those of the colour bar in the window. */
static gboolean
find_coloring (Picture *self, guint i, const VgDisplay *display, GError **error)
{
  g_autofree float *marks = NULL;
  VgStatistics statistics;
  GError *local = NULL;
  double unused[2];
  VgPlane labels;
  gboolean has_mask = self->output->kind != VG_OUTPUT_LABELS &&
                      vg_work_find_beside (self->work, VG_ROLE_LIMITS_MASK, i, &self->plane,
                                           &labels, &local);

  if (local != NULL || (has_mask && !vg_work_copy_to_host (self->work, &labels, &marks, &local)))
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  vg_map_picture_measure (&self->plane, self->output, NULL, has_mask ? &labels : NULL, &statistics,
                          unused);
  vg_display_get_coloring (display, self->output, &statistics, &self->coloring);
  return TRUE;
}

/* "Contrast; colour map viridis from 0.1 to 0.5". */
static char *
describe (const Picture *self)
{
  const VgColoring *coloring = &self->coloring;
  const char *unit = self->output->unit != NULL ? self->output->unit : "";
  char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (low, sizeof low, "%.9g", coloring->low);
  g_ascii_formatd (high, sizeof high, "%.9g", coloring->high);
  return g_strdup_printf ("%s; colour map %s from %s to %s%s%s%s", self->output->label,
                          coloring->colormap->id, low, high, *unit != '\0' ? " " : "", unit,
                          coloring->log_scale ? ", logarithmic" : "");
}

/* Slice S, whose file has its number if there are several. */
static gboolean
write_slice (Picture *self, int s, GError **error)
{
  int slices = MAX (self->plane.slices, 1), digits = slices > 999 ? 5 : slices > 99 ? 3 : 2;
  g_autofree char *name = slices > 1
                              ? g_strdup_printf ("%s-%0*d.png", self->output->id, digits, s + 1)
                              : g_strdup_printf ("%s.png", self->output->id),
                  *path = vg_export_stage (self->export, name, error), *text = describe (self);
  gsize n = (gsize) self->plane.width * (gsize) self->plane.height;
  g_autofree guint8 *rgba = g_try_malloc (n * 4);

  if (path == NULL)
    return FALSE;
  if (rgba == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for %s; close other programs, or leave out PNG",
                   name);
      return FALSE;
    }
  vg_coloring_apply (&self->coloring, self->plane.data + (gsize) s * n, n, rgba);
  return vg_write_png_described (path, rgba, self->plane.width, self->plane.height, text, 0, error);
}

gboolean
vg_export_write_pngs (VgExport *self, VgWork *work, const VgExportInfo *info, GError **error)
{
  g_autoptr (VgSession) fresh = vg_session_new (vg_work_get_operation (work));

  if (!vg_export_options_wants (info->options, VG_FORMAT_PNG, FALSE))
    return TRUE;
  for (guint i = 0; i < self->n_maps; i++)
    {
      Picture picture = { .export = self, .work = work, .output = self->maps[i].output };
      GError *local = NULL;

      if (vg_export_options_leaves_out_map (info->options, picture.output->id))
        continue;
      if (!vg_export_load_plane (self, i, &picture.plane, &local))
        {
          if (local == NULL)
            continue;
          g_propagate_error (error, local);
          return FALSE;
        }
      if (!find_coloring (&picture, i, vg_export_find_display (info->options, fresh, i), error))
        return FALSE;
      for (int s = 0; s < MAX (picture.plane.slices, 1); s++)
        if (!write_slice (&picture, s, error))
          return FALSE;
    }
  return TRUE;
}
