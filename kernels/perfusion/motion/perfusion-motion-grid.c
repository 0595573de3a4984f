/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/motion/perfusion-motion-grid.h"
#include "kernels/perfusion/motion/perfusion-motion-frames.h"
#include <string.h>

enum { SUMS = VG_PERFUSION_MOTION_SUMS, SWEEPS = 8, UNFOLD = 20 };
#define PRIOR 10.0       /* expected deformation where nothing is known, voxels */
#define STRAIN 0.035     /* expected strain between neighbouring points */
#define MOST_STRAIN 0.55 /* below 1/sqrt(3), so that the deformation cannot fold */
#define LEAST 0.2        /* voxels; a smaller deformation is left uncorrected */
#define SURE 3.0         /* standard errors of a significant deformation */

gboolean
vg_perfusion_motion_size (const VgImageInfo *info, double size[3])
{
  double mm = strcmp (info->pixel_unit, "mm") == 0   ? 1
              : strcmp (info->pixel_unit, "cm") == 0 ? 10
              : strcmp (info->pixel_unit, "µm") == 0 ? 1e-3
                                                     : 0;
  gboolean known = mm > 0 && info->pixel_size[0] > 0 && info->pixel_size[1] > 0 &&
                   (info->pixel_size[2] > 0 || info->slices == 1);

  for (int a = 0; a < 3; a++)
    size[a] = known && info->pixel_size[a] > 0 ? mm * info->pixel_size[a] : 1;
  return known;
}

VgPerfusionControlGrid
vg_perfusion_motion_grid (const VgImageInfo *info, double spacing)
{
  const gint64 extent[3] = { info->width, info->height, info->slices };
  VgPerfusionControlGrid grid;
  double size[3];

  vg_perfusion_motion_size (info, size);
  for (int a = 0; a < 3; a++)
    {
      double n = (double) MAX (extent[a], 1),
             cells = floor (MIN (n * size[a] / spacing, n / 2) + 0.5);

      cells = MAX (cells, 1);
      grid.points[a] = n > 1 ? (int) cells + 3 : 1;
      grid.spacing[a] = (float) (n / cells);
    }
  return grid;
}

/* The inverse of the symmetric matrix A (xx, xy, xz, yy, yz, zz). */
static void
invert (const double a[6], double to[6])
{
  double xx = a[3] * a[5] - a[4] * a[4], xy = a[2] * a[4] - a[1] * a[5],
         xz = a[1] * a[4] - a[2] * a[3], share = 1 / (a[0] * xx + a[1] * xy + a[2] * xz);

  to[0] = xx * share;
  to[1] = xy * share;
  to[2] = xz * share;
  to[3] = (a[0] * a[5] - a[2] * a[2]) * share;
  to[4] = (a[1] * a[2] - a[0] * a[4]) * share;
  to[5] = (a[0] * a[3] - a[1] * a[1]) * share;
}

