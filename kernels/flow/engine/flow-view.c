/* SPDX-License-Identifier: MIT */
#include "kernels/flow/engine/flow-view.h"
#include "kernels/flow/model/flow-checks.h"
#include "kernels/flow/model/flow-model.h"
#include "kernels/shared/vg-exposure.h"
#include "kernels/base/vg-sort.h"
#include "kernels/core/vg-operation.h"
#include <glib/gi18n.h>
/* Metrics and curves of flow. */

double
vg_flow_image_value (const VgFlowImage *self, gsize i)
{
  VgImage frame = { .info = { .type = self->info->type }, .data = (void *) self->frame };
  double dark = self->dark != NULL ? self->dark[i] : self->params->dark_level;
  double value = vg_image_sample (&frame, i);

  return isfinite (value) ? value - dark : 0.0;
}

double
vg_flow_negative_percent (const VgImageInfo *info, const void *frame)
{
  gsize pixels = (gsize) info->width * (gsize) info->height, negative = 0;
  const float *samples = frame;

  if (info->type != VG_F32)
    return 0.0;
  for (gsize i = 0; i < pixels; i++)
    negative += isfinite (samples[i]) && samples[i] < 0.0f;
  return 100.0 * (double) negative / (double) pixels;
}

/* ---- Speckle size ---- */

enum { BLOCK = 32, BLOCKS = 8, LAGS = 13 };

/* Adds the autocovariance of one block along x and y, divided by its squared mean.  Vessels and
 * uneven illumination hardly change within so small a block. */
static void
add_block (const VgFlowImage *self, int x0, int y0, int side, double *lags)
{
  double value[BLOCK * BLOCK], mean = 0.0, noise;
  VgFlowNoise terms = vg_flow_noise (self->params);

  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++)
      mean += value[y * side + x] = vg_flow_image_value (
          self, (gsize) (y0 + y) * (gsize) self->info->width + (gsize) (x0 + x));
  mean /= side * side;
  if (!(mean > 0.0))
    return;
  for (int i = 0; i < side * side; i++)
    value[i] = value[i] / mean - 1.0;
  /* Camera noise of neighbours does not correlate: it adds to lag 0 alone. */
  noise = terms.shot / mean + terms.floor / (mean * mean);
  for (int lag = 0; lag < MIN (LAGS, side); lag++)
    {
      double sum = 0.0;

      for (int y = 0; y < side; y++)
        for (int x = 0; x + lag < side; x++)
          sum += value[y * side + x] * value[y * side + x + lag] +
                 value[x * side + y] * value[(x + lag) * side + y];
      lags[lag] += sum / (2.0 * side * (side - lag)) - (lag == 0 ? noise : 0.0);
    }
}

double
vg_flow_speckle_size (const VgFlowImage *self)
{
  int side = MIN (BLOCK, MIN (self->info->width, self->info->height));
  int across = side > 0 ? MIN (BLOCKS, self->info->width / side) : 0;
  int down = side > 0 ? MIN (BLOCKS, self->info->height / side) : 0;
  double lags[LAGS] = { 0 };

  if (side < 8)
    return NAN;
  for (int j = 0; j < down; j++)
    for (int i = 0; i < across; i++)
      add_block (self, (self->info->width - across * side) / 2 + i * side,
                 (self->info->height - down * side) / 2 + j * side, side, lags);
  if (!(lags[0] > 0.0))
    return NAN;
  for (int lag = 1; lag < MIN (LAGS, side); lag++)
    if (lags[lag] <= 0.5 * lags[0])
      return 2.0 * (lag - 1 + (lags[lag - 1] - 0.5 * lags[0]) / (lags[lag - 1] - lags[lag]));
  return 2.0 * (LAGS - 1);
}

static const char *
speckle_advice (double size)
{
  if (size < 2.0)
    return "Speckles are smaller than 2 pixels, so contrast reads low. Close the aperture or "
           "magnify more.";
  if (size > 5.0)
    return "Speckles are larger than 5 pixels, so detail is lost. Open the aperture or use a "
           "larger window.";
  return NULL;
}

/* Advice, owned by the caller; NULL if the bias is below 5 %. */
static char *
bias_advice (const VgFlowParams *params, double bias, double size)
{
  int side = 2 * params->radius + 1;

  if (!(bias < -0.05))
    return NULL;
  return g_strdup_printf (
      "Windows of %d x %d pixels contain few speckles of %.1f px, so correlation times read about "
      "%.0f %% low. Set Window bias to Corrected, or use a larger radius or more frames. If the "
      "coherence factor was measured with this window, set Window bias to In the coherence factor.",
      side, side, size, -100.0 * bias);
}

