/* SPDX-License-Identifier: MIT */
/* A vessel in a profile, by the method of Levenberg and Marquardt. */
#include "app/profile/vg-vessel-width.h"
#include <math.h>

enum {
  LEAST_VALUES = 8,
  MOST_VALUES = 512, /* longer profiles are averaged */
  MOST_STEPS = 60,   /* of the fit */
  MARGIN = 1,        /* values beyond each edge */
  SHORT = 20,        /* values of a line for which least_ratio holds */
};

enum { LEVEL, SLOPE, HEIGHT, CENTRE, LOG_WIDTH, LOG_BLUR, N_PARAMS };

static const double least_gain = 25;      /* of a vessel, in variances of the noise: 5 sigma */
static const double least_ratio = 22;     /* of the gain to the squared residuals */
static const double smallest = 1e-9;      /* difference that is not rounding, relative */
static const double largest_error = 0.25; /* of the width */

typedef struct
{
  int n;
  double end;                            /* x of the last value */
  double x[MOST_VALUES], y[MOST_VALUES]; /* Y: logarithms if `positive` */
  gboolean positive;
  double scale; /* mean size of the values */
} Profile;

typedef struct
{
  double p[N_PARAMS];
  double sum; /* of the squared residuals */
} Fit;

/* Averages as many neighbours as needed; returns the number of values in each mean. */
static int
gather (Profile *self, const double *values, int n)
{
  const int part = MAX ((n + MOST_VALUES - 1) / MOST_VALUES, 1);
  double all = 0;

  self->n = 0;
  self->positive = TRUE;
  for (int i = 0; i + part <= n; i += part)
    {
      double sum = 0;
      int counted = 0;

      for (int k = i; k < i + part; k++)
        if (isfinite (values[k]))
          {
            sum += values[k];
            counted++;
          }
      if (counted == 0)
        continue;
      self->x[self->n] = (double) (i / part);
      self->y[self->n] = sum / counted;
      self->positive = self->positive && sum > 0;
      all += fabs (sum / counted);
      self->n++;
    }
  self->end = self->n > 0 ? self->x[self->n - 1] : 0;
  self->scale = all / MAX (self->n, 1);
  for (int i = 0; self->positive && i < self->n; i++)
    self->y[i] = log (self->y[i]);
  return part;
}

/* ---- the model ---- */

/* The value, at distance X from its middle, of a box of WIDTH with edges of BLUR; 1 inside. */
static double
box (double x, double width, double blur)
{
  const double scale = 1 / (G_SQRT2 * blur), half = width / 2;

  return (erf ((x + half) * scale) - erf ((x - half) * scale)) / (2 * erf (half * scale));
}

static double
model (const Profile *self, const double *p, double x, double shape)
{
  return p[LEVEL] + p[SLOPE] * (x / self->end - 0.5) + p[HEIGHT] * shape;
}

/* Residuals of P and, if DERIVATIVES is not NULL, the derivatives of the model. */
static double
compare (const Profile *self, const double *p, double *residuals, double (*derivatives)[N_PARAMS])
{
  const double width = exp (p[LOG_WIDTH]), blur = exp (p[LOG_BLUR]), small = 1e-4,
               floor = smallest * self->scale;
  double sum = 0;

  for (int i = 0; i < self->n; i++)
    {
      const double x = self->x[i] - p[CENTRE], shape = box (x, width, blur),
                   value = model (self, p, self->x[i], shape),
                   kept = self->positive ? MAX (value, floor) : value,
                   inner = !self->positive ? 1
                           : value > floor ? 1 / value
                                           : 0;

      residuals[i] = self->y[i] - (self->positive ? log (kept) : kept);
      sum += residuals[i] * residuals[i];
      if (derivatives == NULL)
        continue;
      derivatives[i][LEVEL] = inner;
      derivatives[i][SLOPE] = inner * (self->x[i] / self->end - 0.5);
      derivatives[i][HEIGHT] = inner * shape;
      derivatives[i][CENTRE] = inner * p[HEIGHT] *
                               (box (x - small, width, blur) - box (x + small, width, blur)) /
                               (2 * small);
      derivatives[i][LOG_WIDTH] = inner * p[HEIGHT] * (box (x, width * (1 + small), blur) - shape) /
                                  small;
      derivatives[i][LOG_BLUR] = inner * p[HEIGHT] * (box (x, width, blur * (1 + small)) - shape) /
                                 small;
    }
  return sum;
}

