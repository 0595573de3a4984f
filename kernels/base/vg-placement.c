/* SPDX-License-Identifier: MIT */
/* Directions and places by sform and qform, after nifti1.h of the NIfTI data
 * format working group ("method 2" and "method 3"). */
#include "kernels/base/vg-placement.h"
#include <math.h>
#include <string.h>

/* No body, and no slide, is larger. */
static const double farthest_mm = 1e7;

static double
norm (const double matrix[3][4], int column)
{
  return sqrt (matrix[0][column] * matrix[0][column] + matrix[1][column] * matrix[1][column] +
               matrix[2][column] * matrix[2][column]);
}

static double
determinant (const double m[3][4])
{
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* The axes have lengths and span a space. */
static gboolean
is_sound (const double matrix[3][4])
{
  double size = norm (matrix, 0) * norm (matrix, 1) * norm (matrix, 2);

  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      if (!(fabs (matrix[row][column]) <= farthest_mm))
        return FALSE;
  return size > 0 && fabs (determinant (matrix)) > 1e-4 * size;
}

static void
from_quaternion (const VgPlacement *self, double matrix[3][4])
{
  double b = self->quatern[0], c = self->quatern[1], d = self->quatern[2],
         a = 1 - (b * b + c * c + d * d);
  double step[3] = { self->pixdim[1], self->pixdim[2],
                     self->pixdim[0] < 0 ? -self->pixdim[3] : self->pixdim[3] };

  if (a < 1e-7) /* half a turn: only its axis counts */
    {
      double length = sqrt (b * b + c * c + d * d);

      b /= length;
      c /= length;
      d /= length;
      a = 0;
    }
  a = sqrt (a);
  memcpy (matrix,
          (double[3][4]){ { a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c),
                            self->offset[0] },
                          { 2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b),
                            self->offset[1] },
                          { 2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c,
                            self->offset[2] } },
          sizeof (double[3][4]));
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      matrix[row][column] *= step[column];
}

gboolean
vg_placement_matrix (const VgPlacement *self, double matrix[3][4])
{
  double mm = self->unit == 1 ? 1e3 : self->unit == 3 ? 1e-3 : 1;

  for (int method = 0; self->known && method < 2; method++)
    {
      if ((method == 0 ? self->sform_code : self->qform_code) <= 0)
        continue;
      if (method == 0)
        memcpy (matrix, self->srow, sizeof self->srow);
      else
        from_quaternion (self, matrix);
      for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
          matrix[row][column] *= mm;
      if (is_sound ((const double (*)[4]) matrix))
        return TRUE;
    }
  return FALSE;
}

/* The body's axis that each of the volume's is taken for: the assignment with
 * the largest sum of cosines. */
static void
choose_axes (const double matrix[3][4], int axes[3])
{
  static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                    { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  double best = -1;

  for (int i = 0; i < 6; i++)
    {
      double sum = 0;

      for (int axis = 0; axis < 3; axis++)
        sum += fabs (matrix[orders[i][axis]][axis]) / norm (matrix, axis);
      if (sum > best)
        {
          best = sum;
          memcpy (axes, orders[i], sizeof orders[i]);
        }
    }
}

void
vg_placement_orientation (const VgPlacement *self, VgOrientation *orientation)
{
  static const char sides[3][2] = { { 'L', 'R' }, { 'P', 'A' }, { 'I', 'S' } };
  double matrix[3][4];
  int axes[3];

  *orientation = (VgOrientation){ .known = vg_placement_matrix (self, matrix) };
  if (!orientation->known)
    return;
  choose_axes ((const double (*)[4]) matrix, axes);
  /* across: left and right, or in a sagittal slice front and back */
  orientation->swapped = axes[0] > axes[1];
  for (int axis = 0; axis < 3; axis++)
    {
      gboolean grows = matrix[axes[axis]][axis] > 0;

      orientation->ends[axis][0] = sides[axes[axis]][!grows];
      orientation->ends[axis][1] = sides[axes[axis]][grows];
      /* right, front and head come first, from the left and from above */
      if (axis < 2)
        orientation->turned[axis] = grows;
    }
}

gboolean
vg_placement_is_of (const VgImageInfo *info, const VgPlane *plane)
{
  return info->placement.known && !plane->mirrored && plane->width == info->width &&
         plane->height == info->height && MAX (plane->slices, 1) == info->slices;
}

double
vg_placement_apart (const VgPlacement *self, const VgPlacement *other, const gint64 extent[3],
                    double *mm)
{
  double a[3][4], b[3][4], worst = 0, worst_mm = 0;

  if (vg_placement_matrix (self, a) && vg_placement_matrix (other, b))
    for (int corner = 0; corner < 8; corner++)
      {
        double at[3], away[3], size = determinant ((const double (*)[4]) a);

        for (int axis = 0; axis < 3; axis++)
          at[axis] = corner >> axis & 1 ? (double) (extent[axis] - 1) : 0;
        for (int row = 0; row < 3; row++)
          {
            away[row] = b[row][3] - a[row][3];
            for (int axis = 0; axis < 3; axis++)
              away[row] += (b[row][axis] - a[row][axis]) * at[axis];
          }
        worst_mm = MAX (worst_mm, sqrt (away[0] * away[0] + away[1] * away[1] + away[2] * away[2]));
        for (int axis = 0; axis < 3; axis++) /* Cramer's rule */
          {
            double column[3][4];

            memcpy (column, a, sizeof column);
            for (int row = 0; row < 3; row++)
              column[row][axis] = away[row];
            worst = MAX (worst, fabs (determinant ((const double (*)[4]) column) / size));
          }
      }
  if (mm != NULL)
    *mm = worst_mm;
  return worst;
}