static void
add_baseline (VgMetrics *metrics, const VgFlowMetrics *figures)
{
  gboolean absent = figures->baseline.state == VG_BASELINE_ABSENT &&
                    figures->params->exposures == NULL;
  gboolean guessed = figures->params->baseline_frames == 0 &&
                     !(figures->info->frame_interval_s > 0.0) && figures->frames > 1;
  gboolean differs = figures->exposure_ms > 0 && figures->baseline_ms > 0 &&
                     figures->params->exposures == NULL && /* a cycle has no relative flow */
                     vg_exposure_differs (figures->exposure_ms, figures->baseline_ms);
  g_autofree char *advice =
      differs
          ? g_strdup_printf (
                "The exposure time is %.4g ms now, and was %.4g ms for the baseline. Relative "
                "flow is converted to the exposure time of the baseline. This does not correct "
                "for noise and static scattering, so slow flow can be wrong by more than 10 %%. "
                "For exact values, set the baseline again.",
                figures->exposure_ms, figures->baseline_ms)
          : NULL;

  vg_metrics_add (
      metrics, "baseline_maps", "Baseline", "maps", figures->baseline.maps,
      absent ? "There is no baseline, so relative flow has no values: a setting has changed, and "
               "the frames of the baseline are not in memory, or are too few for the new "
               "setting. Set the baseline again."
      : differs ? advice
      : guessed ? "The frame interval is unknown, so the baseline is the first 25 maps, or all if "
                  "there are fewer, instead of one second. Set the frame interval, or enter the "
                  "number of maps per second as Baseline length."
                : NULL);
  if (!differs && !absent)
    return;
  vg_metrics_propose (metrics, "set_baseline", figures->params->set_baseline + 1);
  if (absent || figures->params->set_baseline > 0) /* the user compares with it */
    vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
}

/* Few negative samples, as of dark pixels, hardly change the maps. */
static void
add_negative (VgMetrics *metrics, const VgFlowMetrics *figures)
{
  const double much = 1.0;

  if (figures->info->type != VG_F32)
    return;
  vg_metrics_add_quiet (
      metrics, "negative_percent", "Negative samples", "%", figures->negative_percent,
      figures->negative_percent > 0.0
          ? "Some samples are negative, so they are not intensities: the mean is too low and the "
            "contrast too high. Use the frames as recorded, and set the dark level instead of "
            "subtracting it."
          : NULL);
  if (figures->negative_percent > much)
    vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
}

extern const VgOperation vg_flow_operation;

/* Warns of the default exposure time if the file states none. */
static void
add_exposure (VgMetrics *metrics, const VgFlowMetrics *figures)
{
  const VgParam *param = vg_params_find (&vg_flow_operation.params, "exposure_ms");

  if (vg_flow_has_exposure (figures->info) || figures->params->exposure_ms != (float) param->def)
    return;
  vg_metrics_add (
      metrics, "exposure_ms", "Assumed exposure", "ms", figures->params->exposure_ms,
      "The data do not state the exposure time; 10 ms is assumed. Flow index and correlation "
      "time depend on it. Set the camera's exposure time if it differs.");
}

void
vg_flow_add_metrics (VgMetrics *metrics, const VgFlowMetrics *figures)
{
  double bias = vg_flow_window_bias (figures->params, figures->mean_contrast,
                                     figures->speckle_size);
  g_autofree char *advice = bias_advice (figures->params, bias, figures->speckle_size);

  vg_metrics_add (metrics, "saturated_percent", "Saturated pixels", "%", figures->saturated_percent,
                  figures->saturated_percent > 0.1
                      ? "Overexposed pixels make flow look faster than it is. Use less light or a "
                        "shorter exposure, or turn on the saturation mask."
                      : NULL);
  if (figures->saturated_percent > 1 && !figures->params->mask_saturated)
    {
      vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
      vg_metrics_propose (metrics, "mask_saturated", TRUE);
    }
  add_negative (metrics, figures);
  vg_metrics_add (metrics, "speckle_size_px", "Speckle size", "px", figures->speckle_size,
                  speckle_advice (figures->speckle_size));
  vg_metrics_add (metrics, "frames", "Frames", "", (double) figures->frames, NULL);
  add_exposure (metrics, figures);
  vg_metrics_add (metrics, "mean_contrast", "Mean contrast", "", figures->mean_contrast, NULL);
  vg_metrics_add (metrics, "window_bias", "Window bias of correlation time", "%", 100.0 * bias,
                  advice);
  vg_metrics_mark (metrics, VG_NUMBER_QUIET);
  vg_metrics_propose (metrics, "window_bias", VG_FLOW_WINDOW_CORRECT);
  add_baseline (metrics, figures);
}

