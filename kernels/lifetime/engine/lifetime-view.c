/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-view.h"
#include "kernels/base/vg-sort.h"
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include "kernels/lifetime/plan/lifetime-shift.h"
#include <math.h>
#include <string.h>

gboolean
vg_lifetime_has_output (const VgLifetimeParams *params, int i)
{
  gboolean found = (vg_lifetime_fit_finds (params->method) & 1u << i) != 0;

  switch (i)
    {
    case VG_LIFETIME_OUTPUT_LIFETIME_1:
    case VG_LIFETIME_OUTPUT_LIFETIME_2:
    case VG_LIFETIME_OUTPUT_FRACTION:
    case VG_LIFETIME_OUTPUT_WEIGHTED:
      return found || vg_lifetime_is_biexponential (params->method);
    case VG_LIFETIME_OUTPUT_ERROR:
      return found || params->method == VG_LIFETIME_CMM;
    case VG_LIFETIME_OUTPUT_PHOTONS_FITTED:
      return params->method != VG_LIFETIME_PHASOR && params->method != VG_LIFETIME_PHASOR_TWO;
    case VG_LIFETIME_OUTPUT_LIFETIME_3:
    case VG_LIFETIME_OUTPUT_FRACTION_2:
    case VG_LIFETIME_OUTPUT_OFFSET:
    case VG_LIFETIME_OUTPUT_EXPONENT:
    case VG_LIFETIME_OUTPUT_DEVIANCE:
    case VG_LIFETIME_OUTPUT_ERROR_1:
    case VG_LIFETIME_OUTPUT_ERROR_2:
    case VG_LIFETIME_OUTPUT_WEIGHTED_ERROR:
    case VG_LIFETIME_OUTPUT_FRACTION_ERROR:
    case VG_LIFETIME_OUTPUT_ERROR_3:
    case VG_LIFETIME_OUTPUT_FRACTION_2_ERROR:
    case VG_LIFETIME_OUTPUT_TIME_CONSTANT:
      return found;
    case VG_LIFETIME_OUTPUT_CURSOR:
      return params->n_cursors > 0;
    default:
      return TRUE;
    }
}

void
vg_lifetime_describe_plane (VgPlane *plane, int i, const VgImageInfo *info,
                            const VgLifetimePlan *plan)
{
  const guint32 lifetimes = VG_LIFETIME_BIT (LIFETIME) | VG_LIFETIME_BIT (LIFETIME_1) |
                            VG_LIFETIME_BIT (LIFETIME_2) | VG_LIFETIME_BIT (LIFETIME_3) |
                            VG_LIFETIME_BIT (WEIGHTED) | VG_LIFETIME_BIT (TIME_CONSTANT);

  *plane = (VgPlane){ .width = info->width, .height = info->height, .slices = (int) info->slices };
  if (i == VG_LIFETIME_OUTPUT_DENSITY)
    {
      plane->width = plane->height = VG_LIFETIME_DENSITY_SIDE;
      plane->slices = 1;
      plane->pixel_size[0] = 2.0 / VG_LIFETIME_DENSITY_SIDE;
      plane->pixel_size[1] = -2.0 / VG_LIFETIME_DENSITY_SIDE; /* S increases upwards. */
      plane->origin[0] = -1.0 + 0.5 * plane->pixel_size[0];
      plane->origin[1] = 1.0 + 0.5 * plane->pixel_size[1];
      return;
    }
  if (lifetimes & 1u << i) /* Lifetimes longer than a period are mostly noise. */
    plane->most = plan->period_ns;
  plane->pixel_size[0] = info->pixel_size[0];
  plane->pixel_size[1] = info->pixel_size[1];
  memcpy (plane->unit, info->pixel_unit, sizeof plane->unit);
}

static void
add_line (GString *lines, const char *line)
{
  if (lines->len > 0)
    g_string_append_c (lines, '\n');
  g_string_append (lines, line);
}

/* NULL if there are no lines. */
static const char *
or_none (const GString *lines)
{
  return lines->len > 0 ? lines->str : NULL;
}

