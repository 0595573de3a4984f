/* SPDX-License-Identifier: MIT */
#include "kernels/base/vg-sort.h"
#include <stdlib.h>

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

void
vg_sort_doubles (double *values, gsize n)
{
  qsort (values, n, sizeof *values, compare_doubles);
}

void
vg_sort_floats (float *values, gsize n)
{
  qsort (values, n, sizeof *values, compare_floats);
}
