/* SPDX-License-Identifier: MIT */
/* The weights of the sums, and the other tables that follow from the plan's bins. */
#include "kernels/lifetime/plan/lifetime-plan-private.h"
#include <string.h>

/* Weights of N equidistant samples whose weighted sum is the integral, in units of the spacing:
 * Simpson's rule, with the 3/8 rule at the end of an even number. */
static void
simpson_weights (double *weights, int n)
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

static int
compare_events (const void *a, const void *b)
{
  const VgLifetimeEvent *x = a, *y = b;

  return x->bin != y->bin ? (x->bin > y->bin) - (x->bin < y->bin) : x->sum - y->sum;
}

static void
set_events (VgLifetimePlan *self)
{
  int n = self->end - self->start, iem = self->finish.iem_gate, rld = self->finish.rld_gate,
      gates = n / iem;
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
    self->events[i] = (VgLifetimeEvent){ MIN (bins[i], self->bins), i };
  qsort (self->events, VG_LIFETIME_N_EVENTS, sizeof *self->events, compare_events);
}

static void
set_weights (VgLifetimePlan *self, float *weights)
{
  int n = self->end - self->start, gate = self->finish.iem_gate, gates = n / gate;
  g_autofree double *simpson = g_new0 (double, n), *coarse = g_new0 (double, gates);

  simpson_weights (simpson, n);
  simpson_weights (coarse, gates);
  for (int i = 0; i < VG_LIFETIME_N_EVENTS; i++)
    if (self->events[i].bin < self->bins)
      weights[(gsize) self->events[i].bin * VG_LIFETIME_WEIGHT_STRIDE + VG_LIFETIME_N_WEIGHTS] =
          1.0f;
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

/* Computes the sums of a decay with 1 count in each bin, to subtract a constant background. */
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

/* Solves mean bin = M for x by Newton's method within brackets, downwards from HIGH. */
static double
solve_mean (double m, double n, gboolean continuous, double high)
{
  double low = 0.0, x = high;

  for (int i = 0; i < 200; i++)
    {
      double slope, f = vg_lifetime_cmm_mean (x, n, continuous, &slope) - m, next;

      if (f > 0.0) /* the mean decreases with x */
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
compute_table (double *table, double n, gboolean continuous)
{
  double middle = 0.5 * (continuous ? n : n - 1.0), span = continuous ? 1.0 : 1.0 - 1.0 / (n * n);

  double x = HUGE_VAL;

  table[0] = 1.0;
  for (int i = 1; i < VG_LIFETIME_CMM_CELLS; i++)
    {
      double y = (double) i / VG_LIFETIME_CMM_CELLS, m = y * middle,
             base = vg_lifetime_cmm_base (m, n, continuous);

      x = solve_mean (m, n, continuous, MIN (x, base));
      table[i] = x / (base * (1.0 - y));
    }
  table[VG_LIFETIME_CMM_CELLS] = 12.0 * middle / (n * span) /
                                 vg_lifetime_cmm_base (middle, n, continuous);
}

/* The last table is kept, as computing one takes longer than the maps of a small image. */
static void
set_table (VgLifetimePlan *self)
{
  static GMutex lock;
  static double last[VG_LIFETIME_CMM_CELLS + 1], last_n;
  static gboolean last_continuous;
  gboolean continuous = self->finish.irf;
  double n = continuous ? self->finish.bins - self->finish.origin : self->finish.bins;

  g_mutex_lock (&lock);
  if (n != last_n || continuous != last_continuous)
    compute_table (last, n, continuous);
  last_n = n;
  last_continuous = continuous;
  memcpy (self->table, last, sizeof last);
  g_mutex_unlock (&lock);
}

/* Whether the table computed for A is valid for B. */
static gboolean
same_table (const VgLifetimeFinish *a, const VgLifetimeFinish *b)
{
  return a->irf == b->irf && (a->irf || a->bins == b->bins);
}

gboolean
vg_lifetime_plan_set_weights (VgLifetimePlan *self, const VgLifetimeFinish *before)
{
  gsize bytes = sizeof (float) * VG_LIFETIME_WEIGHT_STRIDE * (gsize) self->bins;
  g_autofree float *weights = g_malloc0 (bytes);
  VgLifetimeEvent events[VG_LIFETIME_N_EVENTS];
  gboolean changed;

  memcpy (events, self->events, sizeof events);
  set_events (self);
  set_weights (self, weights);
  changed = self->weights == NULL || memcmp (weights, self->weights, bytes) != 0 ||
            memcmp (events, self->events, sizeof events) != 0;
  if (changed)
    {
      g_free (self->weights);
      self->weights = g_steal_pointer (&weights);
    }
  set_ones (self);
  self->table_changed = self->table == NULL || !same_table (before, &self->finish);
  if (self->table_changed)
    {
      if (self->table == NULL)
        self->table = g_new (double, VG_LIFETIME_CMM_CELLS + 1);
      set_table (self);
    }
  self->finish.table = self->table;
  return changed;
}
