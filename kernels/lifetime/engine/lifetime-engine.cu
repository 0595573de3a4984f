/* SPDX-License-Identifier: MIT */
/* The functions of the CUDA engine, in the same steps as lifetime-engine.c.  A change of settings
 * repeats only what it affects: another range, gate, harmonic or binning needs a pass over the
 * cube on the device, the others only a map. */
#include <string.h>
#include "kernels/lifetime/engine/lifetime-cuda.cuh"
#include "kernels/lifetime/engine/lifetime-region.h"

static void
state_free (gpointer data)
{
  LifetimeState *self = (LifetimeState *) data;

  if (self == NULL)
    return;
  vg_cuda_use (self->device, NULL);
  if (self->stream != NULL)
    cudaStreamSynchronize (self->stream);
  g_clear_pointer (&self->held, vg_frame_unref);
  if (self->uploaded != NULL)
    cudaEventDestroy (self->uploaded);
  if (self->stream != NULL)
    cudaStreamDestroy (self->stream);
  cudaFree (self->memory);
  cudaFreeHost (self->host_decay);
  cudaFreeHost (self->host_counts);
  cudaGetLastError ();
  vg_lifetime_plan_clear (&self->plan);
  vg_lifetime_fitting_clear (&self->fitting);
  vg_lifetime_source_clear (&self->source);
  vg_lifetime_curve_clear (&self->measured);
  g_free (self);
}

/* Allocates arrays one after the other in a single block; with a NULL base it only adds up their
 * size. */
typedef struct
{
  guint8 *base;
  gsize used;
} Layout;

template <typename T>
static void
place (Layout *layout, T **pointer, gsize count)
{
  *pointer = layout->base != NULL && count > 0 ? (T *) (layout->base + layout->used) : NULL;
  layout->used = (layout->used + count * sizeof (T) + 255) / 256 * 256;
}

static void
place_all (LifetimeState *self, Layout *layout)
{
  gsize pages = (gsize) self->cube.bins * self->cube.slices;

  place (layout, &self->samples, pages * self->cube.pitch);
  place (layout, &self->sums, self->n * VG_LIFETIME_N_SUMS);
  place (layout, &self->intensity, self->n);
  place (layout, &self->lifetime, self->n);
  place (layout, &self->extra, self->n);
  place (layout, &self->density, VG_LIFETIME_DENSITY_SIDE * VG_LIFETIME_DENSITY_SIDE);
  place (layout, &self->filtered, self->n * self->n_filtered);
  place (layout, &self->weights, (gsize) self->cube.bins * VG_LIFETIME_WEIGHT_STRIDE);
  place (layout, &self->table, VG_LIFETIME_CMM_CELLS + 1);
  place (layout, &self->decay, self->cube.bins);
  place (layout, &self->mask, self->source.is_region ? self->cube.pixels : 0);
  place (layout, &self->counts, 2);
  place (layout, &self->fit, self->n * self->fit_has.planes);
  place (layout, &self->fit_table, self->fit_has.table);
  place (layout, &self->fit_mask, self->fit_has.planes > 0 ? self->n : 0);
  place (layout, &self->fit_area, self->fit_has.area);
  place (layout, &self->fit_image, self->fit_has.image);
  place (layout, &self->tile, self->fit_has.tile / sizeof (float));
  self->tile_bytes = self->fit_has.tile;
  self->cube.samples = self->samples;
}

static gboolean
allocate (LifetimeState *self, GError **error)
{
  g_autofree char *what = g_strdup_printf ("%d bins of %dx%d and their sums", self->cube.bins,
                                           self->cube.width, self->cube.height);
  Layout layout = {};

  self->fit_has = lifetime_fit_needs (&self->params, &self->cube);
  self->n_filtered = lifetime_filter_planes (&self->params);
  place_all (self, &layout);
  if (!vg_cuda_alloc ((void **) &self->memory, layout.used, what, error))
    return FALSE;
  layout = { self->memory };
  place_all (self, &layout);
  return VG_CUDA_OK (cudaMemsetAsync (self->counts, 0, 2 * sizeof *self->counts, self->stream),
                     error) &&
         (self->host_decay = (double *) vg_cuda_host_alloc (self->cube.bins * sizeof (double),
                                                            error)) != NULL &&
         (self->host_counts = (LifetimeCounts *) vg_cuda_host_alloc (sizeof *self->host_counts,
                                                                     error)) != NULL;
}

