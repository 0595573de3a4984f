/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/engine/fluence-run.h"
#include <glib/gi18n.h>
#include <math.h>
/* Metrics, curves and texts of a run. */

/* The error, in %, for which the remaining time is estimated: the target error if the run stops
 * there, else the next smaller round value. */
static double
next_error (const VgFluenceRun *self, const char **label)
{
  static const struct
  {
    double error;
    const char *label;
  } round[] = {
    { 50, N_ ("50 % error expected after") },     { 20, N_ ("20 % error expected after") },
    { 10, N_ ("10 % error expected after") },     { 5, N_ ("5 % error expected after") },
    { 2, N_ ("2 % error expected after") },       { 1, N_ ("1 % error expected after") },
    { 0.5, N_ ("0.5 % error expected after") },   { 0.2, N_ ("0.2 % error expected after") },
    { 0.1, N_ ("0.1 % error expected after") },   { 0.05, N_ ("0.05 % error expected after") },
    { 0.02, N_ ("0.02 % error expected after") }, { 0.01, N_ ("0.01 % error expected after") },
  };
  /* an unknown error counts as 15 % */
  double now = isfinite (self->map_error) ? 100.0 * self->map_error : 15.0;

  *label = N_ ("Target error expected after");
  if (self->params.stop == VG_FLUENCE_STOP_ERROR || now <= 0.01)
    return self->params.target_error;
  for (guint i = 0; i < G_N_ELEMENTS (round); i++)
    if (round[i].error < now)
      {
        *label = round[i].label;
        return round[i].error;
      }
  return NAN;
}

/* Adds the metrics of the earlier run, before this one has any. */
static void
old_results (const VgFluenceReport *old, VgMetrics *metrics)
{
  vg_metrics_add (metrics, "photons", "Photons", "", old->photons, NULL);
  vg_metrics_add (metrics, "specular", "Specular reflectance", "", old->specular, NULL);
  vg_metrics_add (metrics, "diffuse_reflectance", "Diffuse reflectance", "", old->reflectance,
                  NULL);
  vg_metrics_add (metrics, "absorbed", "Absorbed", "", old->absorbed, NULL);
  vg_metrics_add (metrics, "transmittance", "Transmittance", "", old->transmittance, NULL);
  vg_metrics_add (metrics, "balance", "Energy balance", "",
                  old->specular + old->reflectance + old->absorbed + old->transmittance, NULL);
  vg_metrics_add (metrics, "reflectance", "Total reflectance", "", old->specular + old->reflectance,
                  NULL);
}

/* Advice on the run as a whole, in lines; NULL if there is none. */
static char *
join_remarks (const VgFluenceRun *self)
{
  const char *lines[4];
  int n = 0;

  if (self->full)
    lines[n++] = "The run ended early because a bin is full (2^63 units). Set smaller bins to "
                 "trace more photon packets.";
  if (self->mismatch != NULL)
    lines[n++] = self->mismatch;
  if (self->hints != NULL)
    lines[n++] = self->hints;
  lines[n] = NULL;
  return n > 0 ? g_strjoinv ("\n", (char **) lines) : NULL;
}

