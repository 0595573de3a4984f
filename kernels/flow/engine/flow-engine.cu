/* SPDX-License-Identifier: MIT */
/* The CUDA engine, with the same steps as flow-engine.c.  One stream uploads frames while the
 * other computes.  The host waits only for values that it needs. */
#include "kernels/flow/engine/flow-parts.cuh"

/* Copies settings that change no buffers to the arguments of the kernels. */
static void
adopt (FlowState *self, const VgFlowParams *params)
{
  VgTable *exposures = self->params.exposures;

  self->params = *params;
  self->params.dark_file = NULL;
  self->params.exposures = exposures;
  self->ring.full_scale = vg_flow_full_scale (params, &self->info);
  self->ring.saturation = vg_flow_saturation (params, &self->info);
  self->ring.level = params->dark_level;
  if (self->dark == NULL)
    self->dark_whole = params->dark_level == rintf (params->dark_level);
}

/* Updates the inversion and, with REBUILD, queues the upload of its table. */
static gboolean
send_inversion (FlowState *self, gboolean rebuild, GError **error)
{
  if (!rebuild)
    {
      vg_flow_inversion_refresh (&self->inversion, &self->params);
      return TRUE;
    }
  if (!VG_CUDA_OK (cudaEventSynchronize (self->table_sent), error))
    return FALSE;
  vg_flow_inversion_build (&self->inversion, self->host_table, &self->params);
  return VG_CUDA_OK (cudaMemcpyAsync (self->table, self->host_table,
                                      vg_flow_table_floats (&self->params) * sizeof (float),
                                      cudaMemcpyHostToDevice, self->compute),
                     error) &&
         VG_CUDA_OK (cudaEventRecord (self->table_sent, self->compute), error);
}

static void
state_free (gpointer data)
{
  FlowState *self = (FlowState *) data;

  if (self == NULL)
    return;
  vg_cuda_use (self->device, NULL);
  if (self->compute != NULL)
    cudaStreamSynchronize (self->compute);
  if (self->upload != NULL)
    cudaStreamSynchronize (self->upload);
  for (int i = 0; self->held != NULL && i < self->ring.slots; i++)
    {
      g_clear_pointer (&self->held[i], vg_frame_unref);
      if (self->uploaded[i] != NULL)
        cudaEventDestroy (self->uploaded[i]);
      if (self->used[i] != NULL)
        cudaEventDestroy (self->used[i]);
    }
  if (self->table_sent != NULL)
    cudaEventDestroy (self->table_sent);
  if (self->compute != NULL)
    cudaStreamDestroy (self->compute);
  if (self->upload != NULL)
    cudaStreamDestroy (self->upload);
  flow_parts_free (self);
  vg_table_free (self->params.exposures);
  cudaFree (self->memory);
  cudaFreeHost (self->host_table);
  cudaFreeHost (self->host_counters);
  cudaGetLastError ();
  g_free (self->host_dark);
  g_free (self->held);
  g_free (self->uploaded);
  g_free (self->used);
  g_free (self);
}

/* Buffers that follow each other in one allocation; with BASE NULL only the size is computed. */
typedef struct
{
  guint8 *base;
  gsize used;
  gsize cleared; /* bytes from the start that are set to zero */
  gboolean overflow;
} Layout;

template <typename T>
static void
place (Layout *layout, T **pointer, gsize count)
{
  gsize bytes = 0, end = 0;

  if (!g_size_checked_mul (&bytes, count, sizeof (T)) ||
      !g_size_checked_add (&end, layout->used, bytes) || !g_size_checked_add (&end, end, 255))
    {
      layout->overflow = TRUE;
      return;
    }
  *pointer = layout->base != NULL && count > 0 ? (T *) (layout->base + layout->used) : NULL;
  layout->used = end / 256 * 256;
}

