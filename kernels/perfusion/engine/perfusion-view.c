/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/fit/perfusion-output.h"
#include "kernels/perfusion/fit/perfusion-summary.h"
#include "kernels/perfusion/engine/perfusion-solve.h"
#include "kernels/perfusion/engine/perfusion-state.h"
#include "kernels/base/vg-text.h"
#include <glib/gi18n.h>
/* The curves, and the text of the input functions, for both engines. */

gssize
vg_perfusion_voxel_at (const VgPerfusionStudy *study, double x, double y, int slice)
{
  const VgImageInfo *info = &study->image->info;

  if (!(x >= 0 && x < info->width && y >= 0 && y < info->height && slice >= 0 &&
        slice < info->slices))
    return -1;
  return ((gssize) slice * info->height + (gssize) y) * info->width + (gssize) x;
}

static VgSeries *
add_series (VgCurves *curves, const char *name, VgSeriesStyle style, const double *times,
            const double *values, int n)
{
  VgSeries *series = vg_curves_add (curves, name, style, n);

  for (int i = 0; i < n; i++)
    {
      series->x[i] = times[i];
      series->y[i] = values[i];
    }
  return series;
}

static const char *
unit_of (const VgPerfusionStudy *study)
{
  return study->params->signal == VG_PERFUSION_SIGNAL_CONCENTRATION
             ? "unit of the data"
             : vg_perfusion_concentration_unit (study->params->signal);
}

static const char *
artery_name (const VgPerfusionStudy *study)
{
  return study->population ? "Artery (population)" : "Artery";
}

static const char *
portal_name (const VgPerfusionStudy *study)
{
  return !study->dispersed   ? "Portal vein"
         : study->population ? "Portal vein (population)"
                             : "Portal vein (from the artery)";
}

/* Adds the inputs.  Next to a tissue curve with TISSUE_PEAK, which is ten to twenty times lower,
 * they are divided by a power of two to fit the same axis. */
static void
add_inputs (VgCurves *curves, const VgPerfusionStudy *study, double tissue_peak)
{
  for (int which = 0; which < (study->portal != NULL ? 2 : 1); which++)
    {
      const double *input = which == 0 ? study->artery : study->portal;
      VgSeries *series = add_series (curves, which == 0 ? artery_name (study) : portal_name (study),
                                     VG_SERIES_LINE, study->times_s, input, study->n);
      double peak = 0;

      series->rgb = which == 0 ? VG_PERFUSION_ARTERY_RGB : VG_PERFUSION_PORTAL_RGB;
      series->divisor = 1;
      for (int i = 0; i < study->n; i++)
        peak = MAX (peak, input[i]);
      while (series->divisor < 1e6 && peak > 2 * tissue_peak * series->divisor)
        series->divisor *= 2;
      for (int i = 0; i < study->n; i++)
        series->y[i] /= series->divisor;
    }
}

/* Marks the baseline frames, from half a frame before the first. */
static void
mark_baseline (VgCurves *curves, const VgPerfusionStudy *study)
{
  const VgPerfusionSignal *signal = &study->signal;
  double half = (study->times_s[1] - study->times_s[0]) / 2;

  if (study->params->signal == VG_PERFUSION_SIGNAL_CONCENTRATION)
    return;
  curves->span[0] = study->times_s[signal->baseline_first] - half;
  curves->span[1] = study->times_s[signal->baseline_last] + half;
  curves->span_label = N_ ("Baseline");
  curves->span_params[0] = "baseline_first";
  curves->span_params[1] = "baseline_last";
}

/* Computes the maps that need no model from CURVE. */
static void
summarise (const VgPerfusionStudy *study, const double *curve, float *outputs)
{
  g_autofree float *times = g_new (float, study->n), *weights = g_new (float, study->n),
                   *samples = g_new (float, study->n);
  const VgPerfusionFrames frames = {
    times, weights, study->n, vg_perfusion_onset (study->weights, study->signal.baseline_last)
  };

  for (int i = 0; i < study->n; i++)
    {
      times[i] = (float) study->times_s[i];
      weights[i] = (float) study->weights[i];
      samples[i] = (float) curve[i];
    }
  for (int i = 0; i < VG_PERFUSION_N_OUTPUTS; i++)
    if (vg_perfusion_is_summary (i))
      outputs[i] = vg_perfusion_summary (&frames, samples, 1, i);
}

/* Computes the value of every map from CURVE and the VALUES of its fit; NULL: those without a model
 * alone. */
