/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/base/vg-sort.h"
/* The curves of single voxels: samples and concentrations. */

gboolean
vg_perfusion_study_samples (const VgPerfusionStudy *self, gsize voxel, double *curve, int stride,
                            float *mean)
{
  double sum = 0;
  int used = 0;

  for (int i = 0; i < self->n; i++)
    {
      double value = vg_image_sample (self->image, (gsize) i * self->voxels + voxel);

      curve[i * stride] = value;
      if (self->weights[i] > 0)
        {
          sum += value;
          used++;
        }
    }
  *mean = (float) (sum / used);
  return (self->mask == NULL || self->mask[voxel]) &&
         (self->params->threshold == 0 || !(*mean < self->params->threshold));
}

VgPerfusionStatus
vg_perfusion_study_read (const VgPerfusionStudy *self, gsize voxel, double *curve, int stride,
                         float *mean)
{
  float t1_s = self->t1_s != NULL ? self->t1_s[voxel] : self->params->t1_ms / 1000, baseline = 0;
  double low = HUGE_VAL, high = -HUGE_VAL;
  VgPerfusionSignal signal = self->signal;
  gboolean valid = TRUE;
  int before = 0;

  if (!vg_perfusion_study_samples (self, voxel, curve, stride, mean))
    return VG_PERFUSION_OUTSIDE;
  for (int i = self->signal.baseline_first; i <= self->signal.baseline_last; i++)
    if (self->weights[i] > 0)
      {
        baseline += (float) curve[i * stride];
        before++;
      }
  baseline /= (float) before;
  if (self->cos_flip != NULL)
    signal.cos_flip = self->cos_flip[voxel];
  for (int i = 0; i < self->n; i++)
    {
      double value = vg_perfusion_concentration (&signal, (float) curve[i * stride], baseline,
                                                 t1_s);

      if (self->weights[i] > 0)
        {
          valid = valid && isfinite (value);
          low = MIN (low, value);
          high = MAX (high, value);
        }
      curve[i * stride] = isfinite (value) ? value : 0;
    }
  return !valid ? VG_PERFUSION_INVALID : low == high ? VG_PERFUSION_NO_CURVE : VG_PERFUSION_FITTED;
}

double
vg_perfusion_noise (const double *curve, int n, double *steps)
{
  for (int i = 0; i < n - 2; i++)
    steps[i] = fabs (curve[i] - 2 * curve[i + 1] + curve[i + 2]);
  vg_sort_doubles (steps, (gsize) n - 2);
  return steps[n / 2 - 1] / 1.65;
}

double
vg_perfusion_contrast (const double *curve, int n)
{
  g_autofree double *sorted = g_memdup2 (curve, sizeof *curve * (gsize) n),
                    *steps = g_new (double, n);
  double noise = vg_perfusion_noise (curve, n, steps);

  vg_sort_doubles (sorted, (gsize) n);
  return noise > 0 ? (sorted[n - 1] - sorted[n / 10]) / noise : HUGE_VAL;
}