void
vg_flow_add_results (VgMetrics *metrics, const VgFlowImage *self, guint64 saturated,
                     VgFlowMetrics *figures, const float *contrast)
{
  gsize pixels = (gsize) self->info->width * (gsize) self->info->height, valid = 0;
  double sum = 0.0;

  for (gsize i = 0; contrast != NULL && i < pixels; i++)
    if (isfinite (contrast[i]))
      {
        sum += contrast[i];
        valid++;
      }
  figures->saturated_percent = 100.0 * (double) saturated / (double) pixels;
  figures->negative_percent = vg_flow_negative_percent (self->info, self->frame);
  figures->speckle_size = vg_flow_speckle_size (self);
  figures->mean_contrast = valid > 0 ? sum / (double) valid : NAN;
  vg_flow_add_metrics (metrics, figures);
}

/* ---- Curves of a pixel ---- */

/* K of the window of RADIUS around (x, y); NaN where the map is. */
static double
window_contrast (const VgFlowImage *self, int x, int y, int radius)
{
  double n = 0.0, s = 0.0, q = 0.0;
  int w = self->info->width, h = self->info->height;

  for (int v = MAX (y - radius, 0); v <= MIN (y + radius, h - 1); v++)
    for (int u = MAX (x - radius, 0); u <= MIN (x + radius, w - 1); u++)
      {
        double value = vg_flow_image_value (self, (gsize) v * (gsize) w + (gsize) u);

        n += 1.0;
        s += value;
        q += value * value;
      }
  if (self->params->edges == VG_FLOW_EDGES_ZERO)
    n = (2.0 * radius + 1.0) * (2.0 * radius + 1.0);
  return n < 2.0
             ? NAN
             : sqrt (vg_flow_k2 (n, s, vg_flow_deviation (n, s, q), vg_flow_noise (self->params)));
}

VgCurves *
vg_flow_sample_radius (const VgFlowImage *self, int x, int y)
{
  g_autofree char *title = g_strdup_printf ("Contrast at (%d, %d) against window radius", x, y);
  VgCurves *curves = vg_curves_new (title, N_ ("Window radius"), "px", N_ ("Contrast"), "");
  VgSeries *all = vg_curves_add (curves, N_ ("Contrast"), VG_SERIES_LINE, VG_FLOW_MAX_RADIUS);
  VgSeries *now = vg_curves_add (curves, N_ ("Current radius"), VG_SERIES_POINTS, 1);

  for (int radius = 1; radius <= VG_FLOW_MAX_RADIUS; radius++)
    {
      all->x[radius - 1] = radius;
      all->y[radius - 1] = window_contrast (self, x, y, radius);
    }
  now->x[0] = self->params->radius;
  now->y[0] = all->y[CLAMP (self->params->radius, 1, VG_FLOW_MAX_RADIUS) - 1];
  return curves;
}

VgCurves *
vg_flow_sample_time (const VgFlowImage *self, int x, int y, const double *values, int n)
{
  double s = 0.0, q = 0.0, mean, k;
  g_autofree char *title = NULL;
  VgCurves *curves;
  VgSeries *samples, *level;

  for (int i = 0; i < n; i++)
    {
      s += values[i];
      q += values[i] * values[i];
    }
  mean = n > 0 ? s / n : NAN;
  k = n < 2 ? NAN
            : sqrt (vg_flow_k2 (n, s, vg_flow_deviation (n, s, q), vg_flow_noise (self->params)));
  title = isfinite (k) /* not where there is less than the camera's noise */
              ? g_strdup_printf ("Intensity of (%d, %d), temporal contrast %.3g", x, y, k)
              : g_strdup_printf ("Intensity of (%d, %d)", x, y);
  curves = vg_curves_new (title, N_ ("Frame"), "", N_ ("Intensity"), "DN");
  samples = vg_curves_add (curves, N_ ("Intensity"), VG_SERIES_POINTS, n);
  level = vg_curves_add (curves, N_ ("Mean"), VG_SERIES_LINE, 2);
  for (int i = 0; i < n; i++)
    {
      samples->x[i] = i - n + 1;
      samples->y[i] = values[i];
    }
  level->x[0] = 1 - n;
  level->y[0] = level->y[1] = mean;
  return curves;
}