/* Solves A X = B, both overwritten; FALSE: A is singular. */
static gboolean
solve (double a[N_PARAMS][N_PARAMS], double *b, int n)
{
  for (int i = 0; i < n; i++)
    {
      int best = i;

      for (int k = i + 1; k < n; k++)
        if (fabs (a[k][i]) > fabs (a[best][i]))
          best = k;
      if (!(fabs (a[best][i]) > 0))
        return FALSE;
      for (int k = 0; k < n; k++)
        {
          const double kept = a[i][k];

          a[i][k] = a[best][k];
          a[best][k] = kept;
        }
      const double right = b[i];

      b[i] = b[best];
      b[best] = right;
      for (int k = 0; k < n; k++)
        {
          const double factor = k == i ? 0 : a[k][i] / a[i][i];

          for (int m = i; m < n; m++)
            a[k][m] -= factor * a[i][m];
          b[k] -= factor * b[i];
        }
    }
  for (int i = 0; i < n; i++)
    b[i] /= a[i][i];
  return TRUE;
}

/* The normal matrix of the derivatives, with its diagonal enlarged by DAMPING. */
static void
multiply (const Profile *self, double (*derivatives)[N_PARAMS], double damping,
          double a[N_PARAMS][N_PARAMS])
{
  for (int j = 0; j < N_PARAMS; j++)
    for (int k = 0; k < N_PARAMS; k++)
      {
        a[j][k] = 0;
        for (int i = 0; i < self->n; i++)
          a[j][k] += derivatives[i][j] * derivatives[i][k];
      }
  for (int j = 0; j < N_PARAMS; j++)
    a[j][j] = a[j][j] * (1 + damping) + 1e-300;
}

static void
keep_sensible (const Profile *self, double *p)
{
  p[CENTRE] = CLAMP (p[CENTRE], 0, self->end);
  p[LOG_WIDTH] = CLAMP (p[LOG_WIDTH], log (0.2), log (2.0 * self->n));
  p[LOG_BLUR] = CLAMP (p[LOG_BLUR], log (0.1), log ((double) self->n));
}

static void
improve (const Profile *self, Fit *fit)
{
  double derivatives[MOST_VALUES][N_PARAMS], residuals[MOST_VALUES], others[MOST_VALUES],
      damping = 1e-3;

  fit->sum = compare (self, fit->p, residuals, derivatives);
  for (int step = 0; step < MOST_STEPS && damping < 1e8; step++)
    {
      double a[N_PARAMS][N_PARAMS], change[N_PARAMS] = { 0 }, next[N_PARAMS], sum;

      multiply (self, derivatives, damping, a);
      for (int j = 0; j < N_PARAMS; j++)
        for (int i = 0; i < self->n; i++)
          change[j] += derivatives[i][j] * residuals[i];
      if (!solve (a, change, N_PARAMS))
        return;
      for (int j = 0; j < N_PARAMS; j++)
        next[j] = fit->p[j] + change[j];
      keep_sensible (self, next);
      sum = compare (self, next, others, NULL);
      if (!(sum < fit->sum))
        {
          damping *= 5;
          continue;
        }
      const gboolean done = fit->sum - sum < 1e-9 * sum;

      for (int j = 0; j < N_PARAMS; j++)
        fit->p[j] = next[j];
      fit->sum = compare (self, fit->p, residuals, derivatives);
      damping /= 5;
      if (done)
        return;
    }
}

