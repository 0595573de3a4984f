/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include <string.h>
/* The arrival of a population AIF, fitted to a measured curve.  The model's curves are computed
 * once, on a fine grid, for arrival at 0; another arrival shifts them. */

enum { RATES = 64, SCAN = 512, MAX_FINE = 4096 };

typedef struct
{
  const VgPerfusionStudy *study;
  const double *curve;
  int n_rates, fine; /* curves; samples of each, from 0 on */
  double step_s;
  double *artery, *portal; /* n_rates x fine; portal NULL: none, or it is measured */
  double *measured;        /* n_rates x frames, by the measured portal input; NULL: none */
} Fit;

double
vg_perfusion_population_plasma (const VgPerfusionStudy *self, double t_s)
{
  const VgPerfusionParams *params = self->params;
  const VgPerfusionPopulation *aif = vg_perfusion_population (params->population);

  return aif->concentration (t_s) * (params->dose > 0 ? params->dose / aif->dose : 1) /
         (aif->plasma ? 1 : 1 - params->haematocrit);
}

/* The mean over the voxels to fit, of samples or (CONVERTED) of concentrations.  The sums of equal
 * parts are added in order, so the result does not depend on the number of threads. */
static gboolean
mean_curve (const VgPerfusionStudy *self, gboolean converted, double *curve)
{
  const gsize parts = MIN (self->voxels, 256), n = (gsize) self->n;
  g_autofree double *sums = g_new0 (double, parts *n);
  g_autofree gsize *counts = g_new0 (gsize, parts);
  gsize count = 0;

#pragma omp parallel for num_threads(self->threads)
  for (gsize part = 0; part < parts; part++)
    {
      g_autofree double *own = g_new (double, n);

      for (gsize voxel = self->voxels * part / parts; voxel < self->voxels * (part + 1) / parts;
           voxel++)
        {
          float mean;

          if (converted
                  ? vg_perfusion_study_read (self, voxel, own, 1, &mean) != VG_PERFUSION_FITTED
                  : !vg_perfusion_study_samples (self, voxel, own, 1, &mean) || !isfinite (mean))
            continue;
          counts[part]++;
          for (gsize i = 0; i < n; i++)
            sums[part * n + i] += isfinite (own[i]) ? own[i] : 0;
        }
    }
  memset (curve, 0, sizeof (double) * n);
  for (gsize part = 0; part < parts; part++)
    {
      count += counts[part];
      for (gsize i = 0; i < n; i++)
        curve[i] += sums[part * n + i];
    }
  for (gsize i = 0; i < n && count > 0; i++)
    curve[i] /= (double) count;
  return count > 0;
}

gboolean
vg_perfusion_mean_signal (const VgPerfusionStudy *self, double *curve)
{
  return mean_curve (self, FALSE, curve);
}

gboolean
vg_perfusion_mean_tissue (const VgPerfusionStudy *self, double *curve)
{
  return mean_curve (self, TRUE, curve);
}

static double
rate (int i)
{
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();

  return bounds.k_min * pow (bounds.k_max / bounds.k_min, (double) i / (RATES - 1));
}

/* Convolves the inputs with the response of one compartment at all rates. */
static void
convolve (Fit *self)
{
  const VgPerfusionStudy *study = self->study;
  VgPerfusionBounds none = vg_perfusion_bounds_default ();
  gboolean dual = study->params->inputs == 0, measured = dual && study->portal != NULL;
  gsize fine = (gsize) self->fine;
  g_autofree double *times = g_new (double, fine),
                    *artery = g_memdup2 (self->artery, sizeof (double) * fine),
                    *portal = g_new0 (double, fine);
  g_autoptr (VgPerfusionProblem) shifted = NULL, fixed = NULL;

  none.delay_max = 0;
  for (gsize j = 0; j < fine; j++)
    times[j] = (double) j * self->step_s;
  if (dual && !measured)
    vg_perfusion_disperse (self->fine, times, artery, portal);
  shifted = vg_perfusion_problem_new (VG_PERFUSION_COMPARTMENT, self->fine, times, artery, portal,
                                      NULL, &none);
  if (dual && !measured)
    self->portal = g_new (double, RATES *fine);
  if (measured)
    {
      fixed = vg_perfusion_problem_new (VG_PERFUSION_COMPARTMENT, study->n, study->times_s,
                                        study->portal, NULL, study->weights, &none);
      self->measured = g_new (double, RATES * study->n);
    }
  for (int i = 0; i < self->n_rates; i++)
    {
      vg_perfusion_curve (shifted, shifted->artery, VG_PERFUSION_EXPONENTIAL, rate (i), 0,
                          self->artery + (gsize) i * fine, NULL, NULL);
      if (self->portal != NULL)
        vg_perfusion_curve (shifted, shifted->portal, VG_PERFUSION_EXPONENTIAL, rate (i), 0,
                            self->portal + (gsize) i * fine, NULL, NULL);
      if (measured)
        vg_perfusion_curve (fixed, fixed->artery, VG_PERFUSION_EXPONENTIAL, rate (i), 0,
                            self->measured + i * study->n, NULL, NULL);
    }
}

