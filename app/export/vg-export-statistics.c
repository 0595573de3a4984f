/* SPDX-License-Identifier: MIT */
/* The table of the maps in the report. */
#include <math.h>
#include "app/export/vg-export-private.h"
#include "kernels/base/vg-statistics.h"
#include "kernels/base/vg-text.h"

/* Median and mean of MAP, whose pixels are rings, by their volume. */
static gboolean
weigh (VgExport *self, const VgExportMap *map, double *median, double *mean, GError **error)
{
  const VgPlane *plane = &map->plane;
  VgRegionStatistics statistics;

  if (!vg_export_hold (self, map->index, error))
    return FALSE;
  vg_region_statistics_compute (&statistics, plane, NULL, 0, 0, plane->width, plane->height, 0);
  vg_region_statistics_add_quartiles (&statistics, plane, NULL, 0, 0, plane->width, plane->height,
                                      0, 0);
  vg_export_release (self, map->index);
  *median = statistics.median;
  *mean = statistics.mean;
  return TRUE;
}

static gboolean
add_map (VgExport *self, const VgExportMap *map, VgPage *page, GError **error)
{
  double median = vg_exact_median (map->exact), mean = vg_exact_mean (map->exact);
  g_autofree char *least = NULL, *half = NULL, *average = NULL, *most = NULL;

  if (map->plane.mirrored && !weigh (self, map, &median, &mean, error))
    return FALSE;
  least = vg_text_with_error (vg_exact_min (map->exact), NAN);
  half = vg_text_with_error (median, NAN);
  average = vg_text_with_error (mean, NAN);
  most = vg_text_with_error (vg_exact_max (map->exact), NAN);
  {
    const char *const cells[] = {
      map->output->label, map->output->unit, least, half, average, most
    };

    vg_page_add_row (page, cells, G_N_ELEMENTS (cells));
  }
  return TRUE;
}

gboolean
vg_export_add_statistics (VgExport *self, const VgExportInfo *info, VgPage *page, GError **error)
{
  static const char *const headings[] = { "Map", "Unit", "Minimum", "Median", "Mean", "Maximum" };
  gboolean rings = FALSE;

  vg_page_begin_table (page, headings, G_N_ELEMENTS (headings));
  for (guint i = 0; i < self->n_maps; i++)
    {
      const VgExportMap *map = &self->maps[i];

      if (map->writer == NULL || map->output->kind == VG_OUTPUT_LABELS ||
          vg_export_leaves_out (self, i, info))
        continue;
      if (!add_map (self, map, page, error))
        return FALSE;
      rings |= map->plane.mirrored;
    }
  vg_page_end_table (page);
  if (rings)
    vg_page_add_text (page, "Medians and means are weighted by volume, because a pixel is a ring "
                            "about the axis. Those in summary.json count every pixel alike.");
  return TRUE;
}