static void
add_fitted (VgMetrics *metrics, const VgLifetimePlan *plan, double fitted, gboolean tried,
            gboolean dark)
{
  const VgLifetimeParams *params = &plan->finish.params;
  gboolean squares = params->method == VG_LIFETIME_LSM || params->method == VG_LIFETIME_LSM_TWO;
  g_autoptr (GString) lines = g_string_new (NULL);

  if (!tried && dark)
    add_line (lines,
              "No pixel has enough photons. Lower Minimum photons, or increase Pixel binning.");
  if (squares && params->weights == VG_LIFETIME_WEIGHTS_COUNTS)
    add_line (lines, "Weights from the counts make lifetimes read 7 to 10 % low at 1500 photons. "
                     "Take the weights from the model, or fit by maximum likelihood.");
  vg_metrics_add (metrics, "pixels_fitted", "Pixels fitted", "", fitted, or_none (lines));
  if (!tried)
    vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  else
    vg_metrics_propose (metrics, "weights", VG_LIFETIME_WEIGHTS_MODEL);
}

/* Whether the metadata contradict the setting, which may come from another file. */
static gboolean
is_contradicted (double said, double set)
{
  return said > 0.0 && set > 0.0 && fabs (set / said - 1.0) > 0.005;
}

static void
add_times (VgMetrics *metrics, const VgLifetimePlan *plan)
{
  const VgLifetimeParams *params = &plan->finish.params;
  gboolean manual = params->range == VG_LIFETIME_RANGE_MANUAL;
  double window = plan->bins * plan->h;
  const double usual_period_ns = 12.5; /* of a titanium-sapphire laser */
  g_autofree char *outside = g_strdup_printf (
      "The fit range starts at %.5g ns, after the end of the time window at %.5g ns. Move it into "
      "the time window.",
      (double) params->fit_start_ns, window);
  g_autofree char *shorter = g_strdup_printf (
      "The laser period is shorter than the time window of %.5g ns, so the next pulse would show "
      "in the data. Check the repetition rate.",
      window);
  g_autofree char *unknown = g_strdup_printf (
      "Laser period unknown; assuming the time window of %.5g ns. At a repetition rate of 80 MHz "
      "it is 12.5 ns.",
      window);
  g_autofree char *other = g_strdup_printf ("The data state a laser period of %.5g ns, but %.5g ns "
                                            "is set. Use the stated one, unless it is wrong.",
                                            plan->file_period_ns, plan->period_ns);
  g_autofree char *wide = g_strdup_printf (
      "The data state a bin width of %.5g ns, but %.5g ns is set, and all lifetimes scale with it. "
      "Use the stated one, unless it is wrong.",
      plan->file_width_ns, plan->h);
  gboolean phasors = params->method == VG_LIFETIME_PHASOR ||
                     params->method == VG_LIFETIME_PHASOR_TWO;
  /* The bin width has an effect only then. */
  gboolean counts = (plan->raw_phasors && phasors) || params->irf_kind != VG_LIFETIME_IRF_NONE;
  const char *turned = phasors ? "Phasors are not calibrated, so they are rotated and their "
                                 "lifetimes are wrong. Choose a measured IRF, or set IRF model to "
                                 "Estimated with the decay. Also check the laser period."
                               : "Phasors are not calibrated, so they are rotated in the plot and "
                                 "in their maps. Choose a measured IRF, or set IRF model to "
                                 "Estimated with the decay. Also check the laser period.";

  if (plan->assumed_width)
    {
      vg_metrics_add (metrics, "bin_width_ns", "Bin width", "ns", plan->h,
                      "Bin width unknown; assuming 0.1 ns. All lifetimes scale with it. Set the "
                      "bin width of the recording.");
      vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
    }
  else if (is_contradicted (plan->file_width_ns, plan->h))
    {
      vg_metrics_add (metrics, "bin_width_ns", "Bin width", "ns", plan->h, wide);
      vg_metrics_propose (metrics, "bin_width_ns", plan->file_width_ns);
    }
  vg_metrics_add (metrics, "fit_start_ns", "Start of fit range", "ns", plan->start * plan->h,
                  manual && params->fit_start_ns >= window ? outside : NULL);
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  vg_metrics_add (metrics, "fit_end_ns", "End of fit range", "ns", plan->end * plan->h, NULL);
  vg_metrics_add (metrics, "period_ns", "Laser period", "ns", plan->period_ns,
                  is_contradicted (plan->file_period_ns, params->period_ns) ? other
                  : plan->period_ns < 0.99 * window                         ? shorter
                  : counts && !(params->period_ns > 0.0f)                   ? unknown
                                                                            : NULL);
  if (is_contradicted (plan->file_period_ns, params->period_ns))
    vg_metrics_propose (metrics, "period_ns", plan->file_period_ns);
  else if (plan->period_ns >= 0.99 * window && window <= usual_period_ns)
    vg_metrics_propose (metrics, "period_ns", usual_period_ns);
  if (plan->raw_phasors)
    {
      vg_metrics_add (metrics, "pulse_ns", "Pulse onset", "ns", plan->pulse_ns, turned);
      vg_metrics_propose (metrics, "irf_model", VG_LIFETIME_IRF_ESTIMATED);
    }
  if (plan->raw_phasors && phasors)
    vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
}

