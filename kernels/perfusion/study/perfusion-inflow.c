/* SPDX-License-Identifier: MIT */
#include "kernels/base/vg-sort.h"
#include "kernels/perfusion/study/perfusion-study.h"
/* The brightness of the artery before the bolus, relative to the tissue. */

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

double
vg_perfusion_inflow (const VgPerfusionStudy *study)
{
  const VgPerfusionParams *params = study->params;

  /* Without a mask or threshold most voxels may be air. */
  if (study->artery_voxels == 0 || params->signal != VG_PERFUSION_SIGNAL_GRADIENT_ECHO ||
      (!study->has_liver && params->threshold == 0))
    return NAN;
  return study->artery_baseline /
         steady_signal (study, params->t1_blood_ms / 1000, study->artery_cosine) /
         tissue_density (study);
}
