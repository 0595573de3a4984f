/* SPDX-License-Identifier: MIT */
#include "tests/support/app/fake-operation.h"
#include "kernels/base/vg-error.h"

/* --- parameters and outputs --- */

static const VgParam items[] = {
  VG_INT_PARAM (FakeParams, history, .label = "History", .def = 0, .max = 300),
  VG_FLOAT_PARAM (FakeParams, gain, .label = "Gain", .def = 1, .min = -1000, .max = 1000),
  VG_DOUBLE_PARAM (FakeParams, step_ms, .label = "Step", .unit = "ms", .max = 1000),
  VG_INT_PARAM (FakeParams, fail_at, .label = "Fail at", .def = -1, .min = -1, .max = 1000000),
  VG_INT_PARAM (FakeParams, steps, .label = "Steps", .def = 10, .min = 1, .max = 1000000),
  VG_BOOL_PARAM (FakeParams, valid, .label = "Valid", .def = 1),
  VG_INT_PARAM (FakeParams, pieces, .label = "Pieces", .def = 1, .min = 1, .max = 1000000),
  VG_INT_PARAM (FakeParams, prepare_ms, .label = "Prepare", .unit = "ms", .max = 1000000),
  VG_INT_PARAM (FakeParams, checkpoint_mb, .label = "Outcome", .unit = "MB", .max = 1000),
  VG_ACTION_PARAM (FakeParams, press, .label = "Press"),
  VG_INT_PARAM (FakeParams, pace, .label = "Pace", .max = 100),
  VG_FILE_PARAM (FakeParams, file, .label = "File", .file.kinds = VG_FILE_TEXT,
                 .file.or_region = TRUE),
  VG_FILE_PARAM (FakeParams, files, .label = "Files", .file.kinds = VG_FILE_TEXT,
                 .file.multiple = TRUE),
};

static const VgOutput outputs[] = {
  { .id = "value", .label = "Value", .unit = "a.u.", .time_course = TRUE },
  { .id = "number", .label = "Number", .unit = "" },
};

static const VgOutputRole roles[] = { { VG_ROLE_BRIGHTNESS, "value", "number" }, { 0 } };

static GMutex calls_lock;
static GCond let_go;
static gboolean hold;
static int let = FAKE_ALL;
static FakeCalls calls = { .least_gap_us = G_MAXINT64 };

#define CALL(member, change)                                                                       \
  do                                                                                               \
    {                                                                                              \
      g_mutex_lock (&calls_lock);                                                                  \
      calls.member += (change);                                                                    \
      g_mutex_unlock (&calls_lock);                                                                \
    }                                                                                              \
  while (0)

FakeCalls
fake_calls (void)
{
  FakeCalls copy;

  g_mutex_lock (&calls_lock);
  copy = calls;
  g_mutex_unlock (&calls_lock);
  return copy;
}

void
fake_calls_reset (void)
{
  g_mutex_lock (&calls_lock);
  calls = (FakeCalls){ .alive = calls.alive, .least_gap_us = G_MAXINT64 };
  g_mutex_unlock (&calls_lock);
}

void
fake_let_steps (int n)
{
  g_mutex_lock (&calls_lock);
  let = n;
  g_cond_broadcast (&let_go);
  g_mutex_unlock (&calls_lock);
}

static void
begin_step (const FakeParams *params)
{
  int n;

  g_mutex_lock (&calls_lock);
  n = ++calls.steps;
  while (n > let)
    g_cond_wait (&let_go, &calls_lock);
  if (calls.ended_us > 0)
    calls.least_gap_us = MIN (calls.least_gap_us, g_get_monotonic_time () - calls.ended_us);
  g_mutex_unlock (&calls_lock);
  if (params->step_ms > 0)
    g_usleep ((gulong) (params->step_ms * 1000));
}

void
fake_samples_hold (gboolean held)
{
  g_mutex_lock (&calls_lock);
  hold = held;
  g_cond_broadcast (&let_go);
  g_mutex_unlock (&calls_lock);
}