/* Whether constant light makes the method's lifetimes too long. */
static gboolean
is_moved_by_background (const VgLifetimeParams *params)
{
  if (params->background > 0.0f || params->method == VG_LIFETIME_PHASOR ||
      params->method == VG_LIFETIME_PHASOR_TWO)
    return FALSE;
  if (params->method == VG_LIFETIME_RLD)
    return params->rld_gates == VG_LIFETIME_RLD_TWO;
  return params->offset == VG_LIFETIME_OFFSET_GIVEN;
}

static void
add_before_pulse (VgMetrics *metrics, const VgLifetimePlan *plan)
{
  /* A background of this fraction of the peak changes the centre of mass by some per cent. */
  const double much = 0.003;
  g_autofree char *text = g_strdup_printf (
      "Background before the pulse (%.2g %% of the peak) makes lifetimes read high. Fit an offset, "
      "take it from these bins, use three gates, or set the background%s. If brighter pixels have "
      "more of it, it comes from afterpulses or previous pulses and is not constant.",
      100.0 * plan->before_share,
      plan->finish.params.period_ns > 0.0f ? "" : " and the laser period");

  if (plan->finish.params.offset == VG_LIFETIME_OFFSET_BEFORE && plan->before_end == 0)
    vg_metrics_add (metrics, "before_pulse", "Background before the pulse", "counts/bin", NAN,
                    "There are too few bins before the pulse to measure the offset, so it is 0. "
                    "Fit the offset, or set the background.");
  if (plan->before_pulse > 0.0)
    vg_metrics_add (
        metrics, "before_pulse", "Background before the pulse", "counts/bin", plan->before_pulse,
        plan->before_share > much && is_moved_by_background (&plan->finish.params) ? text : NULL);
  if (plan->before_pulse > 0.0)
    vg_metrics_propose (metrics, "offset", VG_LIFETIME_OFFSET_BEFORE);
}

/* Adds a metric if the IRF does not explain the pulse onset with any lifetimes. */
static void
add_unexplained (VgMetrics *metrics, const VgLifetimePlan *plan)
{
  const double much = 0.003, grave = 0.05; /* Correct IRFs in whole bins reach 0.001. */
  const VgLifetimeParams *params = &plan->finish.params;
  gboolean modelled = params->irf_kind == VG_LIFETIME_IRF_GAUSSIAN ||
                      params->irf_kind == VG_LIFETIME_IRF_EDGE;
  gboolean measured = params->irf_kind == VG_LIFETIME_IRF_MEASURED,
           placed = params->irf_shift_by == VG_LIFETIME_SHIFT_FITTED || !measured;
  const char *remedy = modelled    ? "Choose a measured IRF, or the IRF estimated with the decay."
                       : !measured ? "Choose a measured IRF."
                       : placed ? "Choose an IRF recorded with the same settings and cut where its "
                                  "noise begins."
                                : "Fit the IRF shift, or choose an IRF recorded with the same "
                                  "settings and cut where its noise begins.";
  g_autofree char *text = g_strdup_printf (
      "The %s does not fit these data: it leaves %.2g %% of the photons near the pulse onset "
      "unexplained. Short lifetimes are affected first. %s",
      measured ? "measured IRF" : "IRF model", 100.0 * plan->irf_unexplained, remedy);

  vg_metrics_add (metrics, "irf_misfit", "Unexplained photons", "%", 100.0 * plan->irf_unexplained,
                  plan->irf_unexplained > much ? text : NULL);
  if (plan->irf_unexplained > grave)
    vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
}

