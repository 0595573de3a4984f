/* SPDX-License-Identifier: MIT */
#include "app/figure/vg-ticks.h"
#include <math.h>
#include "kernels/base/vg-length.h"

static const double steps[] = { 1, 2, 5, 10 };

double
vg_ticks_round_up (double rough)
{
  double decade = pow (10, floor (log10 (rough)));
  int i = 0;

  while (i < 3 && steps[i] * decade < rough * (1 - 1e-9))
    i++;
  return steps[i] * decade;
}

double
vg_ticks_round_down (double rough)
{
  double decade = pow (10, floor (log10 (rough)));
  int i = 3;

  while (i > 0 && steps[i] * decade > rough * (1 + 1e-9))
    i--;
  return steps[i] * decade;
}

char *
vg_ticks_describe_length (double length, const char *unit)
{
  double factor;
  const char *told = vg_length_convert (unit, vg_length_tell (unit, length), &factor);

  return g_strdup_printf ("%g %s", length * factor, told);
}

/* With the decimals of STEP; as a power of ten where these would be many. */
static void
write_label (VgTick *tick, double value, double step)
{
  double magnitude = MAX (fabs (value), step);
  int decimals = CLAMP ((int) ceil (-log10 (step) - 1e-9), 0, 8);
  char format[8];

  tick->value = value;
  if (magnitude >= 1e6 || magnitude < 1e-4)
    g_strlcpy (format, "%.6g", sizeof format);
  else
    g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (tick->label, sizeof tick->label, format, value);
}

static guint
make_decades (double low, double high, guint wanted, VgTick *ticks)
{
  int first = (int) ceil (log10 (low) - 1e-9), last = (int) floor (log10 (high) + 1e-9);
  int stride = MAX (1, (last - first + (int) wanted) / (int) wanted);
  guint n = 0;

  for (int decade = first; decade <= last && n < VG_TICKS_MOST; decade += stride)
    {
      double value = pow (10, decade);

      write_label (&ticks[n++], value, value);
    }
  return n;
}

guint
vg_ticks_make (double low, double high, gboolean log_scale, guint wanted,
               VgTick ticks[VG_TICKS_MOST])
{
  double least = MIN (low, high), most = MAX (low, high), step;
  guint n = 0;

  wanted = CLAMP (wanted, 1, VG_TICKS_MOST / 2);
  if (!isfinite (least) || !isfinite (most) || !(most - least > 1e-12 * fabs (most)))
    return 0;
  if (log_scale && least > 0 && floor (log10 (most)) > ceil (log10 (least)))
    return make_decades (least, most, wanted, ticks);
  step = vg_ticks_round_up ((most - least) / (wanted + 1));
  for (double i = ceil (least / step - 1e-9); i * step <= most + 1e-9 * step; i++)
    if (n < VG_TICKS_MOST)
      write_label (&ticks[n++], i == 0 ? 0 : i * step, step);
  return n;
}
