/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-state.h"
#include "kernels/base/vg-sort.h"
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

/* The signal of a spoiled gradient echo in the steady state, for a proton density of 1. */
static double
steady_signal (const VgPerfusionStudy *study, double t1_s, double cosine)
{
  double rest = -expm1 (-study->signal.repetition_s / t1_s);

  return sqrt (1 - cosine * cosine) * rest / (1 - cosine + rest * cosine);
}

/* The median proton density of the voxels to fit, in the unit of their signal; NaN: no voxels. */
static double
tissue_density (const VgPerfusionStudy *study)
{
  const gsize stride = MAX (study->voxels / 20000, 1);
  g_autofree double *curve = g_new (double, study->n);
  g_autofree float *densities = g_new (float, study->voxels / stride + 1);
  gsize n = 0;

  for (gsize i = 0; i < study->voxels; i += stride)
    {
      double t1_s = study->t1_s != NULL ? study->t1_s[i] : study->params->t1_ms / 1000,
             cosine = study->cos_flip != NULL ? study->cos_flip[i] : study->signal.cos_flip,
             before = 0, density;
      int used = 0;
      float mean;

      if (!vg_perfusion_study_samples (study, i, curve, 1, &mean))
        continue;
      for (int k = study->signal.baseline_first; k <= study->signal.baseline_last; k++)
        if (study->weights[k] > 0)
          {
            before += curve[k];
            used++;
          }
      density = before / used / steady_signal (study, t1_s, cosine);
      if (density > 0 && isfinite (density))
        densities[n++] = (float) density;
    }
  vg_sort_floats (densities, n);
  return n > 0 ? densities[n / 2] : NAN;
}

/* Blood that has just entered the volume is not saturated by the pulses yet, so it is brighter
 * before the bolus than expected from its T1. */
static void
report_inflow (VgMetrics *metrics, const VgPerfusionStudy *study)
{
  const VgPerfusionParams *params = study->params;
  g_autofree char *advice = NULL;
  double ratio;

  /* Without a mask or threshold most voxels may be air. */
  if (params->signal != VG_PERFUSION_SIGNAL_GRADIENT_ECHO ||
      (study->mask == NULL && params->threshold == 0))
    return;
  ratio = study->artery_baseline /
          steady_signal (study, params->t1_blood_ms / 1000, study->artery_cosine) /
          tissue_density (study);
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
