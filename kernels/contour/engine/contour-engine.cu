/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#include "kernels/contour/evolve/contour-device.cuh"
#include "kernels/contour/engine/contour-checkpoint.h"
/* The CUDA engine: iterations on the GPU in batches between two cuts; seeds,
 * settling and texts on the host as the CPU engine does them. */

typedef struct
{
  VgContourRun *run;
  VgContourDevice *device;
  gboolean host_current; /* the scene's samples are those of the device */
  gboolean drawn;
  double seconds_each; /* of an iteration, as the last ones took; 0: not known */
  gboolean sent[VG_CONTOUR_OUTPUT_CONTOURS];
} State;

static void
state_free (gpointer data)
{
  State *self = (State *) data;

  if (self == NULL)
    return;
  vg_contour_run_free (self->run); /* what it keeps may lie on the device */
  vg_contour_device_free (self->device);
  g_free (self);
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  State *self = g_new0 (State, 1);

  self->run = vg_contour_run_new (context, error);
  if (self->run != NULL)
    self->device = vg_contour_device_new (context->n_devices > 0 ? context->devices[0] : 0,
                                          self->run->scene, error);
  self->host_current = TRUE;
  if (self->device != NULL)
    return self;
  state_free (self);
  return NULL;
}

/* The host's scene becomes the device's. */
static gboolean
fetch (State *self, GError **error)
{
  if (self->host_current)
    return TRUE;
  self->host_current = vg_contour_device_download (self->device, self->run->scene, error);
  return self->host_current;
}

static gboolean
update (gpointer data, const void *params)
{
  State *self = (State *) data;
  gboolean moved,
      in_place = self->device->current &&
                 vg_contour_run_changes_weights_only (self->run, (const VgContourParams *) params);

  /* what is left is kept as it is, to come back to: on the device if that has room */
  if (in_place && !self->host_current)
    self->run->store = vg_contour_device_store (self->device);
  if ((self->run->store == NULL && !fetch (self, NULL)) ||
      !vg_contour_run_update (self->run, params, &moved))
    {
      g_clear_pointer (&self->run->store, self->run->store->free);
      return FALSE;
    }
  if (in_place) /* the samples stay where they are: a slider acts within a frame */
    return vg_contour_device_reweigh (self->device, self->run->scene, NULL);
  self->device->current = self->drawn = FALSE;
  return TRUE;
}

static gboolean
update_files (gpointer data, const VgContext *context, GError **error)
{
  return vg_contour_run_set_files (((State *) data)->run, context, error) &&
         update (data, context->params);
}

/* N iterations, then what the host has to do at a cut or at the end. */
static gboolean
advance (State *self, int n, GError **error)
{
  VgContourRun *run = self->run;
  VgContourScene *scene = run->scene;
  gboolean grown = FALSE;

  if (!self->device->current && !vg_contour_device_upload (self->device, scene, error))
    return FALSE;
  if (!vg_contour_device_iterate (self->device, scene, n, error) ||
      !vg_contour_device_wait (self->device, scene, error))
    return FALSE;
  self->host_current = self->drawn = FALSE;
  for (guint i = 0; i < scene->objects->len && vg_contour_run_at_cut (run) && !grown; i++)
    /* as the host's scene does */
    grown = vg_contour_scene_object (scene, i)->state.outgrown &&
            vg_contour_scene_object (scene, i)->state.moving;
  if (grown && (!fetch (self, error) || !vg_contour_scene_grow (scene, &grown, error) ||
                (grown && !vg_contour_device_upload (self->device, scene, error))))
    return FALSE;
  if (vg_contour_run_is_over (run) && !fetch (self, error))
    return FALSE;
  if (!vg_contour_run_end_step (run, error))
    return FALSE;
  if (run->standing.finished)
    self->device->current = FALSE; /* settling changed the host's */
  return TRUE;
}

