/* SPDX-License-Identifier: MIT */
/* The distribution of lifetimes, and the decay of a pixel with its fit. */
#include "kernels/lifetime/engine/lifetime-view.h"
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { STEPS = 1 << 16, STEP_BITS = 15 };

/* Positive floats increase with their bits; the upper 16 bits are steps of at most 1/256. */
static guint32
step_of (float lifetime)
{
  guint32 bits;

  memcpy (&bits, &lifetime, sizeof bits);
  return bits >> STEP_BITS;
}

static double
start_of (guint32 step)
{
  guint32 bits = step << STEP_BITS;
  float value;

  memcpy (&value, &bits, sizeof value);
  return (double) value;
}

static gboolean
is_counted (float lifetime, float photons)
{
  return isfinite (lifetime) && lifetime > 0.0f && isfinite (photons);
}

/* The range of lifetimes of all but 1 % of the photons, so that a few noisy pixels do not stretch
 * the axis. */
static void
find_range (const float *lifetime, const float *photons, gsize n, double *low, double *high)
{
  static GMutex lock;
  static double weight[STEPS]; /* static, so that it cannot lack memory */
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  double total = 0.0, below = 0.0;
  guint32 step = 0;

  memset (weight, 0, sizeof weight);
  for (gsize i = 0; i < n; i++)
    if (is_counted (lifetime[i], photons[i]))
      {
        weight[step_of (lifetime[i])] += (double) photons[i];
        total += (double) photons[i];
      }
  if (!(total > 0.0))
    return;
  while (below + weight[step] <= 0.005 * total)
    below += weight[step++];
  *low = start_of (step);
  while (step < STEPS - 2 && below + weight[step] < 0.995 * total)
    below += weight[step++];
  *high = start_of (step + 1);
}

VgCurves *
vg_lifetime_plot_lifetimes (const float *lifetime, const float *photons, gsize n)
{
  enum { BINS = 128 };
  VgCurves *curves = vg_curves_new (N_ ("Distribution of lifetimes"), N_ ("Lifetime"), "ns",
                                    N_ ("Pixels"), "");
  VgSeries *bars = vg_curves_add (curves, N_ ("Each pixel once"), VG_SERIES_BARS, BINS),
           *line = vg_curves_add (curves, N_ ("Weighted by photons"), VG_SERIES_LINE, BINS);
  double low = 0.0, high = 1.0, pixels = 0.0, weight = 0.0;

  curves->span_label = N_ ("Limits");
  curves->span_output = "lifetime";
  find_range (lifetime, photons, n, &low, &high);
  for (int i = 0; i < BINS; i++)
    bars->x[i] = line->x[i] = low + (i + 0.5) * (high - low) / BINS;
  for (gsize i = 0; i < n; i++)
    {
      double place = ((double) lifetime[i] - low) / (high - low) * BINS;

      if (!is_counted (lifetime[i], photons[i]) || place < 0.0 || place > BINS)
        continue;
      bars->y[MIN ((int) place, BINS - 1)] += 1.0;
      line->y[MIN ((int) place, BINS - 1)] += (double) photons[i];
      pixels += 1.0;
      weight += (double) photons[i];
    }
  for (int i = 0; i < BINS && weight > 0.0; i++) /* as high as the bars */
    line->y[i] *= pixels / weight;
  return curves;
}

static VgSeries *
add_bins (VgCurves *curves, const char *name, VgSeriesStyle style, const VgLifetimePlan *plan,
          int from, int to)
{
  VgSeries *series = vg_curves_add (curves, name, style, to - from);

  for (int j = from; j < to; j++)
    series->x[j - from] = (j + 0.5) * plan->h;
  return series;
}

/* Adds the fit range, which the user can drag. */
static void
mark_range (VgCurves *curves, const VgLifetimePlan *plan)
{
  curves->span[0] = plan->start * plan->h;
  curves->span[1] = plan->end * plan->h;
  curves->span_label = N_ ("Fit range");
  curves->span_params[0] = "fit_start_ns";
  curves->span_params[1] = "fit_end_ns";
}

/* Adds the IRF, scaled to the decay's PEAK.  Values below LEAST are omitted, because they would
 * set the limits of a logarithmic scale. */
