/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-state.h"
#include <glib/gi18n.h>
/* Whether the signal of the artery may be converted to concentration: its loss to T2* decay at the
 * peak, and its increase by inflow before the bolus. */

/* Above these values a run warns. */
#define MOST_LOSS 0.1
#define MOST_INFLOW 1.5

/* The fraction of the signal that is lost to T2* at the echo time.  C is in mM of whole blood.
 * dR2* = 7.62 C + 0.574 C^2 1/s, measured in human blood at 1.5 T (van Osch et al., Magn. Reson.
 * Med. 49, 1067 (2003)); it is higher at 3 T. */
static double
loss_at (double c, double echo_s)
{
  return -expm1 (-echo_s * (7.62 * c + 0.574 * c * c));
}

static void
report_loss (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  const VgPerfusionParams *params = study->params;
  double peak = study->artery[vg_perfusion_peak_frame (study->artery, study->n)] *
                (1 - params->haematocrit),
         loss = loss_at (MAX (peak, 0), params->echo_ms / 1000);
  g_autofree char *advice = NULL;

  if (!(params->echo_ms > 0))
    return;
  if (loss > MOST_LOSS)
    advice = g_strdup_printf (
        "At the peak (%.3g mM in blood, echo time %.3g ms), T2* decay lowers the signal of the "
        "artery by %.0f %%, so the measured concentration is too low and flows are too high. Use a "
        "shorter echo time, a lower dose or a population AIF.",
        peak, params->echo_ms, 100 * loss);
  vg_metrics_add (metrics, "t2_star_loss_percent", "Signal lost to T2* at the peak of the artery",
                  "%", 100 * loss, advice);
}

static void
report_inflow (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  double ratio = study->inflow_ratio;
  g_autofree char *advice = NULL;

  if (!isfinite (ratio))
    return;
  if (ratio > MOST_INFLOW)
    advice = g_strdup_printf (
        "Before the bolus the artery is %.2g times as bright, relative to the tissue, as expected "
        "from T1, flip angle and repetition time. Unsaturated blood flows in, so the measured "
        "concentration is too low. Mark the artery further downstream, inside the volume.",
        ratio);
  vg_metrics_add (metrics, "inflow_ratio",
                  "Artery signal before the bolus, relative to the expected one", "", ratio,
                  advice);
}

void
vg_perfusion_report_artery (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  if (study->artery_voxels == 0 || study->population ||
      study->params->signal > VG_PERFUSION_SIGNAL_SATURATION)
    return;
  report_loss (metrics, study);
  report_inflow (metrics, study);
}