/* Iterations that BUDGET_S has time for, by whole periods, which are cheap to launch. */
static int
affordable (const State *self, double budget_s)
{
  int period = self->run->scene->reinit_period,
      into = (int) (self->run->scene->iteration % (guint64) period);
  double n = self->seconds_each > 0.0 ? budget_s / self->seconds_each : period;

  return MAX ((int) MIN (n, 1e6) / period, 1) * period - into;
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  State *self = (State *) data;
  VgContourRun *run = self->run;
  gint64 start = g_get_monotonic_time ();
  int shown = run->params.iterations_shown, done = 0;

  if (vg_contour_run_skips_step (run))
    return VG_STEP_MORE;
  while (!run->standing.finished)
    {
      gint64 began = g_get_monotonic_time ();
      int n = vg_contour_run_chunk (
          run,
          shown > 0 ? shown - done : affordable (self, budget_s - (double) (began - start) * 1e-6));

      if (!advance (self, n, error))
        return VG_STEP_FAILED;
      done += n;
      if (n > 0)
        self->seconds_each = (double) (g_get_monotonic_time () - began) * 1e-6 / n;
      if ((shown > 0 && done >= shown) ||
          (double) (g_get_monotonic_time () - start) * 1e-6 >= budget_s)
        break;
    }
  return run->standing.finished ? VG_STEP_DONE : VG_STEP_MORE;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane)
{
  State *self = (State *) data;
  VgContourRun *run = self->run;
  VgContourDevice *device = self->device;
  gsize bytes = sizeof (float) * (gsize) run->info.width * (gsize) run->info.height;

  if (i >= VG_CONTOUR_OUTPUT_CONTOURS || !vg_cuda_use (device->device, NULL))
    return FALSE;
  if (i == VG_CONTOUR_OUTPUT_LABELS || i == VG_CONTOUR_OUTPUT_OVERLAP)
    {
      if (!device->current && !vg_contour_device_upload (device, run->scene, NULL))
        return FALSE;
      if (!self->drawn && !vg_contour_device_draw (device, NULL))
        return FALSE;
      self->drawn = TRUE;
      *plane = (VgPlane){ VG_HOST, NULL, run->info.width, run->info.height, 1 };
      plane->pixel_size[0] = run->info.pixel_size[0];
      plane->pixel_size[1] = run->info.pixel_size[1];
    }
  else
    {
      gboolean fresh = !run->plane_valid[i];

      if (!vg_contour_run_plane (run, i, plane) ||
          ((fresh || !self->sent[i]) &&
           (!VG_CUDA_OK (cudaMemcpyAsync (device->planes[i], plane->data, bytes,
                                          cudaMemcpyHostToDevice, device->stream),
                         NULL) ||
            !VG_CUDA_OK (cudaStreamSynchronize (device->stream), NULL))))
        return FALSE;
      self->sent[i] = TRUE;
    }
  plane->place = VG_DEVICE;
  plane->data = device->planes[i];
  plane->stream = device->stream;
  return TRUE;
}

static double
progress (gpointer data)
{
  return vg_contour_run_progress (((State *) data)->run);
}

static void
results (gpointer data, VgMetrics *metrics)
{
  State *self = (State *) data;

  /* while contours evolve all comes from their states: samples are only needed for scores, at the
   * end */
  if (!self->run->standing.finished || self->run->truth == NULL || fetch (self, NULL))
    vg_contour_run_results (self->run, metrics);
}

static VgCurves *
sample (gpointer data, double x, double y, int slice)
{
  State *self = (State *) data;

  return slice == 0 && fetch (self, NULL) ? vg_contour_run_sample (self->run, x, y) : NULL;
}

static VgCurves *
plot (gpointer data, guint i)
{
  return vg_contour_run_plot (((State *) data)->run, i);
}

/* The device's own pool. */
static gboolean
outlines (gpointer data, VgOutlines *outlines, GError **error)
{
  State *self = (State *) data;
  VgContourRun *run = self->run;
  VgContourDevice *device = self->device;

  (void) error;
  if (!vg_cuda_use (device->device, NULL) ||
      (!device->current && !vg_contour_device_upload (device, run->scene, NULL)) ||
      device->samples == 0 || device->samples > G_MAXINT)
    return FALSE;
  if (run->outlines == NULL)
    run->outlines = g_array_new (FALSE, FALSE, sizeof (VgOutline));
  g_array_set_size (run->outlines, 0);
  for (guint i = 0; i < run->scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (run->scene, i);
      VgOutline outline = vg_contour_outline_of (run, object, device->host[i].offset);

      if (outline.width > 0 && outline.height > 0)
        g_array_append_val (run->outlines, outline);
    }
  memset (outlines, 0, sizeof *outlines);
  outlines->items = (const VgOutline *) (const void *) run->outlines->data;
  outlines->n = run->outlines->len;
  outlines->values.place = VG_DEVICE;
  outlines->values.data = device->view.phi;
  outlines->values.width = (int) device->samples;
  outlines->values.height = outlines->values.slices = 1;
  outlines->values.stream = device->stream;
  outlines->width = run->info.width;
  outlines->height = run->info.height;
  return run->outlines->len > 0;
}

static char *
text (gpointer data, guint i, char **file_name, GError **error)
{
  State *self = (State *) data;

  return fetch (self, error) ? vg_contour_run_text (self->run, i, file_name, error) : NULL;
}

static GBytes *
checkpoint (gpointer data)
{
  State *self = (State *) data;

  return fetch (self, NULL) ? vg_contour_checkpoint_new (self->run) : NULL;
}

static gconstpointer
tile (gpointer data, GError **error)
{
  State *self = (State *) data;

  return fetch (self, error) ? self->run : NULL;
}

extern "C" const VgEngine vg_contour_cuda;
static const VgEngineCurves curves = { .sample = sample, .plot = plot };
static const VgEngineObjects objects = { .outlines = outlines, .tile = tile };
static const VgEngineResume resume = { .update_files = update_files, .checkpoint = checkpoint };

const VgEngine vg_contour_cuda = {
  .prepare = prepare,
  .update = update,
  .step = step,
  .output = output,
  .progress = progress,
  .results = results,
  .text = text,
  .free = state_free,
  .curves = &curves,
  .objects = &objects,
  .resume = &resume,
};