static void
multiply (const double a[6], const double *b, double *to)
{
  to[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  to[1] = a[1] * b[0] + a[3] * b[1] + a[4] * b[2];
  to[2] = a[2] * b[0] + a[4] * b[1] + a[5] * b[2];
}

/* The neighbours of a point: their numbers and axes.  Returns how many there are. */
static int
neighbours_of (const VgPerfusionControlGrid *grid, gsize point, gsize others[6], int axes[6])
{
  gsize stride = 1;
  int count = 0;

  for (int a = 0; a < 3; a++)
    {
      gsize points = (gsize) grid->points[a], at = point / stride % points;

      if (at > 0)
        {
          others[count] = point - stride;
          axes[count++] = a;
        }
      if (at + 1 < points)
        {
          others[count] = point + stride;
          axes[count++] = a;
        }
      stride *= points;
    }
  return count;
}

/* What ties a point to a neighbour along AXIS, as a precision. */
static double
tie_of (const VgMotionSearch *self, int axis)
{
  double expected = STRAIN * (double) self->grid->spacing[axis] * self->size[axis];

  return 1 / (expected * expected);
}

/* The equations of a point of FRAME at PLACE, in the unit of the size of a voxel: the INVERSE of
 * their matrix, and their right side without the neighbours.  FALSE: the data say nothing. */
static gboolean
equations_of (const VgMotionSearch *self, int frame, gsize point, const double place[3],
              double inverse[6], double right[3])
{
  static const int rows[6] = { 0, 0, 0, 1, 1, 2 }, columns[6] = { 0, 1, 2, 1, 2, 2 };
  const double *sums = self->sums + ((gsize) frame * (gsize) self->groups + point) * SUMS;
  double variance, a[6] = { 0 }, left = 1 - self->model.leverage[frame], share[3];
  gboolean known = vg_motion_frames_variance (sums, &variance);
  gsize others[6];
  int axes[6], count = neighbours_of (self->grid, point, others, axes);

  for (int i = 0; i < 3; i++)
    share[i] = 1 / (self->size[i] * self->factor[i]);
  /* The frame is a part of the model that it is compared with. */
  for (int i = 0; i < 6 && known; i++)
    a[i] = sums[i] / variance * share[rows[i]] * share[columns[i]] * left;
  multiply (a, place, right);
  for (int i = 0; i < 3; i++)
    {
      double prior = 1 / (PRIOR * PRIOR * self->size[i] * self->size[i]);
      double *diagonal = &a[i == 0 ? 0 : i == 1 ? 3 : 5];

      if (known)
        right[i] -= sums[VG_PERFUSION_MOTION_SLOPE + i] / variance * share[i];
      right[i] += prior * (double) self->motion->shift[frame * 3 + i] * self->size[i];
      *diagonal += prior;
      for (int k = 0; k < count; k++)
        *diagonal += tie_of (self, axes[k]);
    }
  invert (a, inverse);
  return known;
}

void
vg_motion_grid_step (VgMotionSearch *self, int frame)
{
  const VgPerfusionControlGrid *grid = self->grid;
  const gsize points = (gsize) self->groups;
  g_autofree double *place = g_new (double, points * 3), *right = g_new (double, points * 3),
                    *inverse = g_new (double, points * 6);
  float *shift = self->shift + (gsize) frame * points * 3;
  double ties[3] = { tie_of (self, 0), tie_of (self, 1), tie_of (self, 2) };

  for (gsize i = 0; i < points * 3; i++)
    place[i] = (double) shift[i] * self->size[i % 3];
  for (gsize p = 0; p < points; p++)
    equations_of (self, frame, p, place + p * 3, inverse + p * 6, right + p * 3);
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (gsize p = 0; p < points; p++)
      {
        double sum[3] = { right[p * 3], right[p * 3 + 1], right[p * 3 + 2] };
        gsize others[6];
        int axes[6], count = neighbours_of (grid, p, others, axes);

        for (int k = 0; k < count; k++)
          for (int i = 0; i < 3; i++)
            sum[i] += ties[axes[k]] * place[others[k] * 3 + (gsize) i];
        multiply (inverse + p * 6, sum, place + p * 3);
      }
  for (gsize i = 0; i < points * 3; i++)
    {
      double step = place[i] / self->size[i % 3] - (double) shift[i], most = self->factor[i % 3];

      if (isfinite (step))
        shift[i] += (float) CLAMP (step, -most, most);
    }
}

/* Moves the neighbours together whose strain exceeds MOST_STRAIN.  Returns the largest strain. */
static double
move_together (const VgPerfusionControlGrid *grid, const double size[3], float *shift)
{
  const gsize points = (gsize) vg_perfusion_control_points (grid);
  double worst = 0;

  for (gsize p = 0; p < points; p++)
    {
      gsize others[6];
      int axes[6], count = neighbours_of (grid, p, others, axes);

      for (int k = 0; k < count; k++)
        {
          float *one = shift + p * 3, *other = shift + others[k] * 3;
          double sum = 0, strain;

          for (int i = 0; i < 3; i++)
            {
              double difference = (double) (other[i] - one[i]) * size[i];

              sum += difference * difference;
            }
          strain = sqrt (sum) / ((double) grid->spacing[axes[k]] * size[axes[k]]);
          worst = MAX (worst, strain);
          if (strain > MOST_STRAIN)
            for (int i = 0; i < 3; i++)
              {
                float half = (float) (0.5 - 0.49 * MOST_STRAIN / strain) * (other[i] - one[i]);

                one[i] += half;
                other[i] -= half;
              }
        }
    }
  return worst;
}

void
vg_motion_grid_unfold (const VgPerfusionControlGrid *grid, const double size[3], float *shift)
{
  const gsize points = (gsize) vg_perfusion_control_points (grid);
  double mean[3] = { 0 }, worst = 0;

  for (int sweep = 0; sweep < UNFOLD; sweep++)
    if ((worst = move_together (grid, size, shift)) <= MOST_STRAIN)
      return;
  /* The rest, all of the frame. */
  worst = MAX (worst, MOST_STRAIN);
  for (gsize i = 0; i < points * 3; i++)
    mean[i % 3] += (double) shift[i] / (double) points;
  for (gsize i = 0; i < points * 3; i++)
    shift[i] = (float) (mean[i % 3] +
                        ((double) shift[i] - mean[i % 3]) * 0.98 * MOST_STRAIN / worst);
}

void
vg_motion_grid_settle (VgMotionSearch *self)
{
  VgPerfusionMotion *motion = self->motion;
  const gsize points = (gsize) self->groups;
  const double least = LEAST * MIN (self->size[0], MIN (self->size[1], self->size[2]));

  motion->moved = 0;
#pragma omp parallel for num_threads(self->task->threads)
  for (int i = 0; i < self->n; i++)
    {
      float *shift = self->shift + (gsize) i * points * 3, *whole = motion->shift + i * 3;
      double square = 0, variance = 0, weight = 0;

      for (gsize p = 0; p < points; p++)
        {
          const double *sums = self->sums + ((gsize) i * points + p) * SUMS;
          double inverse[6], right[3], origin[3] = { 0 }, known;

          if (!equations_of (self, i, p, origin, inverse, right))
            continue;
          vg_motion_frames_variance (sums, &known);
          known = sums[VG_PERFUSION_MOTION_STRUCTURE] / known;
          weight += known;
          variance += known * (inverse[0] + inverse[3] + inverse[5]);
          for (gsize a = 0; a < 3; a++)
            {
              double difference = (double) (shift[p * 3 + a] - whole[a]) * self->size[a];

              square += known * difference * difference;
            }
        }
      motion->deformed[i] = weight > 0 ? (float) sqrt (square / weight) : 0;
      if (!(weight > 0 && square > weight * least * least && square > SURE * SURE * variance))
        {
          motion->deformed[i] = 0;
          for (gsize k = 0; k < points * 3; k++)
            shift[k] = whole[k % 3];
        }
    }
  for (int i = 0; i < self->n; i++)
    motion->moved += motion->deformed[i] > 0 || motion->shift[i * 3] != 0 ||
                     motion->shift[i * 3 + 1] != 0 || motion->shift[i * 3 + 2] != 0;
  memcpy (motion->deformation, self->shift, sizeof (float) * (gsize) self->n * points * 3);
}

static float
determinant (const float *x, const float *y, const float *z)
{
  float xx = 1 + x[0], yy = 1 + y[1], zz = 1 + z[2];

  return xx * (yy * zz - y[2] * z[1]) - x[1] * (y[0] * zz - y[2] * z[0]) +
         x[2] * (y[0] * z[1] - yy * z[0]);
}

/* The taps of all N voxels of an axis, and their slopes. */
static void
taps_of (const VgPerfusionControlGrid *grid, int axis, int n, VgPerfusionTaps *taps,
         VgPerfusionTaps *slopes)
{
  for (int i = 0; i < n; i++)
    {
      taps[i] = vg_perfusion_spline (grid, axis, i, 1);
      slopes[i] = vg_perfusion_spline_slope (grid, axis, i, 1);
    }
}

gboolean
vg_motion_grid_jacobian (VgMotionSearch *self, GError **error)
{
  VgPerfusionMotion *motion = self->motion;
  const VgPerfusionControlGrid *grid = self->grid;
  const VgImageInfo *info = &self->task->image->info;
  const int n[3] = { info->width, info->height, (int) info->slices };
  VgPerfusionTaps *taps[3], *slopes[3];

  for (int a = 0; a < 3; a++)
    {
      taps[a] = g_new (VgPerfusionTaps, n[a]);
      slopes[a] = g_new (VgPerfusionTaps, n[a]);
      taps_of (grid, a, n[a], taps[a], slopes[a]);
    }
#pragma omp parallel num_threads(self->task->threads)
  {
    g_autofree float *line = g_new (float, 3 * grid->points[0]);
    g_autofree float *d = g_new (float, 9 * n[0]);

#pragma omp for schedule(dynamic)
    for (int row = 0; row < n[1] * n[2]; row++)
      {
        const VgPerfusionTaps *y = &taps[1][row % n[1]], *z = &taps[2][row / n[1]],
                              *dy = &slopes[1][row % n[1]], *dz = &slopes[2][row / n[1]];
        float *low = motion->jacobian_low + (gsize) row * (gsize) n[0],
              *high = motion->jacobian_high + (gsize) row * (gsize) n[0];

        if (vg_motion_search_is_stopped (self, NULL))
          continue;
        for (int v = 0; v < n[0]; v++)
          {
            low[v] = HUGE_VALF;
            high[v] = 0;
          }
        for (int i = 0; i < self->n; i++)
          {
            const float *shift = motion->deformation + (gsize) i * (gsize) self->groups * 3;

            if (motion->left_out[i])
              continue;
            vg_motion_grid_row (grid, shift, y, z, slopes[0], n[0], line, d);
            vg_motion_grid_row (grid, shift, dy, z, taps[0], n[0], line, d + 3 * n[0]);
            vg_motion_grid_row (grid, shift, y, dz, taps[0], n[0], line, d + 6 * n[0]);
            for (int v = 0; v < n[0]; v++)
              {
                float value = determinant (d + 3 * v, d + 3 * (n[0] + v), d + 3 * (2 * n[0] + v));

                low[v] = MIN (low[v], value);
                high[v] = MAX (high[v], value);
              }
          }
      }
  }
  for (int a = 0; a < 3; a++)
    {
      g_free (taps[a]);
      g_free (slopes[a]);
    }
  return !vg_motion_search_is_stopped (self, error);
}
