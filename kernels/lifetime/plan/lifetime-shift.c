/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/plan/lifetime-shift.h"
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include <math.h>
#include <string.h>

/* The deviance as a function of the shift. */
typedef struct
{
  VgLifetimePlan plan; /* a copy with the shifted IRF */
  VgLifetimeParams params;
  const double *decay;
  const VgLifetimeCurve *measured;
  const VgLifetimePulse *pulse;
  double deviance, shortest_ns; /* at the minimum */
} Search;

gboolean
vg_lifetime_shift_is_fitted (const VgLifetimeParams *params)
{
  if (params->irf_kind == VG_LIFETIME_IRF_NONE || params->irf_shift_by != VG_LIFETIME_SHIFT_FITTED)
    return FALSE;
  return vg_lifetime_uses_onset (params);
}

/* The settings of the fit that represents the method. */
static VgLifetimeParams
params_for (const VgLifetimeParams *params)
{
  VgLifetimeParams fit = *params;

  switch (params->method)
    {
    case VG_LIFETIME_MLE_TWO:
    case VG_LIFETIME_LSM_TWO:
      fit.method = VG_LIFETIME_MLE_TWO;
      break;
    case VG_LIFETIME_MLE_THREE:
      break;
    case VG_LIFETIME_PHASOR_TWO:
      fit.method = VG_LIFETIME_MLE_TWO;
      fit.offset = VG_LIFETIME_OFFSET_FITTED;
      break;
    default:
      fit.method = VG_LIFETIME_MLE;
      if (params->method != VG_LIFETIME_MLE && params->method != VG_LIFETIME_LSM)
        fit.offset = VG_LIFETIME_OFFSET_FITTED;
    }
  if (vg_lifetime_fit_finds (params->method) == 0)
    fit.know_1 = fit.know_2 = fit.know_3 = FALSE;
  return fit;
}

static double
deviance_at (Search *self, double shift)
{
  VgLifetimeFitting fitting = { 0 };
  double deviance = HUGE_VAL;

  self->params.irf_shift_ns = (float) shift;
  self->plan.irf = vg_lifetime_irf_new (&self->params, self->decay, self->plan.bins, self->plan.h,
                                        self->measured, self->pulse, &self->plan.irf_mean);
  if (self->plan.irf != NULL && vg_lifetime_fitting_make (&fitting, &self->params, &self->plan,
                                                          self->decay, self->plan.pixels))
    deviance = fitting.deviance;
  if (deviance < self->deviance)
    {
      self->deviance = deviance;
      self->shortest_ns = fitting.fit.start_ns[0];
    }
  vg_lifetime_fitting_clear (&fitting);
  g_clear_pointer (&self->plan.irf, g_free);
  return deviance;
}

/* The time at which VALUES reach half of their peak, in bins. */
static double
half_rise (const double *values, int n)
{
  int peak = 0, j;

  for (j = 1; j < n; j++)
    peak = values[j] > values[peak] ? j : peak;
  for (j = peak; j > 0 && values[j - 1] > 0.5 * values[peak];)
    j--;
  return j == 0 ? 0.0 : j - (values[j] - 0.5 * values[peak]) / (values[j] - values[j - 1]);
}

/* Searches from the shift that aligns the rising edges: in steps of a bin until the minimum is
 * bracketed, then by golden section to a fiftieth of a bin. */
