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
vg_perfusion_baseline_advice (const VgPerfusionStudy *study)
{
  const VgPerfusionSignal *signal = &study->signal;
  int first = study->params->baseline_first, last = study->params->baseline_last,
      end = MAX (first, last);
  int peak = vg_perfusion_peak_frame (study->artery, study->n) + 1;

  if (end > study->n)
    return g_strdup_printf ("The baseline was set to begin or end with frame %d of a series of %d: "
                            "its last frame stands for it.",
                            end, study->n);
  if ((first > 1 || last > 0) && !study->population && end >= peak)
    return g_strdup_printf ("The baseline was set to go to frame %d, and the artery has its peak "
                            "in frame %d: contrast is in the baseline.",
                            end, peak);
  if (signal->kind != VG_PERFUSION_SIGNAL_CT && holds_air (study))
    return g_strdup (
        "Many samples are far below 0, as those of air are on a CT: then choose that signal.");
  if (signal->kind != VG_PERFUSION_SIGNAL_CT && is_concentration (study))
    return g_strdup ("Before contrast most voxels are about 0: are the data concentration already? "
                     "Then choose that signal.");
  if (last == 0 && signal->baseline_last == signal->baseline_first)
    return g_strdup ("Only one frame was found before contrast: set where the baseline ends.");
  return NULL;
}
