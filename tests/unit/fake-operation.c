/* SPDX-License-Identifier: MIT */
#include "fake-operation.h"

#include <math.h>
#include <string.h>
#include "vg-error.h"

/* --- parameters and outputs --- */

static const VgParam items[] = {
  VG_INT_PARAM (FakeParams, history, .label = "History", .def = 0, .max = 300),
  VG_FLOAT_PARAM (FakeParams, gain, .label = "Gain", .def = 1, .min = -1000, .max = 1000),
  VG_DOUBLE_PARAM (FakeParams, step_ms, .label = "Step", .unit = "ms", .max = 1000),
  VG_INT_PARAM (FakeParams, fail_at, .label = "Fail at", .def = -1, .min = -1, .max = 1000000),
  VG_INT_PARAM (FakeParams, steps, .label = "Steps", .def = 10, .min = 1, .max = 1000000),
  VG_BOOL_PARAM (FakeParams, valid, .label = "Valid", .def = 1),
  VG_ACTION_PARAM (FakeParams, press, .label = "Press"),
  VG_FILE_PARAM (FakeParams, file, .label = "File", .file_kinds = VG_FILE_TEXT, .or_region = TRUE),
};

static const VgOutput outputs[] = {
  { .id = "value", .label = "Value", .unit = "a.u.", .brightness = "number", .time_course = TRUE },
  { .id = "number", .label = "Number", .unit = "" },
};

static GMutex calls_lock;
static FakeCalls calls;
static int sources_open;

#define CALL(member, change) do { g_mutex_lock (&calls_lock); calls.member += (change); g_mutex_unlock (&calls_lock); } while (0)

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
  calls = (FakeCalls) { .alive = calls.alive };
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
  float *maps[2];        /* one per output */
  double window[512];
  gint64 n;              /* frames fed, or steps made */
  double number;
} State;

static gpointer
prepare (const VgContext *context, GError **error)
{
  State *self = g_new0 (State, 1);

  self->params = *(const FakeParams *) context->params;
  if (context->info)
    self->info = *context->info;
  else
    self->info = (VgImageInfo) { .width = 4, .height = 3 };
  self->pixels = (gsize) self->info.width * (gsize) self->info.height;
  self->maps[0] = g_new0 (float, self->pixels);
  self->maps[1] = g_new0 (float, self->pixels);
  CALL (prepares, 1);
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
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED, "frame %d is refused", self->params.fail_at);
      return FALSE;
    }
  self->number = samples[self->pixels - 1];
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

  CALL (steps, 1);
  if (self->params.step_ms > 0)
    g_usleep ((gulong) (self->params.step_ms * 1000));
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

  CALL (steps, 1);
  if (self->params.step_ms > 0)
    g_usleep ((gulong) (self->params.step_ms * 1000));
  if (self->n == self->params.fail_at)
    {
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED, "this step fails");
      return VG_STEP_FAILED;
    }
  self->n = MIN (self->n + 1, self->params.steps);
  fill (self, 0, self->params.gain * (double) self->n);
  return self->n == self->params.steps ? VG_STEP_DONE : VG_STEP_MORE;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane)
{
  State *self = data;

  if (i == 1)
    fill (self, 1, self->number);
  *plane = (VgPlane) { .place = VG_HOST, .data = self->maps[i], .width = self->info.width, .height = self->info.height, .slices = 1 };
  return TRUE;
}

static double
progress (gpointer data)
{
  State *self = data;

  return (double) self->n / self->params.steps;
}

