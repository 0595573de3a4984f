/* SPDX-License-Identifier: MIT */
#include "kernels/flow/pulse/flow-pulse-trace.h"
#include "kernels/flow/pulse/flow-pulse-rate.h"
#include <glib/gi18n.h>
#include <string.h>

enum { MOST = VG_FLOW_TRACE_MOST };

struct _VgFlowTrace
{
  VgFlowParams params;
  VgFlowTracePoint points[MOST]; /* a ring */
  double rates[MOST];            /* beats per minute at each; NaN: unknown */
  guint64 count;
  double frequency; /* Hz; 0: unknown */
  double locked;    /* frequency when the sums began */
  double phase;     /* of the newest map */
  double newest_s;  /* time of the newest map in the sums */
  guint64 searched; /* `count` at the last search over all rates */
  double normal[VG_FLOW_BASIS][VG_FLOW_BASIS];
  double sums[VG_FLOW_BASIS]; /* of the mean K^2 */
  double weight, beats;
};

VgFlowTrace *
vg_flow_trace_new (const VgFlowParams *params)
{
  VgFlowTrace *self = g_new0 (VgFlowTrace, 1);

  vg_flow_trace_set_params (self, params);
  return self;
}

void
vg_flow_trace_free (VgFlowTrace *self)
{
  g_free (self);
}

void
vg_flow_trace_set_params (VgFlowTrace *self, const VgFlowParams *params)
{
  gboolean range = params->rate_min != self->params.rate_min ||
                   params->rate_max != self->params.rate_max;

  self->params = *params;
  self->params.dark_file = NULL;
  self->params.exposures = NULL;
  if (range)
    self->frequency = 0.0;
}

static void
clear_sums (VgFlowTrace *self)
{
  memset (self->normal, 0, sizeof self->normal);
  memset (self->sums, 0, sizeof self->sums);
  self->weight = self->beats = 0.0;
}

void
vg_flow_trace_restart (VgFlowTrace *self)
{
  self->count = self->searched = 0;
  self->frequency = self->locked = 0.0;
  clear_sums (self);
}

/* Copies the points that are kept, oldest first; returns their number. */
static int
copy_points (const VgFlowTrace *self, VgFlowTracePoint *points)
{
  int n = (int) MIN (self->count, MOST);

  for (int i = 0; i < n; i++)
    points[i] = self->points[(self->count - (guint64) (n - i)) % MOST];
  return n;
}

/* Searches all rates from time to time, and near the last one at each map. */
static void
find_rate (VgFlowTrace *self)
{
  enum { SEARCH_EVERY = 16 };
  double range[] = { (double) self->params.rate_min / 60.0, (double) self->params.rate_max / 60.0 };
  g_autofree VgFlowTracePoint *points = g_new (VgFlowTracePoint, MOST);
  int n = copy_points (self, points);

  vg_flow_rate_detrend (points, n);
  if (self->frequency <= 0.0 || self->count - self->searched >= SEARCH_EVERY)
    {
      self->searched = self->count;
      self->frequency = vg_flow_rate_search (points, n, range);
    }
  if (self->frequency <= 0.0)
    return;
  self->frequency = vg_flow_rate_refine (points, n, self->frequency);
  self->phase = vg_flow_rate_phase (points, n, self->frequency);
}

static void
fill_basis (double phase, double *basis)
{
  basis[0] = 1.0;
  for (int h = 1; h <= VG_FLOW_HARMONICS; h++)
    {
      basis[2 * h - 1] = cos (h * phase);
      basis[2 * h] = sin (h * phase);
    }
}

