/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include "kernels/base/vg-scalar.h"
/* Value to position on a colour map; the fragment shader does the same in
 * float.  LOW and HIGH are as vg_coloring_limits gives them: logarithms when
 * LOG_SCALE is set.  Low above high reverses the map.  What is not finite has
 * no position (NaN); what is not above 0 lies at the low end of a log scale;
 * with equal limits everything lies at an end or, exactly on them, midway. */

VG_SCALAR double
vg_coloring_formula (double value, double low, double high, double gamma, int log_scale)
{
  double range = high - low, t;

  if (!(fabs (value) <= 3.5e38))
    return NAN;
  if (log_scale)
    value = value > 0 ? log (value) : -1e9;
  if (range != 0)
    t = (value - low) / range;
  else
    t = value < low ? 0 : value > low ? 1 : 0.5;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return gamma == 1 ? t : pow (t, gamma);
}

/* The entry of a 256-colour table. */
VG_SCALAR int
vg_coloring_index (double position)
{
  return (int) (position * 255 + 0.5);
}
