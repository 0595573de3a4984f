/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/plan/lifetime-irf.h"
#include "kernels/base/vg-error.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
/* The IRF in time bins.  The IRF of a dye with one lifetime, or of the data's own rising edge, is
 * the decay with that lifetime removed: D_j - r D_{j-1}.  A photon that follows its pulse by less
 * than a bin falls into the pulse's bin or the next, half each, so the result is half a bin late
 * and is moved back. */

void
vg_lifetime_curve_clear (VgLifetimeCurve *self)
{
  g_clear_pointer (&self->counts, g_free);
  self->n = self->channel = self->channels = 0;
}

gboolean
vg_lifetime_curve_load (VgLifetimeCurve *self, const VgImage *image, GError **error)
{
  gint64 pages = vg_image_info_pages (&image->info),
         bins = image->info.bins > 1 ? image->info.bins : pages;
  gsize pixels = vg_image_info_page_samples (&image->info);
  double sum = 0.0;

  vg_lifetime_curve_clear (self);
  if (image->data == NULL || bins < 2 || bins > VG_LIFETIME_MAX_BINS)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the IRF \"%s\" has %d time bins; choose a decay of 2 to %d bins",
                   image->name != NULL ? image->name : "", (int) MIN (bins, G_MAXINT),
                   (int) VG_LIFETIME_MAX_BINS);
      return FALSE;
    }
  self->n = (int) bins;
  self->h = image->info.bin_width_ns > 0.0 && isfinite (image->info.bin_width_ns)
                ? image->info.bin_width_ns
                : 0.0;
  self->channel = image->info.channel;
  self->channels = image->info.channels_available;
  self->counts = g_new0 (double, self->n);
  for (gint64 page = 0; page < pages; page++)
    for (gsize i = 0; i < pixels; i++)
      self->counts[page % bins] += vg_image_sample (image, (gsize) page * pixels + i);
  for (int j = 0; j < self->n; j++)
    sum += self->counts[j];
  if (sum > 0.0 && isfinite (sum))
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "the IRF \"%s\" has no photons; choose another one",
               image->name != NULL ? image->name : "");
  vg_lifetime_curve_clear (self);
  return FALSE;
}

/* D_j - r D_{j-1} within [from, to), with negative values set to 0. */
static double *
take_out (const double *decay, int n, double r, int from, int to)
{
  double *irf = g_new0 (double, n);

  for (int j = from; j < to; j++)
    irf[j] = MAX (decay[j] - (j > 0 ? r * decay[j - 1] : 0.0), 0.0);
  return irf;
}

static double *
edge_response (const double *decay, int n)
{
  int peak = vg_lifetime_find_peak (decay, n),
      rise = vg_lifetime_rise_from (decay, peak, 0.01 * decay[peak]), to;
  double tau = vg_lifetime_tail_lifetime (decay, n);

  /* as far after the peak as its foot lies before it */
  to = MIN (peak + MAX (peak - rise, 1), n);
  return take_out (decay, n, tau > 0.0 ? exp (-1.0 / tau) : 0.0, rise, to);
}

/* The pulse in the decay of a dye of LIFETIME (ns): D_j - r D_{j-1}, where the first bin lacks
 * the photons of the previous pulse.  Only the bins around the peak that exceed twice the noise
 * are used; elsewhere the positive half of the noise would remain.  A negative value there is
 * subtracted from the next bin towards the peak, which preserves sum and mean. */
static double *
dye_irf (const VgLifetimeCurve *curve, double lifetime, double period_ns)
{
  int n = curve->n, peak, reach = 1;
  double r = exp (-curve->h / lifetime), period = MAX (period_ns, n * curve->h);
  double *irf = g_new0 (double, n);
  g_autofree double *least = g_new (double, n);

  for (int j = 0; j < n; j++)
    {
      double left = j > 0 ? r * curve->counts[j - 1]
                          : curve->counts[n - 1] * exp (-(period - (n - 1) * curve->h) / lifetime);

      irf[j] = curve->counts[j] - left;
      least[j] = 2.0 * sqrt (MAX (curve->counts[j], 0.0) + r * MAX (left, 0.0));
    }
  peak = vg_lifetime_find_peak (irf, n);
  /* Two bins of noise on both sides end the pulse. */
  for (int j = 1, gap = 0; j < n && gap < 2; j++)
    {
      int a = peak - j, b = peak + j; /* Either may lie outside the window. */

      gap = (a >= 0 && irf[a] > MAX (least[a], 1e-3 * irf[peak])) ||
                    (b < n && irf[b] > MAX (least[b], 1e-3 * irf[peak]))
                ? 0
                : gap + 1;
      reach = gap == 0 ? j + 1 : reach;
    }
  for (int j = 0; j < n; j++)
    irf[j] = abs (j - peak) > reach ? 0.0 : irf[j];
  for (int j = MAX (peak - reach, 0); j < peak; j++)
    {
      irf[j + 1] += MIN (irf[j], 0.0);
      irf[j] = MAX (irf[j], 0.0);
    }
  for (int j = MIN (peak + reach, n - 1); j > peak; j--)
    {
      irf[j - 1] += MIN (irf[j], 0.0);
      irf[j] = MAX (irf[j], 0.0);
    }
  return irf;
}

