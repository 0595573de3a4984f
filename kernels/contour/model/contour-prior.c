/* SPDX-License-Identifier: MIT */
#include "kernels/contour/model/contour-prior.h"
#include <string.h>
/* Principal components of signed distance functions (Leventon, Grimson and
 * Faugeras, CVPR 2000; Rousson and Paragios 2002) of the paper's training set:
 * 30 ellipses whose axis ratio is Gaussian.  The ratios are the quantiles of
 * that Gaussian, so that no random number enters. */

enum { ELLIPSES = 30, SWEEPS = 40, POINTS = 64 /* on an outline */ };
#define RATIO_MEAN 1.35
#define RATIO_DEVIATION 0.22
/* Width of the weight about the mean's outline, and where a node counts. */
#define WEIGHT_WIDTH 0.35
#define USED_WITHIN 0.7

/* The nearest point is where the angle t makes the line to (x, y) normal to
 * the ellipse; Newton's steps on the evolute (C. Maisonobe), all exact at the
 * axes. */
double
vg_contour_ellipse_distance (double a, double b, double x, double y)
{
  double px = fabs (x), py = fabs (y), tx = 0.70710678118654752, ty = tx, dx, dy;

  for (int i = 0; i < 12; i++)
    {
      double ex = (a * a - b * b) * tx * tx * tx / a, ey = (b * b - a * a) * ty * ty * ty / b;
      double r = hypot (a * tx - ex, b * ty - ey), q = hypot (px - ex, py - ey), length;

      tx = CLAMP (((px - ex) * r / MAX (q, 1e-300) + ex) / a, 0.0, 1.0);
      ty = CLAMP (((py - ey) * r / MAX (q, 1e-300) + ey) / b, 0.0, 1.0);
      length = hypot (tx, ty);
      tx /= length;
      ty /= length;
    }
  dx = px - a * tx;
  dy = py - b * ty;
  return (x * x / (a * a) + y * y / (b * b) <= 1.0 ? 1.0 : -1.0) * hypot (dx, dy);
}

/* The standard normal's quantile, by bisection. */
static double
normal_quantile (double p)
{
  double low = -8.0, high = 8.0;

  for (int i = 0; i < 60; i++)
    {
      double middle = 0.5 * (low + high);

      if (0.5 * erfc (-middle * G_SQRT2 / 2.0) < p)
        low = middle;
      else
        high = middle;
    }
  return 0.5 * (low + high);
}

/* Eigenvalues on the diagonal of A and vectors in the columns of V (Jacobi). */
static void
eigen (double a[ELLIPSES][ELLIPSES], double v[ELLIPSES][ELLIPSES])
{
  for (int i = 0; i < ELLIPSES; i++)
    for (int k = 0; k < ELLIPSES; k++)
      v[i][k] = i == k;
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int p = 0; p < ELLIPSES; p++)
      for (int q = p + 1; q < ELLIPSES; q++)
        {
          double angle = 0.5 * atan2 (2.0 * a[p][q], a[q][q] - a[p][p]), c = cos (angle),
                 s = sin (angle);

          for (int k = 0; k < ELLIPSES; k++)
            {
              double kp = a[k][p], kq = a[k][q];

              a[k][p] = c * kp - s * kq;
              a[k][q] = s * kp + c * kq;
            }
          for (int k = 0; k < ELLIPSES; k++)
            {
              double pk = a[p][k], qk = a[q][k], vp = v[k][p], vq = v[k][q];

              a[p][k] = c * pk - s * qk;
              a[q][k] = s * pk + c * qk;
              v[k][p] = c * vp - s * vq;
              v[k][q] = s * vp + c * vq;
            }
        }
}

/* The mode of column C: unit length under the weight. */
static void
fill_mode (VgContourPrior *self, double *const *shapes, const double *weight,
           double a[ELLIPSES][ELLIPSES], double v[ELLIPSES][ELLIPSES], int c, int mode)
{
  double value = MAX (a[c][c], 1e-30), length = sqrt (value);

  for (int i = 0; i < VG_CONTOUR_TEMPLATE; i++)
    {
      double sum = 0.0;

      for (int e = 0; e < ELLIPSES; e++)
        sum += v[e][c] * shapes[e][i];
      self->modes[mode][i] = (float) (sum / length);
    }
  for (int k = 0; k < self->n_used; k++)
    self->weighted[mode][k] = (float) (weight[self->used[k]] * self->modes[mode][self->used[k]]);
  self->limit[mode] = (float) (3.0 * sqrt (value / ELLIPSES));
}