/* ---- the beginning of the fit ---- */

/* Finds the box whose mean departs most from the means on both sides of it, in the same direction
 * from both.  FALSE: there is none. */
static gboolean
find_box (const Profile *self, int *from, int *to)
{
  double sums[MOST_VALUES + 1] = { 0 }, most = 0;
  const int n = self->n;

  for (int i = 0; i < n; i++)
    sums[i + 1] = sums[i] + self->y[i];
  for (int width = 1; width <= n - 2 * (MARGIN + 1); width = MAX (width + 1, width * 11 / 10))
    for (int i = MARGIN + 1; i + width <= n - MARGIN - 1; i++)
      {
        const double inside = (sums[i + width] - sums[i]) / width, left = inside - sums[i] / i,
                     right = inside - (sums[n] - sums[i + width]) / (n - i - width),
                     least = MIN (fabs (left), fabs (right)),
                     gain = left * right > 0 ? least * least * width * (n - width) / n : 0;

        if (gain > most)
          {
            most = gain;
            *from = i;
            *to = i + width;
          }
      }
  return most > 0;
}

/* A box whose edges have BLUR, before it is fitted. */
static Fit
begin_fit (const Profile *self, int from, int to, double blur)
{
  double inside = 0, outside = 0, residuals[MOST_VALUES];
  Fit fit;

  for (int i = 0; i < self->n; i++)
    *(i >= from && i < to ? &inside : &outside) += self->y[i];
  inside /= to - from;
  outside /= self->n - (to - from);
  if (self->positive)
    {
      inside = exp (inside);
      outside = exp (outside);
    }
  fit.p[LEVEL] = outside;
  fit.p[SLOPE] = 0;
  fit.p[HEIGHT] = inside - outside;
  fit.p[CENTRE] = (self->x[from] + self->x[to - 1]) / 2;
  fit.p[LOG_WIDTH] = log (self->x[to - 1] - self->x[from] + 1);
  fit.p[LOG_BLUR] = log (blur);
  fit.sum = compare (self, fit.p, residuals, NULL);
  return fit;
}

/* ---- the result ---- */

static double
half_width (double log_width, double log_blur)
{
  const double width = exp (log_width), blur = exp (log_blur);
  double low = 0, high = width / 2 + 4 * blur;

  for (int i = 0; i < 60; i++)
    {
      const double middle = (low + high) / 2;

      if (box (middle, width, blur) > 0.5)
        low = middle;
      else
        high = middle;
    }
  return (low + high) / 2;
}

/* The number of neighbours that share their noise; 1: all values are independent.  The fit follows
 * a part of the noise, so what is left looks more independent than it is: in simulated speckle the
 * number is too small by FOLLOWED. */
static double
shared_noise (const double *residuals, int n)
{
  const double followed = 1.5;
  double all = 0, shared = 1;

  for (int i = 0; i < n; i++)
    all += residuals[i] * residuals[i];
  for (int lag = 1; lag < n / 4 && all > 0; lag++)
    {
      double sum = 0;

      for (int i = 0; i + lag < n; i++)
        sum += residuals[i] * residuals[i + lag];
      sum *= (double) n / (n - lag) / all;
      if (sum <= 0)
        break;
      shared += 2 * sum;
    }
  return followed * shared;
}

/* The standard error of the full width at half maximum of FIT, if the values have VARIANCE. */
static double
width_error (const Profile *self, const Fit *fit, double variance)
{
  double derivatives[MOST_VALUES][N_PARAMS], residuals[MOST_VALUES], a[N_PARAMS][N_PARAMS],
      gradient[N_PARAMS] = { 0 }, weights[N_PARAMS], error = 0;
  const double small = 1e-4, width = fit->p[LOG_WIDTH], blur = fit->p[LOG_BLUR];

  compare (self, fit->p, residuals, derivatives);
  multiply (self, derivatives, 1e-9, a);
  gradient[LOG_WIDTH] = (half_width (width + small, blur) - half_width (width - small, blur)) /
                        small;
  gradient[LOG_BLUR] = (half_width (width, blur + small) - half_width (width, blur - small)) /
                       small;
  for (int j = 0; j < N_PARAMS; j++)
    weights[j] = gradient[j];
  if (!solve (a, weights, N_PARAMS))
    return INFINITY;
  for (int j = 0; j < N_PARAMS; j++)
    error += gradient[j] * weights[j];
  return sqrt (MAX (error, 0) * variance);
}