/* ---- Plots ---- */

static VgCurves *
plot_histogram (const float *contrast, gsize pixels)
{
  enum { BINS = 100 };
  VgCurves *curves = vg_curves_new (N_ ("Distribution of contrast"), N_ ("Contrast"), "",
                                    N_ ("Pixels"), "");
  VgSeries *bars = vg_curves_add (curves, N_ ("Pixels"), VG_SERIES_BARS, BINS);
  double top = 0.0;

  curves->span_label = N_ ("Limits");
  curves->span_output = "contrast";
  for (gsize i = 0; i < pixels; i++)
    if (isfinite (contrast[i]))
      top = MAX (top, (double) contrast[i]);
  for (int i = 0; i < BINS; i++)
    bars->x[i] = (i + 0.5) * (top > 0.0 ? top : 1.0) / BINS;
  for (gsize i = 0; i < pixels; i++)
    if (isfinite (contrast[i]))
      bars->y[MIN ((int) (top > 0.0 ? contrast[i] / top * BINS : 0.0), BINS - 1)] += 1.0;
  return curves;
}

/* Median of at most MAX_SAMPLES values at equal distances. */
static float
median_contrast (const float *contrast, gsize pixels)
{
  enum { MAX_SAMPLES = 4096 };
  float values[MAX_SAMPLES];
  gsize stride = MAX (pixels / MAX_SAMPLES, 1);
  int n = 0;

  for (gsize i = 0; i < pixels && n < MAX_SAMPLES; i += stride)
    if (isfinite (contrast[i]))
      values[n++] = contrast[i];
  if (n == 0)
    return VG_FLOW_NAN;
  vg_sort_floats (values, (gsize) n);
  return values[n / 2];
}

static VgCurves *
plot_model (const VgFlowParams *params, float beta, const float *contrast, gsize pixels)
{
  enum { POINTS = 121 };
  static const char *const names[] = { N_ ("Fercher-Briers asymptote"),
                                       N_ ("Bandyopadhyay asymptote"), N_ ("Lorentzian"),
                                       N_ ("Gaussian") };
  VgCurves *curves = vg_curves_new (N_ ("Contrast model"), N_ ("Exposure / correlation time"), "",
                                    N_ ("Contrast"), "");
  VgSeries *line = vg_curves_add (curves, names[params->model], VG_SERIES_LINE, POINTS);
  VgSeries *point = vg_curves_add (curves, N_ ("Median of the map"), VG_SERIES_POINTS, 1);
  double rho = params->static_scattering == VG_FLOW_STATIC_NONE ? 1.0 : params->dynamic_fraction,
         r = 1.0 - rho;
  float k = median_contrast (contrast, pixels);
  double y = (double) k * k / beta;

  curves->log_x = TRUE;
  for (int i = 0; i < POINTS; i++)
    {
      double x = pow (10.0, -2.0 + 5.0 * i / (POINTS - 1)), k2;

      if (params->model <= VG_FLOW_BANDYOPADHYAY)
        k2 = r * r + vg_flow_asymptote (params->model, rho) * (1.0 - r * r) / x;
      else
        k2 = vg_flow_model_k2 (params->model, x, rho);
      line->x[i] = x;
      line->y[i] = k2 <= 1.0 ? sqrt (beta * k2) : NAN;
    }
  point->y[0] = k;
  point->x[0] = NAN;
  if (y > r * r && y < 1.0)
    point->x[0] = params->model <= VG_FLOW_BANDYOPADHYAY
                      ? vg_flow_asymptote (params->model, rho) * (1.0 - r * r) / (y - r * r)
                      : vg_flow_model_solve (params->model, y, rho);
  return curves;
}

VgCurves *
vg_flow_plot (const VgFlowParams *params, guint i, float beta, const float *contrast, gsize pixels)
{
  return i == 0 ? plot_histogram (contrast, pixels) : plot_model (params, beta, contrast, pixels);
}
