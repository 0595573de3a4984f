/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-state.h"
#include "kernels/base/vg-text.h"
#include <glib/gi18n.h>
#include <string.h>
/* The results of the motion correction, for both engines. */

static const char *const axes[] = { "x", "y", "z" };

/* The size of a voxel along AXIS in the unit of unit_of. */
static double
voxel_size (const VgPerfusionStudy *study, int axis)
{
  double size[3];

  vg_perfusion_motion_size (&study->image->info, size);
  return size[axis];
}

static const char *
unit_of (const VgPerfusionStudy *study)
{
  double size[3];

  return vg_perfusion_motion_size (&study->image->info, size) ? "mm" : "voxels";
}

static int
axes_of (const VgPerfusionStudy *study)
{
  return study->params->motion == VG_PERFUSION_MOTION_SLICES || study->image->info.slices == 1 ? 2
                                                                                               : 3;
}

VgCurves *
vg_perfusion_plot_motion (const VgPerfusionStudy *study)
{
  static const char *const names[] = { N_ ("Along x"), N_ ("Along y"), N_ ("Along z") };
  const VgPerfusionMotion *motion = study->motion;
  VgCurves *curves;

  if (motion == NULL)
    return NULL;
  curves = vg_curves_new (N_ ("Displacement"), N_ ("Time"), "s", N_ ("Displacement"),
                          unit_of (study));
  /* Of several slices, the mean. */
  for (int axis = 0; axis < axes_of (study); axis++)
    {
      VgSeries *series = vg_curves_add (curves, names[axis], VG_SERIES_LINE, study->n);

      for (int i = 0; i < study->n; i++)
        {
          double sum = 0;
          int groups = motion->groups;

          for (int g = 0; g < groups; g++)
            sum += (double) motion->shift[(i * groups + g) * 3 + axis];
          series->x[i] = study->times_s[i];
          series->y[i] = sum / groups * voxel_size (study, axis);
        }
    }
  if (motion->deformed != NULL)
    {
      VgSeries *series = vg_curves_add (curves, N_ ("Deformation"), VG_SERIES_LINE, study->n);

      for (int i = 0; i < study->n; i++)
        {
          series->x[i] = study->times_s[i];
          series->y[i] = (double) motion->deformed[i];
        }
    }
  curves->by_frame = TRUE;
  return curves;
}

char *
vg_perfusion_motion_text (const VgPerfusionStudy *study, char **file_name)
{
  const VgPerfusionMotion *motion = study->motion;
  GString *text;

  /* Without a correction, the heading alone. */
  text = g_string_new (motion != NULL && motion->groups > 1 ? "frame,time_s,slice"
                                                            : "frame,time_s");
  for (int axis = 0; axis < axes_of (study); axis++)
    g_string_append_printf (text, ",%s [%s],%s_error [%s]", axes[axis], unit_of (study), axes[axis],
                            unit_of (study));
  if (motion != NULL && motion->deformed != NULL)
    g_string_append_printf (text, ",deformation [%s]", unit_of (study));
  g_string_append (text, ",misfit,left_out\n");
  for (int i = 0; i < study->n && motion != NULL; i++)
    for (int g = 0; g < motion->groups; g++)
      {
        g_string_append_printf (text, "%d,", i + 1);
        vg_text_append_float (text, (float) (study->times_s[i] + study->begin_s));
        if (motion->groups > 1)
          g_string_append_printf (text, ",%d", g + 1);
        for (int axis = 0; axis < axes_of (study); axis++)
          for (int k = 0; k < 2; k++)
            {
              const float *from = k == 0 ? motion->shift : motion->error;

              g_string_append_c (text, ',');
              vg_text_append_float (text,
                                    (float) (voxel_size (study, axis) *
                                             (double) from[(i * motion->groups + g) * 3 + axis]));
            }
        if (motion->deformed != NULL)
          {
            g_string_append_c (text, ',');
            vg_text_append_float (text, motion->deformed[i]);
          }
        g_string_append_c (text, ',');
        vg_text_append_float (text, (float) motion->misfit[i]);
        g_string_append_printf (text, ",%d\n", motion->left_out[i]);
      }
  *file_name = g_strdup ("motion.csv");
  return g_string_free (text, FALSE);
}

