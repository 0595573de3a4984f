/* SPDX-License-Identifier: MIT */
#include "lifetime-plan.h"
#include "lifetime-shift.h"
#include <string.h>

/* Whether only one end of the range is given by hand, and the other is found. */
static gboolean
finds_other_end (const VgLifetimeParams *params)
{
  return params->range == VG_LIFETIME_RANGE_MANUAL && (params->fit_start_ns > 0.0f) != (params->fit_end_ns > 0.0f);
}

static gboolean
takes_phasors (const VgLifetimeParams *params)
{
  return params->method == VG_LIFETIME_PHASOR || params->method == VG_LIFETIME_PHASOR_BI;
}

gboolean
vg_lifetime_plan_needs_decay (const VgLifetimeParams *params)
{
  return params->range == VG_LIFETIME_RANGE_AUTO || finds_other_end (params) || params->irf_kind != VG_LIFETIME_IRF_NONE || takes_phasors (params);
}

gboolean
vg_lifetime_says_width (const VgImageInfo *info)
{
  return info->bin_width_ns >= 1e-6 && info->bin_width_ns <= 1e4;
}

void
vg_lifetime_simpson (double *weights,
                     int     n)
{
  int odd = n % 2 == 1 ? n : n - 3;

  for (int j = 0; j < n; j++)
    weights[j] = 0.0;
  if (n < 3)
    {
      for (int j = 0; j < n; j++)
        weights[j] = n == 1 ? 1.0 : 0.5;
      return;
    }
  for (int j = 0; j + 2 < odd; j += 2)
    {
      weights[j] += 1.0 / 3.0;
      weights[j + 1] += 4.0 / 3.0;
      weights[j + 2] += 1.0 / 3.0;
    }
  if (n % 2 == 0)
    for (int j = 0; j < 4; j++)
      weights[n - 4 + j] += j == 0 || j == 3 ? 0.375 : 1.125;
}

gboolean
vg_lifetime_takes_rise (const VgLifetimeParams *params)
{
  switch (params->method)
    {
    case VG_LIFETIME_IEM:
    case VG_LIFETIME_RLD:
    case VG_LIFETIME_BCMM:
    case VG_LIFETIME_MLE_STRETCHED:
      return FALSE;
    default:
      return TRUE;
    }
}

static void
choose_range (VgLifetimePlan *self, const VgLifetimeParams *params, const double *decay)
{
  int n = self->bins, start = 0, end = n;

  if (params->range == VG_LIFETIME_RANGE_AUTO || finds_other_end (params))
    {
      vg_lifetime_find_tail (decay, n, &start, &end);
      if (self->irf != NULL && vg_lifetime_takes_rise (params))
        start = MIN (vg_lifetime_find_rise (decay, n), start);
    }
  if (params->range == VG_LIFETIME_RANGE_MANUAL && params->fit_start_ns > 0.0f)
    start = (int) CLAMP (rint (params->fit_start_ns / self->h), 0.0, n - 1.0);
  if (params->range == VG_LIFETIME_RANGE_MANUAL && params->fit_end_ns > 0.0f)
    end = (int) CLAMP (rint (params->fit_end_ns / self->h), 1.0, (double) n);
  if (end <= start)   /* what is found lies on the other side of what is set */
    {
      end = params->fit_end_ns > 0.0f ? end : n;
      start = MIN (start, end - 1);
    }
  self->start = start;
  self->end = end;
}

static int
gate_bins (double ns, double h, int most)
{
  return (int) CLAMP (rint (ns / h), 1.0, (double) MAX (most, 1));
}

static int
compare_events (const void *a, const void *b)
{
  const VgLifetimeEvent *x = a, *y = b;

  return x->bin != y->bin ? (x->bin > y->bin) - (x->bin < y->bin) : x->sum - y->sum;
}

static void
set_events (VgLifetimePlan *self)
{
  int n = self->end - self->start, iem = self->finish.iem_gate, rld = self->finish.rld_gate, gates = n / iem;
  int bins[VG_LIFETIME_N_EVENTS] = {
    [VG_LIFETIME_SUM_TOTAL] = self->bins,
    [VG_LIFETIME_SUM_TO_START] = self->start,
    [VG_LIFETIME_SUM_TO_SECOND] = self->start + 1,
    [VG_LIFETIME_SUM_TO_END] = self->end,
    [VG_LIFETIME_SUM_IEM_FIRST] = self->start + iem,
    [VG_LIFETIME_SUM_IEM_LAST] = self->start + (gates - 1) * iem,
    [VG_LIFETIME_SUM_IEM_END] = self->start + gates * iem,
    [VG_LIFETIME_SUM_GATE_1] = self->start + rld,
    [VG_LIFETIME_SUM_GATE_2] = self->start + 2 * rld,
    [VG_LIFETIME_SUM_GATE_3] = self->start + 3 * rld,
  };

  for (int i = 0; i < VG_LIFETIME_N_EVENTS; i++)
    self->events[i] = (VgLifetimeEvent) { MIN (bins[i], self->bins), i };
  qsort (self->events, VG_LIFETIME_N_EVENTS, sizeof *self->events, compare_events);
}

