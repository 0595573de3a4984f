/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-state.h"
#include "kernels/base/vg-sort.h"
#include "kernels/base/vg-placement.h"
#include <stdlib.h>
#include <string.h>
/* The metrics of a run, with their advice. */

extern const VgOperation vg_perfusion_operation;

static const char *
unit_of (const VgPerfusionStudy *study)
{
  return vg_perfusion_concentration_unit (study->params->signal);
}

/* The contrast-to-noise ratio of the arterial curve: its peak above its lowest tenth, in standard
 * deviations of its noise.  The noise is estimated from second differences, whose median size is
 * 1.65 standard deviations, because blood curves are smooth over a few frames only. */
static double
contrast_to_noise (const VgPerfusionStudy *study)
{
  int n = study->n;
  g_autofree double *sorted = g_memdup2 (study->artery, sizeof (double) * (gsize) n),
                    *steps = g_new (double, n);

  for (int i = 0; i < n - 2; i++)
    steps[i] = fabs (study->artery[i] - 2 * study->artery[i + 1] + study->artery[i + 2]);
  vg_sort_doubles (sorted, (gsize) n);
  vg_sort_doubles (steps, (gsize) n - 2);
  return steps[n / 2 - 1] > 0 ? (sorted[n - 1] - sorted[n / 10]) / (steps[n / 2 - 1] / 1.65)
                              : HUGE_VAL;
}

static const char *
interval_advice (double interval)
{
  if (interval < 0.1)
    return "This is as short as a repetition time: set the frame interval.";
  return interval > 100 ? "That is long for a contrast series: are the times in ms?" : NULL;
}

/* Advice if the file's frame interval differs from the setting (owned), or NULL. */
static char *
other_interval (const VgPerfusionStudy *study)
{
  double set = study->params->frame_interval_s, own = study->image->info.frame_interval_s;

  if (!(set > 0 && own > 0) || fabs (set - own) <= 0.01 * own ||
      vg_perfusion_study_file (study, "times_file") != NULL)
    return NULL;
  return g_strdup_printf ("The file says %.4g s: 0 takes that.", own);
}

/* Describes the placement and the axes of FILE. */
static char *
describe_place (const VgImage *file, const VgOrientation *own, double away_mm)
{
  GString *line = g_string_new (NULL);
  VgOrientation other;

  vg_placement_orientation (&file->info.placement, &other);
  g_string_printf (line, "%s says that it lies up to %.3g mm from where the series does",
                   file->name, away_mm);
  if (memcmp (own->ends, other.ends, sizeof own->ends) != 0)
    g_string_append_printf (line, ", its axes towards %c, %c, %c in place of %c, %c, %c",
                            other.ends[0][1], other.ends[1][1], other.ends[2][1], own->ends[0][1],
                            own->ends[1][1], own->ends[2][1]);
  g_string_append (line, "; it was taken voxel by voxel as stored: resample it to the series.");
  return g_string_free (line, FALSE);
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
            "%s goes from %g to %g s and the series from %g to %g s: before the table an input is "
            "0, after it as its last row. Check the clocks.",
            file->name, table[0], table[(rows - 1) * columns], begin, end);
    }
  return NULL;
}

/* One line for each file that is used voxel by voxel although its placement differs from that of
 * the series; NULL: none.  *MM receives the largest distance. */
