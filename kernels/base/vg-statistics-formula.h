/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-scalar.h"
/* Valid samples and histogram bins.  Host and device use these formulas, so that histograms are
 * equal count for count. */

/* TRUE if VALUE is neither NaN nor infinite. */
VG_SCALAR int
vg_statistics_is_valid (float value)
{
  return value - value == 0;
}

/* Bins per unit of value between MIN and MAX; 0 if they are equal. */
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

/* Bin between LOW and HIGH; values outside count in the first or last bin. */
VG_SCALAR int
vg_statistics_open_bin (float value, double low, double high, double scale)
{
  return value >= high ? 255 : value > low ? vg_statistics_bin (value, low, scale) : 0;
}

/* Number of a positive VALUE's eighth of an octave, which is equal in value to the others of its
 * octave; ascending.  These are the leading bits of a float. */
VG_SCALAR int
vg_statistics_eighth (float value)
{
  union
  {
    float value;
    int bits;
  } u = { value };

  return u.bits >> 20;
}

/* Whether VALUE is finite and has a place on a logarithmic scale. */
VG_SCALAR int
vg_statistics_has_octave (float value)
{
  return value > 0 && vg_statistics_is_valid (value);
}

/* Bin of a positive VALUE among the 256 eighths that end with TOP, that of the maximum; smaller
 * values count in the first. */
VG_SCALAR int
vg_statistics_octave_bin (float value, int top)
{
  int bin = vg_statistics_eighth (value) - top + 255;

  return bin > 0 ? bin : 0;
}

/* Weight of a pixel of brightness LIGHT: the square of its display code (0 to 255), which is about
 * the light that a screen emits.  LOW and SCALE: the lower brightness limit and codes per unit. */
VG_SCALAR unsigned
vg_statistics_weight (float light, double low, double scale)
{
  double code = vg_statistics_is_valid (light) ? (light - low) * scale : 0;
  unsigned whole = code >= 255 ? 255u : code > 0 ? (unsigned) code : 0u;

  return whole * whole;
}
