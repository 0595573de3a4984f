/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#include "fluence-device.cuh"
/* The CUDA engine: the walk on all GPUs in launches of some 15 ms, the rest as
 * on the CPU.  While the host takes in one launch's tallies the next runs. */

enum { FIRST_STEPS = 256, MOST_STEPS = 1 << 20 };
static const double launch_ms = 15.0;

typedef struct
{
  VgFluenceRun *run;
  VgFluenceDevice **devices;
  int n_devices;
  int steps;                   /* of the next launch */
  gint64 since;                /* when the time that counts began; 0: nothing runs */
  gboolean ending;             /* no new photons: those on their way come home */
  float *planes[VG_FLUENCE_OUTPUT_MCO];
  cudaStream_t stream;         /* of the planes, on the first device */
} State;

static void
state_free (gpointer data)
{
  State *self = (State *) data;

  if (self == NULL)
    return;
  if (self->n_devices > 0 && self->devices[0] != NULL && vg_cuda_use (self->devices[0]->device, NULL))
    {
      if (self->stream != NULL)
        {
          cudaStreamSynchronize (self->stream);
          cudaStreamDestroy (self->stream);
        }
      for (guint i = 0; i < G_N_ELEMENTS (self->planes); i++)
        cudaFree (self->planes[i]);
      cudaGetLastError ();
    }
  for (int i = 0; i < self->n_devices; i++)
    vg_fluence_device_free (self->devices[i]);
  g_free (self->devices);
  vg_fluence_run_free (self->run);
  g_free (self);
}

