/* SPDX-License-Identifier: MIT */
#include "kernels/flow/model/flow-checks.h"
#include "kernels/flow/model/flow-state.h"
#include "kernels/base/vg-error.h"
#include <math.h>

/* A cycle of exposures changes what successive frames have in common. */
static gboolean
check_exposures (const VgFlowParams *params, GError **error)
{
  if (params->exposures == NULL)
    return TRUE;
  if (params->exposures->rows < 4)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "there are %d exposures, but a fit of three values needs four or more; add "
                 "exposure times, or remove all",
                 params->exposures->rows);
  else if (params->method != VG_FLOW_SPATIAL || params->average > 1)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "successive frames have different exposure times, so the contrast must come from "
                 "one frame; set Method to Spatial and Average to 1");
  else if (params->pulse)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "the pulse cannot be found in frames with different exposure times; turn off the "
                 "pulse, or remove the exposures");
  else
    return TRUE;
  return FALSE;
}

gboolean
vg_flow_validate (const void *data, GError **error)
{
  const VgFlowParams *params = data;

  if (params->dark_file == NULL && params->mask_saturated && params->saturation_level > 0.0 &&
      params->dark_level >= params->saturation_level)
    {
      g_set_error (
          error, VG_USAGE_ERROR, 0,
          "the dark level %g DN is not below the saturation level %g DN; lower the dark level",
          (double) params->dark_level, params->saturation_level);
      return FALSE;
    }
  if (params->pulse && !(params->rate_min < params->rate_max))
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "the lowest pulse rate, %g 1/min, is not below the highest, %g 1/min; lower it",
                   (double) params->rate_min, (double) params->rate_max);
      return FALSE;
    }
  if (params->calibrated && !(params->reference_index > params->zero_index))
    {
      g_set_error (
          error, VG_USAGE_ERROR, 0,
          "the reference flow index %g 1/s is not above the zero flow index %g 1/s; measure "
          "the reference where blood flows",
          (double) params->reference_index, (double) params->zero_index);
      return FALSE;
    }
  return check_exposures (params, error);
}

gboolean
vg_flow_has_exposure (const VgImageInfo *info)
{
  return info->exposure_ms >= 1e-3 && info->exposure_ms <= 1e5;
}

void
vg_flow_adopt (void *data, const VgImageInfo *info)
{
  VgFlowParams *params = data;

  if (vg_flow_has_exposure (info))
    params->exposure_ms = (float) info->exposure_ms;
}

gboolean
vg_flow_contrast_differs (const VgFlowParams *a, const VgFlowParams *b)
{
  return a->radius != b->radius || a->edges != b->edges || a->dark_level != b->dark_level ||
         a->gain_dn_per_e != b->gain_dn_per_e || a->read_noise_dn != b->read_noise_dn ||
         a->quantisation != b->quantisation || a->mask_saturated != b->mask_saturated ||
         a->saturation_level != b->saturation_level;
}

gboolean
vg_flow_can_update (const VgFlowParams *now, const VgFlowParams *next)
{
  if (next->method != now->method || next->frames != now->frames || next->average != now->average ||
      next->nonfinite != now->nonfinite || next->motion != now->motion ||
      next->motion_reference != now->motion_reference || next->pulse != now->pulse ||
      !vg_table_equal (next->exposures, now->exposures) ||
      vg_flow_table_floats (next) != vg_flow_table_floats (now) ||
      (next->average > 1 && vg_flow_contrast_differs (now, next)))
    return FALSE;
  /* The frames of a temporal window were counted with the level of that time. */
  return next->method == VG_FLOW_SPATIAL || (next->mask_saturated == now->mask_saturated &&
                                             next->saturation_level == now->saturation_level);
}

int
vg_flow_history (const void *data)
{
  const VgFlowParams *params = data;
  int window = params->method == VG_FLOW_SPATIAL ? 1 : params->frames;
  int before = window - 1 + params->average - 1;

  /* The static fraction is measured from two frames. */
  return params->static_scattering == VG_FLOW_STATIC_MEASURED ? MAX (before, 1) : before;
}

void
vg_flow_add_to_history (VgFrameHistory *history, const VgFlowParams *params, const VgFrame *frame)
{
  vg_frame_history_add (history, frame, params->exposures != NULL, vg_flow_history (params));
}

