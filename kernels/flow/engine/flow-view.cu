/* SPDX-License-Identifier: MIT */
/* Metrics and curves.  flow-view.c computes them on the host; this file copies the samples and
 * maps that it needs from the device. */
#include "kernels/flow/model/flow-sample.cuh"
#include "kernels/flow/engine/flow-view.h"

enum { MIDDLE = 256 }; /* px: the 8 x 8 blocks of 32 that vg_flow_speckle_size() reads */

/* Copies a rectangle of the frame in SLOT to the host, without padding, and waits. */
static gboolean
fetch (FlowState *self, int slot, int x, int y, int width, int height, void *to, GError **error)
{
  gsize size = vg_type_size (self->info.type), row = (gsize) width * size;
  const guint8 *from = self->ring.origin + slot * self->ring.slot_bytes + y * self->ring.pitch +
                       x * size;

  return VG_CUDA_OK (cudaMemcpy2DAsync (to, row, from, self->ring.pitch, row, height,
                                        cudaMemcpyDeviceToHost, self->compute),
                     error) &&
         VG_CUDA_OK (cudaStreamSynchronize (self->compute), error);
}

/* Measures the speckle size in the middle of the newest frame, px; NaN: the frame is too small. */
static gboolean
speckle_size (FlowState *self, double *size, GError **error)
{
  int side = MIN (32, MIN (self->width, self->height));
  int width = MIN (MIDDLE / side, self->width / side) * side,
      height = MIN (MIDDLE / side, self->height / side) * side;
  VgImageInfo info = self->info;

  *size = NAN;
  if (side < 8)
    return TRUE;
  width = MIN (width, 8 * side);
  height = MIN (height, 8 * side);
  int x0 = (self->width - width) / 2, y0 = (self->height - height) / 2;
  info.width = width;
  info.height = height;
  g_autofree guint8 *middle = g_new (guint8, (gsize) width * height * vg_type_size (info.type));
  g_autofree float *dark = self->host_dark != NULL ? g_new (float, (gsize) width *height) : NULL;
  for (int y = 0; dark != NULL && y < height; y++)
    memcpy (dark + (gsize) y * width, self->host_dark + (gsize) (y0 + y) * self->width + x0,
            width * sizeof (float));
  if (!fetch (self, flow_slot (self, self->n_frames - 1), x0, y0, width, height, middle, error))
    return FALSE;
  VgFlowImage image = { &self->params, &info, middle, dark };
  *size = vg_flow_speckle_size (&image);
  return TRUE;
}

/* Integers are not negative, so only float frames are copied. */
static gboolean
negative_percent (FlowState *self, double *percent, GError **error)
{
  g_autofree float *frame = NULL;

  *percent = 0.0;
  if (self->info.type != VG_F32)
    return TRUE;
  frame = g_new (float, self->pixels);
  if (!fetch (self, flow_slot (self, self->n_frames - 1), 0, 0, self->width, self->height, frame,
              error))
    return FALSE;
  *percent = vg_flow_negative_percent (&self->info, frame);
  return TRUE;
}

gboolean
flow_find_beta (FlowState *self, float *beta, GError **error)
{
  double size;

  *beta = self->params.beta;
  if (self->params.window_bias != VG_FLOW_WINDOW_CORRECT)
    return TRUE;
  if (!speckle_size (self, &size, error))
    return FALSE;
  *beta = vg_flow_effective_beta (&self->params, size);
  return TRUE;
}

