/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/engine/fluence-run.h"
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>
/* Reflectance and transmittance by exit radius, angle and time: curves and tables. */

/* Exitance, mW/cm^2, by radius for the run's beam: the convolution of Rd(r) and Tt(r) with it. */
typedef struct
{
  double *values[2], *errors[2]; /* reflected, transmitted; errors may be NULL */
  int n;
} Exitance;

static void
exitance_clear (Exitance *self)
{
  for (int side = 0; side < 2; side++)
    {
      g_free (self->values[side]);
      g_free (self->errors[side]);
    }
}

static void
exitance_init (Exitance *self, const VgFluenceRun *run, const VgFluenceReport *report)
{
  const double *pencil[] = { report->rd_r, report->tt_r },
               *errors[] = { report->rd_r_error, report->tt_r_error };
  gsize bytes = sizeof (double) * (gsize) report->nr;

  /* the last bin of other programs includes all light outside the grid */
  self->n = report->nr - report->clamped;
  for (int side = 0; side < 2; side++)
    {
      g_autofree double *known = g_memdup2 (pencil[side], bytes);

      if (report->clamped)
        known[report->nr - 1] = 0.0;
      self->values[side] = g_memdup2 (known, bytes);
      self->errors[side] = errors[side] != NULL ? g_memdup2 (errors[side], bytes) : NULL;
      if (run->kernel != NULL)
        vg_fluence_beam_spread (run->kernel, known, errors[side], self->values[side],
                                self->errors[side]);
      for (int i = 0; i < report->nr; i++)
        {
          self->values[side][i] *= run->params.power_mw;
          if (self->errors[side] != NULL)
            self->errors[side][i] *= run->params.power_mw;
        }
    }
}

