/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#include "kernels/fluence/engine/fluence-engine.h"
#include "kernels/fluence/engine/fluence-run.h"
#include "kernels/fluence/walk/fluence-device.cuh"
/* The CUDA engine: the walk on all GPUs in launches of some 15 ms, the rest as
 * on the CPU.  While the host takes in one launch's tallies the next runs, and
 * one more waits behind it.  Launches are short where the last photons start
 * and end: between them those that are left are dealt out anew. */

/* A run has this many launches at least, for its error maps; those of parts are looked at so often.
 */
enum { FIRST_STEPS = 16, MOST_STEPS = 1 << 20, LEAST_LAUNCHES = 32, PARTS_US = 50000 };
static const double launch_ms = 15.0, last_ms = 3.0;

typedef struct
{
  VgFluenceRun *run;
  VgFluenceDevice **devices; /* parts of GPUs: see vg_fluence_parts */
  int n_devices;
  gboolean parts;          /* several on a GPU: their scatter gives the errors */
  int steps;               /* of the next launch */
  double planned_ms;       /* that the next launch should take, or the last that was started */
  guint64 launched, alive; /* photons, after the last launch that was waited for */
  gint64 parts_us;         /* when the parts were looked at */
  gint64 since;            /* when the time that counts began; 0: nothing runs */
  gboolean ending;         /* no new photons: those on their way come home */
  float *planes[VG_FLUENCE_OUTPUT_MCO];
  gsize plane_bytes;   /* of each */
  cudaStream_t stream; /* of the planes, on the first device */
} State;

static void
drop_planes (State *self)
{
  if (self->n_devices == 0 || self->devices[0] == NULL ||
      !vg_cuda_use (self->devices[0]->device, NULL))
    return;
  if (self->stream != NULL)
    {
      cudaStreamSynchronize (self->stream);
      cudaStreamDestroy (self->stream);
      self->stream = NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (self->planes); i++)
    {
      cudaFree (self->planes[i]);
      self->planes[i] = NULL;
    }
  cudaGetLastError ();
}

/* And the planes, which lie on the first one. */
static void
drop_devices (State *self)
{
  drop_planes (self);
  for (int i = self->n_devices - 1; i >= 0; i--)
    vg_fluence_device_free (self->devices[i]);
  g_clear_pointer (&self->devices, g_free);
  self->n_devices = 0;
}

static void
state_free (gpointer data)
{
  State *self = (State *) data;

  if (self == NULL)
    return;
  drop_devices (self);
  vg_fluence_run_free (self->run);
  g_free (self);
}

