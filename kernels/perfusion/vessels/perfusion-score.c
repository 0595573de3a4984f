/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/vessels/perfusion-search.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include "kernels/base/vg-sort.h"
#include <string.h>
/* The artery enhances first, highest and washes out.  The portal vein has the shape of the AIF
 * after the gut, and as much contrast agent passes as in the artery.  The liver has the curve of
 * both inputs after one compartment. */

#define CONTRAST 6.0      /* least peak of a candidate, in standard deviations of its noise */
#define ARTERY_HEIGHT 0.5 /* least peak of a candidate, relative to the highest peaks */
#define ARTERY_REST 0.7   /* largest mean of the last quarter, relative to the peak */
#define VEIN_SHAPE 0.3    /* largest difference of shape, as a part of the curve */
#define VEIN_AREA_LOW 0.5 /* area under the curve, relative to the artery's */
#define VEIN_AREA_HIGH 1.7
#define LIVER_SHAPE 0.25
#define LIVER_AREA 0.07
#define LIVER_MTT_S 15.0    /* mean transit time of the template */
#define LIVER_ARTERY 0.17   /* and its arterial fraction */
#define VEIN_EARLIEST_S 5.0 /* rise after the artery's */
#define VEIN_LATEST_S 25.0

/* ---- Curves ---- */

/* Fills SHIFTED with CURVE, DELAY_S later. */
static void
shift (const VgPerfusionVoxels *voxels, const double *curve, double delay_s, double *shifted)
{
  const double *t = voxels->times_s;
  int at = 0;

  for (int i = 0; i < voxels->n; i++)
    {
      double from = t[i] - delay_s;

      while (at < voxels->n - 2 && t[at + 1] < from)
        at++;
      shifted[i] = from <= t[0] ? curve[0]
                   : from >= t[voxels->n - 1]
                       ? curve[voxels->n - 1]
                       : curve[at] +
                             (curve[at + 1] - curve[at]) * (from - t[at]) / (t[at + 1] - t[at]);
    }
}

/* CURVE after one compartment with the mean transit time MTT_S, by the trapezoidal rule. */
static void
pass_compartment (const VgPerfusionVoxels *voxels, const double *curve, double mtt_s, double *out)
{
  out[0] = 0;
  for (int i = 1; i < voxels->n; i++)
    {
      double step = voxels->times_s[i] - voxels->times_s[i - 1], decay = exp (-step / mtt_s);

      out[i] = decay * out[i - 1] + step / 2 / mtt_s * (decay * curve[i - 1] + curve[i]);
    }
}

double
vg_perfusion_shape_difference (const VgPerfusionVoxels *voxels, const double *curve, double noise,
                               const double *templates, int n_templates)
{
  double best = HUGE_VAL;
  int n = voxels->n;

  for (int k = 0; k < n_templates; k++)
    {
      const double *shape = templates + (gsize) k * (gsize) n;
      double product = 0, square = 0, own = 0, rest;

      for (int i = 0; i < n; i++)
        {
          product += curve[i] * shape[i];
          square += shape[i] * shape[i];
          own += curve[i] * curve[i];
        }
      if (product <= 0)
        continue;
      rest = own - product * product / square - noise * noise * n;
      best = MIN (best, sqrt (MAX (rest, 0) / own));
    }
  return best;
}

/* The area under CURVE divided by that under the artery's curve.  If the samples are neither CT
 * numbers nor concentrations, each enhancement is first divided by its baseline. */
static double
relative_area (const VgPerfusionSearch *self, const double *curve, double base)
{
  const VgPerfusionVoxels *voxels = self->voxels;
  int signal = voxels->study->params->signal;
  double own = 0, artery = 0;

  for (int i = 1; i < voxels->n; i++)
    {
      own += curve[i] * (voxels->times_s[i] - voxels->times_s[i - 1]);
      artery += self->artery->curve[i] * (voxels->times_s[i] - voxels->times_s[i - 1]);
    }
  if (signal >= VG_PERFUSION_SIGNAL_CT)
    return own / artery;
  /* Nearly black voxels have no baseline to divide by. */
  return base > 0.05 * self->artery->base ? own / base / (artery / self->artery->base) : NAN;
}

/* ---- Candidates ---- */

static gboolean
stands_out (const VgPerfusionVoxels *voxels, gsize i)
{
  return !vg_context_is_stopped (voxels->context) && isfinite (voxels->base[i]) &&
         voxels->peak[i] > 0 && voxels->peak[i] >= (float) CONTRAST * voxels->noise[i];
}

/* The value below which PART of the N VALUES lie. */
static double
quantile (float *values, gsize n, double part)
{
  vg_sort_floats (values, n);
  return (double) values[(gsize) (part * (double) (n - 1))];
}

/* The height of the highest peaks, without a few outliers; 0: there is no candidate. */
static double
highest_peak (const VgPerfusionSearch *self)
{
  float *peaks = self->voxels->values;
  gsize n = 0;

  for (gsize i = 0; i < self->all; i++)
    if (stands_out (self->voxels, i))
      peaks[n++] = self->voxels->peak[i];
  if (n == 0)
    return 0;
  vg_sort_floats (peaks, n);
  return (double) peaks[n - 1 - MIN (n - 1, 2 + n / 10000)];
}