static void
set_weights (VgLifetimePlan *self, float *weights)
{
  int n = self->end - self->start, gate = self->finish.iem_gate, gates = n / gate;
  g_autofree double *simpson = g_new0 (double, n), *coarse = g_new0 (double, gates);

  vg_lifetime_simpson (simpson, n);
  vg_lifetime_simpson (coarse, gates);
  for (int i = 0; i < VG_LIFETIME_N_EVENTS; i++)
    if (self->events[i].bin < self->bins)
      weights[(gsize) self->events[i].bin * VG_LIFETIME_WEIGHT_STRIDE + VG_LIFETIME_N_WEIGHTS] = 1.0f;
  for (int j = 0; j < self->bins; j++)
    {
      float *w = weights + (gsize) j * VG_LIFETIME_WEIGHT_STRIDE - VG_LIFETIME_N_EVENTS;
      double phase = self->finish.omega * self->h * (j + 0.5);
      int k = j - self->start;

      w[VG_LIFETIME_SUM_COS] = (float) cos (phase);
      w[VG_LIFETIME_SUM_SIN] = (float) sin (phase);
      if (k < 0 || k >= n)
        continue;
      w[VG_LIFETIME_SUM_TIME] = (float) k;
      if (k / gate < gates)
        w[VG_LIFETIME_SUM_IEM] = (float) coarse[k / gate];
      w[VG_LIFETIME_SUM_B0] = (float) simpson[k];
      w[VG_LIFETIME_SUM_B1] = (float) (simpson[k] * k);
      w[VG_LIFETIME_SUM_B2] = (float) (simpson[k] * 0.5 * k * k);
    }
}

/* The sums of a histogram of ones, for a constant background. */
static void
set_ones (VgLifetimePlan *self)
{
  double *ones = self->finish.ones;

  memset (ones, 0, sizeof self->finish.ones);
  for (int i = 0; i < VG_LIFETIME_N_EVENTS; i++)
    ones[self->events[i].sum] = self->events[i].bin;
  for (int j = 0; j < self->bins; j++)
    for (int i = 0; i < VG_LIFETIME_N_WEIGHTS; i++)
      ones[VG_LIFETIME_N_EVENTS + i] += self->weights[(gsize) j * VG_LIFETIME_WEIGHT_STRIDE + i];
}

/* Solves mean bin = M for x by Newton within brackets, from HIGH down. */
static double
solve_mean (double m, double n, gboolean continuous, double high)
{
  double low = 0.0, x = high;

  for (int i = 0; i < 200; i++)
    {
      double slope, f = vg_lifetime_cmm_mean (x, n, continuous, &slope) - m, next;

      if (f > 0.0)   /* the mean falls with x */
        low = x;
      else
        high = x;
      next = x - f / slope;
      if (!(next > low) || !(next < high))
        next = 0.5 * (low + high);
      if (fabs (next - x) < 1e-12 * x)
        return next;
      x = next;
    }
  return x;
}

static void
set_table (VgLifetimePlan *self)
{
  gboolean continuous = self->finish.irf;
  double n = continuous ? self->finish.bins - self->finish.origin : self->finish.bins;
  double middle = 0.5 * (continuous ? n : n - 1.0), span = continuous ? 1.0 : 1.0 - 1.0 / (n * n);

  double x = HUGE_VAL;

  self->table[0] = 1.0;
  for (int i = 1; i < VG_LIFETIME_CMM_CELLS; i++)
    {
      double y = (double) i / VG_LIFETIME_CMM_CELLS, m = y * middle, base = vg_lifetime_cmm_base (m, n, continuous);

      x = solve_mean (m, n, continuous, MIN (x, base));
      self->table[i] = x / (base * (1.0 - y));
    }
  self->table[VG_LIFETIME_CMM_CELLS] = 12.0 * middle / (n * span) / vg_lifetime_cmm_base (middle, n, continuous);
}