static double
search (Search *self, double from)
{
  const double golden = 0.3819660112501051;
  double h = self->plan.h, x[3] = { from - h, from, from + h }, f[3];

  self->deviance = HUGE_VAL;
  for (int i = 0; i < 3; i++)
    f[i] = deviance_at (self, x[i]);
  for (int i = 0; i < 64 && (f[0] < f[1] || f[2] < f[1]); i++)
    {
      int down = f[0] < f[2] ? 0 : 2;
      double next = x[down] + (down == 0 ? -h : h);

      memmove (down == 0 ? x + 1 : x, down == 0 ? x : x + 1, 2 * sizeof *x);
      memmove (down == 0 ? f + 1 : f, down == 0 ? f : f + 1, 2 * sizeof *f);
      x[down] = next;
      f[down] = deviance_at (self, next);
    }
  while (x[2] - x[0] > 0.04 * h && isfinite (f[1]))
    {
      int side = x[1] - x[0] > x[2] - x[1] ? 0 : 2; /* the larger interval */
      double next = x[1] + golden * (x[side] - x[1]), value = deviance_at (self, next);

      if (value < f[1])
        {
          x[2 - side] = x[1];
          f[2 - side] = f[1];
          x[1] = next;
          f[1] = value;
        }
      else
        {
          x[side] = next;
          f[side] = value;
        }
    }
  return x[1];
}

/* An additional lifetime and a shift can compensate each other.  If one more lifetime is shorter
 * than a bin, or improves the fit no more than noise would, the shift of the fit without it is
 * used.  Known lifetimes are never dropped. */
static double
search_fewer (Search *self, double from)
{
  /* Noise lowers the deviance by more with two parameters in one case of 55. */
  const double noise = 8.0;
  double shift = search (self, from);

  while ((self->params.method == VG_LIFETIME_MLE_THREE ||
          self->params.method == VG_LIFETIME_MLE_TWO) &&
         !self->params.know_1 && !self->params.know_2 && !self->params.know_3)
    {
      double deviance = self->deviance, shortest = self->shortest_ns, other;

      self->params.method = self->params.method == VG_LIFETIME_MLE_THREE ? VG_LIFETIME_MLE_TWO
                                                                         : VG_LIFETIME_MLE;
      other = search (self, from);
      if (shortest >= self->plan.h && self->deviance - deviance > noise)
        break;
      shift = other;
    }
  return shift;
}

/* The bytes of everything that the shift depends on. */
static GBytes *
key_of (const Search *self)
{
  struct
  {
    int method, start, end, period, offset;
    gboolean known[3];
    float background, value[3];
    double h;
  } key;
  const VgLifetimeParams *params = &self->params;
  const VgLifetimePlan *plan = &self->plan;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  memset (&key, 0, sizeof key);
  key.method = params->method;
  key.start = plan->start;
  key.end = plan->end;
  key.period = vg_lifetime_fitting_period (params, plan->bins);
  key.offset = params->offset;
  key.background = params->background;
  key.h = plan->h;
  for (int i = 0; i < 3; i++)
    {
      key.known[i] = (const gboolean[]){ params->know_1, params->know_2, params->know_3 }[i];
      key.value[i] = (const float[]){ params->known_1_ns, params->known_2_ns,
                                      params->known_3_ns }[i];
    }
  g_byte_array_append (bytes, (const guint8 *) &key, sizeof key);
  g_byte_array_append (bytes, (const guint8 *) plan->irf, sizeof (double) * (guint) plan->bins);
  g_byte_array_append (bytes, (const guint8 *) self->decay, sizeof (double) * (guint) plan->bins);
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

double
vg_lifetime_shift_find (VgLifetimePlan *plan, const VgLifetimeParams *params, const double *decay,
                        const VgLifetimeCurve *measured, const VgLifetimePulse *pulse)
{
  Search self = { .plan = *plan,
                  .params = params_for (params),
                  .decay = decay,
                  .measured = measured,
                  .pulse = pulse };
  int rise = vg_lifetime_find_onset (decay, plan->bins);
  g_autoptr (GBytes) key = NULL;

  if (rise == 0)
    return NAN;
  self.plan.start = MIN (plan->start, rise);
  key = key_of (&self);
  if (plan->shift_key != NULL && g_bytes_equal (key, plan->shift_key))
    return plan->shift_ns;
  plan->shift_ns = search_fewer (
      &self, (half_rise (decay, plan->bins) - half_rise (plan->irf, plan->bins)) * plan->h);
  g_clear_pointer (&plan->shift_key, g_bytes_unref);
  plan->shift_key = g_steal_pointer (&key);
  return plan->shift_ns;
}