static float *
outputs_of (const VgPerfusionStudy *study, const double *curve, const double *values)
{
  const VgPerfusionParams *params = study->params;
  float limit = study->paper != NULL
                    ? HUGE_VALF
                    : vg_perfusion_delay_error_limit (params->delay_min_s, params->delay_max_s);
  float *outputs = g_new (float, VG_PERFUSION_N_OUTPUTS), narrow[VG_PERFUSION_FIT_VALUES];

  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    narrow[i] = values != NULL ? (float) values[i] : NAN;
  for (int i = 0; i < VG_PERFUSION_N_OUTPUTS; i++)
    outputs[i] = values == NULL || i >= VG_PERFUSION_OUTPUT_SIGNAL
                     ? NAN
                     : vg_perfusion_output_factor (i, params->rate_unit, params->density) *
                           vg_perfusion_derived (narrow, 1, i, params->model, study->problem->dual,
                                                 limit);
  summarise (study, curve, outputs);
  return outputs;
}

/* Plots a curve with the fit of VALUES (NULL: none) and, with INPUTS, the inputs. */
static VgCurves *
plot_curve (const VgPerfusionStudy *study, const char *title, const double *curve,
            gboolean converted, gboolean inputs, const double *values)
{
  VgCurves *curves = vg_curves_new (title, N_ ("Time"), "s",
                                    converted ? N_ ("Concentration") : N_ ("Signal"),
                                    converted ? unit_of (study) : "");
  g_autofree double *fit = g_new0 (double, study->n);
  double peak = 0;

  add_series (curves, N_ ("Measured"), VG_SERIES_POINTS, study->times_s, curve, study->n);
  mark_baseline (curves, study);
  /* On the GPU, voxels have the status of their fit before it, but no residual. */
  if (values != NULL && !isnan (values[VG_PERFUSION_FIT_RESIDUAL]) &&
      ((values[VG_PERFUSION_FIT_STATUS] >= VG_PERFUSION_FITTED &&
        values[VG_PERFUSION_FIT_STATUS] <= VG_PERFUSION_NOT_CONVERGED) ||
       values[VG_PERFUSION_FIT_STATUS] == VG_PERFUSION_IMPOSSIBLE))
    {
      vg_perfusion_solution (study, curve, values, fit);
      add_series (curves, N_ ("Fit"), VG_SERIES_LINE, study->times_s, fit, study->n);
      for (int i = 0; i < study->n; i++)
        fit[i] = curve[i] - fit[i];
      add_series (curves, N_ ("Residual"), VG_SERIES_LINE, study->times_s, fit, study->n);
      curves->outputs = outputs_of (study, curve, values);
    }
  for (int i = 0; i < study->n; i++)
    peak = MAX (peak, curve[i]);
  if (inputs && peak > 0)
    add_inputs (curves, study, peak);
  curves->by_frame = TRUE;
  return curves;
}

VgCurves *
vg_perfusion_plot_voxel (const VgPerfusionStudy *study, double x, double y, int slice,
                         const double *values)
{
  gssize voxel = vg_perfusion_voxel_at (study, x, y, slice);
  g_autofree char *title = NULL;
  g_autofree double *curve = NULL;
  VgPerfusionStatus status;
  float mean;

  if (voxel < 0)
    return NULL;
  title = study->image->names != NULL
              ? g_strdup (study->image->names[(int) x])
              : g_strdup_printf ("Voxel %d, %d, slice %d", (int) x, (int) y, slice + 1);
  curve = g_new (double, study->n);
  status = vg_perfusion_study_read (study, (gsize) voxel, curve, 1, &mean);
  return plot_curve (study, title, curve, status != VG_PERFUSION_OUTSIDE,
                     status != VG_PERFUSION_OUTSIDE, values);
}

/* Fits CURVE alone. */
static void
fit_curve (const VgPerfusionStudy *study, const double *curve, double *values)
{
  g_autofree double *lanes = g_new0 (double, (gsize) study->n *VG_PERFUSION_LANES);
  g_autofree double *scratch = g_new (double, vg_perfusion_solve_scratch (study));
  double all[VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES];

  for (int i = 0; i < study->n; i++)
    lanes[i * VG_PERFUSION_LANES] = curve[i];
  vg_perfusion_solve (study, lanes, 1, scratch, all);
  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    values[i] = all[i * VG_PERFUSION_LANES];
}