static void
add_response_time (VgMetrics *metrics, const VgLifetimePlan *plan)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autofree char *outside = g_strdup_printf (
      "The IRF lies outside the time window of %.5g ns. Shift it, or choose another.",
      plan->bins * plan->h);
  const VgLifetimeParams *params = &plan->finish.params;
  const double skewed = 0.5; /* For a Gaussian pulse the estimated tail is far shorter. */
  gboolean multiple = vg_lifetime_is_biexponential (params->method) ||
                      (vg_lifetime_fit_finds (params->method) & VG_LIFETIME_BIT (FRACTION)) != 0;

  if (plan->lacks_irf)
    add_line (lines,
              plan->outside_irf ? outside
              : plan->finish.params.irf_kind == VG_LIFETIME_IRF_MEASURED
                  ? "The measured IRF has no counts. Choose another one, or an IRF model."
                  : "The decay does not rise within the time window, so no IRF can be found in it. "
                    "Choose a measured IRF, or set IRF model to None.");
  if (plan->late_irf)
    add_line (lines, "The IRF peaks later than the decay, which is impossible. Choose the IRF of "
                     "this instrument, or shift it.");
  if (params->irf_kind == VG_LIFETIME_IRF_ESTIMATED && plan->have_pulse && multiple &&
      plan->pulse.tail > skewed * plan->pulse.sigma)
    {
      g_autofree char *text = g_strdup_printf (
          "The estimated IRF is skewed. Choose a measured IRF if short lifetimes matter: the tail "
          "of %.2g ns cannot be determined from a decay alone, so they may read 10 to 20 %% low.",
          plan->pulse.tail * plan->h);
      add_line (lines, text);
    }
  if (plan->irf_bins > 0 && plan->irf_bins != plan->bins)
    {
      g_autofree char *text = g_strdup_printf (
          "The IRF has %d time bins and no bin width, and the data have %d time bins. The bin "
          "width of the data, %.5g ns, is used for both. Check that the IRF was recorded with it.",
          plan->irf_bins, plan->bins, plan->h);
      add_line (lines, text);
    }
  if (plan->irf_channels > 1)
    {
      g_autofree char *text = g_strdup_printf (
          "The IRF is channel %d of the %d in its file: the brightest, unless one was chosen. "
          "FILE#channel=%d chooses another.",
          plan->irf_channel, plan->irf_channels, plan->irf_channel == 1 ? 2 : 1);
      add_line (lines, text);
    }
  if (params->irf_shift_by == VG_LIFETIME_SHIFT_FITTED)
    vg_metrics_add (
        metrics, "irf_shift_ns", "Fitted IRF shift", "ns",
        plan->lacks_shift || !vg_lifetime_shift_is_fitted (params) ? NAN : plan->shift_ns,
        plan->lacks_shift
            ? "The decay does not rise, so the IRF is not shifted. Set the IRF shift by hand."
        : !vg_lifetime_shift_is_fitted (params) ? "This method uses only the tail, which does not "
                                                  "determine the IRF shift, so the shift is 0."
                                                : NULL);
  vg_metrics_add (metrics, "irf_time_ns", "Mean time of the IRF", "ns",
                  plan->lacks_irf ? NAN : plan->irf_mean * plan->h, or_none (lines));
  if (plan->lacks_irf || plan->late_irf)
    vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
}

/* The likely reason for many pixels without a solution. */
static const char *
why_none (const VgLifetimeParams *params)
{
  if (params->method == VG_LIFETIME_PHASOR || params->method == VG_LIFETIME_PHASOR_TWO)
    return "Many phasors belong to no lifetime, or could be constant light. Calibrate them with an "
           "IRF, increase pixel binning, or choose another method.";
  if (params->method == VG_LIFETIME_MLE_STRETCHED)
    return "In many pixels the mean lifetime of a stretched exponential is uncertain by a factor "
           "of two, or the light could be constant. Increase pixel binning, or fit one or two "
           "lifetimes.";
  if (vg_lifetime_fit_finds (params->method) != 0 && params->sharing != VG_LIFETIME_SHARE_NONE)
    return "The global fit did not converge for some pixels, or could not separate their "
           "lifetimes. Fit fewer lifetimes, or fix a known one.";
  return "Many decays do not fall as the method expects, or by less than their noise. Check the "
         "fit range, increase pixel binning, or choose another method.";
}

