/* SPDX-License-Identifier: MIT */
#include "kernels/flow/engine/flow-engine.h"
#include "kernels/flow/contrast/flow-contrast.h"
#include "kernels/flow/engine/flow-frames.h"
#include "kernels/flow/engine/flow-maps.h"
#include "kernels/flow/engine/flow-parts.h"
#include "kernels/flow/engine/flow-view.h"
#include "kernels/flow/model/flow-checks.h"
#include "kernels/base/vg-memory.h"
#include <string.h>
/* The CPU engine. */

/* PIXEL_BYTES is more than any state needs per pixel, so the product below cannot overflow. */
static gboolean
check_memory (const VgContext *context, GError **error)
{
  enum { PIXEL_BYTES = 8192 };
  const VgImageInfo *info = context->info;
  gsize pixels = (gsize) info->width * (gsize) info->height;
  gsize bytes = pixels > G_MAXSIZE / PIXEL_BYTES
                    ? G_MAXSIZE
                    : vg_flow_state_bytes (context->params, info, context->threads) +
                          vg_flow_parts_bytes (context->params, info);
  g_autofree char *what = g_strdup_printf ("maps of %dx%d with these settings", info->width,
                                           info->height);

  return vg_memory_check (bytes, what, error);
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  g_autoptr (GError) dark_error = NULL;
  g_autofree float *dark = NULL;
  gboolean whole;
  VgFlowState *self;

  if (!vg_flow_check_input (context, error) || !check_memory (context, error))
    return NULL;
  dark = vg_flow_load_dark (context, &whole, &dark_error);
  if (dark_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&dark_error));
      return NULL;
    }
  self = vg_flow_state_new (context->params, context->info, context->threads, error);
  if (self == NULL)
    return NULL;
  self->dark = g_steal_pointer (&dark);
  self->dark_whole = whole;
  self->full_scale = vg_flow_full_scale (&self->params, &self->info);
  vg_flow_inversion_build (&self->inversion, self->table, &self->params);
  if (vg_flow_parts_add (self, error))
    return self;
  vg_flow_parts_free (self);
  return NULL;
}

static void
restart_baseline (VgFlowState *self)
{
  memset (self->baseline, 0, sizeof (double) * self->pixels);
  memset (self->baseline_count, 0, sizeof (guint16) * self->pixels);
  self->baseline_maps = 0;
}

/* A baseline that is complete stays so, also if another length is set. */
static void
count_baseline_map (VgFlowState *self)
{
  self->baseline_maps++;
  if (self->baseline_maps >= vg_flow_baseline_length (&self->params, &self->info))
    self->baseline_state = VG_BASELINE_COMPLETE;
}

static void
add_to_baseline (VgFlowState *self)
{
  const float *contrast;

  if (self->history.mixed || self->baseline_state != VG_BASELINE_COLLECTING)
    return;
  if (self->baseline_maps == 0)
    self->baseline_ms = self->current->exposure_ms;
  contrast = vg_flow_map_comparable (self);
#pragma omp parallel for num_threads(self->threads)
  for (gsize i = 0; i < self->pixels; i++)
    {
      double term = vg_flow_baseline_term (contrast[i]);

      if (term > 0.0)
        {
          self->baseline[i] += term;
          self->baseline_count[i]++;
        }
    }
  count_baseline_map (self);
}

static VgBaseline
get_baseline (gconstpointer data)
{
  const VgFlowState *self = data;

  return (VgBaseline){ self->baseline_state, self->baseline_maps };
}

static void
end_baseline (gpointer data)
{
  VgFlowState *self = data;

  self->baseline_state = self->baseline_maps > 0 ? VG_BASELINE_COMPLETE : VG_BASELINE_ABSENT;
  vg_flow_parts_update (self, TRUE);
}