static void
set_phasor_of_irf (VgLifetimePlan *self, const VgLifetimeCurve *measured)
{
  VgLifetimeFinish *finish = &self->finish;
  double g = 0.0, s = 0.0, total = 0.0, w;

  finish->irf_g = 1.0;
  finish->irf_s = 0.0;
  if (self->irf == NULL)
    return;
  if (finish->params.irf_kind != VG_LIFETIME_IRF_MEASURED || !(finish->params.irf_lifetime_ns > 0.0f))
    measured = NULL;
  for (int j = 0; j < (measured != NULL ? measured->n : self->bins); j++)
    {
      double value = measured != NULL ? measured->counts[j] : self->irf[j];
      double phase = measured != NULL ? finish->omega * ((j + 0.5) * (measured->h > 0.0 ? measured->h : self->h) + finish->params.irf_shift_ns)
                                      : finish->omega * self->h * (j + 0.5);

      g += value * cos (phase);
      s += value * sin (phase);
      total += value;
    }
  finish->irf_g = g / total;
  finish->irf_s = s / total;
  if (measured == NULL)
    return;
  /* the dye's phasor is the response's / (1 - i w): taken out here, not bin by noisy bin */
  w = finish->omega * finish->params.irf_lifetime_ns;
  finish->irf_g = (g + w * s) / total;
  finish->irf_s = (s - w * g) / total;
}

static void
set_finish (VgLifetimePlan *self, const VgLifetimeParams *params, const VgImageInfo *info)
{
  VgLifetimeFinish *finish = &self->finish;
  int n = self->end - self->start;

  finish->params = *params;
  finish->phasor = NULL;
  finish->width = info->width;
  finish->height = info->height;
  finish->bins = n;
  finish->h = self->h;
  finish->omega = 2.0 * G_PI * params->harmonic / self->period_ns;
  finish->background = params->background;
  finish->iem_gate = gate_bins (params->iem_gate_ns, self->h, n / 2);
  finish->rld_gate = gate_bins (params->rld_gate_ns, self->h, n / (params->rld_gates == VG_LIFETIME_RLD_THREE ? 3 : 2));
  finish->irf = self->irf != NULL && vg_lifetime_takes_rise (params) && self->irf_mean > self->start - 1.0 && self->irf_mean < self->end - 1.0;
  finish->calibrated = self->irf != NULL;
  finish->origin = finish->irf ? self->irf_mean - self->start : 0.0;
}

static int
find_peak (const double *values, int n)
{
  int peak = 0;

  for (int j = 1; j < n; j++)
    peak = values[j] > values[peak] ? j : peak;
  return peak;
}

/* The first bin of the rise to the peak that has a tenth of it; 0: the decay does not come up from less. */
static int
find_tenth (const double *decay, int n)
{
  int peak = find_peak (decay, n), low = peak;

  while (low > 0 && decay[low - 1] > 0.1 * decay[peak])
    low--;
  return low;
}

/* What the response does to the lifetimes, for the figures: whether it can be the one of these data, and what comes of having none. */
static void
judge_response (VgLifetimePlan *self, const VgLifetimeParams *params, const double *decay, const VgLifetimeCurve *measured)
{
  gboolean is_measured = self->irf != NULL && params->irf_kind == VG_LIFETIME_IRF_MEASURED;
  double window = self->bins * self->h;

  self->late_irf = is_measured && find_peak (self->irf, self->bins) > find_peak (decay, self->bins) + 1;
  self->irf_channel = is_measured ? measured->channel : 0;
  self->irf_channels = is_measured ? measured->channels : 0;
  self->raw_phasors = FALSE;
  if (self->irf != NULL || !vg_lifetime_plan_needs_decay (params))
    return;
  self->pulse_ns = find_tenth (decay, self->bins) * self->h;
  self->raw_phasors = self->pulse_ns > 0.01 * window || fabs (self->period_ns - window) > 0.01 * window;
}

/* What is counted before the pulse rises, between the bins that the electronics leave empty and its foot; as a share of the peak
 * less what the tail of the pulse before leaves there, where the laser period is known. */
static void
look_before_pulse (VgLifetimePlan *self, const double *decay, gboolean period_known)
{
  enum { LEAST = 6 };
  int peak = find_peak (decay, self->bins), low = find_tenth (decay, self->bins), from = 0, to, start, end;
  double sum = 0.0, left = 0.0, tau = vg_lifetime_tail_lifetime (decay, self->bins);

  while (from < low && decay[from] == 0.0)
    from++;
  from++;   /* the first may be half full */
  to = low - 2 * (peak - low) / 3 - 2;
  if (low == 0 || to - from < LEAST)
    return;
  vg_lifetime_find_tail (decay, self->bins, &start, &end);
  for (int j = from; j < to; j++)
    {
      sum += decay[j] / (to - from);
      left += decay[start] * exp (-(j + self->period_ns / self->h - start) / MAX (tau, 1e-3)) / (to - from);
    }
  self->before_pulse = sum / self->pixels;
  self->before_share = MAX (sum - (period_known ? left : 0.0), 0.0) / decay[peak];
}

/* Whether the table of the old finish serves the new one. */
static gboolean
same_table (const VgLifetimeFinish *a, const VgLifetimeFinish *b)
{
  return a->irf == b->irf && (a->irf || a->bins == b->bins);
}