static VgCurves *
sample (gpointer data, double x, double y, int slice)
{
  State *self = data;
  VgCurves *curves;

  if (x >= self->info.width)
    return NULL;
  curves = vg_curves_new ("Pixel", "Frame", "", "Value", "");
  vg_curves_add (curves, "here", VG_SERIES_LINE, 3)->y[0] = self->number;
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

static const VgEngine stream_engine = {
  .prepare = prepare, .update = update, .feed = feed, .step = step, .output = output, .sample = sample, .free = state_free,
};

static const VgEngine steps_engine = {
  .prepare = prepare, .update = update, .step = count_step, .output = output, .progress = progress, .free = state_free,
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

const VgEngine fake_failing_gpu = {
  .prepare = prepare, .update = update, .feed = feed, .step = gpu_step, .output = output, .sample = sample, .free = state_free,
};

#define FAKE(ID, INPUT, ENGINE) { \
  .id = ID, .title = "Fake", .summary = "For tests", .citation = "None", .input = INPUT, .max_inputs = 1, \
  .params = { items, G_N_ELEMENTS (items), sizeof (FakeParams) }, .outputs = outputs, .n_outputs = G_N_ELEMENTS (outputs), \
  .cpu = &ENGINE, .validate = validate, .history = history }

const VgOperation fake_stream = FAKE ("fake", VG_INPUT_STREAM, stream_engine);
const VgOperation fake_steps = FAKE ("steps", VG_INPUT_NONE, steps_engine);

FakeParams *
fake_params (void)
{
  return vg_params_new (&fake_stream.params);
}

/* --- sources --- */

typedef struct
{
  VgSource parent;
  FakeSource how;
  GMutex lock;
  GCond wake;
  gboolean cancelled;
  gint64 next, due_us;
} Source;

static void
fill_frame (Source *self, void *frame, gint64 number)
{
  guint16 *samples = frame;

  for (int i = 0; i < self->how.width * self->how.height; i++)
    samples[i] = (guint16) number;
}

static gboolean
source_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  Source *self = (Source *) source;

  if (index >= self->how.bad_from && index < self->how.bad_to)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "frame %d is torn", (int) index);
      return FALSE;
    }
  fill_frame (self, frame, index);
  return TRUE;
}

/* FALSE: cancelled. */
static gboolean
wait_for_frame (Source *self)
{
  gboolean cancelled;

  self->due_us = self->due_us ? self->due_us + self->how.interval_us : g_get_monotonic_time ();
  g_mutex_lock (&self->lock);
  if (self->how.blocks)
    while (!self->cancelled)
      g_cond_wait (&self->wake, &self->lock);
  else if (self->how.interval_us > 0)
    while (!self->cancelled && g_cond_wait_until (&self->wake, &self->lock, self->due_us))
      ;
  cancelled = self->cancelled;
  g_mutex_unlock (&self->lock);
  return !cancelled;
}

static gboolean
source_next (VgSource *source, void *frame, guint64 *id, double *time_s, GError **error)
{
  Source *self = (Source *) source;
  gint64 n = self->next;

  if (!wait_for_frame (self) || (self->how.live_frames > 0 && n >= self->how.live_frames))
    return FALSE;
  if (self->how.error_at > 0 && n == self->how.error_at)
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_STREAM, "the stream ended within a frame");
      return FALSE;
    }
  self->next++;
  *id = (guint64) (self->how.gap_every > 0 ? n + 3 * (n / self->how.gap_every) : n) + 1000;
  *time_s = (double) n * 1e-3;
  fill_frame (self, frame, n);
  return TRUE;
}

static void
source_cancel (VgSource *source)
{
  Source *self = (Source *) source;

  g_mutex_lock (&self->lock);
  self->cancelled = TRUE;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

static void
source_close (VgSource *source)
{
  Source *self = (Source *) source;

  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
  g_free (self);
  g_atomic_int_add (&sources_open, -1);
}

static const VgSourceClass stack_class = { source_read, source_next, source_cancel, source_close };
static const VgSourceClass live_class = { NULL, source_next, source_cancel, source_close };

static VgSource *
open_fake (gpointer data, const VgOperation *operation, const void *params, const char *const *inputs,
           const char *reading, GError **error)
{
  const FakeSource *how = data;
  Source *self;

  g_usleep ((gulong) how->open_ms * 1000);
  if (how->refuses)
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open it");
      return NULL;
    }
  self = g_new0 (Source, 1);
  self->how = *how;
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  self->parent.class = how->frames < 0 ? &live_class : &stack_class;
  self->parent.info = (VgImageInfo) { .type = VG_U16, .width = how->width, .height = how->height, .channels = 1,
                                      .bins = 1, .slices = 1, .frames = how->frames, .significant_bits = 16 };
  self->parent.name = g_strdup ("fake");
  g_atomic_int_inc (&sources_open);
  return &self->parent;
}

int
fake_sources_open (void)
{
  return g_atomic_int_get (&sources_open);
}

static VgWork *
new_cpu_work (gpointer data, const VgOperation *operation, VgBackend backend, GError **error)
{
  return vg_work_new (operation, VG_BACKEND_CPU, 1, 0, error);
}

static VgWork *
new_gpu_work (gpointer data, const VgOperation *operation, VgBackend backend, GError **error)
{
  return vg_work_new_with_engines (operation, operation->cpu, &fake_failing_gpu, NULL, VG_BACKEND_AUTO, 1, 0, error);
}

