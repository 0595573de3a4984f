/* SPDX-License-Identifier: MIT */
#include "kernels/base/vg-random.h"
#include <math.h>
#if defined(__GNUC__) && !defined(__clang__)
/* Without fused multiply-add, the numbers are the same on every processor. */
#pragma GCC optimize("fp-contract=off")
#endif

double
vg_random_smooth (double x, double y, guint64 key)
{
  int i = (int) floor (x), k = (int) floor (y);
  double value[2][2];

  x -= i;
  y -= k;
  x = x * x * (3.0 - 2.0 * x);
  y = y * y * (3.0 - 2.0 * y);
  for (int b = 0; b < 2; b++)
    for (int a = 0; a < 2; a++)
      value[b][a] = vg_random_uniform (key + (guint64) ((k + b) * 4096 + i + a));
  return (1.0 - y) * ((1.0 - x) * value[0][0] + x * value[0][1]) +
         y * ((1.0 - x) * value[1][0] + x * value[1][1]);
}