/* The pulse in this decay; the same decay again is not looked at again.  NULL: it has none. */
static const VgLifetimePulse *
estimate_pulse (VgLifetimePlan *self, const VgLifetimeParams *params, const double *decay)
{
  gsize bytes = sizeof (double) * (gsize) self->bins;
  double period = params->earlier_pulses ? self->period_ns / self->h : 1e6;

  if (self->seen == NULL || memcmp (self->seen, decay, bytes) != 0 || self->seen_period != period)
    {
      g_free (self->seen);
      self->seen = g_memdup2 (decay, bytes);
      self->seen_period = period;
      self->have_pulse = vg_lifetime_pulse_estimate (&self->pulse, decay, self->bins, period);
    }
  return self->have_pulse ? &self->pulse : NULL;
}

/* The response where it is set to lie, and the fit range; *PARAMS: with the shift that was found. */
static void
place_response (VgLifetimePlan *self, VgLifetimeParams *params, const double *decay, const VgLifetimeCurve *measured)
{
  gboolean fitted = vg_lifetime_shift_is_fitted (params);
  gboolean estimates = params->irf_kind == VG_LIFETIME_IRF_ESTIMATED || params->irf_kind == VG_LIFETIME_IRF_GAUSSIAN;
  const VgLifetimePulse *pulse = estimates ? estimate_pulse (self, params, decay) : NULL;

  g_clear_pointer (&self->irf, g_free);
  self->lacks_shift = FALSE;
  if (fitted)
    params->irf_shift_ns = 0.0f;
  if (params->irf_kind != VG_LIFETIME_IRF_NONE)
    self->irf = vg_lifetime_irf_new (params, decay, self->bins, self->h, measured, pulse, &self->irf_mean);
  choose_range (self, params, decay);
  if (fitted && self->irf != NULL)
    {
      double shift = vg_lifetime_shift_find (self, params, decay, measured, pulse);

      self->lacks_shift = isnan (shift);
      params->irf_shift_ns = self->lacks_shift ? 0.0f : (float) shift;
      g_free (self->irf);
      self->irf = vg_lifetime_irf_new (params, decay, self->bins, self->h, measured, pulse, &self->irf_mean);
    }
  self->lacks_irf = params->irf_kind != VG_LIFETIME_IRF_NONE && self->irf == NULL;
}

gboolean
vg_lifetime_plan_make (VgLifetimePlan         *self,
                       const VgLifetimeParams *params,
                       const VgImageInfo      *info,
                       const double           *decay,
                       const VgLifetimeCurve  *measured)
{
  gsize bytes = sizeof (float) * VG_LIFETIME_WEIGHT_STRIDE * (gsize) info->bins;
  g_autofree float *weights = g_malloc0 (bytes);
  VgLifetimeEvent events[VG_LIFETIME_N_EVENTS];
  VgLifetimeFinish before = self->finish;
  VgLifetimeParams used = *params;
  gboolean changed;

  memcpy (events, self->events, sizeof events);
  self->bins = (int) info->bins;
  self->pixels = (double) info->width * info->height * (double) info->slices;
  self->h = params->bin_width_ns;
  self->assumed_width = !vg_lifetime_says_width (info) && params->bin_width_ns == VG_LIFETIME_BIN_WIDTH_NS;
  self->period_ns = params->period_ns > 0.0f ? params->period_ns : self->bins * self->h;
  place_response (self, &used, decay, measured);
  judge_response (self, params, decay, measured);
  self->before_pulse = self->before_share = 0.0;
  if (vg_lifetime_plan_needs_decay (params))
    look_before_pulse (self, decay, params->period_ns > 0.0f);
  set_finish (self, &used, info);
  set_events (self);
  set_weights (self, weights);
  set_phasor_of_irf (self, measured);
  changed = self->weights == NULL || memcmp (weights, self->weights, bytes) != 0 || memcmp (events, self->events, sizeof events) != 0;
  if (changed)
    {
      g_free (self->weights);
      self->weights = g_steal_pointer (&weights);
    }
  set_ones (self);
  self->table_changed = self->table == NULL || !same_table (&before, &self->finish);
  if (self->table_changed)
    {
      if (self->table == NULL)
        self->table = g_new (double, VG_LIFETIME_CMM_CELLS + 1);
      set_table (self);
    }
  self->finish.table = self->table;
  return changed;
}

void
vg_lifetime_plan_clear (VgLifetimePlan *self)
{
  g_free (self->irf);
  g_free (self->seen);
  g_clear_pointer (&self->shift_key, g_bytes_unref);
  g_free (self->weights);
  g_free (self->table);
  memset (self, 0, sizeof *self);
}