int
vg_flow_baseline_length (const VgFlowParams *params, const VgImageInfo *info)
{
  if (params->baseline_frames > 0)
    return params->baseline_frames;
  if (!(info->frame_interval_s > 0.0))
    return VG_FLOW_BASELINE_MAPS;
  return (int) CLAMP (ceil (1.0 / info->frame_interval_s - 1e-6), 1.0,
                      (double) VG_FLOW_MAX_BASELINE);
}

double
vg_flow_saturation (const VgFlowParams *params, const VgImageInfo *info)
{
  return params->mask_saturated ? vg_flow_full_scale (params, info) : HUGE_VAL;
}

double
vg_flow_full_scale (const VgFlowParams *params, const VgImageInfo *info)
{
  int bits = info->significant_bits;

  if (params->saturation_level > 0.0)
    return params->saturation_level;
  if (info->type == VG_F32)
    return HUGE_VAL;
  if (bits < 1 || bits > (int) (8 * vg_type_size (info->type)))
    bits = 8 * vg_type_size (info->type);
  return exp2 (bits) - 1.0;
}

void
vg_flow_memory (const void *data, const VgImageInfo *info, gsize *host, gsize *device)
{
  gsize pixels = (gsize) MAX (info->width, 0) * (gsize) MAX (info->height, 0);
  gsize bytes = pixels * vg_type_size (info->type);

  *host = vg_flow_state_bytes (data, info, 0);
  /* The GPU holds the same buffers, and two frames that are being uploaded. */
  *device = *host + 2 * bytes;
}

gboolean
vg_flow_check_input (const VgContext *context, GError **error)
{
  const VgImageInfo *info = context->info;

  if (info == NULL || vg_image_info_page_bytes (info) == 0)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the frames do not have a valid size");
      return FALSE;
    }
  if (info->channels != 1 || info->bins > 1 || info->slices > 1)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "each frame has %d %s, but speckle contrast needs one grey image per time "
                   "point; export the frames that way",
                   (int) (info->slices > 1 ? info->slices : MAX (info->channels, info->bins)),
                   info->slices > 1 ? "slices"
                   : info->bins > 1 ? "time bins"
                                    : "channels");
      return FALSE;
    }
  return TRUE;
}

void
vg_flow_refuse_invalid (const VgFrame *frame, guint64 count, guint64 first, GError **error)
{
  guint64 width = (guint64) frame->info->width;

  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "frame %" G_GINT64_FORMAT " has %" G_GUINT64_FORMAT
               " samples that are not numbers, the first at (%d, %d); repair the data, or set "
               "Invalid samples to Exclude these windows",
               frame->index + 1, count, (int) (first % width), (int) (first / width));
}

float *
vg_flow_load_dark (const VgContext *context, gboolean *whole, GError **error)
{
  const VgImage *image = NULL;
  gsize pixels = vg_image_info_page_samples (context->info);
  gint64 pages;
  g_autofree float *dark = NULL;

  *whole = TRUE;
  for (guint i = 0; i < context->n_files; i++)
    if (g_strcmp0 (context->files[i].param_id, "dark_file") == 0)
      image = context->files[i].image;
  if (image == NULL || image->data == NULL)
    return NULL;

  if (image->info.width != context->info->width || image->info.height != context->info->height ||
      image->info.channels != 1)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the dark frame \"%s\" is %dx%d%s, but the frames are %dx%d in grey; record the "
                   "dark frame with the same camera settings",
                   image->name != NULL ? image->name : "", image->info.width, image->info.height,
                   image->info.channels == 1 ? "" : " in colour", context->info->width,
                   context->info->height);
      return NULL;
    }
  dark = g_try_new (float, pixels);
  if (dark == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for the dark frame");
      return NULL;
    }
  pages = MAX (vg_image_info_pages (&image->info), 1);
  for (gsize i = 0; i < pixels; i++)
    {
      double sum = 0.0;

      for (gint64 page = 0; page < pages; page++)
        sum += vg_image_sample (image, (gsize) page * pixels + i);
      dark[i] = (float) (sum / (double) pages);
      if (!isfinite (dark[i]))
        {
          g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                       "the dark frame \"%s\" has a sample that is not a number at (%d, %d); "
                       "choose another dark frame",
                       image->name != NULL ? image->name : "",
                       (int) (i % (gsize) context->info->width),
                       (int) (i / (gsize) context->info->width));
          return NULL;
        }
      *whole = *whole && dark[i] == rintf (dark[i]) && fabsf (dark[i]) <= 65535.0f;
    }
  return g_steal_pointer (&dark);
}