static void
fill_modes (VgContourPrior *self, double *const *shapes, const double *weight)
{
  double (*a)[ELLIPSES] = g_malloc0 (sizeof (double[ELLIPSES][ELLIPSES]));
  double (*v)[ELLIPSES] = g_malloc0 (sizeof (double[ELLIPSES][ELLIPSES]));
  double all = 0.0;

  for (int e = 0; e < ELLIPSES; e++)
    for (int k = 0; k < ELLIPSES; k++)
      for (int i = 0; i < VG_CONTOUR_TEMPLATE; i++)
        a[e][k] += weight[i] * shapes[e][i] * shapes[k][i];
  eigen (a, v);
  for (int e = 0; e < ELLIPSES; e++)
    all += a[e][e];
  for (int mode = 0; mode < VG_CONTOUR_MODES; mode++)
    {
      int best = 0;

      for (int e = 1; e < ELLIPSES; e++)
        if (a[e][e] > a[best][best])
          best = e;
      self->explained[mode] = a[best][best] / all;
      fill_mode (self, shapes, weight, a, v, best, mode);
      a[best][best] = 0.0;
    }
  g_free (a);
  g_free (v);
}

/* What the template, read between its nodes as the evolution reads it, has on the ellipse itself:
 * on average less than 0, for a distance bends down between nodes.  Taken for the outline, at each
 * step anew, that shrinks what follows it. */
static double
on_outline (const double *shape, double a, double b)
{
  double sum = 0.0;

  for (int i = 0; i < POINTS; i++)
    {
      double angle = 2.0 * G_PI * (i + 0.5) / POINTS;
      double x = (a * cos (angle) + VG_CONTOUR_REACH) / VG_CONTOUR_NODE_STEP,
             y = (b * sin (angle) + VG_CONTOUR_REACH) / VG_CONTOUR_NODE_STEP;
      int ix = (int) x, iy = (int) y;
      const double *p = shape + iy * VG_CONTOUR_NODES + ix, *q = p + VG_CONTOUR_NODES;
      double tx = x - ix, ty = y - iy;

      sum += (1.0 - ty) * (p[0] + tx * (p[1] - p[0])) + ty * (q[0] + tx * (q[1] - q[0]));
    }
  return sum / POINTS;
}

static gboolean
make (VgContourPrior *self)
{
  double *shapes[ELLIPSES], low = 0.0;
  g_autofree double *all = g_try_new (double, ELLIPSES *VG_CONTOUR_TEMPLATE),
                    *weight = g_try_new0 (double, VG_CONTOUR_TEMPLATE);

  if (all == NULL || weight == NULL)
    return FALSE;
  memset (self, 0, sizeof *self);
  for (int e = 0; e < ELLIPSES; e++)
    {
      double ratio = MAX (RATIO_MEAN + RATIO_DEVIATION * normal_quantile ((e + 0.5) / ELLIPSES),
                          1.0);

      shapes[e] = all + e * VG_CONTOUR_TEMPLATE;
      for (int i = 0; i < VG_CONTOUR_TEMPLATE; i++)
        shapes[e][i] = vg_contour_ellipse_distance (
            sqrt (ratio), 1.0 / sqrt (ratio),
            i % VG_CONTOUR_NODES * (double) VG_CONTOUR_NODE_STEP - VG_CONTOUR_REACH,
            i / VG_CONTOUR_NODES * (double) VG_CONTOUR_NODE_STEP - VG_CONTOUR_REACH);
      low += on_outline (shapes[e], sqrt (ratio), 1.0 / sqrt (ratio)) / ELLIPSES;
    }
  for (int i = 0; i < VG_CONTOUR_TEMPLATE; i++)
    {
      double mean = 0.0;

      for (int e = 0; e < ELLIPSES; e++)
        mean += shapes[e][i] / ELLIPSES;
      for (int e = 0; e < ELLIPSES; e++)
        shapes[e][i] -= mean;
      self->mean[i] = (float) (mean - low);
      if (fabs (mean) >= USED_WITHIN || (i / VG_CONTOUR_NODES + i % VG_CONTOUR_NODES) % 2 != 0)
        continue; /* every other node tells enough */
      weight[i] = exp (-0.5 * mean * mean / (WEIGHT_WIDTH * WEIGHT_WIDTH));
      self->used[self->n_used] = i;
      self->u[self->n_used] = (float) (i % VG_CONTOUR_NODES) * VG_CONTOUR_NODE_STEP -
                              VG_CONTOUR_REACH;
      self->v[self->n_used] = (float) (i / VG_CONTOUR_NODES) * VG_CONTOUR_NODE_STEP -
                              VG_CONTOUR_REACH;
      self->used_mean[self->n_used++] = (float) mean;
    }
  fill_modes (self, shapes, weight);
  return TRUE;
}

/* It depends on nothing, and takes some 40 ms. */
gboolean
vg_contour_prior_fill (VgContourPrior *self)
{
  static GMutex mutex;
  static gboolean is_made = FALSE;
  static VgContourPrior made;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  is_made = is_made || make (&made);
  if (is_made)
    *self = made;
  return is_made;
}
