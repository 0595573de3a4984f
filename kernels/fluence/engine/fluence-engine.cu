/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#include "kernels/fluence/engine/fluence-engine.h"
#include "kernels/base/vg-memory.h"
#include "kernels/fluence/engine/fluence-run.h"
#include "kernels/fluence/walk/fluence-device.cuh"
/* The CUDA engine: the photon walk on all GPUs in launches of about 15 ms; results are computed as
 * on the CPU.  While the host adds up the tallies of one launch, the next one runs and a third is
 * queued.  When the last photons start and end, launches are short, as remaining photons are
 * distributed to full warps between launches. */

/* LEAST_LAUNCHES: smallest number of launches of a run, for its error maps.  REPLICATES_US:
 * interval at which the scatter of replicates is computed. */
enum { FIRST_STEPS = 16, MOST_STEPS = 1 << 20, LEAST_LAUNCHES = 32, REPLICATES_US = 50000 };
enum { CAPACITY_US = 500000 };
static const double launch_ms = 15.0, last_ms = 3.0;

/* Ranks that stop by error compare it for the first time after so many photons. */
#define FIRST_MEETING 1e6

typedef struct
{
  VgFluenceRun *run;
  VgFluenceDevice **devices; /* GPUs, or parts of them: see vg_fluence_replicates() */
  int n_devices;
  gboolean replicated;     /* several parts on a GPU, whose scatter gives the errors */
  int steps;               /* of the next launch */
  double planned_ms;       /* expected duration of the launch that was started last */
  guint64 launched, alive; /* photons, when the last finished launch ended */
  gint64 replicated_us;    /* when the scatter or, with ranks, the tally was computed last */
  gint64 since;            /* when the current step began; 0: nothing runs */
  gboolean ending;         /* no photons are launched any more; the others end */
  /* each traces a share of the photons; NULL: this process traces all */
  const VgRanks *ranks;
  guint64 *met; /* tallies of all ranks */
  double meet;  /* fraction of its share after which ranks compare the error next; 1: never */
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

/* Frees the devices and the planes on the first of them. */
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
  g_free (self->met);
  g_free (self);
}

/* Allocates the maps on the first device, which draws the display. */
static gboolean
allocate_planes (State *self, GError **error)
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

/* Creates COUNT parts of N devices, unless those of the last run are the same. */
static gboolean
create_devices (State *self, const int *devices, int n, int count, GError **error)
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

/* The photons that this process traces: those of its stocks. */
static guint64
count_share (const State *self)
{
  guint64 photons = (guint64) self->run->params.photons,
          stock = (guint64) self->devices[0]->launch.stock, stocks = (photons + stock - 1) / stock,
          share = 0;

  for (int i = 0; i < self->n_devices; i++)
    {
      guint64 number = (guint64) self->devices[i]->launch.device,
              parts = (guint64) self->devices[i]->launch.n_devices;

      if (stocks > number)
        share += ((stocks - 1 - number) / parts + 1) * stock;
      if (stocks > 0 && (stocks - 1) % parts == number)
        share -= stocks * stock - photons;
    }
  return share;
}

/* Gives this rank its share: of N ranks, each traces every N-th stock of each part, so that all
 * ranks together have the replicates of one process.  Without replicates ranks cannot agree on an
 * end. */
static gboolean
join_ranks (State *self, const VgRanks *ranks, GError **error)
{
  const VgFluenceParams *params = &self->run->params;
  gsize bytes = (gsize) self->n_devices * self->run->layout.size * sizeof *self->met;

  g_clear_pointer (&self->met, g_free);
  self->ranks = self->replicated ||
                        (params->reflectance_only && params->stop == VG_FLUENCE_STOP_PHOTONS)
                    ? ranks
                    : NULL;
  self->meet = params->stop == VG_FLUENCE_STOP_ERROR ? MIN (FIRST_MEETING / params->photons, 1) : 1;
  if (self->ranks == NULL)
    return TRUE;
  self->run->ranks = self->ranks->size;
  for (int i = 0; i < self->n_devices; i++)
    vg_fluence_device_share (self->devices[i], self->ranks->rank, self->ranks->size);
  if (!vg_memory_check (bytes, "the tallies of all ranks", error))
    return FALSE;
  self->met = (guint64 *) g_malloc (bytes);
  return TRUE;
}