static void
add_irf (VgCurves *curves, const VgLifetimePlan *plan, double peak, double least)
{
  VgSeries *irf;
  double top = 0.0;

  if (plan->irf == NULL)
    return;
  irf = add_bins (curves, N_ ("IRF, scaled"), VG_SERIES_LINE, plan, 0, plan->bins);
  irf->color = 4; /* the same colour with and without a fit */
  for (int j = 0; j < plan->bins; j++)
    top = MAX (top, plan->irf[j]);
  for (int j = 0; j < plan->bins; j++)
    irf->y[j] = plan->irf[j] * peak > MAX (1e-4 * peak, 0.5 * least) * top
                    ? plan->irf[j] * peak / top
                    : NAN;
}

/* Adds A tau / h (1 - r) c_j over the fit range.  c is r^j or its convolution with the IRF, half
 * in this bin and half in the next. */
static void
add_component (const VgLifetimePlan *plan, double amplitude, double tau, double *y)
{
  double r = exp (-plan->h / tau), scale = -amplitude * tau / plan->h * expm1 (-plan->h / tau),
         c = 0.0;

  for (int j = plan->finish.irf ? 0 : plan->start; j < plan->end; j++)
    {
      double before = c;

      c = r * c + (plan->finish.irf ? plan->irf[j] : j == plan->start);
      if (j >= plan->start)
        y[j - plan->start] += scale * (plan->finish.irf ? 0.5 * (before + c) : c);
    }
}

/* Adds the decay of VALUE with as many photons as COUNTS has in the fit range. */
static void
add_decay (const VgLifetimePlan *plan, const VgLifetimeValue *value, const double *counts,
           double background, double *y)
{
  const VgLifetimeFinish *finish = &plan->finish;
  gboolean bi = vg_lifetime_is_biexponential (finish->params.method);
  double photons = 0.0, amplitude;

  for (int j = plan->start; j < plan->end; j++)
    photons += counts[j] - background;
  amplitude = vg_lifetime_amplitude (value, photons, plan->h * (finish->bins - finish->origin),
                                     plan->h, bi);
  for (int j = 0; j < plan->end - plan->start; j++)
    y[j] = background;
  add_component (plan, amplitude * (bi ? value->fraction : 1.0),
                 bi ? value->lifetime_1 : value->lifetime, y);
  if (bi)
    add_component (plan, amplitude * (1.0 - value->fraction), value->lifetime_2, y);
}

/* "0.52 \302\261 0.03 ns" */
static void
add_lifetime (GString *text, double lifetime, double error)
{
  g_string_append_printf (text, "%.4g", lifetime);
  if (error > 0.0)
    g_string_append_printf (text, " \302\261 %.2g", error);
  g_string_append (text, " ns");
}

/* Adds lifetimes with their amplitude fractions; a lifetime at a bound has no value. */
static void
add_components (GString *text, const double *lifetimes, const double *errors, const double *shares,
                int n)
{
  const char *between = "; ";

  for (int k = 0; k < n; k++)
    {
      if (!isfinite (lifetimes[k]))
        continue;
      g_string_append (text, between);
      between = ", ";
      add_lifetime (text, lifetimes[k], errors[k]);
      g_string_append_printf (text, " (%.3g %%)", 100.0 * shares[k]);
    }
}

#define OUTPUT(name) ((double) outputs[VG_LIFETIME_OUTPUT_##name])

/* Adds the fit results of a pixel. */
static void
add_fit (GString *text, const VgLifetimePlan *plan, const float *outputs)
{
  guint32 finds = vg_lifetime_fit_finds (plan->finish.params.method);
  gboolean three = (finds & VG_LIFETIME_BIT (LIFETIME_3)) != 0,
           multiple = (finds & VG_LIFETIME_BIT (FRACTION)) != 0;
  double first = OUTPUT (FRACTION), second = three ? OUTPUT (FRACTION_2) : 1.0 - first;

  add_lifetime (text, OUTPUT (LIFETIME), OUTPUT (ERROR));
  if (multiple)
    add_components (
        text, (const double[]){ OUTPUT (LIFETIME_1), OUTPUT (LIFETIME_2), OUTPUT (LIFETIME_3) },
        (const double[]){ OUTPUT (ERROR_1), OUTPUT (ERROR_2), OUTPUT (ERROR_3) },
        (const double[]){ first, second, 1.0 - first - second }, three ? 3 : 2);
  if (finds & VG_LIFETIME_BIT (EXPONENT))
    g_string_append_printf (text, "; stretching exponent %.3g", OUTPUT (EXPONENT));
  if (OUTPUT (OFFSET) > 0.0)
    g_string_append_printf (text, "; offset %.3g counts/bin", OUTPUT (OFFSET));
  g_string_append_printf (text, "; deviance %.4g of %d bins", OUTPUT (DEVIANCE),
                          plan->end - plan->start);
}

