/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/engine/fluence-run.h"
#include <glib/gi18n.h>
#include <math.h>
/* How deep the light goes, and how much of it a region absorbs.
 *
 * The fluence rate integrated over the radius does not depend on the shape of the beam.  Far from
 * boundaries and sources it falls as exp (-mu_eff z), and 1 / mu_eff is the penetration depth
 * (Jacques, Phys. Med. Biol. 58, R37 (2013), section 3.1).  A straight line is fitted to its
 * logarithm, weighted by the fluence rate.  Among the layers that are thick enough, the one that
 * absorbs most is chosen: the line begins six transport mean free paths below the top of the layer
 * or the source, where the light is diffuse, and ends two penetration depths above the bottom of
 * the layer, which reflects.  The standard error is that of the batches. */

enum { LEAST_BINS = 8, MOST_LAYERS = 16 };

#define DIFFUSE 6.0  /* transport mean free paths */
#define CLEAR_OF 2.0 /* penetration depths */
#define LEAST 1e-4   /* of the fluence at the top of the line */

/* The mean fluence of the batches at each depth, integrated over the radius, per photon. */
static double *
mean_fluence (const VgFluenceRun *self)
{
  const VgFluenceDepths *depths = &self->depths;
  gsize nz = (gsize) self->medium->nz;
  double *mean = g_new0 (double, nz);

  for (gsize k = 0; k < (gsize) depths->n; k++)
    for (gsize z = 0; z < nz; z++)
      mean[z] += depths->sums[k * nz + z] / (double) self->batch_photons;
  return mean;
}

/* The bins *FIRST to *LAST - 1 of layer L, which begins at TOP, in which the light is diffuse;
 * FALSE: they are too few. */
static gboolean
find_diffuse (const VgFluenceRun *self, int l, double top, const double *fluence, int *first,
              int *last)
{
  const VgFluenceParams *params = &self->params;
  const double *layer = params->layers->values + l * VG_FLUENCE_COLUMNS;
  double reduced = layer[VG_FLUENCE_MUS] * (1.0 - layer[VG_FLUENCE_G]) + layer[VG_FLUENCE_MUA],
         depth = layer[VG_FLUENCE_D], start = top, end = top + depth;

  if (!(layer[VG_FLUENCE_MUA] > 0.0))
    return FALSE;
  if (params->beam == VG_FLUENCE_POINT)
    start = MAX (start, params->source_depth_cm);
  start += DIFFUSE / reduced;
  if (depth < VG_FLUENCE_DEEP_CM)
    end -= CLEAR_OF / sqrt (3.0 * layer[VG_FLUENCE_MUA] * reduced);
  *first = (int) MIN (ceil (start / params->dz_cm), params->nz);
  *last = (int) CLAMP (floor (end / params->dz_cm), 0.0, params->nz);
  for (int z = *first; z < *last; z++)
    if (!(fluence[z] > LEAST * fluence[*first]))
      *last = z;
  return *last - *first >= LEAST_BINS;
}

/* The slope of the line, 1/cm, and its standard error. */
static double
fit_slope (const VgFluenceRun *self, const double *fluence, int first, int last, double *error)
{
  const VgFluenceDepths *depths = &self->depths;
  double all = 0.0, middle = 0.0, spread = 0.0, slope = 0.0, variance = 0.0;

  for (int z = first; z < last; z++)
    {
      all += fluence[z];
      middle += fluence[z] * (z + 0.5) * self->params.dz_cm;
    }
  middle /= all;
  for (int z = first; z < last; z++)
    {
      double from = (z + 0.5) * self->params.dz_cm - middle;

      spread += fluence[z] * from * from;
      slope += fluence[z] * from * log (fluence[z]);
    }
  for (int k = 0; k < depths->n; k++)
    {
      const double *sums = depths->sums + (gsize) k * (gsize) self->medium->nz;
      double n = (double) depths->photons[k], apart = 0.0;

      for (int z = first; z < last; z++)
        apart += ((z + 0.5) * self->params.dz_cm - middle) * (sums[z] / n - fluence[z]);
      apart *= n / (double) self->batch_photons / spread;
      variance += apart * apart;
    }
  *error = depths->n > 1 ? sqrt (variance * depths->n / (depths->n - 1.0)) : NAN;
  return slope / spread;
}

/* The depth in cm above which the FRACTION of the absorption is; NaN: it is below the map. */
static double
find_depth (const VgFluenceReport *report, double fraction)
{
  double wanted = fraction * report->absorbed, above = 0.0;

  for (int z = 0; z < report->nz; z++)
    {
      double within = report->a_z[z] * report->dz;

      if (within > 0.0 && above + within >= wanted)
        return (z + (wanted - above) / within) * report->dz;
      above += within;
    }
  return NAN;
}

