/* SPDX-License-Identifier: MIT */
#include "fluence-run.h"
#include <math.h>
/* Numbers, curves and texts of a run. */

/* The error to tell the time to, in per cent: the wanted one when the run is to
 * end there, else the next round one. */
static double
next_error (const VgFluenceRun *self,
            const char        **label)
{
  static const struct { double error; const char *label; } round[] = {
    { 50, "Until 50 %" }, { 20, "Until 20 %" }, { 10, "Until 10 %" }, { 5, "Until 5 %" }, { 2, "Until 2 %" }, { 1, "Until 1 %" },
    { 0.5, "Until 0.5 %" }, { 0.2, "Until 0.2 %" }, { 0.1, "Until 0.1 %" }, { 0.05, "Until 0.05 %" }, { 0.02, "Until 0.02 %" },
    { 0.01, "Until 0.01 %" },
  };
  /* until it is known it is taken to be large */
  double now = isfinite (self->map_error) ? 100.0 * self->map_error : 15.0;

  *label = "Until the wanted error";
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

/* Of a file that is looked at before anything is computed. */
static void
old_results (const VgFluenceReport *old,
             VgNumbers             *numbers)
{
  vg_numbers_add (numbers, "photons", "Photons", "", old->photons, NULL);
  vg_numbers_add (numbers, "specular", "Specular reflectance", "", old->specular, NULL);
  vg_numbers_add (numbers, "diffuse_reflectance", "Diffuse reflectance", "", old->reflectance, NULL);
  vg_numbers_add (numbers, "absorbed", "Absorbed", "", old->absorbed, NULL);
  vg_numbers_add (numbers, "transmittance", "Transmittance", "", old->transmittance, NULL);
  vg_numbers_add (numbers, "balance", "Sum of all four", "", old->specular + old->reflectance + old->absorbed + old->transmittance, NULL);
  vg_numbers_add (numbers, "reflectance", "Reflectance in all", "", old->specular + old->reflectance, NULL);
}

/* What is to be said of the run as a whole, a line each. */
static char *
join_remarks (const VgFluenceRun *self)
{
  const char *lines[4];
  int n = 0;

  if (self->full)
    lines[n++] = "The run ended early: a bin holds all the light that it can (2^63 units); smaller bins take more photons.";
  if (self->apart != NULL)
    lines[n++] = self->apart;
  if (self->suspect != NULL)
    lines[n++] = self->suspect;
  lines[n] = NULL;
  return n > 0 ? g_strjoinv ("\n", (char **) lines) : NULL;
}

void
vg_fluence_run_results (VgFluenceRun *self,
                        VgNumbers    *numbers)
{
  const VgFluenceReport *report = self->photons > 0 ? vg_fluence_run_report (self, NULL) : NULL;
  double lost, balance;
  g_autofree char *advice = NULL, *remarks = NULL;
  const char *until;
  double wanted;

  if (self->photons == 0 && self->params.compare && self->reference != NULL && self->apart == NULL)
    old_results (self->reference, numbers);
  if (report == NULL)
    return;
  lost = (double) self->tally[self->layout.totals + VG_FLUENCE_TOTAL_LOST] * vg_fluence_run_scale (self);
  balance = report->specular + report->reflectance + report->absorbed + report->transmittance;
  if (lost > 0.0)
    advice = g_strdup_printf ("Packets with %.2g of the light were given up after %u collisions and boundaries: this medium hardly absorbs and is very thick.",
                              lost, self->medium->most_events);
  remarks = join_remarks (self);
  vg_numbers_add (numbers, "photons", "Photons", "", (double) self->photons, remarks);
  vg_numbers_add (numbers, "photons_per_ms", "Speed", "photons/ms",
                  self->seconds > 0.0 ? (double) self->photons / (self->seconds * 1e3) : NAN, NULL);
  vg_numbers_add (numbers, "map_error", self->params.reflectance_only ? "Relative error" : "Error of the map", "%",
                  100.0 * self->map_error, NULL);
  wanted = next_error (self, &until);
  vg_numbers_add (numbers, "error_seconds", until, "s",
                  self->map_error > 0.0
                    ? self->seconds * MAX (pow (100.0 * self->map_error / wanted, 2.0) - 1.0, 0.0) : NAN, NULL);
  vg_numbers_add (numbers, "specular", "Specular reflectance", "", report->specular, NULL);
  vg_numbers_add (numbers, "diffuse_reflectance", "Diffuse reflectance", "", report->reflectance, NULL);
  vg_numbers_add (numbers, "absorbed", "Absorbed", "", report->absorbed, NULL);
  vg_numbers_add (numbers, "transmittance", "Transmittance", "", report->transmittance, NULL);
  vg_numbers_add (numbers, "balance", "Sum of all four", "",
                  self->alive > 0 ? NAN : balance, advice);   /* what is not known is shared out while light is on its way */
  vg_numbers_add (numbers, "diffuse_reflectance_error", "Error of the reflectance", "", report->reflectance_error, NULL);
  vg_numbers_add (numbers, "transmittance_error", "Error of the transmittance", "", report->transmittance_error, NULL);
  vg_numbers_add (numbers, "lost", "Given up", "", lost, NULL);
  vg_numbers_add (numbers, "absorbed_error", "Error of the absorbed part", "", report->absorbed_error, NULL);
  vg_numbers_add (numbers, "reflectance", "Reflectance in all", "", report->specular + report->reflectance, NULL);
  vg_numbers_add (numbers, "reflectance_error", "Its error", "", report->reflectance_error, NULL);
}

/* ---- Curves ---- */

/* Column AT of a fluence map, with its relative error or NULL. */
static void
add_profile (const VgFluenceRun *self,
             VgCurves           *curves,
             const char         *name,
             int                 at,
             const VgPlane      *fluence,
             const VgPlane      *error)
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
        series->error[i] = isfinite (error->data[k]) ? fluence->data[k] * error->data[k] / 100.0 : 0.0;
    }
}