static gboolean
update (gpointer data, const void *new_params)
{
  VgFlowState *self = data;
  VgFlowParams next = *(const VgFlowParams *) new_params;
  gboolean differs = vg_flow_contrast_differs (&next, &self->params);
  gboolean baseline = next.set_baseline != self->params.set_baseline;
  gboolean table = !vg_flow_inversion_same_table (&next, &self->params);

  if (!vg_flow_can_update (&self->params, &next))
    return FALSE;
  next.dark_file = NULL;
  next.exposures = self->params.exposures;
  self->params = next;
  self->full_scale = vg_flow_full_scale (&self->params, &self->info);
  if (table)
    vg_flow_inversion_build (&self->inversion, self->table, &self->params);
  else
    vg_flow_inversion_refresh (&self->inversion, &self->params);
  vg_flow_parts_begin (self);
  if (self->ring == NULL && self->current != NULL && differs)
    vg_flow_add_frame (self, NULL); /* it was checked when it arrived, so this cannot fail */
  if (differs || baseline)
    restart_baseline (self);
  if (baseline || (differs && self->baseline_state == VG_BASELINE_COMPLETE))
    self->baseline_state = VG_BASELINE_COLLECTING;
  vg_flow_parts_update (self, differs);
  self->stale = self->stale || differs;
  if (baseline && !self->stale && self->have_map)
    add_to_baseline (self);
  return TRUE;
}

static gboolean
feed (gpointer data, VgFrame *frame, GError **error)
{
  VgFlowState *self = data;
  const double before_ms = self->current != NULL ? self->current->exposure_ms : 0;

  /* After a change of settings the same frame may arrive once more. */
  if (self->current != NULL && frame->id == self->current->id &&
      frame->index == self->current->index && frame->time_us == self->current->time_us)
    return TRUE;
  g_clear_pointer (&self->previous, vg_frame_unref);
  if (self->ring == NULL)
    self->previous = g_steal_pointer (&self->current);
  g_clear_pointer (&self->current, vg_frame_unref);
  self->current = self->motion != NULL ? vg_flow_motion_align (self->motion, frame)
                                       : vg_frame_ref (frame);
  if (!vg_flow_add_frame (self, error))
    return FALSE;
  if (frame->exposure_ms != before_ms)
    self->average_count = 0; /* contrasts of other exposure times are not averaged */
  self->n_frames++;
  vg_flow_add_to_history (&self->history, &self->params, frame);
  self->fresh = TRUE;
  return TRUE;
}

/* Replaces the newest maps by those of the mean K^2 of the last maps, without missing values. */
static void
average_maps (VgFlowState *self)
{
  double scale = vg_flow_index_scale (&self->params);
  int n = self->params.average;

#pragma omp parallel for num_threads(self->threads)
  for (gsize i = 0; i < self->pixels; i++)
    {
      double sum = 0.0;
      int valid = 0;

      for (int k = 0; k < n; k++)
        {
          float k2 = self->average[(gsize) k * self->pixels + i];

          if (k2 >= 0.0f)
            {
              sum += k2;
              valid++;
            }
        }
      sum = valid > 0 ? sum / valid : (double) VG_FLOW_NAN;
      self->contrast[i] = (float) sqrt (sum);
      self->index[i] = vg_flow_index (sum, scale);
    }
}

static void
push_average (VgFlowState *self)
{
  float *slot = self->average + (gsize) self->average_next * self->pixels;

#pragma omp parallel for num_threads(self->threads)
  for (gsize i = 0; i < self->pixels; i++)
    slot[i] = self->contrast[i] * self->contrast[i];
  self->average_next = (self->average_next + 1) % self->params.average;
  self->average_count = MIN (self->average_count + 1, self->params.average);
}

static void
compute_contrast (VgFlowState *self)
{
  self->stale = FALSE;
  if (!vg_flow_contrast_fast (self))
    vg_flow_contrast_window (self);
  vg_flow_mask_bad (self);
  if (self->motion != NULL)
    vg_flow_motion_mask (self->motion, vg_flow_state_depth (self), vg_flow_state_radius (self),
                         self->contrast, self->index);
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  VgFlowState *self = data;
  gboolean fresh = self->fresh;

  if (self->current == NULL || (self->ring != NULL && self->ring_count < self->params.frames))
    return VG_STEP_WAIT;
  self->fresh = FALSE;
  vg_flow_parts_begin (self);
  if (fresh || self->average == NULL)
    compute_contrast (self);
  if (self->average != NULL)
    {
      if (fresh)
        push_average (self);
      if (self->average_count < self->params.average)
        return VG_STEP_WAIT;
      average_maps (self);
    }
  if (self->params.static_scattering == VG_FLOW_STATIC_MEASURED && self->n_frames < 2)
    return VG_STEP_WAIT;
  if (fresh || self->baseline_maps == 0)
    add_to_baseline (self);
  if (fresh)
    vg_flow_parts_step (self);
  self->have_map = TRUE;
  return VG_STEP_DONE;
}