/* The curve's counts around its peak, as far on both sides as the mean of three bins exceeds
 * SHARE of the peak's. */
static double *
trim_irf (const VgLifetimeCurve *curve, double share)
{
  const double *counts = curve->counts;
  int n = curve->n, peak = vg_lifetime_find_peak (counts, n), from = peak, to = peak;
  double least = 3.0 * share * counts[peak];
  double *irf = g_new0 (double, n);

  while (from > 1 && counts[from - 2] + counts[from - 1] + counts[from] > least)
    from--;
  while (to < n - 2 && counts[to] + counts[to + 1] + counts[to + 2] > least)
    to++;
  memcpy (irf + from, counts + from, sizeof (double) * (gsize) (to + 1 - from));
  return irf;
}

/* The photons of CURVE before time T, ns. */
static double
before (const VgLifetimeCurve *curve, const double *cumulative, double t)
{
  double x = CLAMP (t / curve->h, 0.0, (double) curve->n);
  int j = MIN ((int) x, curve->n - 1);

  return cumulative[j] + (x - j) * (cumulative[j + 1] - cumulative[j]);
}

/* CURVE delayed by SHIFT ns, resampled to N bins of H ns. */
static double *
resample (const VgLifetimeCurve *curve, double shift, int n, double h)
{
  g_autofree double *cumulative = g_new0 (double, curve->n + 1);
  double *out = g_new0 (double, n);

  for (int j = 0; j < curve->n; j++)
    cumulative[j + 1] = cumulative[j] + MAX (curve->counts[j], 0.0);
  for (int j = 0; j < n; j++)
    out[j] = before (curve, cumulative, (j + 1) * h - shift) -
             before (curve, cumulative, j * h - shift);
  return out;
}

/* Normalises to a sum of 1.  Returns FALSE if all bins are 0. */
static gboolean
normalise (double *irf, int n, double *mean)
{
  double sum = 0.0, moment = 0.0;

  for (int j = 0; j < n; j++)
    {
      sum += irf[j];
      moment += irf[j] * (j + 0.5);
    }
  if (!(sum > 0.0) || !isfinite (sum))
    return FALSE;
  for (int j = 0; j < n; j++)
    irf[j] /= sum;
  *mean = moment / sum;
  return TRUE;
}

static double *
gaussian (double centre, double sigma, int n)
{
  double *irf = g_new0 (double, n);

  for (int j = 0; j < n; j++)
    irf[j] = 0.5 *
             (erf ((j + 1 - centre) / (sigma * G_SQRT2)) - erf ((j - centre) / (sigma * G_SQRT2)));
  return irf;
}

double *
vg_lifetime_irf_new (const VgLifetimeParams *params, const double *decay, int n, double h,
                     const VgLifetimeCurve *measured, const VgLifetimePulse *pulse, double *mean)
{
  double shift = params->irf_shift_ns, centre = 0.0,
         sigma = MAX (params->irf_fwhm_ns / h / 2.3548200450309493, 1e-6);
  g_autofree double *raw = NULL;
  VgLifetimeCurve curve = { .n = n, .h = h };
  double *irf;

  if (params->irf_kind == VG_LIFETIME_IRF_MEASURED)
    {
      if (measured == NULL || measured->counts == NULL)
        return NULL;
      curve = *measured;
      curve.h = curve.h > 0.0 ? curve.h : h;
      if (params->irf_lifetime_ns > 0.0f)
        {
          curve.counts = raw = dye_irf (&curve, params->irf_lifetime_ns, params->period_ns);
          shift -= 0.5 * curve.h;
        }
      else if (params->irf_cut > 0.0f)
        curve.counts = raw = trim_irf (&curve, 0.01 * params->irf_cut);
      irf = resample (&curve, shift, n, h);
    }
  else if (params->irf_kind == VG_LIFETIME_IRF_ESTIMATED)
    {
      if (pulse == NULL)
        return NULL;
      irf = g_new (double, n);
      vg_lifetime_pulse_bins (pulse, shift / h, n, irf);
    }
  else if (params->irf_kind == VG_LIFETIME_IRF_GAUSSIAN && pulse != NULL)
    irf = gaussian (pulse->centre + pulse->tail + shift / h, sigma, n);
  else
    {
      curve.counts = raw = edge_response (decay, n);
      shift -= 0.5 * h;
      if (params->irf_kind == VG_LIFETIME_IRF_EDGE)
        irf = resample (&curve, shift, n, h);
      else
        {
          if (!normalise (raw, n, &centre))
            return NULL;
          irf = gaussian (centre + shift / h, sigma, n);
        }
    }
  if (normalise (irf, n, mean))
    return irf;
  g_free (irf);
  return NULL;
}