static gboolean
begin (State *self, const VgContext *context, GError **error)
{
  static const int first[] = { 0 };
  const int *devices = context->n_devices > 0 ? context->devices : first;
  const VgFluenceParams *params = (const VgFluenceParams *) context->params;
  int n = MAX (context->n_devices, 1), count;

  /* memory of the last run is freed if there is not enough for both */
  if (!vg_fluence_validate (params, error))
    return FALSE;
  if (self->n_devices > 0 && !vg_fluence_check_memory (params, 0, n, NULL))
    drop_devices (self);
  if (!vg_fluence_check_memory (params, 0, n, error) ||
      (self->run = vg_fluence_run_new (context, error)) == NULL)
    return FALSE;
  count = vg_fluence_replicates (&self->run->params, n);
  self->replicated = self->run->replicated = count > n;
  if (!create_devices (self, devices, n, count, error))
    return FALSE;
  for (int i = 0; i < count; i++)
    if (!vg_fluence_device_start (self->devices[i], (count + n - 1) / n, i, count,
                                  &self->run->params, self->run->medium, NULL,
                                  i < n ? NULL : self->devices[i % n], error))
      return FALSE;
  if (!allocate_planes (self, error) || !join_ranks (self, context->ranks, error))
    return FALSE;
  self->steps = FIRST_STEPS;
  self->planned_ms = 0;
  self->launched = self->alive = 0;
  self->replicated_us = g_get_monotonic_time ();
  self->since = 0;
  self->ending = FALSE;
  return TRUE;
}

/* Starts another run with the streams, events and memory of the last one: to create them, above all
 * page-locked memory, takes longer than the first map. */
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

  /* a running launch may have traced more photons already */
  if (((const VgFluenceParams *) params)->photons < self->run->params.photons)
    return FALSE;
  if (!vg_fluence_run_update (self->run, params) || !allocate_planes (self, NULL))
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

/* Waits for a launch of all devices and adds up their photons; *MS: its longest duration. */
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

/* Adds up the tallies (MEET: of all ranks).  REPLICATED: computes their scatter.  Returns the
 * number of photons. */
static guint64
add_up (State *self, gboolean replicated, gboolean meet)
{
  g_autofree const guint64 **tallies = g_new (const guint64 *, self->n_devices);
  g_autofree guint64 *photons = g_new (guint64, self->n_devices);
  gsize size = self->run->layout.size;
  guint64 all = 0;

  for (int i = 0; i < self->n_devices; i++)
    {
      tallies[i] = self->devices[i]->tally;
      photons[i] = self->devices[i]->launched;
      if (meet)
        tallies[i] = (const guint64 *) memcpy (self->met + (gsize) i * size, tallies[i],
                                               size * sizeof (guint64));
    }
  if (meet)
    {
      self->ranks->sum (self->met, (gsize) self->n_devices * size);
      self->ranks->sum (photons, (gsize) self->n_devices);
    }
  for (int i = 0; i < self->n_devices; i++)
    all += photons[i];
  vg_fluence_run_sum (self->run, tallies, self->n_devices);
  if (replicated)
    vg_fluence_run_set_replicates (self->run, tallies, photons, self->n_devices);
  return all;
}

/* Combines the results of all ranks, at the end and, to stop by error, before it.  All ranks do so
 * after the same fractions of their shares, because they decide by the same numbers. */
static void
meet_ranks (State *self, gboolean last)
{
  VgFluenceRun *run = self->run;
  guint64 share = count_share (self);
  double part = share > 0 ? (double) self->launched / (double) share : 1.0;

  while (self->meet < 1.0 && (last || part >= self->meet))
    {
      gboolean full = run->full;
      double ratio;

      run->full = FALSE; /* of this rank alone, but the ranks must decide by the same numbers */
      vg_fluence_run_advance (run, add_up (self, self->replicated, TRUE), self->alive);
      run->full = full;
      ratio = run->map_error * 100.0 / run->params.target_error;
      self->ending |= run->finished;
      self->meet = run->finished   ? 1.0
                   : isnan (ratio) ? 4.0 * self->meet
                                   : self->meet * CLAMP (ratio * ratio, 1.1, 4.0);
    }
  if (last)
    vg_fluence_run_advance (run, add_up (self, self->replicated, TRUE), 0);
}

/* Sets the number of steps of the next launch from the last one, which took MS and launched FRESH
 * photons, so that it takes AIM milliseconds or ends with the last photons. */