static void
add_attenuation (const VgFluenceRun *self, const VgFluenceReport *report, VgMetrics *metrics)
{
  g_autofree double *fluence = mean_fluence (self);
  double top = 0.0, slope = NAN, error = NAN;
  int best = -1;

  for (int l = 0; l < report->layers->rows; l++)
    {
      int first, last;

      if (find_diffuse (self, l, top, fluence, &first, &last) &&
          (best < 0 || report->a_l[l] > report->a_l[best]))
        {
          best = l;
          slope = fit_slope (self, fluence, first, last, &error);
        }
      top += report->layers->values[l * VG_FLUENCE_COLUMNS + VG_FLUENCE_D];
    }
  slope = slope < 0.0 ? slope : NAN;
  vg_metrics_add (metrics, "attenuation_depth", N_ ("Penetration depth (1/e)"), "cm", -1.0 / slope,
                  NULL);
  vg_metrics_add (metrics, "attenuation_depth_error", N_ ("Error of the penetration depth"), "cm",
                  error / (slope * slope), NULL);
  /* 0, which is not shown: of none */
  vg_metrics_add_quiet (metrics, "attenuation_layer", N_ ("Layer of the penetration depth"), "",
                        isnan (slope) ? 0.0 : best + 1, NULL);
}

void
vg_fluence_run_add_depths (VgFluenceRun *self, VgMetrics *metrics)
{
  const VgFluenceReport *report = self->photons > 0 ? vg_fluence_run_report (self, NULL) : NULL;

  if (report == NULL || self->params.reflectance_only || self->batch_photons == 0)
    return;
  add_attenuation (self, report, metrics);
  vg_metrics_add (metrics, "absorption_depth_50", N_ ("Depth containing 50 % of the absorption"),
                  "cm", find_depth (report, 0.5), NULL);
  vg_metrics_add (metrics, "absorption_depth_90", N_ ("Depth containing 90 % of the absorption"),
                  "cm", find_depth (report, 0.9), NULL);
  for (int l = 0; l < report->layers->rows && report->layers->rows <= MOST_LAYERS; l++)
    {
      g_autofree char *id = g_strdup_printf ("absorbed_layer_%d", l + 1),
                      *of_error = g_strconcat (id, "_error", NULL),
                      *label = g_strdup_printf ("Absorbed in layer %d", l + 1);

      vg_metrics_add (metrics, g_intern_string (id), g_intern_string (label), "", report->a_l[l],
                      NULL);
      vg_metrics_add (metrics, g_intern_string (of_error), g_intern_string (label), "",
                      report->a_l_error != NULL ? report->a_l_error[l] : NAN, NULL);
    }
}

/* ---- regions ---- */

/* The volume of a bin of column C, cm3. */
static double
volume_of (const VgFluenceParams *params, int c)
{
  return G_PI * (2 * c + 1) * params->dr_cm * params->dr_cm * params->dz_cm;
}

/* Sums of MAP times volume and of volumes where it has values in row Y of COVER. */
static void
sum_row (const VgFluenceParams *params, const VgPlane *map, const VgRegionCover *cover, int y,
         double sums[2])
{
  const float *values = map->data + (gsize) y * (gsize) map->width;
  const guint8 *mask = cover->mask + (gsize) (y - cover->y0) * (gsize) (cover->x1 - cover->x0);

  sums[0] = sums[1] = 0.0;
  for (int c = cover->x0; c < cover->x1; c++)
    if (mask[c - cover->x0] != 0 && isfinite (values[c]))
      {
        sums[0] += (double) values[c] * volume_of (params, c);
        sums[1] += volume_of (params, c);
      }
}

VgCurves *
vg_fluence_run_sample_region (VgFluenceRun *self, const VgRegion *region)
{
  const VgFluenceParams *params = &self->params;
  double power = 0.0, volume = 0.0;
  g_autofree guint8 *mask = NULL;
  VgPlane absorption, fluence;
  VgRegionCover cover;
  VgCurves *curves;
  VgSeries *series;

  if (region->slice != 0 ||
      !vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_ABSORPTION, &absorption) ||
      !vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_FLUENCE, &fluence) ||
      !vg_region_cover (region, &absorption, &cover))
    return NULL;
  mask = cover.mask;
  if (mask == NULL)
    return NULL;
  curves = vg_curves_new (N_ ("Mean over the radius"), N_ ("Depth"), "cm", N_ ("Fluence rate"),
                          "mW/cm\302\262");
  curves->log_y = TRUE;
  series = vg_curves_add (curves, N_ ("Fluence rate"), VG_SERIES_LINE, cover.y1 - cover.y0);
  for (int y = cover.y0; y < cover.y1; y++)
    {
      int i = y - cover.y0;
      double sums[2];

      sum_row (params, &absorption, &cover, y, sums);
      power += sums[0];
      volume += sums[1];
      sum_row (params, &fluence, &cover, y, sums);
      series->x[i] = (y + 0.5) * params->dz_cm;
      series->y[i] = sums[0] > 0.0 ? sums[0] / sums[1] : NAN;
    }
  curves->metrics = vg_metrics_new ();
  vg_metrics_add (curves->metrics, "absorbed_mw", N_ ("Absorbed power"), "mW", power, NULL);
  vg_metrics_add (curves->metrics, "absorbed_percent", N_ ("Absorbed light"), "%",
                  100.0 * power / params->power_mw, NULL);
  vg_metrics_add (curves->metrics, "volume_cm3", N_ ("Volume"), "cm\302\263", volume, NULL);
  return curves;
}