gboolean
flow_add_results (FlowState *self, VgMetrics *metrics, GError **error)
{
  guint64 *counters = self->host_counters;
  VgFlowMetrics figures = { &self->params, &self->info };

  figures.mean_contrast = NAN;
  if (!VG_CUDA_OK (cudaMemcpyAsync (
                       counters,
                       self->ring.counters + flow_slot (self, self->n_frames - 1) * FLOW_COUNTERS,
                       FLOW_COUNTERS * sizeof *counters, cudaMemcpyDeviceToHost, self->compute),
                   error) ||
      !VG_CUDA_OK (cudaStreamSynchronize (self->compute), error))
    return FALSE;
  if (self->have_map)
    {
      VgPlane plane = { VG_DEVICE, self->contrast, self->width, self->height, 1, self->compute };
      VgStatistics statistics;
      if (!vg_cuda_statistics (&plane, 0, &statistics, error))
        return FALSE;
      figures.mean_contrast = statistics.mean;
    }
  figures.saturated_percent = 100.0 * (double) counters[FLOW_SATURATED] / (double) self->pixels;
  if (!negative_percent (self, &figures.negative_percent, error) ||
      !speckle_size (self, &figures.speckle_size, error))
    return FALSE;
  figures.frames = self->n_frames;
  figures.baseline = { self->baseline_state, self->baseline_maps };
  figures.exposure_ms = self->exposure_ms;
  figures.baseline_ms = self->baseline_maps > 0 ? self->baseline_ms : 0;
  vg_flow_add_metrics (metrics, &figures);
  return TRUE;
}

/* Samples of a pixel in the window's N frames, oldest first, dark level subtracted. */
static gboolean
fetch_history (FlowState *self, int x, int y, double *values, int n, GError **error)
{
  g_autofree guint8 *samples = g_new0 (guint8, (gsize) n * 4);
  double dark = self->host_dark != NULL ? self->host_dark[(gsize) y * self->width + x]
                                        : self->params.dark_level;
  VgImageInfo info = self->info;

  for (int i = 0; i < n; i++)
    if (!fetch (self, flow_slot (self, self->n_frames - n + i), x, y, 1, 1, samples + 4 * i, error))
      return FALSE;
  info.width = info.height = 1;
  for (int i = 0; i < n; i++)
    {
      float level = (float) dark;
      VgFlowImage image = { &self->params, &info, samples + 4 * i, &level };
      values[i] = vg_flow_image_value (&image, 0);
    }
  return TRUE;
}

VgCurves *
flow_sample_pixel (gpointer state, double x, double y, int slice, GError **error)
{
  FlowState *self = (FlowState *) state;
  int column = (int) floor (x), row = (int) floor (y);
  double values[VG_FLOW_MAX_FRAMES];

  if (self->n_frames == 0 || !(x >= 0.0 && x < self->width && y >= 0.0 && y < self->height) ||
      !vg_cuda_use (self->device, error))
    return NULL;
  VgFlowImage image = { &self->params, &self->info, NULL, self->host_dark };
  if (self->params.method != VG_FLOW_SPATIAL)
    {
      int n = flow_window_count (self);
      return fetch_history (self, column, row, values, n, error)
                 ? vg_flow_sample_time (&image, column, row, values, n)
                 : NULL;
    }
  g_autofree guint8 *frame = (guint8 *) g_try_malloc (self->pixels *
                                                      vg_type_size (self->info.type));
  if (frame == NULL || !fetch (self, flow_slot (self, self->n_frames - 1), 0, 0, self->width,
                               self->height, frame, error))
    return NULL;
  image.frame = frame;
  return vg_flow_sample_radius (&image, column, row);
}

VgCurves *
flow_plot (gpointer state, guint i, GError **error)
{
  FlowState *self = (FlowState *) state;
  float beta;

  if (!self->have_map || !vg_cuda_use (self->device, error))
    return NULL;
  g_autofree float *contrast = g_try_new (float, self->pixels);
  if (contrast == NULL ||
      !VG_CUDA_OK (cudaMemcpyAsync (contrast, self->contrast, self->pixels * sizeof (float),
                                    cudaMemcpyDeviceToHost, self->compute),
                   error) ||
      !VG_CUDA_OK (cudaStreamSynchronize (self->compute), error) ||
      !flow_find_beta (self, &beta, error))
    return NULL;
  return vg_flow_plot (&self->params, i, beta, contrast, self->pixels);
}
