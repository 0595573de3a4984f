/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-scalar.h"
/* Which samples count and in which of 256 bins: the host and the device give
 * the same histogram, count for count. */

/* Neither NaN nor infinite. */
VG_SCALAR int
vg_statistics_is_valid (float value)
{
  return value - value == 0;
}

/* SCALE of the bins between MIN and MAX; 0 when they are equal. */
VG_SCALAR double
vg_statistics_scale (double min, double max)
{
  return max > min ? 256 / (max - min) : 0;
}

VG_SCALAR int
vg_statistics_bin (float value, double min, double scale)
{
  int bin = (int) ((value - min) * scale);

  return bin > 255 ? 255 : bin;
}

/* The end bins are open. */
VG_SCALAR int
vg_statistics_open_bin (float value, double low, double high, double scale)
{
  return value >= high ? 255 : value > low ? vg_statistics_bin (value, low, scale) : 0;
}

/* What a pixel of brightness LIGHT counts in a picture dimmed by it: the light that a screen gives
 * for its code of 0 to 255, which is about its square.  SCALE is that of the brightness limits, the
 * first of which is LOW. */
VG_SCALAR unsigned
vg_statistics_weight (float light, double low, double scale)
{
  double code = vg_statistics_is_valid (light) ? (light - low) * scale : 0;
  unsigned whole = code >= 255 ? 255u : code > 0 ? (unsigned) code : 0u;

  return whole * whole;
}
