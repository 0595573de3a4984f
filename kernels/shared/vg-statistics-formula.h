/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-scalar.h"
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
