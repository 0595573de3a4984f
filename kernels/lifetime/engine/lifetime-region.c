/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-region.h"
#include "kernels/lifetime/engine/lifetime-engine.h"
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include "kernels/lifetime/engine/lifetime-state.h"
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>
/* The decay of a region is analysed as a single pixel: the CPU engine processes an image of this
 * pixel alone, with the plan of its frame. */

static void
keep_data (VgFrame *frame)
{
  (void) frame;
}

/* The settings for the sum of PIXELS pixels; what the plan estimated is fixed. */
static VgLifetimeParams
params_for (const VgLifetimePlan *plan, const double *counts, double pixels)
{
  VgLifetimeParams params = plan->finish.params;

  params.bin = 0;
  params.threshold = 0.0f;
  params.background = (float) (params.background * pixels);
  if (params.offset == VG_LIFETIME_OFFSET_BEFORE)
    {
      params.offset = VG_LIFETIME_OFFSET_GIVEN;
      params.background = (float) vg_lifetime_fitting_offset (plan, counts);
    }
  params.range = VG_LIFETIME_RANGE_MANUAL;
  params.fit_start_ns = (float) (plan->start * plan->h);
  params.fit_end_ns = (float) (plan->end * plan->h);
  params.sharing = VG_LIFETIME_SHARE_NONE;
  params.phasor_filter = VG_LIFETIME_FILTER_NONE;
  params.irf_model = VG_LIFETIME_IRF_NONE;
  params.irf_shift_by = VG_LIFETIME_SHIFT_BY_HAND;
  params.irf_shift_ns = params.irf_lifetime_ns = params.irf_cut = 0.0f;
  return params;
}

static VgLifetimeState *
state_for (const VgLifetimePlan *plan, const VgImageInfo *info, const VgLifetimeParams *params)
{
  const VgContext context = { .params = params, .info = info, .threads = 1 };
  VgLifetimeState *state = vg_lifetime_cpu_engine.prepare (&context, NULL);

  if (state == NULL || plan->irf == NULL)
    return state;
  state->params.irf_kind = VG_LIFETIME_IRF_MEASURED;
  state->measured = (VgLifetimeCurve){ .counts = g_memdup2 (plan->irf,
                                                            sizeof (double) * (gsize) plan->bins),
                                       .n = plan->bins,
                                       .h = plan->h };
  return state;
}

/* Computes all outputs of the single pixel. */
static float *
values_of (VgLifetimeState *state)
{
  float *values = g_new (float, VG_LIFETIME_N_OUTPUTS);

  for (guint i = 0; i < VG_LIFETIME_N_OUTPUTS; i++)
    {
      VgPlane plane;

      values[i] = i != VG_LIFETIME_OUTPUT_DENSITY &&
                          vg_lifetime_cpu_engine.output (state, i, &plane, NULL)
                      ? ((const float *) plane.data)[0]
                      : VG_LIFETIME_NAN;
    }
  return values;
}

/* For a good fit the deviance is about the number of bins, with a standard deviation of the square
 * root of twice that number. */
static void
add_deviance (VgMetrics *metrics, double deviance, int bins)
{
  const double ratio = deviance / bins, least = 1.25, deviations = 4.0;

  vg_metrics_add (metrics, "deviance_per_bin", N_ ("Deviance per fitted bin"), "", ratio,
                  ratio > MAX (least, 1.0 + deviations * sqrt (2.0 / bins))
                      ? "The fit deviates from the data by more than noise, so the standard errors "
                        "are too small. Choose a method with more lifetimes, or another IRF."
                      : NULL);
}

/* WHAT names the source of the decay in the title. */
static VgCurves *
curves_of (const VgLifetimePlan *plan, const double *counts, double pixels, const char *what)
{
  const VgImageInfo info = { .type = VG_F32,
                             .width = 1,
                             .height = 1,
                             .channels = 1,
                             .bins = plan->bins,
                             .slices = 1,
                             .frames = 1,
                             .bin_width_ns = plan->h,
                             .period_ns = plan->period_ns };
  VgLifetimeParams params = params_for (plan, counts, pixels);
  VgLifetimeState *state = state_for (plan, &info, &params);
  g_autofree float *data = g_new (float, plan->bins);
  VgFrame frame = { .info = &info, .data = data, .release = keep_data };
  VgCurves *curves = NULL;
  VgStep step = VG_STEP_MORE;

  if (state == NULL)
    return NULL;
  for (int j = 0; j < plan->bins; j++)
    data[j] = (float) counts[j];
  g_atomic_ref_count_init (&frame.ref_count);
  vg_lifetime_cpu_engine.feed (state, &frame, NULL);
  while (step == VG_STEP_MORE)
    step = vg_lifetime_cpu_engine.step (state, 1.0, NULL);
  if (step == VG_STEP_DONE)
    curves = vg_lifetime_cpu_engine.curves->sample (state, 0.5, 0.5, 0, NULL);
  if (curves != NULL)
    {
      g_free (curves->title);
      curves->title = g_strdup_printf ("Decay of the %s, %.0f pixels: %s", what, pixels,
                                       curves->found);
      curves->metrics = vg_metrics_new ();
      vg_metrics_add (curves->metrics, "pixels", "Pixels", "", pixels, NULL);
      vg_metrics_add (curves->metrics, "bins_fitted", "Bins fitted", "", plan->end - plan->start,
                      NULL);
      curves->outputs = values_of (state);
      if (vg_lifetime_fit_finds (params.method) != 0) /* also where a fit has failed */
        add_deviance (curves->metrics, (double) curves->outputs[VG_LIFETIME_OUTPUT_DEVIANCE],
                      plan->end - plan->start);
    }
  vg_lifetime_cpu_engine.free (state);
  return curves;
}

VgCurves *
vg_lifetime_region_curves (const VgLifetimePlan *plan, const double *counts, double pixels)
{
  return curves_of (plan, counts, pixels, "region");
}

VgCurves *
vg_lifetime_plot_decay (const VgLifetimePlan *plan, const double *decay)
{
  return curves_of (plan, decay, plan->pixels, "whole image");
}

double
vg_lifetime_region_pixels (const VgRegion *region, int width, int height, guint8 *mask)
{
  int x0, y0, x1, y1;
  double pixels = 0.0;

  if (mask != NULL)
    memset (mask, 0, (gsize) width * (gsize) height);
  if (!vg_region_bounds (region, width, height, &x0, &y0, &x1, &y1))
    return 0.0;
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      if (vg_region_contains (region, x + 0.5, y + 0.5))
        {
          if (mask != NULL)
            mask[(gsize) y * (gsize) width + (gsize) x] = 1;
          pixels += 1.0;
        }
  return pixels;
}
