/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-state.h"
#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>
/* The metrics of a run, with their advice. */

extern const VgOperation vg_perfusion_operation;

static const char *
unit_of (const VgPerfusionStudy *study)
{
  return vg_perfusion_concentration_unit (study->params->signal);
}

static const char *
interval_advice (double interval)
{
  if (interval < 0.1)
    return "This is as short as a repetition time. Set the frame interval.";
  return interval > 100 ? "This is long for a contrast series. Check whether the times are in ms."
                        : NULL;
}

/* Advice if the file's frame interval differs from the setting (owned), or NULL. */
static char *
other_interval (const VgPerfusionStudy *study)
{
  double set = study->params->frame_interval_s, own = study->image->info.frame_interval_s;

  if (!(set > 0 && own > 0) || fabs (set - own) <= 0.01 * own ||
      vg_perfusion_study_file (study, "times_file") != NULL)
    return NULL;
  return g_strdup_printf ("The data state %.4g s. Set Frame interval to 0 to use it.", own);
}

/* Whether the file of parameter ID has an effect with the other settings. */
static gboolean
is_used (const VgPerfusionStudy *study, const char *id)
{
  const VgParamTable *table = &vg_perfusion_operation.params;

  return vg_param_is_shown (table, vg_params_find (table, id), study->params);
}

/* Advice on the first input table that covers too little of the series, so that its last value is
 * used for the rest; NULL: none. */
static char *
table_advice (const VgPerfusionStudy *study, double *part)
{
  static const char *const ids[] = { "artery", "portal" };
  double begin = study->begin_s, end = begin + study->times_s[study->n - 1];

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      const VgImage *file = is_used (study, ids[i]) ? vg_perfusion_study_file (study, ids[i])
                                                    : NULL;
      int rows, columns;
      g_autofree double *table = file != NULL && file->text != NULL
                                     ? vg_perfusion_read_table (file, &rows, &columns, NULL)
                                     : NULL;

      if (table == NULL || columns < 2)
        continue;
      *part = (MIN (end, table[(rows - 1) * columns]) - MAX (begin, table[0])) / (end - begin);
      if (*part < 0.5)
        return g_strdup_printf (
            "\"%s\" covers %g to %g s, but the series %g to %g s. Before the table the input is "
            "taken as 0, after it as its last value. Check that both times have the same origin.",
            file->name, table[0], table[(rows - 1) * columns], begin, end);
    }
  return NULL;
}

/* Why no voxel was fitted, once all were processed (owned); NULL otherwise. */
static char *
find_empty_reason (const VgPerfusionStudy *study, const gsize *counts)
{
  static const struct
  {
    VgPerfusionStatus status;
    const char *what;
  } reasons[] = {
    { VG_PERFUSION_OUTSIDE, "are outside the mask or below the threshold" },
    { VG_PERFUSION_NO_CURVE, "do not change over time" },
    { VG_PERFUSION_INVALID,
      "have a sample that is not a number or that cannot be converted to concentration" },
  };
  GString *text;
  gsize looked = 0;
  int listed = 0;

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    looked += counts[reasons[i].status];
  if (looked < study->voxels)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "no voxel was fitted. Of %" G_GSIZE_FORMAT " voxels",
                          study->voxels);
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (counts[reasons[i].status] > 0)
      g_string_append_printf (text, "%s %" G_GSIZE_FORMAT " %s", listed++ > 0 ? "," : "",
                              counts[reasons[i].status], reasons[i].what);
  g_string_append (text, ". Check the signal model, the mask and the threshold.");
  return g_string_free (text, FALSE);
}

static const char *
bound_advice (const VgPerfusionStudy *study, gsize bound, gsize fitted)
{
  if (fitted == 0 || 10 * bound <= 9 * fitted)
    return NULL;
  return !study->has_liver && study->params->threshold == 0
             ? "Nearly all voxels are at a bound, including the air around the body. Mark the "
               "liver, or set a threshold. If that does not help, check the frame times, the "
               "signal model and the positions of the inputs."
             : "Nearly all voxels are at a bound. Check the frame times, the signal model and the "
               "positions of the inputs.";
}

/* Advice if contrast agent lowers the signal, as in a reversed series (owned), or NULL. */
static char *
fall_advice (const char *what, const double *curve, int n)
{
  double low = 0;

  for (int i = 0; i < n; i++)
    low = MIN (low, curve[i]);
  return -low > curve[vg_perfusion_peak_frame (curve, n)]
             ? g_strdup_printf ("The curve of %s falls further below 0 than it rises above it. "
                                "Check the position, the signal model, and whether contrast agent "
                                "lowers the signal in this series.",
                                what)
             : NULL;
}

