/* SPDX-License-Identifier: MIT */
#include "perfusion-state.h"
#include "vg-placement.h"
#include <stdlib.h>
#include <string.h>
/* A run's numbers, and what they give to remark. */

extern const VgOperation vg_perfusion_operation;

static const char *
unit_of (const VgPerfusionStudy *study)
{
  return vg_perfusion_concentration_unit (study->params->signal);
}

static int
compare_doubles (const void *a,
                 const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* How far the artery's curve rises above its lowest tenth, in standard
 * deviations of its noise; that from second differences, whose median size is
 * 1.65 of them, as curves of blood are smooth between few frames only. */
static double
contrast_to_noise (const VgPerfusionStudy *study)
{
  int n = study->n;
  g_autofree double *sorted = g_memdup2 (study->artery, sizeof (double) * (gsize) n), *steps = g_new (double, n);

  for (int i = 0; i < n - 2; i++)
    steps[i] = fabs (study->artery[i] - 2 * study->artery[i + 1] + study->artery[i + 2]);
  qsort (sorted, (gsize) n, sizeof (double), compare_doubles);
  qsort (steps, (gsize) n - 2, sizeof (double), compare_doubles);
  return steps[n / 2 - 1] > 0 ? (sorted[n - 1] - sorted[n / 10]) / (steps[n / 2 - 1] / 1.65) : HUGE_VAL;
}

/* An MRI signal grows a few times, not twenty: then it has been converted already. */
static gboolean
is_concentration (const VgPerfusionStudy *study)
{
  const gsize stride = MAX (study->voxels / 500, 1);
  gsize looked = 0, odd = 0;

  for (gsize voxel = 0; voxel < study->voxels; voxel += stride)
    {
      double before = 0, peak = 0;
      int used = 0;

      if (study->mask != NULL && !study->mask[voxel])
        continue;
      for (int i = 0; i < study->n; i++)
        {
          double value = vg_image_sample (study->image, (gsize) i * study->voxels + voxel);

          if (!(study->weights[i] > 0))
            continue;
          peak = MAX (peak, value);
          if (i >= study->signal.baseline_first && i <= study->signal.baseline_last)
            {
              before += value;
              used++;
            }
        }
      looked += peak > 0;
      odd += peak > 0 && before / used < 0.05 * peak;
    }
  return looked > 0 && odd > looked / 2;
}

/* Air is -1000 HU; no signal of MRI is far below 0. */
static gboolean
holds_air (const VgPerfusionStudy *study)
{
  const gsize stride = MAX (study->voxels / 500, 1);
  gsize looked = 0, air = 0;

  for (gsize voxel = 0; voxel < study->voxels; voxel += stride, looked++)
    air += vg_image_sample (study->image, (gsize) study->signal.baseline_first * study->voxels + voxel) < -500;
  return air > looked / 20;
}

static const char *
baseline_advice (const VgPerfusionStudy *study)
{
  const VgPerfusionSignal *signal = &study->signal;

  if (signal->kind != VG_PERFUSION_SIGNAL_CT && holds_air (study))
    return "Many samples are far below 0, as those of air are on a CT: then choose that signal.";
  if (signal->kind != VG_PERFUSION_SIGNAL_CT && is_concentration (study))
    return "Before contrast most voxels are about 0: are the data concentration already? Then choose that signal.";
  if (study->params->baseline_last == 0 && signal->baseline_last == signal->baseline_first)
    return "Only one frame was found before contrast: set where the baseline ends.";
  return NULL;
}

static const char *
interval_advice (double interval)
{
  if (interval < 0.1)
    return "This is as short as a repetition time: set the frame interval.";
  return interval > 100 ? "That is long for a contrast series: are the times in ms?" : NULL;
}

/* The file says another interval than was set. */
static char *
other_interval (const VgPerfusionStudy *study)
{
  double set = study->params->frame_interval_s, own = study->image->info.frame_interval_s;

  if (!(set > 0 && own > 0) || fabs (set - own) <= 0.01 * own || vg_perfusion_study_file (study, "times_file") != NULL)
    return NULL;
  return g_strdup_printf ("The file says %.4g s: 0 takes that.", own);
}

/* What FILE says of its place in the body and of its axes. */
static char *
describe_place (const VgImage       *file,
                const VgOrientation *own,
                double               away_mm)
{
  GString *line = g_string_new (NULL);
  VgOrientation other;

  vg_placement_orientation (&file->info.placement, &other);
  g_string_printf (line, "%s says that it lies up to %.3g mm from where the series does", file->name, away_mm);
  if (memcmp (own->ends, other.ends, sizeof own->ends) != 0)
    g_string_append_printf (line, ", its axes towards %c, %c, %c in place of %c, %c, %c", other.ends[0][1], other.ends[1][1], other.ends[2][1],
                            own->ends[0][1], own->ends[1][1], own->ends[2][1]);
  g_string_append (line, "; it was taken voxel by voxel as stored: resample it to the series.");
  return g_string_free (line, FALSE);
}

/* The file of setting ID has a say by the other settings. */
static gboolean
is_used (const VgPerfusionStudy *study,
         const char             *id)
{
  const VgParamTable *table = &vg_perfusion_operation.params;

  return vg_param_is_shown (table, vg_params_find (table, id), study->params);
}

/* Tables of inputs that leave out most of the series: their last value stands
 * for the rest of it.  Of the first such; NULL: none. */
static char *
table_advice (const VgPerfusionStudy *study,
              double                 *part)
{
  static const char *const ids[] = { "artery", "portal" };
  double begin = study->begin_s, end = begin + study->times_s[study->n - 1];

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      const VgImage *file = is_used (study, ids[i]) ? vg_perfusion_study_file (study, ids[i]) : NULL;
      int rows, columns;
      g_autofree double *table = file != NULL && file->text != NULL ? vg_perfusion_read_table (file, &rows, &columns, NULL) : NULL;

      if (table == NULL || columns < 2)
        continue;
      *part = (MIN (end, table[(rows - 1) * columns]) - MAX (begin, table[0])) / (end - begin);
      if (*part < 0.5)
        return g_strdup_printf ("%s goes from %g to %g s and the series from %g to %g s: before the table an input is 0, after it as its last row. Check the clocks.",
                                file->name, table[0], table[(rows - 1) * columns], begin, end);
    }
  return NULL;
}