static VgFlowImage
current_image (const VgFlowState *self)
{
  return (VgFlowImage){ &self->params, &self->info, self->current->data, self->dark };
}

static gboolean
output (gpointer data, guint i, VgPlane *plane, GError **error)
{
  VgFlowState *self = data;

  if (!self->have_map || i >= VG_FLOW_N_OUTPUTS)
    return FALSE;
  *plane = (VgPlane){
    .place = VG_HOST, .data = self->extra, .width = self->width, .height = self->height, .slices = 1
  };
  plane->pixel_size[0] = self->info.pixel_size[0];
  plane->pixel_size[1] = self->info.pixel_size[1];
  memcpy (plane->unit, self->info.pixel_unit, sizeof plane->unit);
  switch (i)
    {
    case VG_FLOW_OUTPUT_CONTRAST:
      plane->data = self->contrast;
      break;
    case VG_FLOW_OUTPUT_FLOW_INDEX:
      plane->data = self->index;
      break;
    case VG_FLOW_OUTPUT_CORRELATION_TIME:
      vg_flow_map_correlation_time (self, vg_flow_find_beta (self));
      break;
    case VG_FLOW_OUTPUT_RELATIVE_FLOW:
      vg_flow_map_relative (self);
      break;
    case VG_FLOW_OUTPUT_STATIC_FRACTION:
      if (self->n_frames < 2)
        return FALSE;
      vg_flow_map_static (self, vg_flow_find_beta (self));
      break;
    case VG_FLOW_OUTPUT_INTENSITY:
      vg_flow_map_intensity (self);
      break;
    default:
      return vg_flow_parts_map (self, i);
    }
  return TRUE;
}

static gboolean
results (gpointer data, VgMetrics *metrics, GError **error)
{
  VgFlowState *self = data;
  VgFlowMetrics figures = { &self->params, &self->info, .frames = self->n_frames,
                            .baseline = get_baseline (self) };
  VgFlowImage image;

  if (self->current == NULL)
    return TRUE;
  image = current_image (self);
  figures.exposure_ms = self->current->exposure_ms;
  figures.baseline_ms = self->baseline_maps > 0 ? self->baseline_ms : 0;
  vg_flow_add_results (metrics, &image, self->saturated, &figures,
                       self->have_map ? self->contrast : NULL);
  vg_flow_parts_results (self, metrics);
  return TRUE;
}

static VgCurves *
sample (gpointer data, double x, double y, int slice, GError **error)
{
  VgFlowState *self = data;
  double values[VG_FLOW_MAX_FRAMES];
  VgFlowImage image;
  int column, row;

  if (self->current == NULL || !(x >= 0.0 && x < self->width && y >= 0.0 && y < self->height))
    return NULL;
  column = (int) x;
  row = (int) y;
  image = current_image (self);
  if (self->ring == NULL)
    return vg_flow_sample_radius (&image, column, row);
  for (int i = 0; i < self->ring_count; i++)
    {
      image.frame = vg_flow_state_frame (self, i);
      values[i] = vg_flow_image_value (&image, (gsize) row * (gsize) self->width + (gsize) column);
    }
  return vg_flow_sample_time (&image, column, row, values, self->ring_count);
}

static VgCurves *
plot (gpointer data, guint i, GError **error)
{
  VgFlowState *self = data;

  if (i > VG_FLOW_PLOT_MODEL)
    return vg_flow_parts_plot (self, i);
  return self->have_map ? vg_flow_plot (&self->params, i, vg_flow_find_beta (self), self->contrast,
                                        self->pixels)
                        : NULL;
}

static const VgEngineBaseline baseline = { "set_baseline", "baseline_frames", get_baseline,
                                           end_baseline };
static const VgEngineResume resume = { .baseline = &baseline };
static const VgEngineCurves curves = { .sample = sample, .plot = plot };

const VgEngine vg_flow_cpu_engine = {
  .prepare = prepare,
  .update = update,
  .feed = feed,
  .step = step,
  .output = output,
  .results = results,
  .text = vg_flow_parts_text,
  .free = vg_flow_parts_free,
  .curves = &curves,
  .resume = &resume,
};
