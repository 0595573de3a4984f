/* SPDX-License-Identifier: MIT */
#include "app/profile/vg-line-profile.h"
#include <glib/gi18n.h>
#include <math.h>

enum { MOST_SAMPLES = 1 << 16 };

static double
to_power (double value, double power)
{
  return power == 1    ? value
         : power == 2  ? value * value
         : power == -1 ? 1 / value
                       : pow (value, power);
}

/* Adds the bilinear value at image point X, Y, of the samples to the POWER, to SUM, if the image
 * has one there: of the four nearest pixels those with a value count, by their weights. */
static void
add_point (const VgPlane *plane, const float *slice, double x, double y, double power, double *sum,
           int *n)
{
  double column = floor (x - 0.5), row = floor (y - 0.5), value = 0, all = 0;

  if (!(x >= 0 && x <= plane->width && y >= 0 && y <= plane->height))
    return;
  for (int k = 0; k < 4; k++)
    {
      double i = column + k % 2, j = row + k / 2,
             weight = (1 - fabs (x - 0.5 - i)) * (1 - fabs (y - 0.5 - j));
      float sample;

      if (!(weight > 0 && i >= 0 && i < plane->width && j >= 0 && j < plane->height))
        continue;
      sample = slice[(gsize) j * (gsize) plane->width + (gsize) i];
      if (!isfinite (sample))
        continue;
      value += weight * to_power ((double) sample, power);
      all += weight;
    }
  if (!(all > 0))
    return;
  *sum += value / all;
  (*n)++;
}

static void
sample_line (const VgPlane *plane, const VgProfileLine *line, double power, int n, double *values)
{
  int slice = CLAMP (line->slice, 0, MAX (plane->slices, 1) - 1),
      width = CLAMP (line->width, 1, VG_PROFILE_MOST_WIDTH);
  const float *data = plane->data + (gsize) slice * (gsize) plane->width * (gsize) plane->height;
  double dx = line->x[1] - line->x[0], dy = line->y[1] - line->y[0], length = hypot (dx, dy);

  for (int i = 0; i < n; i++)
    {
      double at = n > 1 ? (double) i / (n - 1) : 0, sum = 0;
      int counted = 0;

      for (int k = 0; k < width && length > 0; k++)
        {
          double aside = k - 0.5 * (width - 1);

          add_point (plane, data, line->x[0] + at * dx - aside * dy / length,
                     line->y[0] + at * dy + aside * dx / length, power, &sum, &counted);
        }
      values[i] = counted > 0 ? sum / counted : NAN;
    }
}

void
vg_line_profile_sample (const VgPlane *plane, const VgProfileLine *line, int n, double *values)
{
  sample_line (plane, line, 1, n, values);
}

/* The values of the pixels on the line: between two labels lies none. */
static void
sample_labels (const VgPlane *plane, const VgProfileLine *line, int n, double *values)
{
  int slice = CLAMP (line->slice, 0, MAX (plane->slices, 1) - 1);
  const float *data = plane->data + (gsize) slice * (gsize) plane->width * (gsize) plane->height;

  for (int i = 0; i < n; i++)
    {
      double at = n > 1 ? (double) i / (n - 1) : 0,
             x = floor (line->x[0] + at * (line->x[1] - line->x[0])),
             y = floor (line->y[0] + at * (line->y[1] - line->y[0]));
      gboolean inside = x >= 0 && x < plane->width && y >= 0 && y < plane->height;

      values[i] = inside ? (double) data[(gsize) y * (gsize) plane->width + (gsize) x] : NAN;
    }
}

int
vg_line_profile_count (const VgProfileLine *line)
{
  double pixels = hypot (line->x[1] - line->x[0], line->y[1] - line->y[0]);

  return pixels > 0 && isfinite (pixels) ? (int) MIN (MAX (round (pixels), 1), MOST_SAMPLES) + 1
                                         : 0;
}

