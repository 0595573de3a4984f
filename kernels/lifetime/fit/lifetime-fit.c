/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/fit/lifetime-fit-private.h"
#include <math.h>
#include <string.h>
/* The preparation of a fit, and the decay that a result describes. */

/* The number of free parameters of a pixel. */
static int
count_parameters (const VgLifetimeFit *self)
{
  int n = self->stretched ? 3 : 2 * self->terms;

  for (int i = 0; i < self->terms; i++)
    n -= self->fixed[i] ? 1 : 0;
  return n + (self->free_offset ? 1 : 0);
}

static gboolean
take_irf (VgLifetimeFit *self, const float *irf, int bins, float *buffer, GError **error)
{
  double sum = 0;

  if (bins > self->period)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the IRF has %d bins, but the laser period has only %d; cut the IRF, or set the "
                   "laser period",
                   bins, self->period);
      return FALSE;
    }
  for (int i = 0; i < bins; i++)
    sum += irf[i];
  if (!(sum > 0) || !isfinite (sum))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the IRF has no counts; choose another one");
      return FALSE;
    }
  self->irf_first = bins;
  self->irf_end = 0;
  for (int i = 0; i < self->period; i++)
    {
      buffer[i] = i < bins ? (float) (irf[i] / sum) : 0.0f;
      if (buffer[i] == 0.0f)
        continue;
      self->irf_first = MIN (self->irf_first, i);
      self->irf_end = i + 1;
    }
  self->irf = buffer;
  return TRUE;
}

static gboolean
check (const VgLifetimeFit *self, GError **error)
{
  int bins = self->end - self->first, parameters = count_parameters (self);

  if (bins <= parameters)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the fit range has %d bins, too few for %d fit parameters; widen it, or fit "
                   "fewer lifetimes",
                   MAX (bins, 0), parameters);
      return FALSE;
    }
  for (int i = 0; i < self->terms; i++)
    if (self->fixed[i] && !(self->start_ns[i] >= self->min_ns && self->start_ns[i] <= self->max_ns))
      {
        g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                     "a known lifetime of %g ns is outside %g to %g ns, the range that bins of %g "
                     "ns can resolve",
                     self->start_ns[i], self->min_ns, self->max_ns, self->bin_width_ns);
        return FALSE;
      }
  return TRUE;
}

gboolean
vg_lifetime_fit_init (VgLifetimeFit *self, const float *irf, int irf_bins, float *irf_buffer,
                      GError **error)
{
  float range = self->bin_width_ns * (float) (self->end - self->first);

  if (self->stretched && irf != NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "a stretched exponential is fitted to the tail only; start the fit range after "
                   "the pulse, and set IRF model to None");
      return FALSE;
    }
  self->irf = NULL;
  self->period = MAX (self->period, self->end);
  if (irf != NULL && !take_irf (self, irf, irf_bins, irf_buffer, error))
    return FALSE;
  if (self->min_ns <= 0)
    self->min_ns = (self->stretched ? 0.01f : 0.25f) * self->bin_width_ns;
  if (self->max_ns <= 0)
    self->max_ns = 5.0f * range;
  if (self->max_passes <= 0)
    self->max_passes = 100;
  return check (self, error);
}

/* Gauss-Legendre points of each bin.  In the first bin t = h s^2 removes the root in t^beta. */
void
vg_lifetime_fit_nodes (const VgLifetimeFit *self, float *nodes)
{
  static const double place[] = { 0.1127016653792583, 0.5, 0.8872983346207417 },
                      weight[] = { 5.0 / 18, 8.0 / 18, 5.0 / 18 };

  for (int j = 0; j < self->end - self->first; j++)
    for (int i = 0; i < VG_LIFETIME_NODES; i++)
      {
        double t = self->delay + (j > 0 ? j + place[i] : place[i] * place[i]);

        *nodes++ = (float) log (t * self->bin_width_ns);
        *nodes++ = (float) (j > 0 ? weight[i] : 2 * place[i] * weight[i]);
      }
}

/* The mean of [first, end); 0 if there are no bins. */
static double
mean_of (const double *decay, int first, int end)
{
  double sum = 0.0;

  for (int j = first; j < end; j++)
    sum += decay[j];
  return end > first ? sum / (end - first) : 0.0;
}

double
vg_lifetime_fit_offset (const double *decay, const VgLifetimeBefore *before)
{
  return vg_lifetime_offset_of (mean_of (decay, before->first, before->end),
                                mean_of (decay, before->tail, before->tail_end), before->left);
}