/* Reports the peaks of the inputs, and their origin if they are not measured in the patient. */
static void
report_peaks (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  gboolean own_unit = study->params->signal == VG_PERFUSION_SIGNAL_CONCENTRATION;
  g_autofree char *artery_falls = fall_advice ("the artery", study->artery, study->n),
                  *portal_falls = NULL;
  double peak = study->artery[vg_perfusion_peak_frame (study->artery, study->n)];

  if (isfinite (study->arrival_s))
    {
      vg_metrics_add (metrics, "arrival_s", "Fitted arrival time", "s", study->arrival_s, NULL);
      vg_metrics_add (metrics, "arrival_error_s", "Standard error of the arrival time", "s",
                      study->arrival_error_s, NULL);
    }
  if (study->population)
    vg_metrics_add (
        metrics, "artery_peak", "Peak of the population AIF", "mM", peak,
        "Using an average artery from the literature. Mark the artery to use this patient's.");
  else
    {
      vg_metrics_add (metrics, "artery_peak",
                      own_unit ? "Peak in the artery, unit of the data" : N_ ("Peak in the artery"),
                      unit_of (study), peak,
                      study->artery_voxels > 0 && study->n >= 8 &&
                              vg_perfusion_contrast (study->artery, study->n) < 6
                          ? "The peak is hardly above the noise: no contrast agent arrives where "
                            "the artery is marked. Mark another position."
                          : artery_falls);
      vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
    }
  if (study->portal == NULL || (study->dispersed && study->population))
    return;
  peak = study->portal[vg_perfusion_peak_frame (study->portal, study->n)];
  if (study->dispersed)
    vg_metrics_add (metrics, "portal_peak", "Peak in the portal vein, from the artery",
                    unit_of (study), peak,
                    "The curve of the portal vein was computed from the artery. Mark the portal "
                    "vein to use this patient's.");
  else
    {
      portal_falls = fall_advice ("the portal vein", study->portal, study->n);
      vg_metrics_add (metrics, "portal_peak",
                      own_unit ? "Peak in the portal vein, unit of the data"
                               : N_ ("Peak in the portal vein"),
                      unit_of (study), peak, portal_falls);
      vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
    }
}

/* Advice on a mask file whose values are not those of a mask. */
static char *
mask_advice (const VgPerfusionStudy *study, const char *id)
{
  const VgImage *file = vg_perfusion_study_file (study, id);
  double first = 0;
  gboolean parts = FALSE, differ = FALSE;

  for (gsize i = 0; file != NULL && i < study->voxels && !(parts && differ); i++)
    {
      double value = vg_image_sample (file, i);

      if (!isfinite (value) || value == 0)
        continue;
      first = first == 0 ? value : first;
      parts = parts || fabs (value - round (value)) > 1e-3;
      differ = differ || fabs (value - first) > 1e-3 * fabs (first);
    }
  return parts && differ ? g_strdup_printf ("\"%s\" contains fractions, so it may be a map instead "
                                            "of a mask. All voxels that are not 0 were used.",
                                            file->name)
                         : NULL;
}

/* Reports the number of voxels of a vessel's curve. */
static void
report_vessel (VgMetrics *metrics, const VgPerfusionStudy *study, const char *id,
               const char *number, const char *label, gsize voxels)
{
  g_autofree char *odd = voxels > 0 ? mask_advice (study, id) : NULL;

  if (voxels > 0)
    vg_metrics_add (metrics, number, label, "", (double) voxels, odd);
}

/* Reports the repetition time that was used for T1 from flip angles. */
static void
report_angles (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  const VgImage *series = vg_perfusion_study_file (study, "t1_series");
  g_autofree char *other = NULL;
  double own, set = study->params->repetition_ms;

  if (study->t1_maps == NULL || study->t1_method != VG_PERFUSION_T1_FLIP_ANGLES)
    return;
  own = series->info.repetition_ms > 0 ? series->info.repetition_ms : set;
  if (fabs (own - set) > 0.01 * own)
    other = g_strdup_printf (
        "T1 was computed with the repetition time that \"%s\" states, %.4g ms. The "
        "setting, %.4g ms, applies to the contrast series only.",
        series->name, own, set);
  vg_metrics_add (metrics, "t1_repetition_ms", "Repetition time of the flip-angle series", "ms",
                  own, other);
}

/* Reports the voxels that have no T1 and are therefore not fitted. */
static void
report_unknown (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  gsize all = study->voxels;

  if (study->t1_s == NULL)
    return;
  for (gsize i = 0; study->mask != NULL && i < study->voxels; i++)
    all -= !study->mask[i];
  vg_metrics_add (
      metrics, "t1_unknown", "Voxels without T1", "", (double) study->t1_unknown,
      study->has_liver && 10 * study->t1_unknown > all
          ? "More than a tenth of the voxels in the mask have no T1 and are not fitted. "
            "Check the T1 series, its method and its times or flip angles."
          : NULL);
}