double
vg_line_profile_length (const VgPlane *plane, const VgProfileLine *line, char unit[8])
{
  gboolean scaled = plane->pixel_size[0] != 0 && plane->pixel_size[1] != 0 &&
                    plane->unit[0] != '\0';

  g_strlcpy (unit, scaled ? plane->unit : "px", 8);
  return hypot ((line->x[1] - line->x[0]) * (scaled ? plane->pixel_size[0] : 1),
                (line->y[1] - line->y[0]) * (scaled ? plane->pixel_size[1] : 1));
}

VgVesselState
vg_line_profile_measure (const VgPlane *plane, const VgProfileLine *line, double power,
                         VgVesselWidth *vessel, char unit[8])
{
  const int n = vg_line_profile_count (line);
  const double length = vg_line_profile_length (plane, line, unit);
  g_autofree double *values = g_new (double, MAX (n, 1));

  sample_line (plane, line, power == 0 ? 1 : power, n, values);
  return vg_vessel_measure (values, n, length / MAX (n - 1, 1), vessel);
}

/* A vessel is looked for in every profile; most have none. */
static void
add_width (VgCurves *curves, const VgPlane *plane, const VgProfileLine *line, double power)
{
  const char *unit = g_intern_string (curves->x_unit);
  VgVesselWidth vessel;
  char same[8];
  const VgVesselState state = vg_line_profile_measure (plane, line, power, &vessel, same);

  if (state == VG_VESSEL_NONE)
    return;
  curves->metrics = vg_metrics_new ();
  vg_metrics_add (
      curves->metrics, "diameter", "Full width at half maximum", unit, vessel.width,
      state == VG_VESSEL_MEASURED
          ? NULL
          : N_ ("The width is not reliable: an edge is too near to the end of the line, "
                "or the noise is too large. Draw a longer or wider line, or average "
                "more frames."));
  if (state == VG_VESSEL_MEASURED)
    vg_metrics_add (curves->metrics, "diameter_error", "Standard error", unit, vessel.width_error,
                    NULL);
}

VgCurves *
vg_line_profile_new (const VgPlane *plane, const VgProfileLine *line, const char *label,
                     const char *unit, double power, gboolean labels)
{
  g_autofree char *title = NULL;
  int n = vg_line_profile_count (line);
  char length_unit[8];
  double length;
  VgCurves *curves;
  VgSeries *series;

  if (n == 0)
    return NULL;
  length = vg_line_profile_length (plane, line, length_unit);
  title = g_strdup_printf ("%.1f, %.1f to %.1f, %.1f, %d px wide", line->x[0], line->y[0],
                           line->x[1], line->y[1], line->width);
  curves = vg_curves_new (title, "Distance", length_unit, label, unit);
  series = vg_curves_add (curves, label, VG_SERIES_LINE, n);
  (labels ? sample_labels : vg_line_profile_sample) (plane, line, n, series->y);
  for (int i = 0; i < n; i++)
    series->x[i] = length * i / (n - 1);
  if (!labels)
    add_width (curves, plane, line, power);
  return curves;
}

VgCurves *
vg_line_profile_read (VgWork *work, guint i, const VgProfileLine *line, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  g_autofree float *owned = NULL;
  VgCurves *curves = NULL;
  GError *local = NULL;
  VgPlane plane;

  if (i >= operation->n_outputs || !vg_work_output (work, i, &plane, &local))
    {
      if (local == NULL)
        g_set_error_literal (&local, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                             "This map is not computed yet, or these settings do not give it.");
      g_propagate_error (error, local);
    }
  else if (vg_work_copy_to_host (work, &plane, &owned, error) &&
           (curves = vg_line_profile_new (
                &plane, line, vg_operation_output_label (operation, i, vg_work_get_params (work)),
                vg_operation_output_unit (operation, i, vg_work_get_params (work)),
                operation->outputs[i].mixing_power,
                operation->outputs[i].kind == VG_OUTPUT_LABELS)) == NULL)
    g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                         "The line has no length. Draw a longer line.");
  return curves;
}