VgFlowBeatMap
vg_flow_trace_add (VgFlowTrace *self, double time_s, double mean)
{
  VgFlowBeatMap map = { .keeps = 1.0f };
  VgFlowTracePoint *last = &self->points[(self->count + MOST - 1) % MOST];
  double basis[VG_FLOW_BASIS], keeps;

  if (!(mean > 0.0) || !isfinite (time_s))
    return map;
  if (self->count > 0 && !(time_s > last->time_s))
    {
      /* The source has been rewound, or states no times. */
      vg_flow_trace_restart (self);
      map.clears = TRUE;
    }
  self->points[self->count % MOST] = (VgFlowTracePoint){ time_s, 1.0 / mean };
  self->count++;
  find_rate (self);
  self->rates[(self->count - 1) % MOST] = vg_flow_trace_rate (self);
  if (self->frequency <= 0.0)
    return map;
  if (self->weight <= 0.0 || fabs (self->frequency / self->locked - 1.0) > 0.15)
    {
      clear_sums (self);
      map.clears = TRUE;
      self->locked = self->frequency;
      self->newest_s = time_s;
    }
  keeps = exp (-(time_s - self->newest_s) * self->frequency / MAX (self->params.beats, 1));
  self->beats += (time_s - self->newest_s) * self->frequency;
  self->newest_s = time_s;
  fill_basis (self->phase, basis);
  for (int i = 0; i < VG_FLOW_BASIS; i++)
    {
      for (int k = 0; k < VG_FLOW_BASIS; k++)
        self->normal[i][k] = keeps * self->normal[i][k] + basis[i] * basis[k];
      self->sums[i] = keeps * self->sums[i] + basis[i] * mean;
      map.basis[i] = (float) basis[i];
    }
  self->weight = keeps * self->weight + 1.0;
  map.keeps = (float) keeps;
  map.adds = TRUE;
  return map;
}

/* Inverts the first N rows and columns of the normal matrix.  FALSE if the phases so far hardly
 * determine them. */
static gboolean
invert (const VgFlowTrace *self, int n, float *inverse)
{
  double m[VG_FLOW_BASIS][2 * VG_FLOW_BASIS] = { { 0 } };

  for (int i = 0; i < n; i++)
    {
      for (int k = 0; k < n; k++)
        m[i][k] = self->normal[i][k];
      m[i][n + i] = 1.0;
    }
  for (int i = 0; i < n; i++)
    {
      double pivot = m[i][i];

      /* What is left of the function's weight beside the functions before it. */
      if (!(pivot > 0.1 * self->normal[i][i]) || !(pivot > 0.0))
        return FALSE;
      for (int k = 0; k < 2 * n; k++)
        m[i][k] /= pivot;
      for (int row = 0; row < n; row++)
        {
          double factor = m[row][i];

          for (int k = 0; row != i && k < 2 * n; k++)
            m[row][k] -= factor * m[i][k];
        }
    }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      inverse[i * VG_FLOW_BASIS + k] = (float) m[i][n + k];
  return TRUE;
}

void
vg_flow_trace_fit (const VgFlowTrace *self, VgFlowBeatFit *fit)
{
  memset (fit, 0, sizeof *fit);
  fit->weight = (float) MAX (self->weight, 1.0);
  for (int j = 0; j < VG_FLOW_PHASES; j++)
    {
      double basis[VG_FLOW_BASIS];

      fill_basis (2.0 * G_PI * j / VG_FLOW_PHASES, basis);
      for (int i = 0; i < VG_FLOW_BASIS; i++)
        fit->wave[j * VG_FLOW_BASIS + i] = (float) basis[i];
    }
  /* At least one beat, and twice as many maps as functions. */
  if (self->beats < 1.0)
    return;
  for (int n = VG_FLOW_BASIS; n >= 3 && fit->basis == 0; n -= 2)
    if (self->weight >= 2.0 * n && invert (self, n, fit->inverse))
      fit->basis = n;
}

double
vg_flow_trace_rate (const VgFlowTrace *self)
{
  return self->frequency > 0.0 ? 60.0 * self->frequency : NAN;
}

/* ---- Curves, text and metrics ---- */

/* Length of the averaged beat, s; the last rate counts while there is none. */
static double
beat_length (const VgFlowTrace *self)
{
  return 1.0 / (self->frequency > 0.0 ? self->frequency : self->locked);
}

