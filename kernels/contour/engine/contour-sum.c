/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-report.h"
#include <math.h>
/* The metrics of several regions of a slide together. */

static const char *const sums[] = {
  "objects",      "moving",     "seeds",           "seeds_outside", "split",          "vanished",
  "faint",        "merged",     "large",           "ragged",        "spoilt",         "tissue_area",
  "ink_area",     "dense_area", "tissue_area_mm2", "ink_area_mm2",  "dense_area_mm2", "tiles",
  "seam_doubles", "seeds_s",    "after_seeds_s",   "evolution_s",   "merging_s",      NULL,
};
static const char *const means[] = { "mean_area", "mean_area_um2", NULL };
/* The same in all regions. */
static const char *const shared[] = { "radius_px", "radius_um", NULL };
static const char *const classes[] = { "nuclei_negative", "nuclei_1", "nuclei_2", "nuclei_3" };

static double
value_of (const VgMetrics *metrics, const char *id)
{
  const VgMetric *metric = vg_metrics_find (metrics, id);

  return metric != NULL && isfinite (metric->value) ? metric->value : 0.0;
}

/* The sum of metric ID, times metric WEIGHT if that is not NULL. */
static double
add_up (const VgMetrics *const *regions, guint n, const char *id, const char *weight)
{
  double sum = 0.0;

  for (guint i = 0; i < n; i++)
    sum += value_of (regions[i], id) * (weight != NULL ? value_of (regions[i], weight) : 1.0);
  return sum;
}

void
vg_contour_sum (const VgMetrics *const *regions, guint n, VgMetrics *all)
{
  const double objects = add_up (regions, n, "objects", NULL);
  VgContourCounts counts = { 0 };

  for (guint i = 0; n > 0 && i < regions[0]->items->len; i++)
    {
      const VgMetric *metric = &g_array_index (regions[0]->items, VgMetric, i);
      double value;

      if (g_strv_contains (sums, metric->id))
        value = add_up (regions, n, metric->id, NULL);
      else if (g_strv_contains (means, metric->id))
        value = objects > 0.0 ? add_up (regions, n, metric->id, "objects") / objects : NAN;
      else if (g_strv_contains (shared, metric->id))
        value = metric->value;
      else
        continue;
      vg_metrics_add (all, metric->id, metric->label, metric->unit, value, NULL);
      vg_metrics_mark (all, metric->flags & VG_NUMBER_QUIET);
    }
  if (n > 0 && vg_metrics_find (regions[0], "nuclei_per_tissue_mm2") != NULL)
    vg_contour_add_tissue_density (all, objects, add_up (regions, n, "tissue_area_mm2", NULL));
  if (n == 0 || vg_metrics_find (regions[0], classes[0]) == NULL)
    return;
  for (int k = 0; k < VG_CONTOUR_CLASSES; k++)
    counts.classes[k] = (guint) add_up (regions, n, classes[k], NULL);
  vg_contour_counts_add (&counts, all);
}