/* ---- Functions of both engines ---- */

static const VgPerfusionStudy *
study_of (gpointer state)
{
  return *(VgPerfusionStudy **) state;
}

VgCurves *
vg_perfusion_state_region (gpointer state, const VgRegion *region, GError **error)
{
  (void) error;
  return vg_perfusion_plot_regions (study_of (state), &region, 1);
}

VgCurves *
vg_perfusion_state_regions (gpointer state, const VgRegion *const *regions, guint n, GError **error)
{
  (void) error;
  return vg_perfusion_plot_regions (study_of (state), regions, n);
}

VgImage *
vg_perfusion_state_corrected (gpointer state)
{
  const VgPerfusionMotion *motion = study_of (state)->motion;

  return motion != NULL ? motion->corrected : NULL;
}

VgCurves *
vg_perfusion_state_plot (gpointer state, guint i, GError **error)
{
  const VgPerfusionStudy *study = study_of (state);

  (void) error;
  return i == 0   ? vg_perfusion_plot_inputs (study)
         : i == 1 ? vg_perfusion_plot_motion (study)
                  : NULL;
}

char *
vg_perfusion_state_text (gpointer state, guint i, char **file_name, GError **error)
{
  const VgPerfusionStudy *study = study_of (state);

  (void) error;
  return i == VG_PERFUSION_OUTPUT_MOTION ? vg_perfusion_motion_text (study, file_name)
                                         : vg_perfusion_inputs_text (study, file_name);
}

/* The largest distance between two positions of a group or control point, in the unit of
 * unit_of. */
static double
range_of (const VgPerfusionStudy *study)
{
  const VgPerfusionMotion *motion = study->motion;
  const gboolean deformed = motion->deformation != NULL;
  const float *shift = deformed ? motion->deformation : motion->shift;
  const int groups = deformed ? vg_perfusion_control_points (&motion->grid) : motion->groups;
  double largest = 0;

  for (int g = 0; g < groups; g++)
    {
      double sum = 0;

      for (int axis = 0; axis < 3; axis++)
        {
          double low = HUGE_VAL, high = -HUGE_VAL, size = voxel_size (study, axis);

          for (int i = 0; i < motion->n; i++)
            if (!motion->left_out[i])
              {
                double value = size * (double) shift[(i * groups + g) * 3 + axis];

                low = MIN (low, value);
                high = MAX (high, value);
              }
          sum += high > low ? (high - low) * (high - low) : 0;
        }
      largest = MAX (largest, sqrt (sum));
    }
  return largest;
}

static char *
left_out_advice (const VgPerfusionStudy *study)
{
  const VgPerfusionMotion *motion = study->motion;
  g_autoptr (GString) frames = g_string_new (NULL);
  int used = 0, listed = 0;

  for (int i = 0; i < study->n; i++)
    if (motion->left_out[i])
      {
        used += study->weights[i] > 0;
        if (listed++ < 8)
          g_string_append_printf (frames, "%s%d", listed > 1 ? ", " : "", i + 1);
      }
  if (listed == 0)
    return NULL;
  if (used > 0)
    return g_strdup_printf ("%d frames do not agree with the others after the correction, too many "
                            "to leave out: %s%s. Do not trust the maps; turn the motion correction "
                            "off, or mark the liver.",
                            listed, frames->str, listed > 8 ? ", ..." : "");
  return g_strdup_printf ("Not used, because they do not agree with the others after the "
                          "correction: frame%s %s%s.",
                          listed > 1 ? "s" : "", frames->str, listed > 8 ? ", ..." : "");
}

