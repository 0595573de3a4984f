/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-outline.h"
#include "kernels/contour/engine/contour-report.h"
#include "kernels/contour/engine/contour-run.h"
#include <glib/gi18n.h>
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

enum { PROFILE = 12 };

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
                                           .plot = plot,
                                           .compared = vg_contour_run_compared };
