/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-state.h"
/* Indications that the baseline, or the choice of signal, is wrong. */

int
vg_perfusion_peak_frame (const double *curve, int n)
{
  int peak = 0;

  for (int i = 1; i < n; i++)
    if (curve[i] > curve[peak])
      peak = i;
  return peak;
}

/* Whether the data are concentrations already.  An MRI signal increases a few times, not
 * twentyfold. */
static gboolean
is_concentration (const VgPerfusionStudy *study)
{
  const gsize stride = MAX (study->voxels / 500, 1);
  gsize looked = 0, odd = 0;

  for (gsize voxel = 0; voxel < study->voxels; voxel += stride)
    {
      double before = 0, peak = 0;
      int used = 0;

      if (study->mask != NULL && !study->mask[voxel])
        continue;
      for (int i = 0; i < study->n; i++)
        {
          double value = vg_image_sample (study->image, (gsize) i * study->voxels + voxel);

          if (!(study->weights[i] > 0))
            continue;
          peak = MAX (peak, value);
          if (i >= study->signal.baseline_first && i <= study->signal.baseline_last)
            {
              before += value;
              used++;
            }
        }
      looked += peak > 0;
      odd += peak > 0 && before / used < 0.05 * peak;
    }
  return looked > 0 && odd > looked / 2;
}

/* Whether the data contain air, which has -1000 HU in CT; MRI signals are never far below 0. */
static gboolean
holds_air (const VgPerfusionStudy *study)
{
  const gsize stride = MAX (study->voxels / 500, 1);
  gsize looked = 0, air = 0;

  for (gsize voxel = 0; voxel < study->voxels; voxel += stride, looked++)
    air += vg_image_sample (study->image,
                            (gsize) study->signal.baseline_first * study->voxels + voxel) < -500;
  return air > looked / 20;
}

char *
vg_perfusion_baseline_advice (const VgPerfusionStudy *study, int *better)
{
  const VgPerfusionSignal *signal = &study->signal;
  int first = study->params->baseline_first, last = study->params->baseline_last,
      end = MAX (first, last);
  int peak = vg_perfusion_peak_frame (study->artery, study->n) + 1;

  gboolean ct = signal->kind == VG_PERFUSION_SIGNAL_CT || signal->kind == VG_PERFUSION_SIGNAL_HU;

  *better = -1;
  if (end > study->n)
    return g_strdup_printf ("The baseline is set to frame %d, but the series has %d frames, so its "
                            "last frame is used. Set Last baseline frame to 0 to find it.",
                            end, study->n);
  if ((first > 1 || last > 0) && !study->population && end >= peak)
    return g_strdup_printf ("The baseline is set to end at frame %d, but the artery peaks at frame "
                            "%d, so the baseline contains contrast. Lower Last baseline frame.",
                            end, peak);
  if (!ct && holds_air (study))
    {
      *better = VG_PERFUSION_SIGNAL_HU;
      return g_strdup ("These data look like CT numbers: many samples are far below 0, like air. "
                       "Set Signal model to CT, enhancement in HU.");
    }
  if (!ct && is_concentration (study))
    {
      *better = VG_PERFUSION_SIGNAL_CONCENTRATION;
      return g_strdup ("These data look like concentrations, not MRI signal: most voxels are about "
                       "0 before the bolus. Set Signal model to Concentration.");
    }
  if (last == 0 && signal->baseline_last == signal->baseline_first)
    return g_strdup ("Only one frame before the bolus was found. Check Last baseline frame.");
  return NULL;
}