#undef OUTPUT

/* The standard error of a lifetime by centre of mass, as in the error map; else NaN. */
static double
find_error (const VgLifetimePlan *plan, double lifetime, const double *counts, double background)
{
  const VgLifetimeFinish *finish = &plan->finish;
  double range = 0.0, t = finish->h * (finish->bins - finish->origin);

  for (int j = plan->start; j < plan->end; j++)
    range += counts[j] - background;
  return finish->params.method == VG_LIFETIME_CMM && range > 0.0
             ? lifetime * vg_lifetime_crb (t / lifetime) / sqrt (range)
             : NAN;
}

/* The values that are listed beside the decay of a pixel, which is the sum of N_PIXELS. */
static char *
describe_fit (const VgLifetimePlan *plan, double photons, double n_pixels,
              const VgLifetimeValue *value, double error, const float *outputs)
{
  GString *text = g_string_new (NULL);

  if (value == NULL)
    g_string_append (text, "No lifetime");
  else if (outputs != NULL)
    add_fit (text, plan, outputs);
  else
    {
      add_lifetime (text, value->lifetime, error);
      if (vg_lifetime_is_biexponential (plan->finish.params.method))
        add_components (text, (const double[]){ value->lifetime_1, value->lifetime_2 },
                        (const double[]){ NAN, NAN },
                        (const double[]){ value->fraction, 1.0 - value->fraction }, 2);
    }
  g_string_append_printf (text, "; %.0f photons", photons);
  if (n_pixels > 1.0) /* the map of photons has those of one pixel */
    g_string_append_printf (text, " in %.0f binned pixels", n_pixels);
  return g_string_free (text, FALSE);
}

VgCurves *
vg_lifetime_pixel_curves (const VgLifetimePlan *plan, int x, int y, const double *counts,
                          const VgLifetimeValue *value, const double *fitted, const float *outputs)
{
  const VgLifetimeFinish *finish = &plan->finish;
  gboolean found = value != NULL && value->lifetime > 0.0;
  g_autofree char *title = NULL, *told = NULL;
  VgCurves *curves;
  VgSeries *points, *fit, *residuals;
  double peak = 0.0, least = HUGE_VAL, photons = 0.0, floor;
  double pixels = vg_lifetime_window_pixels (x, y, finish->width, finish->height,
                                             finish->params.bin);

  for (int j = 0; j < plan->bins; j++)
    photons += counts[j];
  told = describe_fit (
      plan, photons, pixels, found ? value : NULL,
      found ? find_error (plan, value->lifetime, counts, finish->background * pixels) : NAN,
      outputs);
  title = g_strdup_printf ("Decay of (%d, %d): %s", x, y, told);
  curves = vg_curves_new (title, N_ ("Time"), "ns", N_ ("Photons"), "");
  curves->found = g_steal_pointer (&told);
  points = add_bins (curves, N_ ("Photons"), VG_SERIES_POINTS, plan, 0, plan->bins);
  curves->log_y = TRUE;
  mark_range (curves, plan);
  for (int j = 0; j < plan->bins; j++)
    {
      points->y[j] = counts[j];
      peak = MAX (peak, counts[j]);
      least = counts[j] > 0.0 ? MIN (least, counts[j]) : least;
    }
  /* a tenth of the smallest value for many counts, a hundredth for few */
  floor = 0.01 * least * CLAMP (least, 1.0, 10.0);
  if (!found)
    {
      add_irf (curves, plan, peak, least);
      return curves;
    }
  fit = add_bins (curves, N_ ("Fit"), VG_SERIES_LINE, plan, plan->start, plan->end);
  residuals = add_bins (curves, N_ ("Residuals / \317\203"), VG_SERIES_POINTS, plan, plan->start,
                        plan->end);
  residuals->below = TRUE;
  if (fitted != NULL)
    memcpy (fit->y, fitted, sizeof (double) * (gsize) fit->n);
  else
    add_decay (plan, value, counts, finish->background * pixels, fit->y);
  for (int j = 0; j < fit->n; j++)
    {
      /* The decay before a single pulse is nearly 0, which would set the limits of a logarithmic
       * scale. */
      if (fit->y[j] < floor)
        fit->y[j] = NAN;
      /* residuals of Poisson counts, with the model's variance */
      residuals->y[j] = fit->y[j] > 0.0 ? (counts[plan->start + j] - fit->y[j]) / sqrt (fit->y[j])
                                        : NAN;
    }
  add_irf (curves, plan, peak, least);
  return curves;
}