static void
report_deformation (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  const VgPerfusionMotion *motion = study->motion;
  float largest = 0, low = HUGE_VALF, high = 0;

  for (int i = 0; i < motion->n; i++)
    largest = MAX (largest, motion->deformed[i]);
  for (gsize v = 0; v < study->voxels; v++)
    {
      low = MIN (low, motion->jacobian_low[v]);
      high = MAX (high, motion->jacobian_high[v]);
    }
  vg_metrics_add (metrics, "deformation", N_ ("Largest deformation of a frame"), unit_of (study),
                  (double) largest, NULL);
  vg_metrics_add (metrics, "jacobian_min", N_ ("Smallest Jacobian determinant"), "", (double) low,
                  NULL);
  vg_metrics_add (metrics, "jacobian_max", N_ ("Largest Jacobian determinant"), "", (double) high,
                  NULL);
}

/* The root mean square over the fitted voxels of PLANE, which has one value a voxel. */
static double
mean_difference (const VgPerfusionStudy *study, const float *plane)
{
  double sum = 0;
  gsize n = 0;

  for (gsize v = 0; v < study->voxels; v++)
    if (isfinite (plane[v]) && (study->mask == NULL || study->mask[v]))
      {
        sum += (double) plane[v] * (double) plane[v];
        n++;
      }
  return n > 0 ? sqrt (sum / (double) n) : NAN;
}

/* How much of the difference of the series from its model the correction has removed. */
static void
report_difference (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  const VgPerfusionMotion *motion = study->motion;
  double before = mean_difference (study, motion->before),
         after = mean_difference (study, motion->after);

  vg_metrics_add (metrics, "motion_before", N_ ("RMS residual before motion correction"), "",
                  before, NULL);
  vg_metrics_add (metrics, "motion_after", N_ ("RMS residual after motion correction"), "", after,
                  NULL);
  vg_metrics_add (metrics, "motion_removed_percent", N_ ("Residual removed by motion correction"),
                  "%", before > 0 ? 100 * (1 - after / before) : NAN, NULL);
}

/* Says that the series moves if it is not corrected. */
static void
report_apparent (VgMetrics *metrics, VgPerfusionStudy *study)
{
  double range = vg_perfusion_apparent_motion (study);

  vg_metrics_add_quiet (metrics, "apparent_motion", N_ ("Apparent motion"), unit_of (study), range,
                        range > 0 ? "The frames are shifted relative to each other, as by "
                                    "breathing. Set Motion correction to Whole volume."
                                  : NULL);
  if (range > 0)
    vg_metrics_mark (metrics, VG_NUMBER_QUIET | VG_NUMBER_GRAVE);
  vg_metrics_propose (metrics, "motion", VG_PERFUSION_MOTION_VOLUME);
}

void
vg_perfusion_report_motion (VgMetrics *metrics, VgPerfusionStudy *study)
{
  const VgPerfusionMotion *motion = study->motion;
  g_autofree char *left_out = NULL;

  if (motion == NULL)
    {
      report_apparent (metrics, study);
      return;
    }
  left_out = left_out_advice (study);
  vg_metrics_add (metrics, "motion_range", N_ ("Range of the displacement"), unit_of (study),
                  range_of (study),
                  motion->moved == 0 ? "No significant motion was found, so the series was left as "
                                       "it is."
                                     : NULL);
  report_difference (metrics, study);
  if (motion->deformed != NULL)
    report_deformation (metrics, study);
  vg_metrics_add (metrics, "frames_moved", N_ ("Moved time points"), "", motion->moved, NULL);
  vg_metrics_add_quiet (metrics, "frames_left_out", N_ ("Time points left out"), "",
                        motion->n_left_out, left_out);
  if (left_out != NULL)
    vg_metrics_mark (metrics, VG_NUMBER_QUIET | VG_NUMBER_GRAVE);
}