/* Copies the pixels of the region that contains the IRF to the device. */
static gboolean
send_mask (LifetimeState *self, GError **error)
{
  const LifetimeCube *cube = &self->cube;
  int x0, y0, x1, y1;

  if (self->mask == NULL)
    return TRUE;
  g_autofree guint8 *mask = g_new0 (guint8, cube->pixels);
  if (vg_region_bounds (&self->source.region, cube->width, cube->height, &x0, &y0, &x1, &y1))
    for (int y = y0; y < y1; y++)
      for (int x = x0; x < x1; x++)
        mask[(gsize) y * cube->width + x] = vg_region_contains (&self->source.region, x + 0.5,
                                                                y + 0.5);
  return VG_CUDA_OK (
             cudaMemcpyAsync (self->mask, mask, cube->pixels, cudaMemcpyHostToDevice, self->stream),
             error) &&
         VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
}

static gboolean
set_up (LifetimeState *self, const VgContext *context, GError **error)
{
  const VgImageInfo *info = context->info;
  LifetimeCube *cube = &self->cube;
  int device = context->n_devices > 0 ? context->devices[0] : 0;

  if (!vg_cuda_use (device, error))
    return FALSE;
  self->device = device;
  cube->width = info->width;
  cube->height = info->height;
  cube->slices = (int) info->slices;
  cube->bins = (int) info->bins;
  cube->type = info->type;
  cube->pixels = (gsize) info->width * info->height;
  cube->pitch = (cube->pixels * vg_type_size (info->type) + 15) / 16 * 16;
  cube->full_scale = (float) vg_lifetime_full_scale (info);
  self->n = cube->pixels * cube->slices;
  if (cube->slices > 65535 || self->n > G_MAXUINT32)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_MEMORY,
                   "%d slices of %dx%d are more than the GPU can process; compute on the CPU",
                   cube->slices, cube->width, cube->height);
      return FALSE;
    }
  return vg_lifetime_source_load (&self->source, &self->measured, context, error) &&
         vg_cuda_stream_new (&self->stream, error) && vg_cuda_event_new (&self->uploaded, error) &&
         allocate (self, error) && send_mask (self, error);
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  if (!vg_lifetime_check_input (context, error))
    return NULL;
  LifetimeState *self = g_new0 (LifetimeState, 1);
  self->params = vg_lifetime_copy_params (context->params);
  self->info = *context->info;
  if (set_up (self, context, error))
    return self;
  state_free (self);
  return NULL;
}

static gboolean
update (gpointer data, const void *new_params)
{
  LifetimeState *self = (LifetimeState *) data;
  VgLifetimeParams next = vg_lifetime_copy_params (new_params);

  if (!vg_lifetime_source_same (&self->source, (const VgLifetimeParams *) new_params))
    return FALSE;
  LifetimeFitNeeds needs = lifetime_fit_needs (&next, &self->cube);
  if (needs.planes > self->fit_has.planes || needs.table > self->fit_has.table ||
      needs.image > self->fit_has.image || needs.tile > self->fit_has.tile ||
      needs.area > self->fit_has.area || lifetime_filter_planes (&next) > self->n_filtered)
    return FALSE;
  if (vg_lifetime_same_but_overlay (&next, &self->params))
    {
      self->params = self->plan.finish.params = next;
      return TRUE;
    }
  /* Sums are binned in place, so another binning needs a new pass. */
  self->pass_due = self->pass_due || next.bin != self->params.bin;
  self->params = next;
  self->plan_due = TRUE;
  return TRUE;
}