/* Adds the number of voxels, and their volume if their size is known. */
static void
add_size (VgCurves *curves, const VgPerfusionStudy *study, gsize voxels)
{
  if (curves->metrics == NULL)
    curves->metrics = vg_metrics_new ();
  vg_metrics_add (curves->metrics, "voxels", N_ ("Voxels"), "", (double) voxels, NULL);
  vg_metrics_add (curves->metrics, "volume_ml", N_ ("Volume"), "ml",
                  vg_image_info_volume_ml (&study->image->info, (double) voxels), NULL);
}

VgCurves *
vg_perfusion_plot_regions (const VgPerfusionStudy *study, const VgRegion *const *regions, guint n)
{
  VgCurves *curves;
  g_autofree double *curve = g_new (double, study->n);
  g_autofree char *title = NULL;
  double values[VG_PERFUSION_FIT_VALUES];
  gboolean blood, finite = TRUE;
  gsize voxels = vg_perfusion_study_regions (study, regions, n, curve, &blood);

  if (voxels == 0)
    return NULL;
  for (int i = 0; i < study->n; i++)
    {
      finite = finite && (isfinite (curve[i]) || study->weights[i] <= 0);
      curve[i] = study->weights[i] > 0 || isfinite (curve[i]) ? curve[i] : 0;
    }
  if (finite && !blood)
    fit_curve (study, curve, values);
  title = n == 1 && regions[0]->slice >= 0
              ? g_strdup_printf ("Mean of %" G_GSIZE_FORMAT " voxels, slice %d", voxels,
                                 regions[0]->slice + 1)
              : g_strdup_printf ("Mean of %" G_GSIZE_FORMAT " voxels in all slices", voxels);
  curves = plot_curve (study, title, curve, TRUE, !blood, finite && !blood ? values : NULL);
  if (finite && blood) /* an input has no fit, but a peak and the time to it */
    curves->outputs = outputs_of (study, curve, NULL);
  add_size (curves, study, voxels);
  return curves;
}

VgCurves *
vg_perfusion_plot_inputs (const VgPerfusionStudy *study)
{
  VgCurves *curves = vg_curves_new (N_ ("Input curves"), N_ ("Time"), "s", N_ ("Concentration"),
                                    unit_of (study));

  add_inputs (curves, study, HUGE_VAL);
  mark_baseline (curves, study);
  curves->by_frame = TRUE;
  return curves;
}

/* Writes the digits of single precision, or all digits of a clock time. */
static void
append_short (GString *text, double value)
{
  if (fabs (value) < 1e6)
    vg_text_append_float (text, (float) value);
  else
    vg_text_append_number (text, value);
}

char *
vg_perfusion_inputs_text (const VgPerfusionStudy *study, char **file_name)
{
  const char *unit = vg_perfusion_concentration_unit (study->params->signal);
  g_autofree char *stated = *unit != '\0' ? g_strdup_printf (" [%s]", unit) : g_strdup ("");
  GString *text = g_string_new ("time_s,artery");

  g_string_append (text, stated);
  if (study->portal != NULL)
    g_string_append_printf (text, ",portal%s", stated);
  g_string_append_c (text, '\n');

  for (int i = 0; i < study->n; i++)
    {
      append_short (text, study->times_s[i] + study->begin_s);
      g_string_append_c (text, ',');
      append_short (text, study->artery[i]);
      if (study->portal != NULL)
        {
          g_string_append_c (text, ',');
          append_short (text, study->portal[i]);
        }
      g_string_append_c (text, '\n');
    }
  *file_name = g_strdup ("input_curves.csv");
  return g_string_free (text, FALSE);
}

gboolean
vg_perfusion_host_plane (const VgPerfusionStudy *study, int output, const float **plane)
{
  const VgPerfusionMotion *motion = study->motion;

  *plane = NULL;
  if (output < VG_PERFUSION_OUTPUT_T1 || output > VG_PERFUSION_OUTPUT_JACOBIAN_MAX)
    return FALSE;
  if (output == VG_PERFUSION_OUTPUT_T1)
    *plane = study->t1_maps;
  else if (output == VG_PERFUSION_OUTPUT_T1_ERROR && study->t1_maps != NULL)
    *plane = study->t1_maps + study->voxels;
  else if (output >= VG_PERFUSION_OUTPUT_MOTION_BEFORE && motion != NULL)
    *plane = output == VG_PERFUSION_OUTPUT_MOTION_BEFORE  ? motion->before
             : output == VG_PERFUSION_OUTPUT_MOTION_AFTER ? motion->after
             : output == VG_PERFUSION_OUTPUT_JACOBIAN_MIN ? motion->jacobian_low
                                                          : motion->jacobian_high;
  return TRUE;
}