#define OFFSETS(name, type)                                                                        \
  static void offsets_##name (const VgLifetimeCube *cube, gsize from, gsize to,                    \
                              const VgLifetimeBefore *before, float *offsets)                      \
  {                                                                                                \
    for (gsize i = from; i < to; i++)                                                              \
      {                                                                                            \
        const type *samples = (const type *) cube->samples + i * cube->pixel_stride;               \
        float sum = 0.0f, tail = 0.0f;                                                             \
        for (int j = before->first; j < before->end; j++)                                          \
          sum += (float) samples[(gsize) j * cube->bin_stride];                                    \
        for (int j = before->tail; j < before->tail_end; j++)                                      \
          tail += (float) samples[(gsize) j * cube->bin_stride];                                   \
        offsets[i] = (float) vg_lifetime_offset_of (                                               \
            sum / (float) (before->end - before->first),                                           \
            tail / (float) MAX (before->tail_end - before->tail, 1), before->left);                \
      }                                                                                            \
  }
OFFSETS (u8, guint8)
OFFSETS (u16, guint16)
OFFSETS (u32, guint32)
OFFSETS (f32, float)
#undef OFFSETS

void
vg_lifetime_fit_offsets (const VgLifetimeCube *cube, gsize from, gsize to,
                         const VgLifetimeBefore *before, float *offsets)
{
  switch (cube->type)
    {
    case VG_U8:
      offsets_u8 (cube, from, to, before, offsets);
      break;
    case VG_U16:
      offsets_u16 (cube, from, to, before, offsets);
      break;
    case VG_U32:
      offsets_u32 (cube, from, to, before, offsets);
      break;
    case VG_F32:
      offsets_f32 (cube, from, to, before, offsets);
      break;
    }
}

static void
stretched_curve (const VgLifetimeFit *self, const float *values, double *curve)
{
  const float *node = self->nodes;

  for (int j = self->first; j < self->end; j++)
    for (int i = 0; i < VG_LIFETIME_NODES; i++, node += 2)
      curve[j] += values[VG_LIFETIME_FIT_AMPLITUDE] * node[1] *
                  exp (-pow (exp ((double) node[0]) / values[VG_LIFETIME_FIT_LIFETIME_1],
                             values[VG_LIFETIME_FIT_EXPONENT]));
}

/* Adds an exponential of A counts per bin at its start and lifetime TAU. */
static void
add_exponential (const VgLifetimeFit *self, double a, double tau, double *curve)
{
  double theta = self->bin_width_ns / tau, q = exp (-theta), share = -expm1 (-theta) / theta, c = 0;

  if (self->irf == NULL)
    {
      for (int j = self->first; j < self->end; j++)
        curve[j] += a * share * exp (-theta * (j - self->first));
      return;
    }
  for (int i = 0; i < self->period; i++)
    c = q * c + self->irf[i];
  c /= -expm1 (-theta * self->period);
  for (int j = 0; j < self->end; j++)
    {
      c = q * c + self->irf[j];
      curve[j] += a * share * c;
    }
}

/* Lifetimes at a bound are missing values.  Uses the bounds with which the mean lifetime is
 * reproduced. */
static void
set_limits (const VgLifetimeFit *self, const float *values, const double *share, double *tau)
{
  double least = INFINITY, found[VG_LIFETIME_MAX_TERMS] = { 0 };

  for (int limits = 0; limits < 1 << self->terms; limits++)
    {
      double mean = 0, trial[VG_LIFETIME_MAX_TERMS];

      for (int i = 0; i < self->terms; i++)
        {
          trial[i] = !isnan (tau[i]) ? tau[i] : limits >> i & 1 ? self->max_ns : self->min_ns;
          mean += share[i] * trial[i];
        }
      mean = fabs (mean - values[VG_LIFETIME_FIT_MEAN_AMPLITUDE]);
      if (!(mean < least))
        continue;
      least = mean;
      memcpy (found, trial, sizeof found);
    }
  for (int i = 0; i < self->terms && least < INFINITY; i++)
    if (isnan (tau[i]) && share[i] > 0)
      tau[i] = found[i];
}

void
vg_lifetime_fit_curve (const VgLifetimeFit *self, const float *values, double *curve)
{
  double a = values[VG_LIFETIME_FIT_AMPLITUDE], rest = 1, share[VG_LIFETIME_MAX_TERMS],
         tau[VG_LIFETIME_MAX_TERMS];

  for (int j = 0; j < self->end; j++)
    curve[j] = self->irf == NULL && j < self->first ? NAN : values[VG_LIFETIME_FIT_OFFSET];
  if (self->stretched)
    {
      stretched_curve (self, values, curve);
      return;
    }
  for (int i = 0; i < self->terms; i++)
    {
      tau[i] = values[VG_LIFETIME_FIT_LIFETIME_1 + i];
      share[i] = i < self->terms - 1 ? values[VG_LIFETIME_FIT_FRACTION_1 + i] : rest;
      rest -= share[i];
    }
  set_limits (self, values, share, tau);
  for (int i = 0; i < self->terms; i++)
    {
      if (!isnan (tau[i]))
        add_exponential (self, a * share[i], tau[i], curve);
      else if (isnan (a))
        for (int j = 0; j < self->end; j++)
          curve[j] = NAN;
    }
}