static char *
place_advice (const VgPerfusionStudy *study, double *mm)
{
  const VgImageInfo *info = &study->image->info;
  const gint64 extent[3] = { info->width, info->height, info->slices };
  gboolean map = vg_perfusion_study_file (study, "t1_file") != NULL;
  g_autoptr (GString) lines = g_string_new (NULL);
  VgOrientation own;

  *mm = 0;
  vg_placement_orientation (&info->placement, &own);
  for (int i = 0; i < study->n_files; i++)
    {
      const VgImage *file = study->files[i].image;
      g_autofree char *line = NULL;
      double away;

      if (!is_used (study, study->files[i].id) ||
          (map && g_str_equal (study->files[i].id, "flip_angle_file")))
        continue;
      if (file->text != NULL ||
          !(vg_placement_apart (&info->placement, &file->info.placement, extent, &away) > 0.5))
        continue;
      *mm = MAX (*mm, away);
      line = describe_place (file, &own, away);
      if (strstr (lines->str, line) == NULL) /* Several parameters may name the same file. */
        g_string_append_printf (lines, "%s%s", lines->len > 0 ? "\n" : "", line);
    }
  return lines->len > 0 ? g_string_free (g_steal_pointer (&lines), FALSE) : NULL;
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
    { VG_PERFUSION_OUTSIDE, "lie outside of the mask or below the threshold" },
    { VG_PERFUSION_NO_CURVE, "never change" },
    { VG_PERFUSION_INVALID,
      "hold a sample that is not a number or of which no concentration can be made" },
  };
  GString *text;
  gsize looked = 0;
  int listed = 0;

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    looked += counts[reasons[i].status];
  if (looked < study->voxels)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "no voxel was fitted: of %" G_GSIZE_FORMAT " voxels",
                          study->voxels);
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (counts[reasons[i].status] > 0)
      g_string_append_printf (text, "%s %" G_GSIZE_FORMAT " %s", listed++ > 0 ? "," : "",
                              counts[reasons[i].status], reasons[i].what);
  g_string_append (text, "; check mask, threshold, signal and data");
  return g_string_free (text, FALSE);
}

static const char *
bound_advice (const VgPerfusionStudy *study, gsize bound, gsize fitted)
{
  if (fitted == 0 || 10 * bound <= 9 * fitted)
    return NULL;
  return study->mask == NULL && study->params->threshold == 0
             ? "Nearly all voxels are at a bound. The air around the body counts among them: mark "
               "the liver, or set a threshold. Otherwise check the frame times, the signal, and "
               "where the inputs are."
             : "Nearly all voxels are at a bound: check the frame times, the signal, and where the "
               "inputs are.";
}