static void
place_all (FlowState *self, Layout *layout, gsize ring_bytes, gboolean dark)
{
  const VgFlowParams *params = &self->params;
  gsize n = self->pixels, sums = vg_flow_has_sums (params, &self->info) ? n : 0, maps = 0;
  guint8 *ring = NULL;

  if (params->average > 1 && !g_size_checked_mul (&maps, n, (gsize) params->average))
    layout->overflow = TRUE;
  place (layout, &ring, ring_bytes);
  place (layout, &self->ring.counters, (gsize) (self->ring.slots + 1) * FLOW_COUNTERS);
  place (layout, &self->s1, sums);
  place (layout, &self->s2, sums);
  place (layout, &self->baseline, n);
  place (layout, &self->baseline_count, n);
  layout->cleared = layout->used;
  place (layout, &self->contrast, n);
  place (layout, &self->index, n);
  place (layout, &self->extra, n);
  place (layout, &self->average, maps);
  place (layout, &self->dark, dark ? n : 0);
  place (layout, &self->table, vg_flow_table_floats (params));
  if (ring != NULL)
    self->ring.origin = ring + FLOW_MARGIN * self->ring.pitch;
}

static gboolean
allocate (FlowState *self, gboolean dark, GError **error)
{
  Layout layout = {};
  gsize ring_bytes, depth = (gsize) flow_depth (self);
  int more = self->params.motion != VG_FLOW_MOTION_NONE;

  /* the window's frames, the one that leaves it, and two that are being uploaded; one more that is
   * being moved */
  if (!flow_ring_layout (&self->ring, &self->info, (int) depth + 3 + more, &ring_bytes, error))
    return FALSE;
  self->ring.slots -= more;
  self->uploaded = g_new0 (cudaEvent_t, self->ring.slots);
  self->used = g_new0 (cudaEvent_t, self->ring.slots);
  self->held = g_new0 (VgFrame *, self->ring.slots);
  place_all (self, &layout, ring_bytes, dark);
  if (layout.overflow)
    {
      g_set_error (
          error, VG_GPU_ERROR, VG_GPU_ERROR_MEMORY,
          "maps of %dx%d are more than a GPU can hold; use smaller frames, or compute on the CPU",
          self->width, self->height);
      return FALSE;
    }
  g_autofree char *what = g_strdup_printf ("%d frames of %dx%d and their maps", self->ring.slots,
                                           self->width, self->height);
  if (!vg_cuda_alloc ((void **) &self->memory, layout.used, what, error))
    return FALSE;
  layout = { self->memory };
  place_all (self, &layout, ring_bytes, dark);
  for (int i = 0; i < self->ring.slots; i++)
    if (!vg_cuda_event_new (&self->uploaded[i], error) ||
        !vg_cuda_event_new (&self->used[i], error))
      return FALSE;
  return vg_cuda_event_new (&self->table_sent, error) &&
         (self->host_table = (float *) vg_cuda_host_alloc (
              vg_flow_table_floats (&self->params) * sizeof (float), error)) != NULL &&
         (self->host_counters = (guint64 *) vg_cuda_host_alloc (FLOW_COUNTERS * sizeof (guint64),
                                                                error)) != NULL &&
         VG_CUDA_OK (cudaMemsetAsync (self->memory, 0, layout.cleared, self->compute), error);
}

static gboolean
set_up (FlowState *self, const VgContext *context, GError **error)
{
  GError *dark_error = NULL;
  int device = context->n_devices > 0 ? context->devices[0] : 0;

  if (!vg_cuda_use (device, error))
    return FALSE;
  self->device = device;
  self->host_dark = vg_flow_load_dark (context, &self->dark_whole, &dark_error);
  if (dark_error != NULL)
    {
      g_propagate_error (error, dark_error);
      return FALSE;
    }
  if (!VG_CUDA_OK (
          cudaDeviceGetAttribute (&self->multiprocessors, cudaDevAttrMultiProcessorCount, device),
          error) ||
      !vg_cuda_stream_new (&self->compute, error) || !vg_cuda_stream_new (&self->upload, error) ||
      !allocate (self, self->host_dark != NULL, error))
    return FALSE;
  self->ring.dark = self->dark;
  adopt (self, (const VgFlowParams *) context->params);
  if (self->dark != NULL &&
      !VG_CUDA_OK (cudaMemcpyAsync (self->dark, self->host_dark, self->pixels * sizeof (float),
                                    cudaMemcpyHostToDevice, self->compute),
                   error))
    return FALSE;
  if (!flow_parts_add (self, error))
    return FALSE;
  /* the margins of the ring must be zero before the first upload */
  return send_inversion (self, TRUE, error) &&
         VG_CUDA_OK (cudaStreamSynchronize (self->compute), error);
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  if (!vg_flow_check_input (context, error))
    return NULL;
  FlowState *self = g_new0 (FlowState, 1);
  self->params = *(const VgFlowParams *) context->params;
  self->params.exposures = vg_table_copy (self->params.exposures);
  self->info = *context->info;
  self->width = context->info->width;
  self->height = context->info->height;
  self->pixels = (gsize) self->width * (gsize) self->height;
  if (set_up (self, context, error))
    return self;
  state_free (self);
  return NULL;
}