static gboolean
feed (gpointer data, VgFrame *frame, GError **error)
{
  LifetimeState *self = (LifetimeState *) data;
  const LifetimeCube *cube = &self->cube;
  gsize page = cube->pixels * vg_type_size (cube->type), pages = (gsize) cube->bins * cube->slices,
        pitch = cube->pitch;

  /* The engine receives the same frame again after a change of settings; its sums remain valid. */
  if (self->have_frame && frame->id == self->frame_id && frame->index == self->frame_index &&
      frame->time_us == self->frame_time_us)
    return TRUE;
  if (!vg_cuda_use (self->device, error))
    return FALSE;
  if (self->held != NULL && !VG_CUDA_OK (cudaEventSynchronize (self->uploaded), error))
    return FALSE;
  g_clear_pointer (&self->held, vg_frame_unref);
  self->have_frame = FALSE;
  if (page == pitch) /* without gaps, all pages are one row */
    {
      pitch = page *= pages;
      pages = 1;
    }
  if (!vg_cuda_upload (self->samples, pitch, frame->data, page, page, pages, self->stream, error))
    return FALSE;
  if (!VG_CUDA_OK (cudaEventRecord (self->uploaded, self->stream), error))
    return FALSE;
  if (frame->pinned)
    self->held = vg_frame_ref (frame);
  else if (!VG_CUDA_OK (cudaEventSynchronize (self->uploaded), error))
    return FALSE;
  self->have_frame = TRUE;
  self->frame_id = frame->id;
  self->frame_index = frame->index;
  self->frame_time_us = frame->time_us;
  self->have_decay = FALSE;
  self->plan_due = self->pass_due = TRUE;
  return TRUE;
}

/* Copies the photons in each bin, of all pixels or of MASK, to the host. */
static gboolean
fetch_decay (LifetimeState *self, const guint8 *mask, GError **error)
{
  return lifetime_decay (&self->cube, mask, self->source.region.slice, self->decay, self->stream,
                         error) &&
         VG_CUDA_OK (cudaMemcpyAsync (self->host_decay, self->decay,
                                      self->cube.bins * sizeof (double), cudaMemcpyDeviceToHost,
                                      self->stream),
                     error) &&
         VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
}

static gboolean
measure_region (LifetimeState *self, GError **error)
{
  gsize bytes = self->cube.bins * sizeof (double);

  if (self->mask == NULL || self->params.irf_kind != VG_LIFETIME_IRF_MEASURED)
    return TRUE;
  if (self->source.region.slice < 0 || self->source.region.slice >= self->cube.slices)
    return TRUE;
  self->have_decay = FALSE; /* This function uses its buffers. */
  if (!fetch_decay (self, self->mask, error))
    return FALSE;
  self->measured.n = self->cube.bins;
  self->measured.h = self->params.bin_width_ns;
  if (self->measured.counts == NULL)
    self->measured.counts = (double *) g_malloc (bytes);
  memcpy (self->measured.counts, self->host_decay, bytes);
  return TRUE;
}

static gboolean
need_decay (LifetimeState *self, GError **error)
{
  if (!self->have_decay && !fetch_decay (self, NULL, error))
    return FALSE;
  self->have_decay = TRUE;
  return TRUE;
}

/* CUDA stages small copies from pageable memory before the call returns. */
static gboolean
make_plan (LifetimeState *self, GError **error)
{
  gsize bytes = (gsize) self->cube.bins * VG_LIFETIME_WEIGHT_STRIDE * sizeof (float);

  if (!measure_region (self, error) ||
      (vg_lifetime_plan_needs_decay (&self->params) && !need_decay (self, error)))
    return FALSE;
  if (vg_lifetime_plan_make (&self->plan, &self->params, &self->info, self->host_decay,
                             &self->measured))
    {
      self->pass_due = TRUE;
      if (!VG_CUDA_OK (cudaMemcpyAsync (self->weights, self->plan.weights, bytes,
                                        cudaMemcpyHostToDevice, self->stream),
                       error))
        return FALSE;
    }
  if (self->plan.table_changed &&
      !VG_CUDA_OK (cudaMemcpyAsync (self->table, self->plan.table,
                                    (VG_LIFETIME_CMM_CELLS + 1) * sizeof (double),
                                    cudaMemcpyHostToDevice, self->stream),
                   error))
    return FALSE;
  self->plan_due = FALSE;
  self->map_due = TRUE;
  return TRUE;
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  LifetimeState *self = (LifetimeState *) data;

  if (!self->have_frame)
    return VG_STEP_WAIT;
  if (!vg_cuda_use (self->device, error) || (self->plan_due && !make_plan (self, error)))
    return VG_STEP_FAILED;
  if (self->pass_due && !lifetime_sums (self, error))
    return VG_STEP_FAILED;
  if (self->map_due && !lifetime_filter (self, error))
    return VG_STEP_FAILED;
  if (self->map_due && vg_lifetime_fit_finds (self->params.method) != 0 &&
      (!need_decay (self, error) || !lifetime_fit_frame (self, error)))
    return VG_STEP_FAILED;
  if (self->map_due &&
      !lifetime_map (self, VG_LIFETIME_OUTPUT_LIFETIME, self->lifetime, TRUE, error))
    return VG_STEP_FAILED;
  self->map_due = FALSE;
  self->have_map = TRUE;
  return VG_STEP_DONE;
}

