/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/motion/perfusion-motion-frames.h"
#include "kernels/base/vg-sort.h"
#include "kernels/perfusion/motion/perfusion-motion-formula.h"
#include <math.h>

#define ODD 1.7  /* misfit of a frame that is left out, as a ratio to the median */
#define FAR 0.25 /* and in voxels */
enum { NEIGHBOURS = 3 };

double
vg_motion_median (double *values, int n)
{
  if (n == 0)
    return 0;
  vg_sort_doubles (values, (gsize) n);
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

void
vg_motion_frames_rate (const double *sums, int n, int groups, const double *leverage, double voxels,
                       double *misfit)
{
  for (int i = 0; i < n; i++)
    {
      double all = 0, structure = 0;

      for (int g = 0; g < groups; g++)
        {
          const double *own = sums + (gsize) (i * groups + g) * VG_PERFUSION_MOTION_SUMS;

          all += own[VG_PERFUSION_MOTION_ALL_MISFIT];
          structure += own[VG_PERFUSION_MOTION_ALL_STRUCTURE];
        }
      misfit[i] = sqrt (all / structure) / (1 - leverage[i]) * voxels;
      if (!isfinite (misfit[i]))
        misfit[i] = NAN;
    }
}

gboolean
vg_motion_frames_variance (const double *sums, double *variance)
{
  double value = sums[VG_PERFUSION_MOTION_MISFIT] / sums[VG_PERFUSION_MOTION_STRUCTURE],
         curvature = sums[0] + sums[3] + sums[5];

  *variance = isfinite (value) ? MAX (value, 1e-12) : 1e-12;
  return isfinite (curvature / *variance) && curvature > 0;
}

/* The median misfit of the frames FIRST to LAST that have a weight, without frame SKIP. */
static double
median_misfit (const double *misfit, int n, const double *weights, int first, int last, int skip)
{
  g_autofree double *sorted = g_new (double, n);
  int used = 0;

  for (int i = MAX (first, 0); i <= MIN (last, n - 1); i++)
    if (i != skip && weights[i] > 0 && isfinite (misfit[i]))
      sorted[used++] = misfit[i];
  return vg_motion_median (sorted, used);
}

void
vg_motion_frames_weigh (const double *misfit, int n, const double *weights, double *result)
{
  double usual = MAX (FAR, ODD * median_misfit (misfit, n, weights, 0, n - 1, -1));

  for (int i = 0; i < n; i++)
    if (weights[i] > 0)
      {
        double odd = misfit[i] / usual;

        result[i] = isfinite (odd) ? MAX (1 / (1 + odd * odd * odd * odd), 1e-3) : 1e-3;
      }
}

int
vg_motion_frames_leave_out (const double *misfit, int n, const double *weights, guint8 *left_out)
{
  double middle = median_misfit (misfit, n, weights, 0, n - 1, -1);
  int count = 0;

  for (int i = 0; i < n; i++)
    {
      double near = median_misfit (misfit, n, weights, i - NEIGHBOURS, i + NEIGHBOURS, i);

      left_out[i] = weights[i] > 0 && misfit[i] > MAX (FAR, ODD * MAX (near, middle));
      count += left_out[i];
    }
  return count;
}