/* On the first device, which is the display's. */
static gboolean
take_planes (State *self, GError **error)
{
  gsize bytes = sizeof (float) * (gsize) self->run->params.nz * (gsize) self->run->params.nr;

  if (!vg_cuda_use (self->devices[0]->device, error) || !vg_cuda_stream_new (&self->stream, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (self->planes) && !self->run->params.reflectance_only; i++)
    if (!vg_cuda_alloc ((void **) &self->planes[i], bytes, "a map of the simulation", error))
      return FALSE;
  return TRUE;
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  static const int first[] = { 0 };
  const int *devices = context->n_devices > 0 ? context->devices : first;
  State *self = g_new0 (State, 1);

  self->run = vg_fluence_run_new (context, error);
  self->steps = FIRST_STEPS;
  if (self->run == NULL)
    {
      state_free (self);
      return NULL;
    }
  self->devices = g_new0 (VgFluenceDevice *, MAX (context->n_devices, 1));
  for (int i = 0; i < MAX (context->n_devices, 1); i++)
    {
      self->n_devices = i + 1;
      self->devices[i] = vg_fluence_device_new (devices[i], i, MAX (context->n_devices, 1), self->run, NULL, error);
      if (self->devices[i] == NULL)
        {
          state_free (self);
          return NULL;
        }
    }
  if (!take_planes (self, error))
    {
      state_free (self);
      return NULL;
    }
  return self;
}

static gboolean
update (gpointer data, const void *params)
{
  State *self = (State *) data;

  /* a launch under way may already have gone beyond */
  if (((const VgFluenceParams *) params)->photons < self->run->params.photons)
    return FALSE;
  if (!vg_fluence_run_update (self->run, params))
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
  return TRUE;
}

/* Waits for all devices and adds up how far they are. */
static gboolean
wait (State *self, guint64 *launched, guint64 *alive, double *ms, GError **error)
{
  *launched = *alive = 0;
  *ms = 0;
  for (int i = 0; i < self->n_devices; i++)
    {
      if (!vg_fluence_device_wait (self->devices[i], error))
        return FALSE;
      *launched += self->devices[i]->launched;
      *alive += self->devices[i]->alive;
      *ms = MAX (*ms, self->devices[i]->ms);
    }
  return TRUE;
}

static void
add_up (State *self)
{
  gsize n = self->run->layout.size;

  memcpy (self->run->tally, self->devices[0]->host, n * sizeof (guint64));
  for (int i = 1; i < self->n_devices; i++)
    for (gsize k = 0; k < n; k++)
      self->run->tally[k] += self->devices[i]->host[k];
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  State *self = (State *) data;
  VgFluenceRun *run = self->run;
  double aim = MIN (launch_ms, 500.0 * budget_s), ms;
  guint64 launched, alive;
  gint64 now;

  if (run->finished && !self->ending)
    return VG_STEP_DONE;
  if ((!self->devices[0]->flying && !go (self, error)) || !wait (self, &launched, &alive, &ms, error))
    return VG_STEP_FAILED;
  now = g_get_monotonic_time ();
  run->seconds += (double) (now - self->since) * 1e-6;
  self->since = now;
  self->steps = (int) CLAMP (self->steps * CLAMP (aim / MAX (ms, 1e-3), 0.25, 4.0), 64.0, (double) MOST_STEPS);
  add_up (self);
  if (!self->ending && launched >= (guint64) run->params.photons)
    self->ending = TRUE;
  /* the host's tallies are copied: the next launch may write to its memory */
  if ((alive > 0 || !self->ending) && !go (self, error))
    return VG_STEP_FAILED;
  vg_fluence_run_reached (run, launched, alive > 0);
  if (run->finished)
    self->ending = TRUE;
  run->finished = self->ending && alive == 0 && !self->devices[0]->flying;
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

  if (!vg_fluence_run_plane (self->run, i, plane) || self->planes[i] == NULL || !vg_cuda_use (self->devices[0]->device, NULL))
    return FALSE;
  n = (gsize) plane->width * (gsize) plane->height;
  if (!VG_CUDA_OK (cudaMemcpyAsync (self->planes[i], plane->data, n * sizeof (float), cudaMemcpyHostToDevice, self->stream), NULL))
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
results (gpointer data, VgNumbers *numbers)
{
  vg_fluence_run_results (((State *) data)->run, numbers);
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

/* ---- Bench ---- */

/* All photons from prepare to the last one home, as a user waits for them;
 * *FIRST_MS: until there was a picture.  Seconds, NaN when it failed. */
static double
whole_run (const VgContext *context, double *first_ms)
{
  gint64 start = g_get_monotonic_time ();
  gpointer state = prepare (context, NULL);
  VgStep status = VG_STEP_MORE;
  VgPlane plane;

  *first_ms = NAN;
  while (state != NULL && status == VG_STEP_MORE)
    {
      status = step (state, 0.03, NULL);
      if (isnan (*first_ms) && output (state, VG_FLUENCE_OUTPUT_FLUENCE, &plane)
          && cudaStreamSynchronize ((cudaStream_t) plane.stream) == cudaSuccess)
        *first_ms = (double) (g_get_monotonic_time () - start) * 1e-3;
    }
  double seconds = state != NULL && status == VG_STEP_DONE ? ((State *) state)->run->seconds : NAN;
  state_free (state);
  return seconds;
}

extern "C" const VgOperation vg_fluence_operation;

static void
measure (const VgContext *given, VgBench *bench, int n_devices, const char *id, const char *work, const char *layers,
         double photons, gboolean reflectance_only, gboolean in_ms, double peer)
{
  const VgParamTable *table = &vg_fluence_operation.params;
  VgFluenceParams *params = (VgFluenceParams *) vg_params_new (table);
  int devices[64];
  VgContext context = *given;
  double best = INFINITY, first = INFINITY;

  for (int i = 0; i < n_devices; i++)
    devices[i] = i;
  vg_param_parse (vg_params_find (table, "layers"), params, layers, NULL);
  if (in_ms)
    {
      params->dz_cm = params->dr_cm = 0.01;
      params->nz = params->nr = 100;
    }
  params->photons = bench->quick ? photons / 100 : photons;
  params->reflectance_only = reflectance_only;
  context.params = params;
  context.devices = devices;
  context.n_devices = n_devices;
  for (int i = 0; i < 4; i++)
    {
      double first_ms, seconds = whole_run (&context, &first_ms);

      best = fmin (best, seconds);
      first = i > 0 ? fmin (first, first_ms) : first;   /* the first run loads the kernels */
    }
  VgBenchRow row = { id, work, in_ms ? best * 1e3 : params->photons / (best * 1e3), in_ms ? "ms" : "photons/ms", peer,
                     isnan (peer) ? NULL : "GPU-MCML, best of eight settings" };
  bench->add (bench, &row);
  if (!in_ms && !reflectance_only && n_devices == 1)
    {
      VgBenchRow picture = { "skin_first_picture_cuda", "from changed layers to a map on the GPU", first, "ms", 50.0, "wanted" };

      bench->add (bench, &picture);
    }
  vg_params_free (table, params);
}

static void
bench (const VgContext *context, VgBench *bench)
{
  int n = MIN (vg_cuda_device_count (NULL), 64);

  measure (context, bench, 1, "skin_1e8_cuda", "seven-layer skin, 1e8 photons, maps, one GPU", "skin_600nm", 1e8, FALSE, FALSE, 192637);
  measure (context, bench, 1, "skin_1e8_reflectance_cuda", "the same, reflectance only", "skin_600nm", 1e8, TRUE, FALSE, 213250);
  measure (context, bench, 1, "intralipid_1e7_cuda", "10 % intralipid, 100 cm, 1e7 photons, maps", "1.33,0.015,707.7,0.87,100", 1e7,
           FALSE, TRUE, 857);
  for (int k = 2; k <= n; k *= 2)
    {
      g_autofree char *id = g_strdup_printf ("skin_1e9_%d_gpus_cuda", k);

      measure (context, bench, k, id, "seven-layer skin, 1e9 photons, maps, several GPUs", "skin_600nm", 1e9, FALSE, FALSE, NAN);
    }
}

extern "C" const VgEngine vg_fluence_cuda;
const VgEngine vg_fluence_cuda = {
  .prepare = prepare,
  .update = update,
  .step = step,
  .output = output,
  .progress = progress,
  .results = results,
  .sample = sample,
  .plot = plot,
  .text = text,
  .bench = bench,
  .free = state_free,
};