/* Whether the maps belong to the current frame and settings.  FALSE and an error: the device
 * failed. */
static gboolean
is_ready (const LifetimeState *self, GError **error)
{
  return self->have_map && !self->plan_due && !self->pass_due && vg_cuda_use (self->device, error);
}

static gboolean
output (gpointer data, guint i, VgPlane *plane, GError **error)
{
  LifetimeState *self = (LifetimeState *) data;

  if (i >= VG_LIFETIME_N_OUTPUTS || !vg_lifetime_has_output (&self->params, (int) i) ||
      !is_ready (self, error))
    return FALSE;
  vg_lifetime_describe_plane (plane, (int) i, &self->info, &self->plan);
  plane->place = VG_DEVICE;
  plane->stream = self->stream;
  plane->data = self->extra;
  switch (i)
    {
    case VG_LIFETIME_OUTPUT_LIFETIME:
      plane->data = self->lifetime;
      return TRUE;
    case VG_LIFETIME_OUTPUT_INTENSITY:
      plane->data = self->params.bin > 0 ? self->intensity
                                         : self->sums + VG_LIFETIME_SUM_TOTAL * self->n;
      return TRUE;
    case VG_LIFETIME_OUTPUT_DENSITY:
      plane->data = self->density;
      return lifetime_density (self, error);
    default:
      return lifetime_map (self, (int) i, self->extra, FALSE, error);
    }
}