static VgPipeline *
make_pipeline (FakeSource *source, VgWork *(*new_work) (gpointer, const VgOperation *, VgBackend, GError **))
{
  const VgPipelineHooks hooks = { open_fake, new_work, source };
  VgPipeline *pipeline = vg_pipeline_new (VG_BACKEND_AUTO);

  vg_pipeline_set_hooks (pipeline, &hooks);
  return pipeline;
}

VgPipeline *
fake_pipeline (FakeSource *source)
{
  return make_pipeline (source, new_cpu_work);
}

VgPipeline *
fake_gpu_pipeline (FakeSource *source)
{
  return make_pipeline (source, new_gpu_work);
}

/* --- watching --- */

static void
on_result (VgPipeline *pipeline, Watch *self)
{
  VgResult *result = self->hold ? NULL : vg_pipeline_take (pipeline);

  self->results++;
  if (!result)
    return;
  g_clear_pointer (&self->last, vg_result_unref);
  self->last = result;
}

static void
on_opened (VgPipeline *pipeline, Watch *self)
{
  self->opened++;
}

static void
on_state (VgPipeline *pipeline, Watch *self)
{
  self->states++;
}

static void
on_notice (VgPipeline *pipeline, const char *text, Watch *self)
{
  self->notices++;
  g_free (self->notice);
  self->notice = g_strdup (text);
}

static void
on_refused (VgPipeline *pipeline, guint64 serial, const char *text, Watch *self)
{
  g_assert_cmpuint (serial, >, 0);
  on_notice (pipeline, text, self);
}

static void
on_failed (VgPipeline *pipeline, const GError *error, Watch *self)
{
  self->failures++;
  g_free (self->error);
  self->error = g_strdup (error->message);
}

void
watch_start (Watch *self, VgPipeline *pipeline)
{
  *self = (Watch) { .pipeline = pipeline };
  g_signal_connect (pipeline, "result", G_CALLBACK (on_result), self);
  g_signal_connect (pipeline, "opened", G_CALLBACK (on_opened), self);
  g_signal_connect (pipeline, "state-changed", G_CALLBACK (on_state), self);
  g_signal_connect (pipeline, "notice", G_CALLBACK (on_notice), self);
  g_signal_connect (pipeline, "refused", G_CALLBACK (on_refused), self);
  g_signal_connect (pipeline, "failed", G_CALLBACK (on_failed), self);
}

void
watch_end (Watch *self)
{
  vg_pipeline_close (self->pipeline);
  g_assert_cmpint (vg_pipeline_get_state (self->pipeline), ==, VG_PIPELINE_IDLE);
  g_assert_cmpint (fake_calls ().alive, ==, 0);
  g_assert_cmpint (fake_sources_open (), ==, 0);
  g_assert_finalize_object (self->pipeline);
  g_clear_pointer (&self->last, vg_result_unref);
  g_free (self->error);
  g_free (self->notice);
}

static gboolean
set_flag (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

gboolean
watch_until (Watch *self, WatchCondition condition, gint64 value)
{
  gboolean late = FALSE;
  guint timeout = g_timeout_add (10000, set_flag, &late);

  while (!condition (self, value) && !late)
    g_main_context_iteration (NULL, TRUE);
  if (!late)
    g_source_remove (timeout);
  return !late;
}

void
watch_for (Watch *self, int ms)
{
  gboolean over = FALSE;

  g_timeout_add ((guint) ms, set_flag, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

gboolean
has_result (Watch *self, gint64 unused)
{
  return self->last != NULL;
}

gboolean
has_serial (Watch *self, gint64 serial)
{
  return self->last && self->last->serial == (guint64) serial;
}

gboolean
has_frame (Watch *self, gint64 frame)
{
  return self->last && self->last->frame_index == frame;
}

gboolean
has_failed (Watch *self, gint64 unused)
{
  return self->failures > 0;
}

gboolean
has_notice (Watch *self, gint64 unused)
{
  return self->notices > 0;
}

gboolean
in_state (Watch *self, gint64 state)
{
  return (gint64) vg_pipeline_get_state (self->pipeline) == state;
}

float
watch_value (Watch *self)
{
  float value = NAN;

  g_assert_nonnull (self->last);
  g_assert_true (vg_result_probe (self->last, 0, 0, 0, &value));
  return value;
}

void
assert_counts_close (Watch *self)
{
  VgPipelineCounts counts;

  vg_pipeline_get_counts (self->pipeline, &counts);
  g_assert_cmpuint (counts.received, ==, counts.shown + counts.superseded + counts.bad + counts.lost + counts.queued);
}
