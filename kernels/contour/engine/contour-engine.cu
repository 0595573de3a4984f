/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#include "kernels/contour/evolve/contour-device.cuh"
#include "kernels/contour/engine/contour-checkpoint.h"
#include "kernels/contour/net/contour-network.cuh"
/* The CUDA engine: iterations on the GPU in batches between two cuts; seeds,
 * finalising and texts on the host as the CPU engine does them, the network on the GPU. */

/* What the device adds to a run. */
typedef struct
{
  VgContourDevice *device;
  gboolean host_current; /* the scene's samples are those of the device */
  gboolean drawn;
  double seconds_each; /* of an iteration, as the last ones took; 0: not known */
  gboolean sent[VG_CONTOUR_N_PLANES];
} State;

static void
state_free (gpointer data)
{
  State *self = (State *) data;

  vg_contour_device_free (self->device);
  g_free (self);
}

/* The host's scene becomes the device's. */
static gboolean
fetch (VgContourRun *run, GError **error)
{
  State *self = (State *) run->device;

  if (!self->host_current)
    self->host_current = vg_contour_device_download (self->device, run->scene, error);
  return self->host_current;
}

static gboolean
update (gpointer data, const void *params)
{
  VgContourRun *run = (VgContourRun *) data;
  State *self = (State *) run->device;
  gboolean in_place = self->device->current &&
                      vg_contour_run_changes_weights_only (run, (const VgContourParams *) params);

  /* undo restores the present samples: they stay on the device if there is memory */
  if (in_place && !self->host_current)
    run->store = vg_contour_device_store (self->device);
  if ((run->store == NULL && !fetch (run, NULL)) || !vg_contour_run_update (run, params))
    {
      g_clear_pointer (&run->store, run->store->free);
      return FALSE;
    }
  if (in_place) /* the samples stay where they are: a slider acts within a frame */
    return vg_contour_device_reweigh (self->device, run->scene, NULL);
  self->device->current = self->drawn = FALSE;
  return TRUE;
}

static gboolean
update_files (gpointer data, const VgContext *context, GError **error)
{
  return vg_contour_run_set_files ((VgContourRun *) data, context, error) &&
         update (data, context->params);
}

/* N iterations, then what the host has to do at a cut or at the end. */
static gboolean
advance (VgContourRun *run, int n, GError **error)
{
  State *self = (State *) run->device;
  VgContourScene *scene = run->scene;
  gint64 began = g_get_monotonic_time ();
  gboolean grown;

  if (!self->device->current && !vg_contour_device_upload (self->device, scene, error))
    return FALSE;
  if (!vg_contour_device_iterate (self->device, scene, n, error) ||
      !vg_contour_device_wait (self->device, scene, error))
    return FALSE;
  self->host_current = self->drawn = FALSE;
  grown = vg_contour_run_at_cut (run) && vg_contour_scene_wants_to_grow (scene);
  if (grown && (!vg_contour_scene_grow (scene, &grown, error) ||
                (grown && !vg_contour_device_grow (self->device, scene, error))))
    return FALSE;
  if (vg_contour_run_is_over (run) && !fetch (run, error))
    return FALSE;
  if (!vg_contour_run_end_step (run, error))
    return FALSE;
  if (run->standing.finished)
    self->device->current = FALSE; /* the contours on the host were finalised */
  if (n > 0)
    self->seconds_each = (double) (g_get_monotonic_time () - began) * 1e-6 / n;
  return TRUE;
}

/* Whole periods are cheap to launch. */
static int
affordable (const VgContourRun *run, double budget_s)
{
  const State *self = (const State *) run->device;
  int period = run->scene->reinit_period, into = (int) (run->scene->iteration % (guint64) period);
  double n = self->seconds_each > 0.0 ? budget_s / self->seconds_each : period;

  return MAX ((int) MIN (n, 1e6) / period, 1) * period - into;
}

static const VgContourBackend backend = {
  .fetch = fetch, .affordable = affordable, .advance = advance, .free = state_free
};

static gpointer
prepare (const VgContext *context, GError **error)
{
  VgContourRun *run = vg_contour_run_new_on (context, &vg_contour_net_cuda, error);
  State *self;

  if (run == NULL)
    return NULL;
  self = g_new0 (State, 1);
  self->host_current = TRUE;
  self->device = vg_contour_device_new (context->n_devices > 0 ? context->devices[0] : 0,
                                        run->scene, error);
  run->device = self;
  run->backend = &backend;
  if (self->device != NULL)
    return run;
  vg_contour_run_free (run);
  return NULL;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane, GError **error)
{
  VgContourRun *run = (VgContourRun *) data;
  State *self = (State *) run->device;
  VgContourDevice *device = self->device;
  gsize bytes = sizeof (float) * (gsize) run->info.width * (gsize) run->info.height;
  gboolean valid;
  guint at = vg_contour_run_plane_of (run, i, &valid);

  if (i >= VG_CONTOUR_OUTPUT_CONTOURS || !vg_cuda_use (device->device, error))
    return FALSE;
  if (i == VG_CONTOUR_OUTPUT_LABELS || i == VG_CONTOUR_OUTPUT_OVERLAP)
    {
      if (!device->current && !vg_contour_device_upload (device, run->scene, error))
        return FALSE;
      if (!self->drawn && !vg_contour_device_draw (device, error))
        return FALSE;
      self->drawn = TRUE;
      *plane = (VgPlane){ VG_HOST, NULL, run->info.width, run->info.height, 1 };
      plane->pixel_size[0] = run->info.pixel_size[0];
      plane->pixel_size[1] = run->info.pixel_size[1];
    }
  else
    {
      if (!vg_contour_run_plane (run, i, plane, error) ||
          ((!valid || !self->sent[at]) &&
           !vg_cuda_copy_now (device->planes[at], plane->data, bytes, device->stream, error)))
        return FALSE;
      self->sent[at] = TRUE;
    }
  plane->place = VG_DEVICE;
  plane->data = device->planes[at];
  plane->stream = device->stream;
  return TRUE;
}

/* The device's own pool. */
static gboolean
outlines (gpointer data, VgOutlines *outlines, GError **error)
{
  VgContourRun *run = (VgContourRun *) data;
  VgContourDevice *device = ((State *) run->device)->device;
  const VgContourScore *score;

  if (!vg_contour_run_score (run, FALSE, &score, error) ||
      !vg_contour_run_classes (run, NULL, error) || !vg_cuda_use (device->device, error) ||
      (!device->current && !vg_contour_device_upload (device, run->scene, error)) ||
      device->samples == 0 || device->samples > G_MAXINT)
    return FALSE;
  if (run->outlines == NULL)
    run->outlines = g_array_new (FALSE, FALSE, sizeof (VgOutline));
  g_array_set_size (run->outlines, 0);
  for (guint i = 0; i < run->scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (run->scene, i);
      VgOutline outline = vg_contour_outline_of (run, score, object, device->host[i].offset);

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

extern "C" const VgEngine vg_contour_cuda;
static const VgEngineObjects objects = { .outlines = outlines, .tile = vg_contour_run_tile };
static const VgEngineResume resume = { .update_files = update_files,
                                       .checkpoint = vg_contour_checkpoint_new };

const VgEngine vg_contour_cuda = {
  .prepare = prepare,
  .update = update,
  .step = vg_contour_run_step,
  .output = output,
  .progress = vg_contour_run_progress,
  .results = vg_contour_run_results,
  .text = vg_contour_run_text,
  .free = vg_contour_run_free,
  .curves = &vg_contour_curves,
  .objects = &objects,
  .resume = &resume,
};
