/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-engine.h"
#include "kernels/perfusion/fit/perfusion-deconvolution.h"
#include "kernels/perfusion/model/perfusion-choice.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include "kernels/perfusion/motion/perfusion-motion.h"
/* Checks of the settings, use of metadata, and memory. */

extern const VgOperation vg_perfusion_operation;

gboolean
vg_perfusion_validate (const void *data, GError **error)
{
  const VgPerfusionParams *params = data;

  if (params->solver == VG_PERFUSION_SOLVER_PAPER && params->model != VG_PERFUSION_COMPARTMENT)
    g_set_error_literal (error, VG_USAGE_ERROR, 0,
                         "the paper's solver has one compartment only; set Model to One "
                         "compartment, or choose the default solver");
  else if (params->solver == VG_PERFUSION_SOLVER_PAPER &&
           params->delays != VG_PERFUSION_DELAYS_FREE)
    g_set_error_literal (error, VG_USAGE_ERROR, 0,
                         "the paper's solver always fits a delay for each input; set Transit "
                         "delays to Fitted for each input, or choose the default solver");
  else if (params->dose > 0 && vg_perfusion_population (params->population)->dose <= 0)
    g_set_error_literal (error, VG_USAGE_ERROR, 0,
                         "the dose of this population AIF is not known, so it cannot be scaled; "
                         "set Dose to 0, or give the artery as a table");
  else if (params->baseline_last > 0 && params->baseline_last < params->baseline_first)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "the baseline ends at frame %d, before its first frame, %d; set Last baseline "
                 "frame to 0, or higher than First baseline frame",
                 params->baseline_last, params->baseline_first);
  else
    return TRUE;
  return FALSE;
}

void
vg_perfusion_adopt (void *data, const VgImageInfo *info)
{
  VgPerfusionParams *params = data;

  if (info->frame_interval_s >= 1e-3 && info->frame_interval_s <= 3600)
    params->frame_interval_s = (float) info->frame_interval_s;
  if (info->repetition_ms > 0)
    params->repetition_ms = (float) info->repetition_ms;
  if (info->flip_deg > 0)
    params->flip_deg = (float) info->flip_deg;
  if (info->echo_ms > 0)
    params->echo_ms = (float) info->echo_ms;
  if (info->inversion_ms > 0)
    params->saturation_ms = (float) info->inversion_ms;
  /* The signal of a gradient echo is not proportional to concentration. */
  if (info->repetition_ms > 0 && info->flip_deg > 0 && params->signal == VG_PERFUSION_SIGNAL_LINEAR)
    params->signal = VG_PERFUSION_SIGNAL_GRADIENT_ECHO;
  if (info->curves && params->signal == VG_PERFUSION_SIGNAL_LINEAR)
    params->signal = VG_PERFUSION_SIGNAL_CONCENTRATION;
  if (info->ct && params->signal == VG_PERFUSION_SIGNAL_LINEAR)
    params->signal = VG_PERFUSION_SIGNAL_HU;
  if (params->signal_origin != VG_PERFUSION_SIGNAL_CHOSEN)
    params->signal_origin = params->signal == VG_PERFUSION_SIGNAL_LINEAR
                                ? VG_PERFUSION_SIGNAL_ASSUMED
                                : VG_PERFUSION_SIGNAL_DEFAULT;
}

void
vg_perfusion_follow (void *data, const gboolean *changed)
{
  const VgParamTable *table = &vg_perfusion_operation.params;
  VgPerfusionParams *params = data;

  if (changed[vg_params_find (table, "signal") - table->items])
    params->signal_origin = VG_PERFUSION_SIGNAL_CHOSEN;
}

void
vg_perfusion_memory (const void *data, const VgImageInfo *info, gsize *host, gsize *device)
{
  const VgPerfusionParams *params = data;
  gboolean as_is = info->type == VG_F32 && params->signal == VG_PERFUSION_SIGNAL_CONCENTRATION;
  gsize voxels = vg_image_info_page_samples (info), bytes = vg_image_info_frame_bytes (info);

  *host = *device = G_MAXSIZE;
  if (!g_size_checked_mul (&voxels, voxels, (gsize) MAX (info->slices, 0)) ||
      !g_size_checked_mul (&bytes, bytes, (gsize) MAX (info->frames, 0)) ||
      voxels > G_MAXSIZE / 256)
    return;
  /* The fits, and up to seven maps: mean, derived, T1 three times, B1 and its cosine. */
  *host = voxels * (sizeof (float) * (VG_PERFUSION_FIT_VALUES + 7) + sizeof (guint32) + 2);
  /* The samples, and their concentrations unless they are concentrations. */
  *device = *host + bytes + (as_is ? 0 : bytes / vg_type_size (info->type) * sizeof (float));
  /* The fits of all models. */
  if (params->model == VG_PERFUSION_BEST)
    *device += voxels * sizeof (float) * VG_PERFUSION_FIT_VALUES * VG_PERFUSION_CANDIDATES;
  if (params->motion != VG_PERFUSION_MOTION_OFF)
    {
      gsize results, passes;

      vg_perfusion_motion_memory (info,
                                  params->motion == VG_PERFUSION_MOTION_DEFORMATION
                                      ? (double) params->motion_spacing_mm
                                      : 0,
                                  &results, &passes);
      *host += results + passes;
      *device = MAX (*device + results, passes);
    }
  if (params->model == VG_PERFUSION_DECONVOLUTION)
    {
      gsize host_tables, device_tables;

      vg_perfusion_deconvolution_memory ((int) CLAMP (info->frames, 0, G_MAXINT),
                                         params->delays != VG_PERFUSION_DELAYS_NONE, &host_tables,
                                         &device_tables);
      /* The coefficients of the voxels that are deconvolved at once. */
      *device += device_tables + sizeof (double) * 128 * MIN (voxels, 65536);
      *host += host_tables;
    }
}