/* On the first device, which is the display's. */
static gboolean
take_planes (State *self, GError **error)
{
  const VgFluenceParams *params = &self->run->params;
  gsize bytes = sizeof (float) * (gsize) params->nz * (gsize) params->nr;
  guint n = params->reflectance_only ? 0
            : params->compare        ? (guint) G_N_ELEMENTS (self->planes)
                                     : (guint) VG_FLUENCE_OUTPUT_OLD_FLUENCE;

  if (self->plane_bytes != bytes)
    drop_planes (self);
  self->plane_bytes = bytes;
  if (!vg_cuda_use (self->devices[0]->device, error) ||
      (self->stream == NULL && !vg_cuda_stream_new (&self->stream, error)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (self->planes[i] == NULL &&
        !vg_cuda_alloc ((void **) &self->planes[i], bytes, "a map of the simulation", error))
      return FALSE;
  return TRUE;
}

/* COUNT parts of N devices, with the streams and the memory that they have. */
static gboolean
take_devices (State *self, const int *devices, int n, int count, GError **error)
{
  gboolean same = self->n_devices == count;

  for (int i = 0; same && i < count; i++)
    same = self->devices[i]->device == devices[i % n];
  if (same)
    return TRUE;
  drop_devices (self);
  self->devices = g_new0 (VgFluenceDevice *, count);
  for (int i = 0; i < count; i++)
    {
      self->n_devices = i + 1;
      self->devices[i] = vg_fluence_device_new (devices[i % n], error);
      if (self->devices[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
begin (State *self, const VgContext *context, GError **error)
{
  static const int first[] = { 0 };
  const int *devices = context->n_devices > 0 ? context->devices : first;
  const VgFluenceParams *params = (const VgFluenceParams *) context->params;
  int n = MAX (context->n_devices, 1), count;

  /* what is held may be in the way, as it is not counted */
  if (!vg_fluence_validate (params, error))
    return FALSE;
  if (self->n_devices > 0 && !vg_fluence_check_memory (params, 0, n, NULL))
    drop_devices (self);
  if (!vg_fluence_check_memory (params, 0, n, error) ||
      (self->run = vg_fluence_run_new (context, error)) == NULL)
    return FALSE;
  count = vg_fluence_parts (&self->run->params, n);
  self->parts = self->run->parts = count > n;
  if (!take_devices (self, devices, n, count, error))
    return FALSE;
  for (int i = 0; i < count; i++)
    if (!vg_fluence_device_start (self->devices[i], (count + n - 1) / n, i, count,
                                  &self->run->params, self->run->medium, NULL,
                                  i < n ? NULL : self->devices[i % n], error))
      return FALSE;
  if (!take_planes (self, error))
    return FALSE;
  self->steps = FIRST_STEPS;
  self->planned_ms = 0;
  self->launched = self->alive = 0;
  /* of a first picture's few steps there is nothing to be seen in them */
  self->parts_us = g_get_monotonic_time ();
  self->since = 0;
  self->ending = FALSE;
  return TRUE;
}

/* An edit comes often: streams, events and memory, above all the page-locked
 * one, take longer to get than the first picture. */
static gpointer
renew (gpointer data, const VgContext *context, GError **error)
{
  State *self = (State *) data;
  gboolean ok = TRUE;

  for (int i = 0; i < self->n_devices && ok; i++)
    ok = vg_fluence_device_stop (self->devices[i], error);
  g_clear_pointer (&self->run, vg_fluence_run_free);
  if (ok && begin (self, context, error))
    return self;
  state_free (self);
  return NULL;
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  return renew (g_new0 (State, 1), context, error);
}

static gboolean
update (gpointer data, const void *params)
{
  State *self = (State *) data;

  /* a launch under way may already have gone beyond */
  if (((const VgFluenceParams *) params)->photons < self->run->params.photons)
    return FALSE;
  if (!vg_fluence_run_update (self->run, params) || !take_planes (self, NULL))
    return FALSE;
  self->ending = self->ending && self->run->finished;
  return TRUE;
}

static gboolean
go (State *self, GError **error)
{
  guint64 last = self->ending ? 0 : (guint64) self->run->params.photons;

  if (self->since == 0)
    self->since = g_get_monotonic_time ();
  for (int i = 0; i < self->n_devices; i++)
    if (!vg_fluence_device_go (self->devices[i], last, self->steps, error))
      return FALSE;
  for (int i = 0; i < self->n_devices; i++)
    if (!vg_fluence_device_fetch (self->devices[i], error))
      return FALSE;
  return TRUE;
}

/* Waits for all devices and adds up how far they are; *MS is the slowest one's. */
static gboolean
wait (State *self, double *ms, GError **error)
{
  self->launched = self->alive = 0;
  *ms = 0;
  for (int i = 0; i < self->n_devices; i++)
    {
      if (!vg_fluence_device_wait (self->devices[i], error))
        return FALSE;
      self->launched += self->devices[i]->launched;
      self->alive += self->devices[i]->alive;
      *ms = MAX (*ms, self->devices[i]->ms);
    }
  return TRUE;
}

/* The tally so far, and with PARTS their scatter too. */
static void
add_up (State *self, gboolean parts)
{
  g_autofree const guint64 **tallies = g_new (const guint64 *, self->n_devices);
  g_autofree guint64 *photons = g_new (guint64, self->n_devices);

  for (int i = 0; i < self->n_devices; i++)
    {
      tallies[i] = self->devices[i]->tally;
      photons[i] = self->devices[i]->launched;
    }
  vg_fluence_run_sum (self->run, tallies, self->n_devices);
  if (parts)
    vg_fluence_run_take_parts (self->run, tallies, photons, self->n_devices);
}

/* After a launch that took MS and started FRESH photons: how long the next one
 * should be, so that it takes AIM milliseconds, or ends where the photons do. */
static void
plan (State *self, double aim, double ms, guint64 fresh)
{
  guint64 photons = self->ending ? 0 : (guint64) self->run->params.photons;
  double left = photons > self->launched ? (double) (photons - self->launched) : 0.0;
  double under_way = self->devices[0]->flying > 0 ? self->planned_ms : 0.0;

  aim = MIN (aim, fresh > 0 ? MAX (left / (double) fresh * ms - under_way, last_ms) : last_ms);
  if (fresh > 0 && !self->parts && self->run->batches < LEAST_LAUNCHES)
    aim = MIN (aim, self->run->params.photons / (double) (LEAST_LAUNCHES * fresh) * ms);
  self->steps = CLAMP ((int) (self->devices[0]->steps * CLAMP (aim / MAX (ms, 1e-3), 0.25, 8.0)), 4,
                       MOST_STEPS);
  self->planned_ms = self->steps * ms / self->devices[0]->steps;
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  State *self = (State *) data;
  VgFluenceRun *run = self->run;
  double aim = MIN (launch_ms, 500.0 * budget_s), ms;
  guint64 before = self->launched;
  gboolean parts;
  gint64 now;

  if (run->finished && !self->ending)
    return VG_STEP_DONE;
  /* one more behind the one that runs, once their length is known and unless there is nothing to do
   * for it */
  for (int wanted = self->planned_ms > 0.25 * aim && (self->alive > 0 || !self->ending) ? 2 : 1;
       self->devices[0]->flying < wanted;)
    if (!go (self, error))
      return VG_STEP_FAILED;
  if (!wait (self, &ms, error))
    return VG_STEP_FAILED;
  now = g_get_monotonic_time ();
  run->seconds += (double) (now - self->since) * 1e-6;
  self->since = now;
  self->ending |= self->launched >= (guint64) run->params.photons;
  plan (self, aim, ms, self->launched - before);
  /* the host works while the GPU does; what it works on stays until the next launch but one */
  if ((self->alive > 0 || !self->ending) && self->devices[0]->flying == 0 && !go (self, error))
    return VG_STEP_FAILED;
  parts = self->parts && (now - self->parts_us >= PARTS_US || (self->ending && self->alive == 0));
  add_up (self, parts);
  if (parts)
    self->parts_us = now;
  vg_fluence_run_reached (run, self->launched, self->alive);
  if (!vg_fluence_run_holds (run, error))
    return VG_STEP_FAILED;
  self->ending |= run->finished;
  run->finished = self->ending && self->alive == 0 && self->devices[0]->flying == 0;
  if (!run->finished)
    return VG_STEP_MORE;
  self->ending = FALSE;
  self->since = 0;
  return VG_STEP_DONE;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane)
{
  State *self = (State *) data;
  gsize n;

  if (!vg_fluence_run_plane (self->run, i, plane) || self->planes[i] == NULL ||
      !vg_cuda_use (self->devices[0]->device, NULL))
    return FALSE;
  n = (gsize) plane->width * (gsize) plane->height;
  if (!VG_CUDA_OK (cudaMemcpyAsync (self->planes[i], plane->data, n * sizeof (float),
                                    cudaMemcpyHostToDevice, self->stream),
                   NULL))
    return FALSE;
  plane->place = VG_DEVICE;
  plane->data = self->planes[i];
  plane->stream = self->stream;
  return TRUE;
}

static double
progress (gpointer data)
{
  return vg_fluence_run_progress (((State *) data)->run);
}

static void
results (gpointer data, VgMetrics *metrics)
{
  vg_fluence_run_results (((State *) data)->run, metrics);
}

static VgCurves *
sample (gpointer data, double x, double y, int slice)
{
  return slice == 0 ? vg_fluence_run_sample (((State *) data)->run, x, y) : NULL;
}

static VgCurves *
plot (gpointer data, guint i)
{
  return vg_fluence_run_plot (((State *) data)->run, i);
}

static char *
text (gpointer data, guint i, char **file_name, GError **error)
{
  return vg_fluence_run_text (((State *) data)->run, i, file_name, error);
}

static const VgEngineCurves curves = { .sample = sample, .plot = plot };
static const VgEngineResume resume = { .renew = renew };

extern "C" const VgEngine vg_fluence_cuda;
const VgEngine vg_fluence_cuda = {
  .prepare = prepare,
  .update = update,
  .step = step,
  .output = output,
  .progress = progress,
  .results = results,
  .text = text,
  .free = state_free,
  .curves = &curves,
  .resume = &resume,
};
