/* SPDX-License-Identifier: MIT */
/* Round ticks: steps of 1, 2 or 5 times a power of ten; decades on a log
 * axis, or round values when it spans less than a decade and a half. */
#include "vg-plot-axis.h"
#include <math.h>

static double
forward (const VgPlotAxis *self, double value)
{
  return self->log_scale ? log10 (value) : value;
}

void
vg_plot_axis_fit (VgPlotAxis *self, double min, double max, gboolean log_scale, gboolean pad)
{
  if (!isfinite (min) || !isfinite (max) || min > max)
    min = log_scale ? 1 : 0, max = log_scale ? 10 : 1;
  if (log_scale && !(max > 0))
    log_scale = FALSE;
  if (log_scale && !(min > 0))
    min = max / 1e6;
  if (!(max - min > 1e-12 * fmax (fabs (min), fabs (max))))
    {
      double half = min == 0 ? 1 : fabs (min) * 0.05;
      max = log_scale ? min * 1.1 : min + half;
      min = log_scale ? min / 1.1 : min - half;
    }
  else if (pad && log_scale)
    {
      double factor = pow (max / min, 0.04);
      min /= factor;
      max *= factor;
    }
  else if (pad)
    {
      double margin = (max - min) * 0.05;
      min = min >= 0 && min < margin ? 0 : min - margin;
      max += margin;
    }
  self->min = min;
  self->max = max;
  self->log_scale = log_scale;
}

double
vg_plot_axis_to_pixel (const VgPlotAxis *self, double value)
{
  double low = forward (self, self->min), high = forward (self, self->max);

  if (self->log_scale && !(value > 0))
    return NAN;
  return self->start + (forward (self, value) - low) / (high - low) * (self->end - self->start);
}

double
vg_plot_axis_to_value (const VgPlotAxis *self, double pixel)
{
  double low = forward (self, self->min), high = forward (self, self->max), position;

  if (self->end == self->start)
    return self->min;
  position = low + (pixel - self->start) / (self->end - self->start) * (high - low);
  return self->log_scale ? pow (10, position) : position;
}

static double
round_step (double rough)
{
  double power = pow (10, floor (log10 (rough))), fraction = rough / power;

  return power * (fraction <= 1 ? 1 : fraction <= 2 ? 2 : fraction <= 5 ? 5 : 10);
}

static void
set_label (VgPlotTick *tick, double value, double step)
{
  double magnitude = fmax (fabs (value), step);
  int digits = (int) ceil (-log10 (step) - 1e-9);

  tick->value = value;
  if (value == 0)
    g_strlcpy (tick->label, "0", sizeof tick->label);
  else if (magnitude >= 1e6 || magnitude < 1e-4)
    g_snprintf (tick->label, sizeof tick->label, "%.*e", CLAMP ((int) floor (log10 (magnitude)) + digits, 0, 4), value);
  else
    g_snprintf (tick->label, sizeof tick->label, "%.*f", CLAMP (digits, 0, 8), value);
}

static guint
linear_ticks (const VgPlotAxis *self, int wanted, VgPlotTick *ticks)
{
  double step = round_step (0.7 * (self->max - self->min) / wanted);   /* up to 1.4 times as many as wanted */
  double first = ceil (self->min / step - 1e-9);
  guint n = 0;

  for (int i = 0; i < VG_PLOT_MAX_TICKS; i++)
    {
      double value = (first + i) * step;
      if (value > self->max + 1e-9 * step)
        break;
      set_label (&ticks[n++], fabs (value) < 1e-9 * step ? 0 : value, step);
    }
  return n;
}

guint
vg_plot_axis_ticks (const VgPlotAxis *self, int wanted, VgPlotTick *ticks)
{
  double low, high;
  int stride;
  guint n = 0;

  wanted = CLAMP (wanted, 1, VG_PLOT_MAX_TICKS * 2 / 3);
  if (!self->log_scale || log10 (self->max / self->min) < 1.5)
    return linear_ticks (self, wanted, ticks);
  low = ceil (log10 (self->min) - 1e-9);
  high = floor (log10 (self->max) + 1e-9);
  stride = MAX (1, (int) ceil ((high - low + 1) / wanted));
  for (double decade = low; decade <= high && n < VG_PLOT_MAX_TICKS; decade += stride)
    {
      ticks[n].value = pow (10, decade);
      g_snprintf (ticks[n].label, sizeof ticks[n].label, fabs (decade) <= 3 ? "%g" : "%.0e", ticks[n].value);
      n++;
    }
  return n;
}
