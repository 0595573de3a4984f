/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/contour/shapes/contour-outline.h"
#include "kernels/contour/engine/contour-nucleus.h"
#include "kernels/contour/engine/contour-report.h"
#include "kernels/contour/engine/contour-run.h"
#include "kernels/contour/model/contour-memory.h"
#include <glib/gi18n.h>
#include "kernels/base/vg-statistics.h"
#include <math.h>
/* Curves of a run: of the nucleus at a pixel, and against the iteration. */

/* The object that contains the pixel deepest, or is nearest to it; *INSIDE: it contains it. */
static const VgContourObject *
object_at (const VgContourScene *scene, double x, double y, gboolean *inside)
{
  const VgContourObject *best = NULL;
  float most = -INFINITY;

  for (guint i = 0; i < scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, i);
      int tx = (int) floor (x) - object->tile.x, ty = (int) floor (y) - object->tile.y;

      if (tx < 0 || ty < 0 || tx >= object->tile.width || ty >= object->tile.height ||
          object->phi[(gsize) ty * (gsize) object->tile.width + (gsize) tx] <= most)
        continue;
      most = object->phi[(gsize) ty * (gsize) object->tile.width + (gsize) tx];
      best = object;
    }
  *inside = most > 0.0f;
  return best;
}

enum { PROFILE = 12, MOST_BARS = 400 };
/* Width of the bars of a histogram: of optical density, and of the area in typical nuclei. */
#define DAB_STEP 0.05
#define AREA_STEP 0.1

static char *
describe (const VgContourRun *self, const VgContourObject *object, gboolean inside)
{
  VgContourPosition place = vg_contour_position_of (&self->info, &self->scale);
  double area = vg_contour_outline_area (object, self->info.width, self->info.height) *
                place.scale * place.scale;
  g_autofree char *um = place.um[0] > 0.0 ? g_strdup_printf (" (%.4g \302\265m\302\262)",
                                                             area * place.um[0] * place.um[1])
                                          : g_strdup ("");

  return g_strdup_printf ("%s %u: area %.0f px\302\262%s, stain %.2f inside, %.2f outside",
                          inside ? "Nucleus" : "Nearest nucleus", object->id, area, um,
                          object->state.u_in, object->state.u_out);
}

/* Mean grey value by distance from an object's outline, from outside to inside. */
static VgCurves *
sample (gpointer data, double x, double y, int slice, GError **error)
{
  VgContourRun *self = data;
  const VgContourObject *object;
  g_autofree char *title = NULL, *name = NULL;
  double sums[2 * PROFILE + 1] = { 0 }, counts[2 * PROFILE + 1] = { 0 };
  VgCurves *curves;
  VgSeries *series;
  gboolean inside;
  int n = 0;

  if (!(x >= 0.0 && y >= 0.0 && x < self->info.width && y < self->info.height) || slice != 0 ||
      !vg_contour_run_fetch (self, error))
    return NULL;
  object = object_at (self->scene, x, y, &inside);
  title = object == NULL ? g_strdup ("No nucleus here") : describe (self, object, inside);
  curves = vg_curves_new (title, N_ ("Distance inside the outline"), "px", N_ ("Stain"), "");
  if (object == NULL)
    return curves;
  for (int ty = 0; ty < object->tile.height; ty++)
    for (int tx = 0; tx < object->tile.width; tx++)
      {
        float phi = object->phi[ty * object->tile.width + tx];
        int bin = (int) floorf (phi + 0.5f);

        if (fabsf (phi) >= self->scene->weights.band || bin < -PROFILE || bin > PROFILE)
          continue;
        sums[bin + PROFILE] +=
            self->stain[(gsize) (object->tile.y + ty) * (gsize) self->info.width +
                        (gsize) (object->tile.x + tx)];
        counts[bin + PROFILE] += 1.0;
      }
  for (int i = 0; i <= 2 * PROFILE; i++)
    n += counts[i] > 0.0;
  name = g_strdup_printf ("Nucleus %u", object->id);
  series = vg_curves_add (curves, name, VG_SERIES_LINE, n);
  n = 0;
  for (int i = 0; i <= 2 * PROFILE; i++)
    if (counts[i] > 0.0)
      {
        series->x[n] = i - PROFILE;
        series->y[n++] = sums[i] / counts[i];
      }
  return curves;
}

/* The pixels of REGION. */
static double
area_of_region (const VgContourRun *self, const VgRegion *region)
{
  g_autofree guint8 *mask = NULL;
  int x0, y0, x1, y1;
  double n = 0.0;

  if (!vg_region_bounds (region, self->info.width, self->info.height, &x0, &y0, &x1, &y1) ||
      (mask = vg_region_mask (region, x0, y0, x1, y1)) == NULL)
    return 0.0;
  for (gsize i = 0; i < (gsize) (x1 - x0) * (gsize) (y1 - y0); i++)
    n += mask[i] != 0;
  return n;
}

/* A bar for each range of STEP of the VALUES, from the smallest to the largest; the last of many
 * has all that are larger. */
static void
add_histogram (VgCurves *curves, const char *name, const GArray *values, double step)
{
  double low = INFINITY, high = -INFINITY;
  VgSeries *series;
  double first;
  int n;

  for (guint k = 0; k < values->len; k++)
    {
      low = MIN (low, g_array_index (values, double, k));
      high = MAX (high, g_array_index (values, double, k));
    }
  if (values->len == 0)
    return;
  first = floor (low / step);
  n = (int) MIN (floor (high / step) - first + 1, MOST_BARS);
  series = vg_curves_add (curves, name, VG_SERIES_BARS, n);
  for (int i = 0; i < n; i++)
    series->x[i] = (first + i + 0.5) * step;
  for (guint k = 0; k < values->len; k++)
    series->y[(int) MIN (floor (g_array_index (values, double, k) / step) - first, n - 1)] += 1.0;
}