static gboolean
validate (const void *data, GError **error)
{
  const FakeParams *params = data;

  if (!params->valid)
    g_set_error_literal (error, VG_USAGE_ERROR, 0, "these settings do not fit");
  return params->valid;
}

static int
history (const void *params)
{
  return ((const FakeParams *) params)->history;
}

/* --- engine --- */

typedef struct
{
  FakeParams params;
  VgImageInfo info;
  gsize pixels;
  float *maps[2]; /* one per output */
  double window[512];
  gint64 n; /* frames fed, or steps made */
  double number;
  int piece; /* of a frame, done */
} State;

static gpointer
prepare (const VgContext *context, GError **error)
{
  const int prepare_ms = ((const FakeParams *) context->params)->prepare_ms;
  State *self;

  CALL (prepares, 1);
  for (int ms = 0; ms < prepare_ms; ms += 5)
    {
      if (vg_context_is_stopped (context))
        return NULL;
      vg_context_report (context, (double) ms / prepare_ms);
      g_usleep (5000);
    }
  g_mutex_lock (&calls_lock);
  calls.brought = context->checkpoint != NULL ? g_bytes_get_size (context->checkpoint) : 0;
  g_mutex_unlock (&calls_lock);
  self = g_new0 (State, 1);
  self->params = *(const FakeParams *) context->params;
  if (context->info)
    self->info = *context->info;
  else
    self->info = (VgImageInfo){ .width = 4, .height = 3 };
  self->pixels = (gsize) self->info.width * (gsize) self->info.height;
  self->maps[0] = g_new0 (float, self->pixels);
  self->maps[1] = g_new0 (float, self->pixels);
  CALL (alive, 1);
  return self;
}

static gboolean
update (gpointer data, const void *new_params)
{
  State *self = data;
  const FakeParams *params = new_params;

  CALL (updates, 1);
  if (params->history != self->params.history || params->steps != self->params.steps)
    return FALSE;
  if (!vg_params_equal (&fake_stream.params, params, &self->params))
    self->piece = 0;
  self->params = *params;
  return TRUE;
}

static gboolean
feed (gpointer data, VgFrame *frame, GError **error)
{
  State *self = data;
  const guint16 *samples = frame->data;

  CALL (feeds, 1);
  if (frame->index == self->params.fail_at)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED, "frame %d is refused",
                   self->params.fail_at);
      return FALSE;
    }
  self->number = samples[self->pixels - 1];
  self->piece = 0;
  self->window[self->n++ % (self->params.history + 1)] = self->number;
  return TRUE;
}

static void
fill (State *self, guint output, double value)
{
  for (gsize i = 0; i < self->pixels; i++)
    self->maps[output][i] = (float) value;
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  State *self = data;
  double sum = 0;

  begin_step (&self->params);
  if (++self->piece < self->params.pieces)
    return VG_STEP_MORE;
  self->piece = 0;
  if (self->n <= self->params.history)
    return VG_STEP_WAIT;
  for (int i = 0; i <= self->params.history; i++)
    sum += self->window[i];
  fill (self, 0, self->params.gain * sum);
  return VG_STEP_DONE;
}

static VgStep
count_step (gpointer data, double budget_s, GError **error)
{
  State *self = data;

  begin_step (&self->params);
  if (self->n == self->params.fail_at)
    {
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED, "this step fails");
      return VG_STEP_FAILED;
    }
  self->n = MIN (self->n + 1, self->params.steps);
  fill (self, 0, self->params.gain * (double) self->n);
  g_mutex_lock (&calls_lock);
  calls.ended_us = g_get_monotonic_time ();
  g_mutex_unlock (&calls_lock);
  return self->n == self->params.steps ? VG_STEP_DONE : VG_STEP_MORE;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane, GError **error)
{
  State *self = data;

  if (self->piece > 0)
    return FALSE;
  if (i == 1)
    fill (self, 1, self->number);
  *plane = (VgPlane){ .place = VG_HOST,
                      .data = self->maps[i],
                      .width = self->info.width,
                      .height = self->info.height,
                      .slices = 1 };
  return TRUE;
}

