/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/model/perfusion-simd.h"
#include "kernels/perfusion/fit/perfusion-svd.h"
#include <math.h>
#include <string.h>
/* Singular values and vectors by one-sided Jacobi rotations. */

enum { SWEEPS = 60 };

static void
rotate (double *x, double *y, int n, double c, double s)
{
#pragma omp simd
  for (int i = 0; i < n; i++)
    {
      double xi = x[i], yi = y[i];

      x[i] = c * xi - s * yi;
      y[i] = s * xi + c * yi;
    }
}

/* Makes the columns X and Y of A orthogonal.  Returns FALSE if they were, or if one has a square
 * below LEAST, which is rounding error. */
static gboolean
join (double *x, double *y, int rows, double *vx, double *vy, int columns, double least)
{
  double xx = 0, yy = 0, xy = 0, zeta, t, c;

#pragma omp simd reduction(+ : xx, yy, xy)
  for (int i = 0; i < rows; i++)
    {
      xx += x[i] * x[i];
      yy += y[i] * y[i];
      xy += x[i] * y[i];
    }
  if (xx < least || yy < least || !(fabs (xy) > 1e-14 * sqrt (xx * yy)))
    return FALSE;
  zeta = (yy - xx) / (2 * xy);
  t = (zeta < 0 ? -1 : 1) / (fabs (zeta) + sqrt (1 + zeta * zeta));
  c = 1 / sqrt (1 + t * t);
  rotate (x, y, rows, c, c * t);
  rotate (vx, vy, columns, c, c * t);
  return TRUE;
}

static void
swap (double *x, double *y, int n)
{
  for (int i = 0; i < n; i++)
    {
      double keep = x[i];

      x[i] = y[i];
      y[i] = keep;
    }
}

/* Sorts by decreasing singular value, and scales the columns of A to unit length. */
static void
finish (double *a, int rows, int columns, double *sigma, double *v)
{
  for (int j = 0; j < columns; j++)
    {
      double sum = 0;

      for (int i = 0; i < rows; i++)
        sum += a[j * rows + i] * a[j * rows + i];
      sigma[j] = sqrt (sum);
    }
  for (int j = 0; j < columns; j++)
    {
      int largest = j;

      for (int k = j + 1; k < columns; k++)
        if (sigma[k] > sigma[largest])
          largest = k;
      if (largest != j)
        {
          swap (sigma + j, sigma + largest, 1);
          swap (a + j * rows, a + largest * rows, rows);
          swap (v + j * columns, v + largest * columns, columns);
        }
      for (int i = 0; sigma[j] > 0 && i < rows; i++)
        a[j * rows + i] /= sigma[j];
    }
}

void
vg_perfusion_svd (double *a, int rows, int columns, double *sigma, double *v)
{
  double largest = 0;
  gboolean any = TRUE;

  for (int j = 0; j < columns; j++)
    {
      double sum = 0;

      for (int i = 0; i < rows; i++)
        sum += a[j * rows + i] * a[j * rows + i];
      largest = MAX (largest, sum);
    }
  memset (v, 0, sizeof *v * (gsize) columns * (gsize) columns);
  for (int j = 0; j < columns; j++)
    v[j * columns + j] = 1;
  for (int sweep = 0; any && sweep < SWEEPS; sweep++)
    {
      any = FALSE;
      for (int p = 0; p < columns; p++)
        for (int q = p + 1; q < columns; q++)
          any |= join (a + p * rows, a + q * rows, rows, v + p * columns, v + q * columns, columns,
                       1e-26 * largest);
    }
  finish (a, rows, columns, sigma, v);
}