static void
add_exits (VgCurves *curves, const char *name, int n, double bin, const double *values,
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

static VgCurves *
plot_angles (const VgFluenceReport *report, const VgFluenceReport *old)
{
  VgCurves *curves = vg_curves_new (N_ ("Exit light vs angle"), N_ ("Angle to the normal"),
                                    "\302\260", N_ ("Per solid angle"), "1/sr");

  if (report != NULL)
    {
      add_exits (curves, N_ ("Reflected"), report->na, 90.0 / report->na, report->rd_a,
                 report->rd_a_error);
      add_exits (curves, N_ ("Transmitted"), report->na, 90.0 / report->na, report->tt_a,
                 report->tt_a_error);
    }
  if (old != NULL)
    {
      add_exits (curves, N_ ("Reflected, earlier run"), old->na, 90.0 / old->na, old->rd_a, NULL);
      add_exits (curves, N_ ("Transmitted, earlier run"), old->na, 90.0 / old->na, old->tt_a, NULL);
    }
  return curves;
}

static void
add_exitance (const VgFluenceRun *self, const VgFluenceReport *report, VgCurves *curves,
              const char *reflected, const char *transmitted)
{
  Exitance exitance;

  exitance_init (&exitance, self, report);
  add_exits (curves, reflected, exitance.n, report->dr, exitance.values[0], exitance.errors[0]);
  add_exits (curves, transmitted, exitance.n, report->dr, exitance.values[1], exitance.errors[1]);
  exitance_clear (&exitance);
}

VgCurves *
vg_fluence_exits_plot (const VgFluenceRun *self, const VgFluenceReport *report,
                       const VgFluenceReport *old, gboolean by_angle)
{
  static const char *const labels[] = { [VG_FLUENCE_PENCIL] = N_ ("Exitance, thin beam"),
                                        [VG_FLUENCE_FLAT] = N_ ("Exitance, flat beam"),
                                        [VG_FLUENCE_GAUSSIAN] = N_ ("Exitance, Gaussian beam"),
                                        [VG_FLUENCE_RING] = N_ ("Exitance, ring"),
                                        [VG_FLUENCE_POINT] = N_ ("Exitance, point source") };
  VgCurves *curves;

  if (by_angle)
    return plot_angles (report, old);
  curves = vg_curves_new (N_ ("Exit light vs radius"), N_ ("Radius"), "cm",
                          labels[self->params.beam], "mW/cm\302\262");
  curves->log_y = TRUE;
  if (report != NULL)
    add_exitance (self, report, curves, N_ ("Reflected"), N_ ("Transmitted"));
  /* the convolution needs this run's grid */
  if (old != NULL && (self->kernel == NULL || self->mismatch == NULL))
    add_exitance (self, old, curves, N_ ("Reflected, earlier run"),
                  N_ ("Transmitted, earlier run"));
  return curves;
}

/* Light on one side in each time gate and after the last, and standard errors: fractions. */
static void
gate_errors (VgFluenceRun *self, int side, double *values, double *errors)
{
  int n = self->medium->gates + 1;
  g_autofree double *units = g_new (double, n);
  double scale = vg_fluence_run_scale (self);

  for (int i = 0; i < n; i++)
    {
      units[i] = 1.0;
      values[i] = (double) self->tally[self->layout.gates[side] + (gsize) i] * scale;
    }
  vg_fluence_run_exit_errors (self, self->layout.gates_square[side], n, values, units, errors);
}

VgCurves *
vg_fluence_gates_plot (VgFluenceRun *self)
{
  static const char *const names[] = { N_ ("Reflected"), N_ ("Transmitted") };
  VgCurves *curves = vg_curves_new (N_ ("Exit time"), N_ ("Time"), "ps", N_ ("Exit light"), "1/ps");
  int n = self->medium->gates;
  g_autofree double *values = g_new (double, n + 1), *errors = g_new (double, n + 1);

  curves->log_y = TRUE;
  for (int side = 0; side < 2; side++)
    {
      VgSeries *series = vg_curves_add (curves, names[side], VG_SERIES_LINE, n);

      series->error = g_new (double, n);
      gate_errors (self, side, values, errors);
      for (int i = 0; i < n; i++)
        {
          series->x[i] = (i + 0.5) * self->params.gate_ps;
          series->y[i] = values[i] > 0.0 ? values[i] / self->params.gate_ps : NAN;
          series->error[i] = errors[i] / self->params.gate_ps;
        }
    }
  return curves;
}

/* ---- Tables ---- */

static void
append_row (GString *text, const double *values, int n)
{
  for (int k = 0; k < n; k++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (number, sizeof number, "%.9g", values[k]);
      g_string_append (text, isinf (values[k]) ? "inf" : number);
      g_string_append_c (text, k == n - 1 ? '\n' : ',');
    }
}

char *
vg_fluence_exits_text (const VgFluenceRun *self, const VgFluenceReport *report)
{
  GString *text = g_string_new (
      "radius_cm,reflected_mw_per_cm2,reflected_error,transmitted_mw_per_cm2,transmitted_error\n");
  Exitance exitance;

  exitance_init (&exitance, self, report);
  for (int i = 0; i < exitance.n; i++)
    append_row (text,
                (const double[]){ (i + 0.5) * report->dr, exitance.values[0][i],
                                  exitance.errors[0][i], exitance.values[1][i],
                                  exitance.errors[1][i] },
                5);
  exitance_clear (&exitance);
  return g_string_free (text, FALSE);
}

char *
vg_fluence_gates_text (VgFluenceRun *self)
{
  GString *text = g_string_new (
      "begin_ps,end_ps,reflected,transmitted,reflected_error,transmitted_error\n");
  int n = self->medium->gates + 1;
  g_autofree double *values = g_new (double, 2 * n), *errors = g_new (double, 2 * n);

  for (int side = 0; side < 2; side++)
    gate_errors (self, side, values + side * n, errors + side * n);
  for (int i = 0; i < n; i++)
    append_row (text,
                (const double[]){ i * self->params.gate_ps,
                                  i < n - 1 ? (i + 1) * self->params.gate_ps : INFINITY, values[i],
                                  values[n + i], errors[i], errors[n + i] },
                6);
  return g_string_free (text, FALSE);
}