/* When the high curves begin to rise. */
static double
earliest_rise (const VgPerfusionSearch *self, double high)
{
  float *halves = self->voxels->values;
  gsize n = 0;

  for (gsize i = 0; i < self->all; i++)
    if (stands_out (self->voxels, i) && (double) self->voxels->peak[i] >= ARTERY_HEIGHT * high)
      halves[n++] = self->voxels->half_s[i];
  return n > 0 ? quantile (halves, n, 0.1) : NAN;
}

/* Whether the last quarter of the curve is well below its peak. */
static gboolean
washes_out (const VgPerfusionVoxels *voxels, const double *curve, double peak)
{
  double sum = 0;
  int from = voxels->n - voxels->n / 4;

  for (int i = from; i < voxels->n; i++)
    sum += curve[i] / (voxels->n - from);
  return sum <= ARTERY_REST * peak;
}

void
vg_perfusion_score_arteries (VgPerfusionSearch *self)
{
  const VgPerfusionVoxels *voxels = self->voxels;
  double high = highest_peak (self), early = earliest_rise (self, high),
         latest = early + MAX (1.5 * self->interval_s, 3);

#pragma omp parallel num_threads(voxels->study->threads)
  {
    g_autofree double *curve = g_new (double, voxels->n);

#pragma omp for
    for (gsize i = 0; i < self->all; i++)
      {
        double peak = (double) voxels->peak[i];

        self->score[i] = 0;
        if (stands_out (voxels, i) && peak >= ARTERY_HEIGHT * high &&
            (double) voxels->half_s[i] <= latest && vg_perfusion_voxels_read (voxels, i, curve) &&
            washes_out (voxels, curve, peak))
          self->score[i] = (float) MIN (peak, 1.2 * high);
      }
  }
}

/* The portal vein: shaped like the AIF after the gut, later than the artery, with as much contrast
 * agent. */
void
vg_perfusion_score_veins (VgPerfusionSearch *self)
{
  enum { SHIFTS = 10 };
  const VgPerfusionVoxels *voxels = self->voxels;
  int n = voxels->n;
  g_autofree double *expected = g_new (double, n), *shapes = g_new (double, SHIFTS *(gsize) n);
  double begin = self->artery->half_s;

  vg_perfusion_disperse (n, voxels->times_s, self->artery->curve, expected);
  for (int k = 0; k < SHIFTS; k++)
    shift (voxels, expected, 1.5 * (k - 3), shapes + (gsize) k * (gsize) n);
#pragma omp parallel num_threads(voxels->study->threads)
  {
    g_autofree double *curve = g_new (double, n);

#pragma omp for
    for (gsize i = 0; i < self->all; i++)
      {
        double area, shape, half = (double) voxels->half_s[i];

        self->score[i] = 0;
        if (!stands_out (voxels, i) || self->artery->member[i] || half < begin + VEIN_EARLIEST_S ||
            half > begin + VEIN_LATEST_S || !vg_perfusion_voxels_read (voxels, i, curve))
          continue;
        area = relative_area (self, curve, (double) voxels->base[i]);
        if (!(area >= VEIN_AREA_LOW && area <= VEIN_AREA_HIGH))
          continue;
        shape = vg_perfusion_shape_difference (voxels, curve, (double) voxels->noise[i], shapes,
                                               SHIFTS);
        if (shape <= VEIN_SHAPE)
          self->score[i] = (float) ((1 - shape) * MIN (area, 1));
      }
  }
}

void
vg_perfusion_score_liver (VgPerfusionSearch *self)
{
  enum { SHIFTS = 8 };
  const VgPerfusionVoxels *voxels = self->voxels;
  int n = voxels->n;
  g_autofree double *vein = g_new (double, n), *tissue = g_new (double, n),
                    *shapes = g_new (double, SHIFTS *(gsize) n);

  if (self->portal != NULL)
    memcpy (vein, self->portal->curve, sizeof *vein * (gsize) n);
  else
    vg_perfusion_disperse (n, voxels->times_s, self->artery->curve, vein);
  for (int i = 0; i < n; i++)
    vein[i] = LIVER_ARTERY * self->artery->curve[i] + (1 - LIVER_ARTERY) * vein[i];
  pass_compartment (voxels, vein, LIVER_MTT_S, tissue);
  for (int k = 0; k < SHIFTS; k++)
    shift (voxels, tissue, 1.5 * (k - 2), shapes + (gsize) k * (gsize) n);
#pragma omp parallel num_threads(voxels->study->threads)
  {
    g_autofree double *curve = g_new (double, n);

#pragma omp for
    for (gsize i = 0; i < self->all; i++)
      {
        double area, shape;

        self->score[i] = 0;
        if (!stands_out (voxels, i) || self->artery->member[i] ||
            (self->portal != NULL && self->portal->member[i]) ||
            !vg_perfusion_voxels_read (voxels, i, curve))
          continue;
        area = relative_area (self, curve, (double) voxels->base[i]);
        shape = vg_perfusion_shape_difference (voxels, curve, (double) voxels->noise[i], shapes,
                                               SHIFTS);
        if (area >= LIVER_AREA && shape <= LIVER_SHAPE)
          self->score[i] = (float) (1 - shape);
      }
  }
}