/* Fluence and its error along a column of the maps, and that of an earlier run. */
static VgCurves *
profile (VgFluenceRun *self,
         const char   *title,
         int           at)
{
  VgPlane fluence, error, old;
  gboolean computed = vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_FLUENCE, &fluence)
                      && vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_RELATIVE_ERROR, &error);
  gboolean earlier = vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_OLD_FLUENCE, &old);
  VgCurves *curves;

  if (!computed && !earlier)
    return NULL;
  curves = vg_curves_new (title, "Depth", "cm", "Fluence rate", "mW/cm\302\262");
  curves->log_y = TRUE;
  if (computed)
    add_profile (self, curves, "Fluence rate", at, &fluence, &error);
  if (earlier)
    add_profile (self, curves, "Earlier run", at, &old, NULL);
  return curves;
}

VgCurves *
vg_fluence_run_sample (VgFluenceRun *self,
                       double        x,
                       double        y)
{
  const VgFluenceParams *params = &self->params;
  VgPlane fluence, error;
  GString *title;
  VgCurves *curves;
  gsize k;

  if (!(x >= 0.0 && x < params->nr && y >= 0.0 && y < params->nz))
    return NULL;
  k = (gsize) y * (gsize) params->nr + (gsize) x;
  title = g_string_new (NULL);
  g_string_printf (title, "r %.4g cm, z %.4g cm", (floor (x) + 0.5) * params->dr_cm, (floor (y) + 0.5) * params->dz_cm);
  if (vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_FLUENCE, &fluence)
      && vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_RELATIVE_ERROR, &error))
    g_string_append_printf (title, ": %.4g mW/cm\302\262 \302\261 %.2g %%", fluence.data[k], error.data[k]);
  else if (vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_OLD_FLUENCE, &fluence))
    g_string_append_printf (title, ", earlier run: %.4g mW/cm\302\262", fluence.data[k]);
  curves = profile (self, title->str, (int) x);
  g_string_free (title, TRUE);
  return curves;
}

static void
add_layers (VgCurves              *curves,
            const char            *name,
            VgSeriesStyle          style,
            const VgFluenceReport *report)
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

/* REPORT: this run; OLD: an earlier one.  One of them may be NULL, here and below. */
static VgCurves *
plot_layers (const VgFluenceReport *report,
             const VgFluenceReport *old)
{
  VgCurves *curves = vg_curves_new ("Absorbed by layer", "Layer", "", "Part of the light", "");

  if (report != NULL)
    add_layers (curves, "Absorbed", VG_SERIES_BARS, report);
  if (old != NULL)
    add_layers (curves, "Earlier run", report != NULL ? VG_SERIES_POINTS : VG_SERIES_BARS, old);
  return curves;
}

static void
add_exits (VgCurves     *curves,
           const char   *name,
           int           n,
           double        bin,
           const double *values,
           const double *errors)
{
  VgSeries *series = vg_curves_add (curves, name, VG_SERIES_LINE, n);

  if (errors != NULL)
    series->error = g_memdup2 (errors, sizeof (double) * (gsize) n);
  for (int i = 0; i < n; i++)
    {
      series->x[i] = (i + 0.5) * bin;
      series->y[i] = values[i] > 0.0 ? values[i] : NAN;
    }
}

