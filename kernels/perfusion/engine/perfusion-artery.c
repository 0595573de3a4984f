/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-state.h"
#include "kernels/base/vg-sort.h"
#include <glib/gi18n.h>
/* Whether the signal of the artery may be converted to concentration: its loss to T2* at the peak,
 * and its enhancement by inflow before the bolus. */

/* From these on a run warns. */
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
        "At the peak, %.3g mM in blood and an echo time of %.3g ms, T2* lowers the signal of the "
        "artery by %.0f %%, so its concentration is too low and flows are too high. Use a shorter "
        "echo time, a lower dose or a population AIF.",
        peak, params->echo_ms, 100 * loss);
  vg_metrics_add (metrics, "t2_star_loss_percent", "Signal lost to T2* at the peak of the artery",
                  "%", 100 * loss, advice);
}

/* The signal of a gradient echo per proton density in the steady state. */
static double
steady_signal (const VgPerfusionStudy *study, double t1_s, double cosine)
{
  double rest = -expm1 (-study->signal.repetition_s / t1_s);

  return sqrt (1 - cosine * cosine) * rest / (1 - cosine + rest * cosine);
}

/* The median proton density of the voxels to fit, relative as their signal; NaN: there are none. */
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

/* Blood that enters the volume has not felt the pulses yet, so it is brighter before the bolus than
 * its T1 allows. */
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
        "Before the bolus the artery is %.2g times as bright as its T1, the flip angle and the "
        "repetition time allow relative to the tissue. Unsaturated blood flows in, so its "
        "concentration is too low. Mark the artery further inside the volume, downstream.",
        ratio);
  vg_metrics_add (metrics, "inflow_ratio", "Brightness of the artery before the bolus", "", ratio,
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