/* The flow of the averaged beat in % of its mean, from its minimum on; FALSE: not known. */
static gboolean
average_beat (const VgFlowTrace *self, double *flow)
{
  VgFlowBeatFit fit;
  double raw[VG_FLOW_PHASES], mean = 0.0;
  int lowest = 0;

  vg_flow_trace_fit (self, &fit);
  if (fit.basis == 0)
    return FALSE;
  for (int j = 0; j < VG_FLOW_PHASES; j++)
    {
      double k2 = 0.0;

      for (int i = 0; i < fit.basis; i++)
        for (int k = 0; k < fit.basis; k++)
          k2 += (double) fit.inverse[i * VG_FLOW_BASIS + k] * self->sums[k] *
                (double) fit.wave[j * VG_FLOW_BASIS + i];
      raw[j] = 1.0 / k2;
      mean += raw[j] / VG_FLOW_PHASES;
      if (raw[j] < raw[lowest])
        lowest = j;
    }
  for (int j = 0; j < VG_FLOW_PHASES; j++)
    flow[j] = 100.0 * raw[(j + lowest) % VG_FLOW_PHASES] / mean;
  return TRUE;
}

VgCurves *
vg_flow_trace_plot_beat (const VgFlowTrace *self)
{
  double flow[VG_FLOW_PHASES];
  gboolean known = self != NULL && average_beat (self, flow);
  VgCurves *curves = vg_curves_new (N_ ("Averaged beat"), N_ ("Time in the beat"), "s",
                                    N_ ("Flow of the image"), "%");
  VgSeries *line = vg_curves_add (curves, N_ ("Averaged beat"), VG_SERIES_LINE,
                                  known ? VG_FLOW_PHASES + 1 : 0);

  for (int j = 0; j < line->n; j++)
    {
      line->x[j] = beat_length (self) * j / VG_FLOW_PHASES;
      line->y[j] = flow[j % VG_FLOW_PHASES];
    }
  return curves;
}

VgCurves *
vg_flow_trace_plot_rate (const VgFlowTrace *self)
{
  int n = self != NULL ? (int) MIN (self->count, MOST) : 0;
  VgCurves *curves = vg_curves_new (N_ ("Pulse rate"), N_ ("Time"), "s", N_ ("Pulse rate"),
                                    "1/min");
  VgSeries *line = vg_curves_add (curves, N_ ("Pulse rate"), VG_SERIES_LINE, n);

  for (int i = 0; i < n; i++)
    {
      gsize at = (gsize) ((self->count - (guint64) (n - i)) % MOST);

      line->x[i] = self->points[at].time_s;
      line->y[i] = self->rates[at];
    }
  return curves;
}

char *
vg_flow_trace_text (const VgFlowTrace *self)
{
  double flow[VG_FLOW_PHASES];
  GString *text = g_string_new ("time_s,flow_percent\n");

  for (int j = 0; self != NULL && j < VG_FLOW_PHASES && (j > 0 || average_beat (self, flow)); j++)
    {
      char time[G_ASCII_DTOSTR_BUF_SIZE], value[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (
          text, "%s,%s\n",
          g_ascii_formatd (time, sizeof time, "%.6f", beat_length (self) * j / VG_FLOW_PHASES),
          g_ascii_formatd (value, sizeof value, "%.4f", flow[j]));
    }
  return g_string_free (text, FALSE);
}

void
vg_flow_trace_metrics (const VgFlowTrace *self, VgMetrics *metrics)
{
  double flow[VG_FLOW_PHASES], low = HUGE_VAL, high = 0.0;
  gboolean known = average_beat (self, flow);

  for (int j = 0; known && j < VG_FLOW_PHASES; j++)
    {
      low = MIN (low, flow[j]);
      high = MAX (high, flow[j]);
    }
  vg_metrics_add (metrics, "pulse_rate", "Pulse rate", "1/min", vg_flow_trace_rate (self),
                  self->frequency > 0.0
                      ? NULL
                      : "No pulse found. It needs some seconds of frames, their frame interval, "
                        "and a range of rates that contains the pulse.");
  vg_metrics_add (metrics, "pulse_beats", "Beats so far", "", self->beats, NULL);
  vg_metrics_add (metrics, "image_pulsatility", "Pulsatility index of the image", "",
                  known ? (high - low) / 100.0 : NAN, NULL);
  vg_metrics_add (metrics, "image_resistance", "Resistance index of the image", "",
                  known ? (high - low) / high : NAN, NULL);
}