static void
plan (State *self, double aim, double ms, guint64 fresh)
{
  guint64 photons = self->ending ? 0 : count_share (self);
  double left = photons > self->launched ? (double) (photons - self->launched) : 0.0;
  double running_ms = self->devices[0]->in_flight > 0 ? self->planned_ms : 0.0;

  aim = MIN (aim, fresh > 0 ? MAX (left / (double) fresh * ms - running_ms, last_ms) : last_ms);
  if (fresh > 0 && !self->replicated && self->run->batches < LEAST_LAUNCHES)
    aim = MIN (aim, (double) count_share (self) / (double) (LEAST_LAUNCHES * fresh) * ms);
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
  gboolean replicated, added, last;
  gint64 now;

  if (run->finished && !self->ending)
    return VG_STEP_DONE;
  /* A second launch is queued once their duration is known, unless it would have no photons. */
  for (int wanted = self->planned_ms > 0.25 * aim && (self->alive > 0 || !self->ending) ? 2 : 1;
       self->devices[0]->in_flight < wanted;)
    if (!go (self, error))
      return VG_STEP_FAILED;
  if (!wait (self, &ms, error))
    return VG_STEP_FAILED;
  now = g_get_monotonic_time ();
  run->seconds += (double) (now - self->since) * 1e-6;
  self->since = now;
  self->ending |= self->launched >= count_share (self);
  plan (self, aim, ms, self->launched - before);
  /* the results of a launch are valid until the next but one, so the host can use them now */
  if ((self->alive > 0 || !self->ending) && self->devices[0]->in_flight == 0 && !go (self, error))
    return VG_STEP_FAILED;
  replicated = self->replicated && self->ranks == NULL &&
               (now - self->replicated_us >= REPLICATES_US || (self->ending && self->alive == 0));
  /* the map of one of several ranks is not shown, so checking its fullest bin is enough */
  added = self->ranks == NULL || now - self->replicated_us >= CAPACITY_US;
  if (added)
    add_up (self, replicated, FALSE);
  if (replicated || (added && self->ranks != NULL))
    self->replicated_us = now;
  vg_fluence_run_advance (run, self->launched, self->alive);
  if (added && !vg_fluence_run_check_capacity (run, error))
    return VG_STEP_FAILED;
  self->ending |= run->finished;
  last = self->ending && self->alive == 0 && self->devices[0]->in_flight == 0;
  if (self->ranks != NULL)
    {
      meet_ranks (self, last);
      run->seconds += (double) (g_get_monotonic_time () - now) * 1e-6;
      self->since = g_get_monotonic_time ();
    }
  run->finished = last;
  if (!run->finished)
    return VG_STEP_MORE;
  self->ending = FALSE;
  self->since = 0;
  return VG_STEP_DONE;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane, GError **error)
{
  State *self = (State *) data;
  gsize n;

  if (!vg_fluence_run_plane (self->run, i, plane) || self->planes[i] == NULL ||
      !vg_cuda_use (self->devices[0]->device, error))
    return FALSE;
  n = (gsize) plane->width * (gsize) plane->height;
  if (!VG_CUDA_OK (cudaMemcpyAsync (self->planes[i], plane->data, n * sizeof (float),
                                    cudaMemcpyHostToDevice, self->stream),
                   error))
    return FALSE;
  plane->place = VG_DEVICE;
  plane->data = self->planes[i];
  plane->stream = self->stream;
  return TRUE;
}

static double
progress (gpointer data)
{
  State *self = (State *) data;
  double done = vg_fluence_run_progress (self->run);

  /* this rank traces only a share of all photons */
  return self->ranks != NULL
             ? MAX (done, (double) self->launched / (double) MAX (count_share (self), 1))
             : done;
}

static gboolean
results (gpointer data, VgMetrics *metrics, GError **error)
{
  vg_fluence_run_results (((State *) data)->run, metrics);
  return TRUE;
}

static VgCurves *
sample (gpointer data, double x, double y, int slice, GError **error)
{
  return slice == 0 ? vg_fluence_run_sample (((State *) data)->run, x, y) : NULL;
}

static VgCurves *
sample_region (gpointer data, const VgRegion *region, GError **error)
{
  return vg_fluence_run_sample_region (((State *) data)->run, region);
}

static VgCurves *
plot (gpointer data, guint i, GError **error)
{
  return vg_fluence_run_plot (((State *) data)->run, i);
}

static char *
text (gpointer data, guint i, char **file_name, GError **error)
{
  return vg_fluence_run_text (((State *) data)->run, i, file_name, error);
}

static const VgEngineCurves curves = { .sample = sample,
                                       .sample_region = sample_region,
                                       .plot = plot };
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