/* Files that are taken voxel by voxel though they say that they lie elsewhere
 * than the series, a line each; NULL: none.  *MM: the farthest. */
static char *
place_advice (const VgPerfusionStudy *study,
              double                 *mm)
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

      if (!is_used (study, study->files[i].id) || (map && g_str_equal (study->files[i].id, "flip_angle_file")))
        continue;
      if (file->text != NULL || !(vg_placement_apart (&info->placement, &file->info.placement, extent, &away) > 0.5))
        continue;
      *mm = MAX (*mm, away);
      line = describe_place (file, &own, away);
      if (strstr (lines->str, line) == NULL)   /* one file may be several settings */
        g_string_append_printf (lines, "%s%s", lines->len > 0 ? "\n" : "", line);
    }
  return lines->len > 0 ? g_string_free (g_steal_pointer (&lines), FALSE) : NULL;
}

char *
vg_perfusion_nothing (const VgPerfusionStudy *study,
                      const gsize            *counts)
{
  static const struct { VgPerfusionStatus status; const char *what; } reasons[] = {
    { VG_PERFUSION_OUTSIDE, "lie outside of the mask or below the threshold" },
    { VG_PERFUSION_NO_CURVE, "never change" },
    { VG_PERFUSION_INVALID, "hold a sample that is not a number or of which no concentration can be made" },
  };
  GString *text;
  gsize looked = 0;
  int listed = 0;

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    looked += counts[reasons[i].status];
  if (looked < study->voxels)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "no voxel was fitted: of %" G_GSIZE_FORMAT " voxels", study->voxels);
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (counts[reasons[i].status] > 0)
      g_string_append_printf (text, "%s %" G_GSIZE_FORMAT " %s", listed++ > 0 ? "," : "", counts[reasons[i].status], reasons[i].what);
  g_string_append (text, "; check mask, threshold, signal and data");
  return g_string_free (text, FALSE);
}

static const char *
bound_advice (const VgPerfusionStudy *study,
              gsize                   bound,
              gsize                   fitted)
{
  if (fitted == 0 || 10 * bound <= 9 * fitted)
    return NULL;
  return study->mask == NULL && study->params->threshold == 0
           ? "Nearly all voxels are at a bound. The air around the body counts among them: mark the liver, or set a threshold. Otherwise check the frame times, the signal, and where the inputs are."
           : "Nearly all voxels are at a bound: check the frame times, the signal, and where the inputs are.";
}

static double
peak_of (const double *curve,
         int           n)
{
  double peak = 0;

  for (int i = 0; i < n; i++)
    peak = MAX (peak, curve[i]);
  return peak;
}