/* The nuclei whose centroid lies in REGION: their number and sizes, their classes, and a histogram
 * of DAB or, without classes, of the area. */
static VgCurves *
sample_region (gpointer data, const VgRegion *region, GError **error)
{
  VgContourRun *self = data;
  const VgContourPosition place = vg_contour_position_of (&self->info, &self->scale);
  const gboolean classed = vg_contour_positive_is_on (&self->params, &self->info);
  const double pixel = place.scale * place.scale, um2 = place.um[0] * place.um[1],
               unit = um2 > 0.0 ? pixel * um2 : pixel; /* areas are in µm² if the scale is known */
  const char *area_unit = um2 > 0.0 ? "\302\265m\302\262" : "px\302\262";
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  const GPtrArray *nuclei = region->slice == 0 ? vg_contour_run_nuclei (self, error) : NULL;
  VgContourCounts counts = { 0 };
  double area = 0.0, squares = 0.0, sd, pixels;
  VgCurves *curves;
  guint n = 0;

  if (nuclei == NULL)
    return NULL;
  for (guint k = 0; k < nuclei->len; k++)
    {
      const VgContourRow *row = &((const VgContourNucleus *) nuclei->pdata[k])->row;
      double value = um2 > 0.0 ? row->area_um2 : row->area;

      if (!vg_region_contains (region, (row->x - place.x) / place.scale,
                               (row->y - place.y) / place.scale))
        continue;
      n++;
      area += value;
      squares += value * value;
      if (classed)
        {
          vg_contour_counts_count (&counts, &row->positive);
          value = row->positive.dab;
        }
      g_array_append_val (values, value);
    }
  curves = vg_curves_new (N_ ("Nuclei in the region"),
                          classed ? N_ ("Mean optical density of DAB") : N_ ("Area"),
                          classed ? "OD" : area_unit, N_ ("Nuclei"), "");
  add_histogram (curves, N_ ("Nuclei"), values,
                 classed ? DAB_STEP
                         : AREA_STEP * G_PI * self->scene->radius * self->scene->radius * unit);
  pixels = area_of_region (self, region) * pixel;
  sd = n > 1 ? sqrt (MAX (squares - area * area / n, 0.0) / (n - 1)) : NAN;
  curves->metrics = vg_metrics_new ();
  vg_metrics_add (curves->metrics, "nuclei", N_ ("Nuclei"), "", n, NULL);
  if (um2 > 0.0)
    vg_metrics_add (curves->metrics, "nuclei_per_mm2", N_ ("Nuclei per area"), "1/mm\302\262",
                    pixels > 0.0 ? n / (pixels * um2 * 1e-6) : NAN, NULL);
  vg_metrics_add (curves->metrics, um2 > 0.0 ? "mean_area_um2" : "mean_area_px2", N_ ("Mean area"),
                  area_unit, n > 0 ? area / n : NAN, NULL);
  vg_metrics_add (curves->metrics, um2 > 0.0 ? "area_sd_um2" : "area_sd_px2", N_ ("SD of the area"),
                  area_unit, sd, NULL);
  if (classed)
    vg_contour_counts_add (&counts, curves->metrics);
  return curves;
}

/* Adds the energy of term TERM, or the sum of all. */
static void
add_energy (VgCurves *curves, const char *name, const GArray *history, int term)
{
  VgSeries *series = vg_curves_add (curves, name, VG_SERIES_LINE, (int) history->len);

  for (guint k = 0; k < history->len; k++)
    {
      const VgContourMoment *moment = &g_array_index (history, VgContourMoment, k);

      series->x[k] = (double) moment->iteration;
      series->y[k] = 0.0;
      for (int t = 0; t < VG_CONTOUR_TERMS; t++)
        series->y[k] += term == t || term == VG_CONTOUR_TERMS ? moment->energy[t] : 0.0;
    }
}

static VgCurves *
plot (gpointer data, guint i, GError **error)
{
  const GArray *history = ((const VgContourRun *) data)->scene->history;
  VgCurves *curves;
  VgSeries *series;

  if (i == 0)
    {
      curves = vg_curves_new (N_ ("Energy"), N_ ("Iteration"), "", N_ ("Energy"), "");
      add_energy (curves, N_ ("Total"), history, VG_CONTOUR_TERMS);
      add_energy (curves, N_ ("Region"), history, VG_CONTOUR_REGION);
      add_energy (curves, N_ ("Overlap"), history, VG_CONTOUR_OVERLAP);
      add_energy (curves, N_ ("Shape prior"), history, VG_CONTOUR_SHAPE);
      add_energy (curves, N_ ("Smoothness"), history, VG_CONTOUR_CURVATURE);
      return curves;
    }
  curves = vg_curves_new (N_ ("Moving contours"), N_ ("Iteration"), "", N_ ("Moving contours"), "");
  series = vg_curves_add (curves, N_ ("Moving"), VG_SERIES_LINE, (int) history->len);
  for (guint k = 0; k < history->len; k++)
    {
      series->x[k] = (double) g_array_index (history, VgContourMoment, k).iteration;
      series->y[k] = g_array_index (history, VgContourMoment, k).moving;
    }
  return curves;
}

const VgEngineCurves vg_contour_curves = { .sample = sample,
                                           .sample_region = sample_region,
                                           .plot = plot,
                                           .compared = vg_contour_run_compared };