static gboolean
restart_baseline (FlowState *self)
{
  self->baseline_maps = 0;
  return VG_CUDA_OK (cudaMemsetAsync (self->baseline, 0, self->pixels * sizeof *self->baseline,
                                      self->compute),
                     NULL) &&
         VG_CUDA_OK (cudaMemsetAsync (self->baseline_count, 0,
                                      self->pixels * sizeof *self->baseline_count, self->compute),
                     NULL);
}

static VgBaseline
get_baseline (gconstpointer state)
{
  const FlowState *self = (const FlowState *) state;

  return { self->baseline_state, self->baseline_maps };
}

static void
end_baseline (gpointer state)
{
  FlowState *self = (FlowState *) state;

  self->baseline_state = self->baseline_maps > 0 ? VG_BASELINE_COMPLETE : VG_BASELINE_ABSENT;
  flow_parts_update (self, TRUE);
}

/* FALSE on a CUDA error too: prepare() then reports it. */
static gboolean
update (gpointer data, const void *new_params)
{
  FlowState *self = (FlowState *) data;
  const VgFlowParams *next = (const VgFlowParams *) new_params;
  gboolean differs = vg_flow_contrast_differs (next, &self->params);
  gboolean baseline = next->set_baseline != self->params.set_baseline;
  gboolean table = !vg_flow_inversion_same_table (next, &self->params);

  if (!vg_flow_can_update (&self->params, next) || !vg_cuda_use (self->device, NULL))
    return FALSE;
  adopt (self, next);
  if (!send_inversion (self, table, NULL))
    return FALSE;
  if ((differs || baseline) && !restart_baseline (self))
    return FALSE;
  if (baseline || (differs && self->baseline_state == VG_BASELINE_COMPLETE))
    self->baseline_state = VG_BASELINE_COLLECTING;
  if (!flow_parts_update (self, differs))
    return FALSE;
  self->stale = self->stale || differs;
  return !baseline || self->stale || !self->have_map || flow_baseline_add (self, NULL);
}

static gboolean
mark_used (FlowState *self, GError **error)
{
  return VG_CUDA_OK (
      cudaEventRecord (self->used[flow_slot (self, self->n_frames - 1)], self->compute), error);
}

/* Adds the newest frame to the sums and counts its bad samples, unless that is done. */
static gboolean
add_frame (FlowState *self, GError **error)
{
  if (self->n_frames == 0 || self->taken)
    return TRUE;
  self->taken = TRUE;
  return (self->s1 != NULL ? flow_temporal (self, TRUE, FALSE, error)
                           : flow_count_frame (self, error)) &&
         mark_used (self, error);
}

static gboolean
feed (gpointer data, VgFrame *frame, GError **error)
{
  FlowState *self = (FlowState *) data;

  if (!vg_cuda_use (self->device, error) || !add_frame (self, error) ||
      !flow_upload (self, frame, error))
    return FALSE;
  if (self->motion != NULL &&
      !flow_motion_align (self, frame, flow_slot (self, self->n_frames), error))
    return FALSE;
  if (self->info.type == VG_F32 && self->params.nonfinite == VG_FLOW_NONFINITE_STOP &&
      !flow_check_finite (self, frame, error))
    return FALSE;
  if (frame->exposure_ms != self->exposure_ms)
    self->average_count = 0; /* contrasts of other exposure times are not averaged */
  self->n_frames++;
  vg_flow_add_to_history (&self->history, &self->params, frame);
  self->time_s = frame->time_s;
  self->exposure_ms = frame->exposure_ms;
  self->frame_index = frame->index;
  self->fresh = TRUE;
  self->taken = FALSE;
  return TRUE;
}

/* Clears the counters of the newest frame before it is computed once more. */
static gboolean
clear_counts (FlowState *self, GError **error)
{
  int slot = flow_slot (self, self->n_frames - 1);

  return VG_CUDA_OK (cudaMemsetAsync (self->ring.counters + slot * FLOW_COUNTERS, 0,
                                      FLOW_COUNTERS * sizeof *self->ring.counters, self->compute),
                     error);
}

