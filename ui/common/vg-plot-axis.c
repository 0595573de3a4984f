/* SPDX-License-Identifier: MIT */
/* Round ticks: steps of 1, 2 or 5 times a power of ten; decades on a log
 * axis, 1, 2 and 5 times them where there is room, or round values when it
 * spans less than a decade. */
#include "ui/common/vg-plot-axis.h"
#include "app/figure/vg-ticks.h"
#include "ui/common/vg-number-format.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
      double factor = pow (max / min, 0.06);
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

static void
write_power (char label[24], double value, int digits)
{
  g_autofree char *text = g_strdup_printf ("%.*e", digits, value);
  g_autofree char *raised = vg_format_raise (text);

  g_strlcpy (label, raised, 24);
}

static void
write_plain (char label[24], double value, int decimals)
{
  g_autofree char *text = g_strdup_printf ("%.*f", decimals, value);
  g_autofree char *grouped = vg_format_group (text);

  g_strlcpy (label, grouped, 24);
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
    write_power (tick->label, value, CLAMP ((int) floor (log10 (magnitude)) + digits, 0, 4));
  else
    write_plain (tick->label, value, CLAMP (digits, 0, 8));
}

static guint
linear_ticks (const VgPlotAxis *self, int wanted, VgPlotTick *ticks)
{
  /* up to 1.4 times as many as wanted; of a log axis those at its end are closest together */
  double span = self->log_scale ? self->max * log (self->max / self->min) : self->max - self->min;
  double step = vg_ticks_round_up ((self->log_scale ? 1 : 0.7) * span / wanted);
  double first;
  guint n = 0;

  if (self->whole)
    step = MAX (step, 1);
  first = ceil (self->min / step - 1e-9);

  for (int i = 0; i < VG_PLOT_MAX_TICKS; i++)
    {
      double value = (first + i) * step;
      if (value > self->max + 1e-9 * step)
        break;
      set_label (&ticks[n++], fabs (value) < 1e-9 * step ? 0 : value, step);
    }
  return n;
}

/* All of an axis in one way: as they are, or, where some would be long, by powers of ten. */
static void
set_log_label (const VgPlotAxis *self, VgPlotTick *tick, double value)
{
  gboolean plain = self->min >= 0.9e-4 && self->max < 2e6;

  tick->value = value;
  if (plain)
    write_plain (tick->label, value, MAX ((int) -floor (log10 (value) + 1e-9), 0));
  else
    write_power (tick->label, value, 0);
}

/* 1, 2 and 5 times the decades. */
static guint
fine_log_ticks (const VgPlotAxis *self, VgPlotTick *ticks)
{
  static const int parts[] = { 1, 2, 5 };
  guint n = 0;

  for (double decade = floor (log10 (self->min)); decade <= log10 (self->max) + 1e-9; decade++)
    for (guint i = 0; i < G_N_ELEMENTS (parts) && n < VG_PLOT_MAX_TICKS; i++)
      {
        double value = parts[i] * pow (10, decade);

        if (value >= self->min * (1 - 1e-9) && value <= self->max * (1 + 1e-9))
          set_log_label (self, &ticks[n++], value);
      }
  return n;
}

guint
vg_plot_axis_ticks (const VgPlotAxis *self, int wanted, VgPlotTick *ticks)
{
  double low, high, decades = self->log_scale ? log10 (self->max / self->min) : 0;
  int stride;
  guint n = 0;

  wanted = CLAMP (wanted, 1, VG_PLOT_MAX_TICKS * 2 / 3);
  if (!self->log_scale)
    return linear_ticks (self, wanted, ticks);
  if (decades < 0.9)
    {
      n = linear_ticks (self, wanted, ticks);
      return n >= 3 ? n : linear_ticks (self, 2 * wanted, ticks);
    }
  if (3 * decades <= 1.2 * wanted)
    return fine_log_ticks (self, ticks);
  low = ceil (log10 (self->min) - 1e-9);
  high = floor (log10 (self->max) + 1e-9);
  stride = MAX (1, (int) ceil ((high - low + 1) / wanted));
  for (double decade = low; decade <= high && n < VG_PLOT_MAX_TICKS; decade += stride)
    set_log_label (self, &ticks[n++], pow (10, decade));
  return n;
}

guint
vg_plot_axis_minor_ticks (const VgPlotAxis *self, double values[VG_PLOT_MAX_MINOR])
{
  guint n = 0;

  if (!self->log_scale || !(self->min > 0) ||
      log10 (self->max / self->min) > VG_PLOT_MAX_MINOR / 8 - 1)
    return 0;
  for (double decade = floor (log10 (self->min)); decade <= log10 (self->max); decade++)
    for (int part = 2; part < 10; part++)
      {
        double value = part * pow (10, decade);

        if (value >= self->min && value <= self->max && n < VG_PLOT_MAX_MINOR)
          values[n++] = value;
      }
  return n;
}

char *
vg_plot_axis_title (const char *name, const char *unit)
{
  const char *text = name ? vg_translate (name) : "";
  gboolean told = unit && g_ascii_strcasecmp (name ? name : "", unit) == 0; /* "Photons" */

  return unit && *unit && !told ? g_strdup_printf ("%s (%s)", text, unit) : g_strdup (text);
}