/* Reports the sources of the input functions and T1. */
static void
report_sources (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  double part;
  g_autofree char *tables = table_advice (study, &part);

  report_vessel (metrics, study, "artery", "artery_voxels", N_ ("Voxels of the artery"),
                 study->artery_voxels);
  report_vessel (metrics, study, "portal", "portal_voxels", N_ ("Voxels of the portal vein"),
                 study->portal_voxels);
  if (study->averaged > 0)
    vg_metrics_add (metrics, "inputs_averaged", "Averaged input tables", "", study->averaged, NULL);
  if (tables != NULL)
    {
      vg_metrics_add (metrics, "inputs_covered_percent",
                      "Part of the series that the input table covers", "%", 100 * part, tables);
      vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
    }
  if (study->t1_s != NULL)
    vg_metrics_add (metrics, "t1_median_ms", "Median T1 before the bolus", "ms",
                    1000 * study->t1_median_s,
                    study->t1_in_s ? "The T1 map was read in seconds because its values are below "
                                     "20. If it is a map of R1, choose one of T1 in ms."
                                   : NULL);
  report_angles (metrics, study);
  report_unknown (metrics, study);
  vg_perfusion_report_artery (metrics, study);
}

/* Reports that the signal model is assumed; BETTER: the one that the samples suggest, or -1. */
static void
report_assumed (VgMetrics *metrics, const VgPerfusionStudy *study, int better)
{
  double repetition_ms = study->image->info.repetition_ms;

  if (study->params->signal != VG_PERFUSION_SIGNAL_LINEAR || better >= 0 ||
      study->params->signal_origin != VG_PERFUSION_SIGNAL_ASSUMED)
    return;
  vg_metrics_add (metrics, "stated_repetition_ms", "Repetition time in the data", "ms",
                  repetition_ms > 0 ? repetition_ms : (double) NAN,
                  "The data lack the repetition time, the flip angle or both, so the signal is "
                  "taken as proportional to the concentration. For a spoiled gradient echo, "
                  "perfusion can then be several times too high. Set Signal model, Repetition time "
                  "and Flip angle.");
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
}

void
vg_perfusion_report (VgMetrics *metrics, VgPerfusionStudy *study, const gsize *counts,
                     double seconds)
{
  gsize good = counts[VG_PERFUSION_FITTED] + counts[VG_PERFUSION_AT_BOUND], bad = 0;
  double interval = (study->times_s[study->n - 1] - study->times_s[0]) / (study->n - 1);
  const char *odd = interval_advice (interval);
  g_autofree char *other = other_interval (study), *nothing = find_empty_reason (study, counts);
  int signal;
  g_autofree char *baseline = vg_perfusion_baseline_advice (study, &signal);

  for (int i = VG_PERFUSION_NOT_CONVERGED; i < VG_PERFUSION_N_STATUSES; i++)
    bad += counts[i];
  vg_metrics_add (metrics, "voxels", "Voxels", "", (double) (good + bad), nothing);
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE | VG_NUMBER_EMPTY);
  report_assumed (metrics, study, signal);
  vg_metrics_add (metrics, "voxels_failed", "Voxels not fitted", "", (double) bad, NULL);
  vg_metrics_add (
      metrics, "at_bound_percent", "At a bound", "%",
      good + bad > 0 ? 100. * (double) counts[VG_PERFUSION_AT_BOUND] / (double) (good + bad) : NAN,
      bound_advice (study, counts[VG_PERFUSION_AT_BOUND], good + bad));
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  if (study->params->model == VG_PERFUSION_EXCHANGE)
    {
      gsize unknown = counts[VG_PERFUSION_COUNT_UNKNOWN];

      vg_metrics_add (
          metrics, "permeability_unknown_percent", "Permeability not determined", "%",
          good + bad > 0 ? 100. * (double) unknown / (double) (good + bad) : NAN,
          2 * unknown > good + bad
              ? "In most voxels one compartment fits as well as two, or exchange is too fast to "
                "measure. Set Model to One compartment, or fit the mean curves of regions."
              : NULL);
      vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
      vg_metrics_propose (metrics, "model", VG_PERFUSION_COMPARTMENT);
    }
  vg_metrics_add (metrics, "voxels_per_s", "Speed", "voxels/s",
                  seconds > 0 ? (double) (good + bad) / seconds : NAN, NULL);
  vg_metrics_add (metrics, "frames", N_ ("Time points"), "", study->n, NULL);
  if (study->image->info.joined > 0)
    vg_metrics_add (metrics, "joined_series", "Joined files", "", study->image->info.joined,
                    "Files with several time points each were joined in sequence. If they are not "
                    "parts of one series, open them one by one.");
  vg_metrics_add (metrics, "frame_interval_s", "Frame interval", "s", interval,
                  odd != NULL ? odd : other);
  if (odd != NULL)
    vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  else
    vg_metrics_propose (metrics, "frame_interval_s", 0);
  report_peaks (metrics, study);
  if (study->params->signal != VG_PERFUSION_SIGNAL_CONCENTRATION)
    {
      vg_metrics_add (metrics, "baseline_frames", "Baseline frames", "",
                      study->signal.baseline_last - study->signal.baseline_first + 1, baseline);
      vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
      if (signal >= 0)
        vg_metrics_propose (metrics, "signal", signal);
    }
  report_sources (metrics, study);
  vg_perfusion_report_motion (metrics, study);
}