static double
progress (gpointer data)
{
  State *self = data;

  return (double) self->n / self->params.steps;
}

static VgCurves *
sample (gpointer data, double x, double y, int slice, GError **error)
{
  State *self = data;
  VgCurves *curves;
  VgSeries *series;

  if (x >= self->info.width)
    return NULL;
  curves = vg_curves_new ("Pixel", "Frame", "", "Value", "");
  series = vg_curves_add (curves, "here", VG_SERIES_LINE, 3);
  g_mutex_lock (&calls_lock);
  calls.samples++;
  while (hold)
    g_cond_wait (&let_go, &calls_lock);
  series->y[0] = self->number;
  series->y[1] = calls.updates;
  series->y[2] = calls.steps;
  g_mutex_unlock (&calls_lock);
  return curves;
}

static void
state_free (gpointer data)
{
  State *self = data;

  g_free (self->maps[0]);
  g_free (self->maps[1]);
  g_free (self);
  CALL (alive, -1);
}

static GBytes *
checkpoint (gpointer data)
{
  const gsize n = (gsize) ((State *) data)->params.checkpoint_mb << 20;
  guint32 *noise, last = 1;

  if (n == 0)
    return NULL;
  noise = g_malloc (n);
  for (gsize i = 0; i < n / sizeof last; i++)
    noise[i] = last = last * 1664525u + 1013904223u;
  return g_bytes_new_take (noise, n);
}

static const VgEngineCurves curves = { .sample = sample };

static const VgEngine stream_engine = {
  .prepare = prepare,
  .update = update,
  .feed = feed,
  .step = step,
  .output = output,
  .free = state_free,
  .curves = &curves,
};

static const VgEngineResume resume = { .checkpoint = checkpoint };

static const VgEngine steps_engine = {
  .prepare = prepare,
  .update = update,
  .step = count_step,
  .output = output,
  .progress = progress,
  .free = state_free,
  .curves = &curves,
  .resume = &resume,
};

static VgStep
gpu_step (gpointer data, double budget_s, GError **error)
{
  State *self = data;

  if (self->number < 5)
    return step (data, budget_s, error);
  g_set_error_literal (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED, "an illegal address was met");
  return VG_STEP_FAILED;
}

static VgCurves *
gpu_sample (gpointer data, double x, double y, int slice, GError **error)
{
  g_set_error_literal (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED, "the device is lost");
  return NULL;
}

static const VgEngineCurves gpu_curves = { .sample = gpu_sample };

const VgEngine fake_failing_gpu = {
  .prepare = prepare,
  .update = update,
  .feed = feed,
  .step = gpu_step,
  .output = output,
  .free = state_free,
  .curves = &gpu_curves,
};

#define FAKE(ID, INPUT, ENGINE)                                                                    \
  VG_INIT (.id = ID, .title = "Fake", .summary = "For tests", .citation = "None",                  \
           .input = { .kind = INPUT, .files = { 0, 1 }, .history = history },                      \
           .params = { items, G_N_ELEMENTS (items), sizeof (FakeParams) }, .outputs = outputs,     \
           .n_outputs = G_N_ELEMENTS (outputs), .roles = roles, .cpu = &ENGINE,                    \
           .view.step_param = "pace", .validate = validate)

const VgOperation fake_stream = FAKE ("fake", VG_INPUT_STREAM, stream_engine);
const VgOperation fake_steps = FAKE ("steps", VG_INPUT_NONE, steps_engine);

FakeParams *
fake_params (void)
{
  return vg_params_new (&fake_stream.params);
}

double
fake_window_sum (gint64 frame, int history)
{
  return (history + 1) * ((double) frame - history / 2.0);
}