/* The sum of the squared residuals of the straight line without a vessel. */
static double
without_vessel (const Profile *self)
{
  double sums[5] = { 0 }, sum = 0;

  for (int i = 0; i < self->n; i++)
    {
      const double x = self->x[i] - (self->n - 1) / 2.0, y = self->y[i];

      sums[0] += x;
      sums[1] += x * x;
      sums[2] += y;
      sums[3] += x * y;
    }
  const double slope = (sums[3] - sums[0] * sums[2] / self->n) /
                       (sums[1] - sums[0] * sums[0] / self->n),
               level = (sums[2] - slope * sums[0]) / self->n;

  for (int i = 0; i < self->n; i++)
    sum += pow (self->y[i] - level - slope * (self->x[i] - (self->n - 1) / 2.0), 2);
  return sum;
}

/* Whether the fit reduces the sum of squared residuals from STRAIGHT, that of a straight line, to
 * SUM by more than noise of VARIANCE can.  Values whose windows overlap share noise, which can look
 * like a vessel: the fit follows it, and the residuals of a short line do not show how few values
 * are independent.  So the reduction must be least_ratio times SUM, or less on a longer line.  In
 * simulated speckle, up to 3 % of the lines of 20 values without a vessel reach it with windows of
 * 7 values, and up to 6 % with windows of 11. */
static gboolean
is_significant (const Profile *self, double straight, double sum, double variance)
{
  const double gain = straight - sum,
               rounding = self->n * pow (self->positive ? smallest : smallest * self->scale, 2);

  return gain > least_gain * variance &&
         gain > least_ratio * pow ((double) SHORT / self->n, 1.5) * sum && gain > rounding;
}

VgVesselState
vg_vessel_measure (const double *values, int n, double step, VgVesselWidth *vessel)
{
  double residuals[MOST_VALUES], shared, variance, half, error;
  Profile profile;
  int from = 0, to = 0, part;
  Fit fit, other;

  *vessel = (VgVesselWidth){ NAN, NAN, NAN };
  part = gather (&profile, values, MAX (n, 0));
  if (profile.n < LEAST_VALUES || !find_box (&profile, &from, &to))
    return VG_VESSEL_NONE;
  fit = begin_fit (&profile, from, to, 0.7);
  other = begin_fit (&profile, from, to, MAX (1, (to - from) / 2.0));
  if (other.sum < fit.sum)
    fit = other;
  improve (&profile, &fit);
  compare (&profile, fit.p, residuals, NULL);
  shared = shared_noise (residuals, profile.n);
  variance = fit.sum * shared / MAX (profile.n - N_PARAMS * shared, 1);
  if (!is_significant (&profile, without_vessel (&profile), fit.sum, variance))
    return VG_VESSEL_NONE;
  half = half_width (fit.p[LOG_WIDTH], fit.p[LOG_BLUR]);
  error = width_error (&profile, &fit, variance);
  if (!(error <= largest_error * 2 * half) || !(fit.p[CENTRE] - half >= MARGIN) ||
      !(fit.p[CENTRE] + half <= profile.end - MARGIN))
    return VG_VESSEL_UNCERTAIN;
  step *= part;
  *vessel = (VgVesselWidth){ 2 * half * step, error * step,
                             (fit.p[CENTRE] + (part - 1) / (2.0 * part)) * step };
  return VG_VESSEL_MEASURED;
}