void
vg_fluence_run_results (VgFluenceRun *self, VgMetrics *metrics)
{
  const VgFluenceReport *report = self->photons > 0 ? vg_fluence_run_report (self, NULL) : NULL;
  double lost, balance;
  g_autofree char *advice = NULL, *remarks = NULL;
  const char *until;
  double wanted;

  if (self->photons == 0 && self->params.compare && self->reference != NULL &&
      self->mismatch == NULL)
    old_results (self->reference, metrics);
  if (report == NULL)
    return;
  lost = (double) self->tally[self->layout.totals + VG_FLUENCE_TOTAL_LOST] *
         vg_fluence_run_scale (self);
  balance = report->specular + report->reflectance + report->absorbed + report->transmittance;
  if (lost > 0.0)
    advice = g_strdup_printf (
        "Photon packets with %.2g of the light were stopped after %u events, because the tissue "
        "hardly absorbs and is very thick. The totals miss this light.",
        lost, self->medium->most_events);
  remarks = join_remarks (self);
  vg_metrics_add (metrics, "photons", "Photons", "", (double) self->photons, remarks);
  vg_metrics_add (metrics, "photons_per_ms", "Speed", "photons/ms",
                  self->seconds > 0.0 ? (double) self->photons / (self->seconds * 1e3) : NAN, NULL);
  vg_metrics_add (metrics, "map_error",
                  self->params.reflectance_only ? "Relative error"
                                                : N_ ("Relative error of the map"),
                  "%", 100.0 * self->map_error, NULL);
  wanted = next_error (self, &until);
  vg_metrics_add (metrics, "error_seconds", until, "s",
                  self->map_error > 0.0
                      ? self->seconds * MAX (pow (100.0 * self->map_error / wanted, 2.0) - 1.0, 0.0)
                      : NAN,
                  NULL);
  vg_metrics_add (metrics, "specular", "Specular reflectance", "", report->specular, NULL);
  vg_metrics_add (metrics, "diffuse_reflectance", "Diffuse reflectance", "", report->reflectance,
                  NULL);
  vg_metrics_add (metrics, "absorbed", "Absorbed", "", report->absorbed, NULL);
  vg_metrics_add (metrics, "transmittance", "Transmittance", "", report->transmittance, NULL);
  vg_metrics_add (metrics, "balance", "Energy balance", "",
                  /* unknown while photons have not ended */
                  self->alive > 0 ? NAN : balance, advice);
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  vg_metrics_add (metrics, "diffuse_reflectance_error", "Error of the reflectance", "",
                  report->reflectance_error, NULL);
  vg_metrics_add (metrics, "transmittance_error", "Error of the transmittance", "",
                  report->transmittance_error, NULL);
  vg_metrics_add (metrics, "lost", "Stopped packets", "", lost, NULL);
  vg_metrics_mark (metrics, VG_NUMBER_QUIET);
  vg_metrics_add (metrics, "absorbed_error", "Error of the absorbed fraction", "",
                  report->absorbed_error, NULL);
  vg_metrics_add (metrics, "reflectance", "Total reflectance", "",
                  report->specular + report->reflectance, NULL);
  vg_metrics_add (metrics, "reflectance_error", "Error of the total reflectance", "",
                  report->reflectance_error, NULL);
  vg_fluence_run_add_depths (self, metrics);
}

/* ---- Curves ---- */

/* Adds column AT of a fluence map as a curve; ERROR: relative errors in %, or NULL. */
static void
add_profile (const VgFluenceRun *self, VgCurves *curves, const char *name, int at,
             const VgPlane *fluence, const VgPlane *error)
{
  const VgFluenceParams *params = &self->params;
  VgSeries *series = vg_curves_add (curves, name, VG_SERIES_LINE, params->nz);

  series->error = error != NULL ? g_new0 (double, params->nz) : NULL;
  for (int i = 0; i < params->nz; i++)
    {
      gsize k = (gsize) i * (gsize) params->nr + (gsize) at;

      series->x[i] = (i + 0.5) * params->dz_cm;
      series->y[i] = fluence->data[k] > 0.0f ? fluence->data[k] : NAN;
      if (error != NULL)
        series->error[i] = isfinite (error->data[k]) ? fluence->data[k] * error->data[k] / 100.0
                                                     : 0.0;
    }
}

/* Fluence with its error along a column of the maps, and that of the earlier run. */
static VgCurves *
profile (VgFluenceRun *self, const char *title, int at)
{
  VgPlane fluence, error, old;
  gboolean computed = vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_FLUENCE, &fluence) &&
                      vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_RELATIVE_ERROR, &error);
  gboolean earlier = vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_OLD_FLUENCE, &old);
  VgCurves *curves;

  if (!computed && !earlier)
    return NULL;
  curves = vg_curves_new (title, N_ ("Depth"), "cm", N_ ("Fluence rate"), "mW/cm\302\262");
  curves->log_y = TRUE;
  if (computed)
    add_profile (self, curves, N_ ("Fluence rate"), at, &fluence, &error);
  if (earlier)
    add_profile (self, curves, N_ ("Earlier run"), at, &old, NULL);
  return curves;
}

/* As AS says, but without a power of ten from MOST up to 1e9. */
static const char *
format (char text[G_ASCII_DTOSTR_BUF_SIZE], const char *as, double most, double value)
{
  return g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE, value >= most && value < 1e9 ? "%.0f" : as,
                          value);
}