/* Both sides, and those of an earlier run. */
static VgCurves *
plot_exits (const VgFluenceReport *report,
            const VgFluenceReport *old,
            gboolean               by_angle)
{
  VgCurves *curves;

  if (by_angle)
    {
      curves = vg_curves_new ("Light that leaves, by angle", "Angle to the normal", "\302\260", "Per solid angle", "1/sr");
      if (report != NULL)
        {
          add_exits (curves, "Reflected", report->na, 90.0 / report->na, report->rd_a, report->rd_a_error);
          add_exits (curves, "Transmitted", report->na, 90.0 / report->na, report->tt_a, report->tt_a_error);
        }
      if (old != NULL)
        {
          add_exits (curves, "Reflected, earlier run", old->na, 90.0 / old->na, old->rd_a, NULL);
          add_exits (curves, "Transmitted, earlier run", old->na, 90.0 / old->na, old->tt_a, NULL);
        }
      return curves;
    }
  curves = vg_curves_new ("Light that leaves, by radius", "Radius", "cm", "Per area, thin beam", "1/cm\302\262");
  curves->log_y = TRUE;
  if (report != NULL)
    {
      add_exits (curves, "Reflected", report->nr, report->dr, report->rd_r, report->rd_r_error);
      add_exits (curves, "Transmitted", report->nr, report->dr, report->tt_r, report->tt_r_error);
    }
  if (old != NULL)
    {
      int known = old->nr - old->clamped;   /* the last bin of other programs holds all from beyond */

      add_exits (curves, "Reflected, earlier run", known, old->dr, old->rd_r, NULL);
      add_exits (curves, "Transmitted, earlier run", known, old->dr, old->tt_r, NULL);
    }
  return curves;
}

static VgCurves *
plot_gates (VgFluenceRun *self)
{
  static const char *const names[] = { "Reflected", "Transmitted" };
  VgCurves *curves = vg_curves_new ("Light by time of exit", "Time", "ps", "Light", "1/ps");
  double scale = vg_fluence_run_scale (self) / self->params.gate_ps;

  curves->log_y = TRUE;
  for (int side = 0; side < 2; side++)
    {
      VgSeries *series = vg_curves_add (curves, names[side], VG_SERIES_LINE, self->medium->gates);

      for (int i = 0; i < self->medium->gates; i++)
        {
          double value = (double) self->tally[self->layout.gates[side] + (gsize) i] * scale;

          series->x[i] = (i + 0.5) * self->params.gate_ps;
          series->y[i] = value > 0.0 ? value : NAN;
        }
    }
  return curves;
}

VgCurves *
vg_fluence_run_plot (VgFluenceRun *self,
                     guint         i)
{
  const VgFluenceReport *old = self->params.compare ? self->reference : NULL;
  const VgFluenceReport *report = NULL;
  VgCurves *curves;

  if (i == 0 && !self->params.reflectance_only)
    return profile (self, "Fluence on the axis", 0);
  if (self->photons > 0)
    report = vg_fluence_run_report (self, NULL);
  if (report == NULL && (self->photons > 0 || old == NULL || i == 4))
    return NULL;
  switch (i)
    {
    case 0:
      curves = vg_curves_new ("Fluence on the axis", "Depth", "cm", "Fluence rate", "mW/cm\302\262");
      vg_curves_add (curves, "Not computed for reflectance only", VG_SERIES_LINE, 0);
      return curves;
    case 1:
      return plot_layers (report, old);
    case 2:
      return plot_exits (report, old, FALSE);
    case 3:
      return plot_exits (report, old, TRUE);
    case 4:
      return plot_gates (self);
    default:
      return NULL;
    }
}

/* ---- Texts ---- */

static char *
gates_text (VgFluenceRun *self)
{
  GString *text = g_string_new ("begin_ps,end_ps,reflected,transmitted\n");
  double scale = vg_fluence_run_scale (self);

  for (int i = 0; i <= self->medium->gates; i++)
    {
      double values[] = { i * self->params.gate_ps, (i + 1) * self->params.gate_ps,
                          (double) self->tally[self->layout.gates[0] + (gsize) i] * scale,
                          (double) self->tally[self->layout.gates[1] + (gsize) i] * scale };

      for (int k = 0; k < 4; k++)
        {
          char number[G_ASCII_DTOSTR_BUF_SIZE];

          g_ascii_formatd (number, sizeof number, "%.9g", values[k]);
          /* the last gate has no end */
          g_string_append (text, i == self->medium->gates && k == 1 ? "inf" : number);
          g_string_append_c (text, k == 3 ? '\n' : ',');
        }
    }
  return g_string_free (text, FALSE);
}

char *
vg_fluence_run_text (VgFluenceRun *self,
                     guint         i,
                     char        **file_name,
                     GError      **error)
{
  VgFluenceReport *report;

  if (i == VG_FLUENCE_OUTPUT_GATES)
    {
      *file_name = g_strdup ("time_gates.csv");
      return gates_text (self);
    }
  report = vg_fluence_run_report (self, error);
  if (report == NULL)
    return NULL;
  if (*report->name == '\0')
    g_strlcpy (report->name, "fluence.mco", sizeof report->name);
  *file_name = g_strdup (report->name);
  return vg_fluence_mco_write (report);
}