/* Advice if contrast agent lowers the signal, as in a reversed series (owned), or NULL. */
static char *
fall_advice (const char *what, const double *curve, int n)
{
  double low = 0;

  for (int i = 0; i < n; i++)
    low = MIN (low, curve[i]);
  return -low > curve[vg_perfusion_peak_frame (curve, n)]
             ? g_strdup_printf (
                   "The curve of %s falls further below 0 than it rises above: check the place, "
                   "the signal, and whether contrast lowers it in this series.",
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

  if (study->population)
    vg_metrics_add (
        metrics, "artery_peak", "Artery's peak, of the population", "mM", peak,
        "The population's curve stands for the artery: mark the artery to have the patient's own.");
  else
    {
      vg_metrics_add (
          metrics, "artery_peak", own_unit ? "Artery's peak, unit of the file" : "Artery's peak",
          unit_of (study), peak,
          study->artery_voxels > 0 && study->n >= 8 && contrast_to_noise (study) < 6
              ? "This is hardly more than noise: no contrast arrives where the artery is marked."
              : artery_falls);
      vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
    }
  if (study->portal == NULL || (study->dispersed && study->population))
    return;
  peak = study->portal[vg_perfusion_peak_frame (study->portal, study->n)];
  if (study->dispersed)
    vg_metrics_add (metrics, "portal_peak", "Portal vein's peak, by the artery", unit_of (study),
                    peak,
                    "The portal vein's curve was made from the artery's: mark the vein to have the "
                    "patient's own.");
  else
    {
      portal_falls = fall_advice ("the portal vein", study->portal, study->n);
      vg_metrics_add (metrics, "portal_peak",
                      own_unit ? "Portal vein's peak, unit of the file" : "Portal vein's peak",
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
  return parts && differ ? g_strdup_printf ("%s holds fractions, as a map does and a mask does "
                                            "not: every voxel that is not 0 was taken.",
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
  const VgImage *series = vg_perfusion_study_file (study, "flip_angle_file");
  g_autofree char *other = NULL;
  double own, set = study->params->repetition_ms;

  if (study->t1_s == NULL || series == NULL || vg_perfusion_study_file (study, "t1_file") != NULL)
    return;
  own = series->info.repetition_ms > 0 ? series->info.repetition_ms : set;
  if (fabs (own - set) > 0.01 * own)
    other = g_strdup_printf ("T1 was found with the repetition time that stands beside %s, %.4g "
                             "ms: the setting, %.4g ms, is taken for the contrast series only.",
                             series->name, own, set);
  vg_metrics_add (metrics, "t1_repetition_ms", "Repetition time of the flip angles", "ms", own,
                  other);
}

/* Reports the sources of the input functions and T1. */
static void
report_sources (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  double part;
  g_autofree char *tables = table_advice (study, &part);

  report_vessel (metrics, study, "artery", "artery_voxels", "Artery's voxels",
                 study->artery_voxels);
  report_vessel (metrics, study, "portal", "portal_voxels", "Portal vein's voxels",
                 study->portal_voxels);
  if (tables != NULL)
    {
      vg_metrics_add (metrics, "inputs_covered_percent", "Series within the table of an input", "%",
                      100 * part, tables);
      vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
    }
  if (study->t1_s != NULL)
    vg_metrics_add (metrics, "t1_median_ms", "T1 before contrast, median", "ms",
                    1000 * study->t1_median_s,
                    study->t1_in_s ? "The T1 map was taken as seconds, as its numbers are below "
                                     "20. If it is one of R1, give T1 in ms."
                                   : NULL);
  report_angles (metrics, study);
}

void
vg_perfusion_report (VgMetrics *metrics, const VgPerfusionStudy *study, const gsize *counts,
                     double seconds)
{
  gsize good = counts[VG_PERFUSION_FITTED] + counts[VG_PERFUSION_AT_BOUND], bad = 0;
  double interval = (study->times_s[study->n - 1] - study->times_s[0]) / (study->n - 1);
  const char *odd = interval_advice (interval);
  g_autofree char *other = other_interval (study), *places = NULL,
                  *nothing = find_empty_reason (study, counts);
  g_autofree char *baseline = vg_perfusion_baseline_advice (study);
  double mm;

  for (int i = VG_PERFUSION_NOT_CONVERGED; i < VG_PERFUSION_N_STATUSES; i++)
    bad += counts[i];
  vg_metrics_add (metrics, "voxels", "Voxels", "", (double) (good + bad), nothing);
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE | VG_NUMBER_EMPTY);
  vg_metrics_add (metrics, "voxels_failed", "Not fitted", "", (double) bad, NULL);
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
                "measure. Choose One compartment, or fit the mean curves of regions."
              : NULL);
      vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
    }
  vg_metrics_add (metrics, "voxels_per_s", "Speed", "1/s",
                  seconds > 0 ? (double) (good + bad) / seconds : NAN, NULL);
  vg_metrics_add (metrics, "frames", "Frames", "", study->n, NULL);
  if (study->image->info.joined > 0)
    vg_metrics_add (metrics, "joined_series", "Series joined", "", study->image->info.joined,
                    "Files of several time points each were put one after the other: open them one "
                    "by one unless they are parts of one series.");
  vg_metrics_add (metrics, "frame_interval_s", "Frame interval", "s", interval,
                  odd != NULL ? odd : other);
  if (odd != NULL)
    vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  report_peaks (metrics, study);
  if (study->params->signal != VG_PERFUSION_SIGNAL_CONCENTRATION)
    {
      vg_metrics_add (metrics, "baseline_frames", "Baseline frames", "",
                      study->signal.baseline_last - study->signal.baseline_first + 1, baseline);
      vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
    }
  report_sources (metrics, study);
  places = place_advice (study, &mm);
  if (places == NULL)
    return;
  vg_metrics_add (metrics, "misplaced_mm", "Files out of place", "mm", mm, places);
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
}