VgCurves *
vg_fluence_run_sample (VgFluenceRun *self, double x, double y)
{
  const VgFluenceParams *params = &self->params;
  char text[G_ASCII_DTOSTR_BUF_SIZE], uncertain[G_ASCII_DTOSTR_BUF_SIZE];
  VgPlane fluence, error;
  GString *title;
  VgCurves *curves;
  gsize k;

  if (!(x >= 0.0 && x < params->nr && y >= 0.0 && y < params->nz))
    return NULL;
  k = (gsize) y * (gsize) params->nr + (gsize) x;
  title = g_string_new (NULL);
  if (vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_FLUENCE, &fluence) &&
      vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_RELATIVE_ERROR, &error))
    g_string_append_printf (title, ": %s mW/cm\302\262 \302\261 %s %%",
                            format (text, "%.4g", 1e4, fluence.data[k]),
                            format (uncertain, "%.2g", 10.0, error.data[k]));
  else if (vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_OLD_FLUENCE, &fluence))
    g_string_append_printf (title, ", earlier run: %s mW/cm\302\262",
                            format (text, "%.4g", 1e4, fluence.data[k]));
  curves = profile (self, title->str, (int) x);
  g_string_free (title, TRUE);
  if (curves == NULL)
    return NULL;
  curves->place[0] = (floor (x) + 0.5) * params->dr_cm;
  curves->place[1] = (floor (y) + 0.5) * params->dz_cm;
  curves->place_names[0] = "r";
  curves->place_names[1] = "z";
  return curves;
}

static void
add_layers (VgCurves *curves, const char *name, VgSeriesStyle style, const VgFluenceReport *report)
{
  VgSeries *series = vg_curves_add (curves, name, style, report->layers->rows);

  if (report->a_l_error != NULL)
    series->error = g_memdup2 (report->a_l_error, sizeof (double) * (gsize) report->layers->rows);
  for (int l = 0; l < report->layers->rows; l++)
    {
      series->x[l] = l + 1;
      series->y[l] = report->a_l[l];
    }
}

/* REPORT: this run; OLD: an earlier one.  One of them may be NULL. */
static VgCurves *
plot_layers (const VgFluenceReport *report, const VgFluenceReport *old)
{
  VgCurves *curves = vg_curves_new (N_ ("Absorbed by layer"), N_ ("Layer"), "",
                                    N_ ("Fraction of the light"), "");

  if (report != NULL)
    add_layers (curves, N_ ("Absorbed"), VG_SERIES_BARS, report);
  if (old != NULL)
    add_layers (curves, N_ ("Earlier run"), report != NULL ? VG_SERIES_POINTS : VG_SERIES_BARS,
                old);
  return curves;
}

VgCurves *
vg_fluence_run_plot (VgFluenceRun *self, guint i)
{
  const VgFluenceReport *old = self->params.compare ? self->reference : NULL;
  const VgFluenceReport *report = NULL;

  if (i == 0)
    return self->params.reflectance_only ? NULL : profile (self, "Fluence on the axis", 0);
  if (self->photons > 0)
    report = vg_fluence_run_report (self, NULL);
  if (report == NULL && (self->photons > 0 || old == NULL || i == 4))
    return NULL;
  switch (i)
    {
    case 1:
      return plot_layers (report, old);
    case 2:
      return vg_fluence_exits_plot (self, report, old, FALSE);
    case 3:
      return vg_fluence_exits_plot (self, report, old, TRUE);
    case 4:
      return vg_fluence_gates_plot (self);
    default:
      return NULL;
    }
}

/* ---- Texts ---- */

char *
vg_fluence_run_text (VgFluenceRun *self, guint i, char **file_name, GError **error)
{
  VgFluenceReport *report;

  if (i == VG_FLUENCE_OUTPUT_GATES)
    {
      *file_name = g_strdup ("time_gates.csv");
      return vg_fluence_gates_text (self);
    }
  report = vg_fluence_run_report (self, error);
  if (report == NULL)
    return NULL;
  if (i == VG_FLUENCE_OUTPUT_EXITANCE)
    {
      *file_name = g_strdup ("exitance.csv");
      return vg_fluence_exits_text (self, report);
    }
  if (i == VG_FLUENCE_OUTPUT_MCI)
    {
      *file_name = g_strdup ("settings.mci");
      return vg_fluence_mci_write (report, &self->params);
    }
  if (*report->name == '\0')
    g_strlcpy (report->name, "fluence.mco", sizeof report->name);
  *file_name = g_strdup (report->name);
  return vg_fluence_mco_write (report);
}