static Fit
fit_new (const VgPerfusionStudy *study, const double *curve, gboolean tissue)
{
  double last = study->times_s[study->n - 1];
  Fit self = { .study = study, .curve = curve, .n_rates = tissue ? RATES : 1 };

  self.fine = (int) CLAMP (last / 0.25, 512, MAX_FINE) + 1;
  self.step_s = last / (self.fine - 1);
  self.artery = g_new (double, (gsize) self.n_rates *(gsize) self.fine);
  for (int j = 0; j < self.fine; j++)
    self.artery[j] = vg_perfusion_population_plasma (study, j * self.step_s);
  if (tissue)
    convolve (&self);
  return self;
}

static void
fit_clear (Fit *self)
{
  g_free (self->artery);
  g_free (self->portal);
  g_free (self->measured);
}

/* A curve that begins at 0, at time T. */
static double
value_at (const Fit *self, const double *curve, double t)
{
  double place = t / self->step_s;
  int j = (int) place;

  if (!(t >= 0))
    return 0;
  return j >= self->fine - 1 ? curve[self->fine - 1]
                             : curve[j] + (place - j) * (curve[j + 1] - curve[j]);
}

/* The least sum of squares with curves I by arrival at ARRIVAL, and amounts that are not negative.
 */
static double
cost_of (const Fit *self, int i, double arrival)
{
  const VgPerfusionStudy *study = self->study;
  const double *artery = self->artery + (gsize) i * (gsize) self->fine,
               *portal = self->portal != NULL ? self->portal + (gsize) i * (gsize) self->fine
                                              : NULL,
               *measured = self->measured != NULL ? self->measured + i * study->n : NULL;
  double aa = 0, ap = 0, pp = 0, ay = 0, py = 0, yy = 0, det, best;

  for (int k = 0; k < study->n; k++)
    {
      double w = study->weights[k], t = study->times_s[k] - arrival, y = self->curve[k],
             a = value_at (self, artery, t),
             p = portal != NULL     ? value_at (self, portal, t)
                 : measured != NULL ? measured[k]
                                    : 0;

      if (!(w > 0))
        continue;
      aa += w * a * a;
      ap += w * a * p;
      pp += w * p * p;
      ay += w * a * y;
      py += w * p * y;
      yy += w * y * y;
    }
  best = MIN (ay > 0 && aa > 0 ? yy - ay * ay / aa : yy, py > 0 && pp > 0 ? yy - py * py / pp : yy);
  det = aa * pp - ap * ap;
  if (det > 1e-9 * aa * pp && ay * pp > py * ap && py * aa > ay * ap)
    best = yy - (ay * ay * pp - 2 * ay * py * ap + py * py * aa) / det;
  return MAX (best, 0);
}

/* The least sum of squares by arrival at ARRIVAL.  Between the rates it follows a parabola. */
static double
cost_at (const Fit *self, double arrival)
{
  double cost[RATES], bend;
  int best = 0;

  for (int i = 0; i < self->n_rates; i++)
    {
      cost[i] = cost_of (self, i, arrival);
      if (cost[i] < cost[best])
        best = i;
    }
  if (best == 0 || best == self->n_rates - 1)
    return cost[best];
  bend = cost[best - 1] - 2 * cost[best] + cost[best + 1];
  return bend > 0 ? MAX (cost[best] - pow (cost[best + 1] - cost[best - 1], 2) / (8 * bend), 0)
                  : cost[best];
}