void
vg_lifetime_add_results (VgMetrics *metrics, const VgLifetimePlan *plan, const guint64 *status,
                         double photons)
{
  const VgLifetimeParams *params = &plan->finish.params;
  const guint64 segment = 32, few = 1000;
  guint64 failed = status[VG_LIFETIME_FAILED], tried = status[VG_LIFETIME_FITTED] + failed;
  gboolean shares = vg_lifetime_fit_finds (params->method) != 0 &&
                    params->sharing != VG_LIFETIME_SHARE_NONE;
  /* A failed global fit loses a whole segment at once. */
  gboolean many = failed * 5 > tried || (shares && failed >= segment && failed * few > tried);

  vg_metrics_add (metrics, "photons", "Photons", "", photons,
                  photons < 0.0
                      ? "Some counts are negative, so they are not photons. Open the data as "
                        "recorded, before a background was subtracted or counts were scaled."
                      : NULL);
  if (photons < 0.0)
    vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  add_fitted (metrics, plan, (double) status[VG_LIFETIME_FITTED], tried > 0,
              status[VG_LIFETIME_DARK] > 0);
  /* The metrics of the IRF come first, because the window shows only a few. */
  if (params->irf_kind != VG_LIFETIME_IRF_NONE)
    add_response_time (metrics, plan);
  if (plan->irf != NULL && vg_lifetime_uses_onset (params))
    add_unexplained (metrics, plan);
  vg_metrics_add (metrics, "pixels_failed", "Pixels without a solution", "", (double) failed,
                  plan->problem != NULL ? plan->problem
                  : many                ? why_none (params)
                                        : NULL);
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  vg_metrics_add (metrics, "pixels_dark", "Pixels with too few photons", "",
                  (double) status[VG_LIFETIME_DARK], NULL);
  vg_metrics_mark (metrics, VG_NUMBER_QUIET);
  vg_metrics_add (
      metrics, "pixels_saturated", "Saturated pixels", "", (double) status[VG_LIFETIME_SATURATED],
      status[VG_LIFETIME_SATURATED] > 0
          ? "Counters overflowed in these pixels, so they are excluded. Record for a shorter time."
          : NULL);
  vg_metrics_mark (metrics, VG_NUMBER_QUIET);
  add_times (metrics, plan);
  add_before_pulse (metrics, plan);
}

/* Moves the last metric before the one called ID, if it exists. */
static void
move_before (VgMetrics *metrics, const char *id)
{
  VgMetric *items = (VgMetric *) (void *) metrics->items->data, number;
  guint last = metrics->items->len - 1, i = 0;

  while (i < last && !g_str_equal (items[i].id, id))
    i++;
  number = items[last];
  memmove (items + i + 1, items + i, sizeof *items * (last - i));
  items[i] = number;
}

void
vg_lifetime_add_deviance (VgMetrics *metrics, const VgLifetimePlan *plan, const float *deviance,
                          gsize n)
{
  enum { MOST = 4096 };
  /* Correct fits reach at most 1.16 times the number of bins, for one or two photons in each. */
  const double much = 1.25;
  gsize step = MAX (n / MOST, 1), found = 0;
  g_autofree float *values = g_new (float, n / step + 1);
  double ratio;

  for (gsize i = 0; i < n; i += step)
    if (isfinite (deviance[i]))
      values[found++] = deviance[i];
  if (found == 0)
    return;
  vg_sort_floats (values, found);
  ratio = values[found / 2] / (plan->end - plan->start);
  vg_metrics_add (metrics, "median_deviance", "Median deviance per fitted bin", "", ratio,
                  ratio > much && plan->finish.irf
                      ? "Fits deviate from the data by more than noise. Choose a method with more "
                        "lifetimes, or another IRF."
                      : NULL);
  move_before (metrics, "pixels_failed");
}