/* Computes K and SFI of the window that ends with the newest frame, and adds that frame. */
static gboolean
compute_contrast (FlowState *self, GError **error)
{
  gboolean slide = !self->taken, done = FALSE;

  self->taken = TRUE;
  self->stale = FALSE;
  if (self->s1 != NULL)
    {
      gboolean pixel = self->params.method == VG_FLOW_TEMPORAL;
      if ((slide || pixel) && !flow_temporal (self, slide, pixel, error))
        return FALSE;
      return pixel || flow_general (self, error);
    }
  if (!slide && !clear_counts (self, error))
    return FALSE;
  if (!flow_spatial (self, &done, error))
    return FALSE;
  return done || (flow_count_frame (self, error) && flow_general (self, error));
}

static gboolean
compute_maps (FlowState *self, gboolean fresh, gboolean *wait, GError **error)
{
  if ((fresh || self->average == NULL) &&
      (!compute_contrast (self, error) ||
       (self->motion != NULL && !flow_motion_mask (self, error))))
    return FALSE;
  if (self->average != NULL)
    {
      if (fresh && !flow_average_push (self, error))
        return FALSE;
      *wait = self->average_count < self->params.average;
      if (*wait)
        return TRUE;
      if (!flow_average_maps (self, error))
        return FALSE;
    }
  *wait = self->params.static_scattering == VG_FLOW_STATIC_MEASURED && self->n_frames < 2;
  if (*wait)
    return TRUE;
  return (!fresh && self->baseline_maps > 0) || flow_baseline_add (self, error);
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  FlowState *self = (FlowState *) data;
  gboolean fresh = self->fresh, wait = FALSE;

  if (self->n_frames == 0)
    return VG_STEP_WAIT;
  if (!vg_cuda_use (self->device, error))
    return VG_STEP_FAILED;
  if (self->n_frames < (guint64) flow_depth (self))
    return add_frame (self, error) ? VG_STEP_WAIT : VG_STEP_FAILED;
  flow_parts_begin (self);
  if (!compute_maps (self, fresh, &wait, error) ||
      (fresh && !wait && !flow_parts_step (self, error)) || !mark_used (self, error))
    return VG_STEP_FAILED;
  self->fresh = FALSE;
  self->have_map = self->have_map || !wait;
  return wait ? VG_STEP_WAIT : VG_STEP_DONE;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane, GError **error)
{
  FlowState *self = (FlowState *) data;
  gboolean ok = TRUE;
  float beta;

  if (!self->have_map || i >= VG_FLOW_N_OUTPUTS || !vg_cuda_use (self->device, error))
    return FALSE;
  *plane = { VG_DEVICE, self->extra, self->width, self->height, 1, self->compute };
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
      ok = flow_find_beta (self, &beta, error) && flow_map_correlation_time (self, beta, error);
      break;
    case VG_FLOW_OUTPUT_RELATIVE_FLOW:
      ok = flow_map_relative (self, error);
      break;
    case VG_FLOW_OUTPUT_STATIC_FRACTION:
      ok = self->n_frames >= 2 && flow_find_beta (self, &beta, error) &&
           flow_static_map (self, beta, error);
      break;
    case VG_FLOW_OUTPUT_INTENSITY:
      ok = flow_map_intensity (self, error);
      break;
    default:
      ok = flow_parts_map (self, i, error);
      break;
    }
  return ok && mark_used (self, error);
}

static gboolean
results (gpointer data, VgMetrics *metrics, GError **error)
{
  FlowState *self = (FlowState *) data;

  return self->n_frames == 0 ||
         (vg_cuda_use (self->device, error) && add_frame (self, error) &&
          flow_add_results (self, metrics, error) && flow_parts_results (self, metrics, error));
}

static const VgEngineBaseline baseline = { "set_baseline", "baseline_frames", get_baseline,
                                           end_baseline };
static const VgEngineResume resume = { .baseline = &baseline };
static const VgEngineCurves curves = { .sample = flow_sample_pixel, .plot = flow_parts_plot };

extern "C" const VgEngine vg_flow_cuda = {
  .prepare = prepare,
  .update = update,
  .feed = feed,
  .step = step,
  .output = output,
  .results = results,
  .text = flow_parts_text,
  .free = state_free,
  .curves = &curves,
  .resume = &resume,
};