/* How high the inputs are, and whose they are when they are not the patient's. */
static void
report_peaks (VgNumbers              *numbers,
              const VgPerfusionStudy *study)
{
  gboolean own_unit = study->params->signal == VG_PERFUSION_SIGNAL_CONCENTRATION;
  double peak = peak_of (study->artery, study->n);

  if (study->population)
    vg_numbers_add (numbers, "artery_peak", "Artery's peak, of the population", "mM", peak,
                    "The population's curve stands for the artery: mark the artery to have the patient's own.");
  else
    {
      vg_numbers_add (numbers, "artery_peak", own_unit ? "Artery's peak, unit of the file" : "Artery's peak", unit_of (study), peak,
                      study->artery_voxels > 0 && study->n >= 8 && contrast_to_noise (study) < 6
                        ? "This is hardly more than noise: no contrast arrives where the artery is marked." : NULL);
      vg_numbers_mark (numbers, VG_NUMBER_GRAVE);
    }
  if (study->dispersed && !study->population)
    vg_numbers_add (numbers, "portal_peak", "Portal vein's peak, by the artery", unit_of (study), peak_of (study->portal, study->n),
                    "The portal vein's curve was made from the artery's: mark the vein to have the patient's own.");
}

/* What the curves and T1 come from. */
static void
report_sources (VgNumbers              *numbers,
                const VgPerfusionStudy *study)
{
  double part;
  g_autofree char *tables = table_advice (study, &part);

  if (study->artery_voxels > 0)
    vg_numbers_add (numbers, "artery_voxels", "Artery's voxels", "", (double) study->artery_voxels, NULL);
  if (study->portal_voxels > 0)
    vg_numbers_add (numbers, "portal_voxels", "Portal vein's voxels", "", (double) study->portal_voxels, NULL);
  if (tables != NULL)
    {
      vg_numbers_add (numbers, "inputs_covered_percent", "Series within the table of an input", "%", 100 * part, tables);
      vg_numbers_mark (numbers, VG_NUMBER_GRAVE);
    }
  if (study->t1_s != NULL)
    vg_numbers_add (numbers, "t1_median_ms", "T1 before contrast, median", "ms", 1000 * study->t1_median_s,
                    study->t1_in_s ? "The T1 map was taken as seconds, as its numbers are below 20. If it is one of R1, give T1 in ms." : NULL);
}

void
vg_perfusion_report (VgNumbers              *numbers,
                     const VgPerfusionStudy *study,
                     const gsize            *counts,
                     double                  seconds)
{
  gsize good = counts[VG_PERFUSION_FITTED] + counts[VG_PERFUSION_AT_BOUND], bad = 0;
  double interval = (study->times_s[study->n - 1] - study->times_s[0]) / (study->n - 1);
  const char *odd = interval_advice (interval);
  g_autofree char *other = other_interval (study), *places = NULL, *nothing = vg_perfusion_nothing (study, counts);
  double mm;

  for (int i = VG_PERFUSION_NOT_CONVERGED; i < VG_PERFUSION_N_STATUSES; i++)
    bad += counts[i];
  vg_numbers_add (numbers, "voxels", "Voxels", "", (double) (good + bad), nothing);
  vg_numbers_mark (numbers, VG_NUMBER_GRAVE);
  vg_numbers_add (numbers, "voxels_failed", "Not fitted", "", (double) bad, NULL);
  vg_numbers_add (numbers, "at_bound_percent", "At a bound", "%", good + bad > 0 ? 100. * (double) counts[VG_PERFUSION_AT_BOUND] / (double) (good + bad) : NAN,
                  bound_advice (study, counts[VG_PERFUSION_AT_BOUND], good + bad));
  vg_numbers_mark (numbers, VG_NUMBER_GRAVE);
  vg_numbers_add (numbers, "voxels_per_s", "Speed", "1/s", seconds > 0 ? (double) (good + bad) / seconds : NAN, NULL);
  vg_numbers_add (numbers, "frames", "Frames", "", study->n, NULL);
  if (study->image->info.joined > 0)
    vg_numbers_add (numbers, "joined_series", "Series joined", "", study->image->info.joined,
                    "Files of several time points each were put one after the other: open them one by one unless they are parts of one series.");
  vg_numbers_add (numbers, "frame_interval_s", "Frame interval", "s", interval, odd != NULL ? odd : other);
  if (odd != NULL)
    vg_numbers_mark (numbers, VG_NUMBER_GRAVE);
  report_peaks (numbers, study);
  if (study->params->signal != VG_PERFUSION_SIGNAL_CONCENTRATION)
    {
      vg_numbers_add (numbers, "baseline_frames", "Baseline frames", "", study->signal.baseline_last - study->signal.baseline_first + 1,
                      baseline_advice (study));
      vg_numbers_mark (numbers, VG_NUMBER_GRAVE);
    }
  report_sources (numbers, study);
  places = place_advice (study, &mm);
  if (places == NULL)
    return;
  vg_numbers_add (numbers, "misplaced_mm", "Files out of place", "mm", mm, places);
  vg_numbers_mark (numbers, VG_NUMBER_GRAVE);
}