static gboolean
results (gpointer data, VgMetrics *metrics, GError **error)
{
  LifetimeState *self = (LifetimeState *) data;
  LifetimeCounts *counts = self->host_counts;
  guint64 status[VG_LIFETIME_N_STATUS];
  GError *local = NULL;

  if (!is_ready (self, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return local == NULL;
    }
  if (!VG_CUDA_OK (cudaMemcpyAsync (counts, self->counts + self->counts_at, sizeof *counts,
                                    cudaMemcpyDeviceToHost, self->stream),
                   error) ||
      !VG_CUDA_OK (cudaStreamSynchronize (self->stream), error))
    return FALSE;
  for (int i = 0; i < VG_LIFETIME_N_STATUS; i++)
    status[i] = counts->status[i];
  vg_lifetime_add_results (metrics, &self->plan, status, counts->photons);
  return TRUE;
}

static VgCurves *
sample (gpointer data, double x, double y, int slice, GError **error)
{
  LifetimeState *self = (LifetimeState *) data;
  const LifetimeCube *cube = &self->cube;
  float sums[VG_LIFETIME_N_SUMS], lifetime;

  if (!(x >= 0.0 && x < cube->width && y >= 0.0 && y < cube->height) || slice < 0 ||
      slice >= cube->slices || !is_ready (self, error))
    return NULL;
  int column = (int) x, row = (int) y;
  gsize i = slice * cube->pixels + (gsize) row * cube->width + column;
  self->have_decay = FALSE; /* This function uses its buffers. */
  if (!lifetime_histogram (cube, slice, column, row, self->params.bin, self->decay, self->stream,
                           error) ||
      !VG_CUDA_OK (cudaMemcpyAsync (self->host_decay, self->decay, cube->bins * sizeof (double),
                                    cudaMemcpyDeviceToHost, self->stream),
                   error) ||
      !VG_CUDA_OK (cudaMemcpy2DAsync (sums, sizeof (float), self->sums + i,
                                      self->n * sizeof (float), sizeof (float), VG_LIFETIME_N_SUMS,
                                      cudaMemcpyDeviceToHost, self->stream),
                   error) ||
      !VG_CUDA_OK (cudaMemcpyAsync (&lifetime, self->lifetime + i, sizeof lifetime,
                                    cudaMemcpyDeviceToHost, self->stream),
                   error) ||
      !VG_CUDA_OK (cudaStreamSynchronize (self->stream), error))
    return NULL;
  VgLifetimeValue value = vg_lifetime_solve (
      sums, 1, 0, &self->plan.finish,
      vg_lifetime_window_pixels (column, row, cube->width, cube->height, self->params.bin));
  if (self->params.phasor_filter != VG_LIFETIME_FILTER_NONE)
    value.lifetime = lifetime; /* from the filtered phasor */
  if (vg_lifetime_fit_finds (self->params.method) == 0 || !isfinite (lifetime))
    return vg_lifetime_pixel_curves (&self->plan, column, row, self->host_decay,
                                     isfinite (lifetime) ? &value : NULL, NULL, NULL);
  float outputs[VG_LIFETIME_N_OUTPUTS];
  g_autofree double *fitted = g_new0 (double, cube->bins);
  value.lifetime = lifetime;
  if (!lifetime_fit_values (self, i, outputs, error))
    return NULL;
  gboolean found = vg_lifetime_fitting_curve (&self->fitting, outputs, fitted);
  return vg_lifetime_pixel_curves (&self->plan, column, row, self->host_decay,
                                   found ? &value : NULL, found ? fitted : NULL,
                                   found ? outputs : NULL);
}

/* The mask uses the plane of other maps, which is computed again when needed. */
static VgCurves *
sample_region (gpointer data, const VgRegion *region, GError **error)
{
  LifetimeState *self = (LifetimeState *) data;
  const LifetimeCube *cube = &self->cube;

  if (region->slice < 0 || region->slice >= cube->slices || !is_ready (self, error))
    return NULL;
  g_autofree guint8 *mask = g_try_new (guint8, cube->pixels);
  double pixels = mask != NULL ? vg_lifetime_region_pixels (region, cube->width, cube->height, mask)
                               : 0.0;
  if (pixels == 0.0)
    return NULL;
  self->have_decay = FALSE; /* This function uses its buffers. */
  if (!VG_CUDA_OK (
          cudaMemcpyAsync (self->extra, mask, cube->pixels, cudaMemcpyHostToDevice, self->stream),
          error) ||
      !lifetime_decay (cube, (const guint8 *) self->extra, region->slice, self->decay, self->stream,
                       error) ||
      !VG_CUDA_OK (cudaMemcpyAsync (self->host_decay, self->decay, cube->bins * sizeof (double),
                                    cudaMemcpyDeviceToHost, self->stream),
                   error) ||
      !VG_CUDA_OK (cudaStreamSynchronize (self->stream), error))
    return NULL;
  return vg_lifetime_region_curves (&self->plan, self->host_decay, pixels);
}

static VgCurves *
plot (gpointer data, guint i, GError **error)
{
  LifetimeState *self = (LifetimeState *) data;

  if ((i != VG_LIFETIME_PLOT_LIFETIMES && i != VG_LIFETIME_PLOT_DECAY) || !is_ready (self, error))
    return NULL;
  if (i == VG_LIFETIME_PLOT_DECAY)
    return need_decay (self, error) ? vg_lifetime_plot_decay (&self->plan, self->host_decay) : NULL;
  g_autofree float *lifetime = g_try_new (float, 2 * self->n); /* with room for the photons */
  VgPlane intensity;
  if (lifetime == NULL || !output (self, VG_LIFETIME_OUTPUT_INTENSITY, &intensity, error) ||
      !VG_CUDA_OK (cudaMemcpyAsync (lifetime, self->lifetime, self->n * sizeof (float),
                                    cudaMemcpyDeviceToHost, self->stream),
                   error) ||
      !VG_CUDA_OK (cudaMemcpyAsync (lifetime + self->n, intensity.data, self->n * sizeof (float),
                                    cudaMemcpyDeviceToHost, self->stream),
                   error) ||
      !VG_CUDA_OK (cudaStreamSynchronize (self->stream), error))
    return NULL;
  return vg_lifetime_plot_lifetimes (lifetime, lifetime + self->n, self->n);
}

static const VgEngineCurves curves = { .sample = sample,
                                       .sample_region = sample_region,
                                       .plot = plot };

extern "C" const VgEngine vg_lifetime_cuda = {
  .prepare = prepare,
  .update = update,
  .feed = feed,
  .step = step,
  .output = output,
  .results = results,
  .free = state_free,
  .curves = &curves,
};