/* The minimum between LOW and HIGH, by golden sections. */
static double
find_minimum (const Fit *self, double low, double high)
{
  const double part = (sqrt (5) - 1) / 2;
  double a = high - part * (high - low), b = low + part * (high - low);
  double at_a = cost_at (self, a), at_b = cost_at (self, b);

  while (high - low > 1e-4 * self->step_s)
    if (at_a < at_b)
      {
        high = b;
        b = a;
        at_b = at_a;
        a = high - part * (high - low);
        at_a = cost_at (self, a);
      }
    else
      {
        low = a;
        a = b;
        at_a = at_b;
        b = low + part * (high - low);
        at_b = cost_at (self, b);
      }
  return (low + high) / 2;
}

/* Where the cost reaches LIMIT between INSIDE, below it, and OUTSIDE. */
static double
find_edge (const Fit *self, double inside, double outside, double limit)
{
  for (int i = 0; i < 24; i++)
    {
      double middle = (inside + outside) / 2;

      if (cost_at (self, middle) <= limit)
        inside = middle;
      else
        outside = middle;
    }
  return inside;
}

/* The first and the last arrival whose cost is at most LIMIT.  SCAN costs are at steps of STEP from
 * 0; BEST is the arrival with the least. */
static void
find_hull (const Fit *self, const double *costs, double step, double best, double limit,
           double hull[2])
{
  int first = (int) (best / step) + 1, last = MIN ((int) (best / step), SCAN - 1);
  double low = best, high = best;

  for (int i = 0; i < SCAN; i++)
    if (costs[i] <= limit)
      {
        if (i < first)
          low = MIN (low, i * step);
        first = MIN (first, i);
        last = MAX (last, i);
        high = MAX (high, i * step);
      }
  hull[0] = low > 0 ? find_edge (self, low, MAX (ceil (low / step) - 1, 0) * step, limit) : 0;
  hull[1] = find_edge (self, high, MIN (floor (high / step) + 1, SCAN - 1) * step, limit);
}

gboolean
vg_perfusion_fit_arrival (VgPerfusionStudy *self, const double *curve, gboolean tissue,
                          GError **error)
{
  double last = self->times_s[self->n - 1], step = last / (SCAN - 1), costs[SCAN], variance, least,
         hull[2], wide[2];
  int best = 0, used = 0, unknowns = tissue ? (self->params->inputs == 0 ? 4 : 3) : 2;
  Fit fit = fit_new (self, curve, tissue);

  for (int i = 0; i < self->n; i++)
    used += self->weights[i] > 0;
#pragma omp parallel for num_threads(self->threads)
  for (int i = 0; i < SCAN; i++)
    costs[i] = cost_at (&fit, i * step);
  for (int i = 0; i < SCAN; i++)
    if (costs[i] < costs[best])
      best = i;
  self->arrival_s = find_minimum (&fit, MAX (best - 1, 0) * step, MIN (best + 1, SCAN - 1) * step);
  least = cost_at (&fit, self->arrival_s);
  variance = used > unknowns ? least / (used - unknowns) : HUGE_VAL;
  find_hull (&fit, costs, step, self->arrival_s, least + variance, hull);
  find_hull (&fit, costs, step, self->arrival_s, least + 4 * variance, wide);
  self->arrival_error_s = (hull[1] - hull[0]) / 2;
  fit_clear (&fit);
  if (wide[0] > 0 && wide[1] < last - step / 2 &&
      wide[1] - wide[0] <= 2 * MAX (5, 2 * last / (self->n - 1)))
    return TRUE;
  g_set_error (
      error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
      "the curve of %s does not determine the bolus arrival time: times from %.3g to %.3g s fit "
      "equally well; set Arrival time to Given and enter the Bolus arrival time",
      tissue ? "the tissue" : "the artery", wide[0], wide[1]);
  return FALSE;
}
