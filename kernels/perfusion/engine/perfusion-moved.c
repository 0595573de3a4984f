/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-state.h"
#include "kernels/base/vg-text.h"
#include <glib/gi18n.h>
#include <string.h>
/* The results of the motion correction, for both engines. */

static const char *const axes[] = { "x", "y", "z" };

/* Millimetres in the unit of the size of a voxel; 0: the size or its unit is not known. */
static double
mm_of_unit (const VgPerfusionStudy *study)
{
  const VgImageInfo *info = &study->image->info;

  if (!(info->pixel_size[0] > 0 && info->pixel_size[1] > 0) ||
      !(info->pixel_size[2] > 0 || info->slices == 1))
    return 0;
  return strcmp (info->pixel_unit, "mm") == 0   ? 1
         : strcmp (info->pixel_unit, "cm") == 0 ? 10
         : strcmp (info->pixel_unit, "µm") == 0 ? 1e-3
                                                : 0;
}

/* The size of a voxel along AXIS in the unit of unit_of. */
static double
voxel_size (const VgPerfusionStudy *study, int axis)
{
  double mm = mm_of_unit (study);

  return mm > 0 ? mm * study->image->info.pixel_size[axis] : 1;
}

static const char *
unit_of (const VgPerfusionStudy *study)
{
  return mm_of_unit (study) > 0 ? "mm" : "voxels";
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

  curves = vg_curves_new (N_ ("Displacement"), N_ ("Time"), "s", N_ ("Displacement"),
                          unit_of (study));
  /* Of several slices, the mean; without a correction, 0. */
  for (int axis = 0; axis < axes_of (study); axis++)
    {
      VgSeries *series = vg_curves_add (curves, names[axis], VG_SERIES_LINE, study->n);

      for (int i = 0; i < study->n; i++)
        {
          double sum = 0;
          int groups = motion != NULL ? motion->groups : 1;

          for (int g = 0; g < groups && motion != NULL; g++)
            sum += (double) motion->shift[(i * groups + g) * 3 + axis];
          series->x[i] = study->times_s[i];
          series->y[i] = sum / groups * voxel_size (study, axis);
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
        g_string_append_c (text, ',');
        vg_text_append_float (text, (float) motion->misfit[i]);
        g_string_append_printf (text, ",%d\n", motion->left_out[i]);
      }
  *file_name = g_strdup ("motion.csv");
  return g_string_free (text, FALSE);
}

VgCurves *
vg_perfusion_plot (const VgPerfusionStudy *study, guint i)
{
  return i == 0   ? vg_perfusion_plot_inputs (study)
         : i == 1 ? vg_perfusion_plot_motion (study)
                  : NULL;
}

char *
vg_perfusion_text (const VgPerfusionStudy *study, guint i, char **file_name)
{
  return i == VG_PERFUSION_OUTPUT_MOTION ? vg_perfusion_motion_text (study, file_name)
                                         : vg_perfusion_inputs_text (study, file_name);
}

/* The largest distance between two positions of a group, in the unit of unit_of. */
static double
range_of (const VgPerfusionStudy *study)
{
  const VgPerfusionMotion *motion = study->motion;
  double largest = 0;

  for (int g = 0; g < motion->groups; g++)
    {
      double sum = 0;

      for (int axis = 0; axis < 3; axis++)
        {
          double low = HUGE_VAL, high = -HUGE_VAL, size = voxel_size (study, axis);

          for (int i = 0; i < motion->n; i++)
            if (!motion->left_out[i])
              {
                double value = size * (double) motion->shift[(i * motion->groups + g) * 3 + axis];

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

void
vg_perfusion_report_motion (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  const VgPerfusionMotion *motion = study->motion;
  g_autofree char *left_out = NULL;

  if (motion == NULL)
    return;
  left_out = left_out_advice (study);
  vg_metrics_add (metrics, "motion_range", N_ ("Range of the displacement"), unit_of (study),
                  range_of (study),
                  motion->moved == 0 ? "No significant motion was found, so the series was left as "
                                       "it is."
                                     : NULL);
  vg_metrics_add (metrics, "frames_moved", N_ ("Moved frames"), "", motion->moved, NULL);
  vg_metrics_add_quiet (metrics, "frames_left_out", N_ ("Frames left out"), "", motion->n_left_out,
                        left_out);
  if (left_out != NULL)
    vg_metrics_mark (metrics, VG_NUMBER_QUIET | VG_NUMBER_GRAVE);
}
