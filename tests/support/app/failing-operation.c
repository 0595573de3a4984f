/* SPDX-License-Identifier: MIT */
#include "tests/support/app/failing-operation.h"

FakeTrouble fake_trouble;

typedef struct
{
  FakeParams params;
  gboolean gpu;
  int width, height, fed, step;
  float *history; /* window frames, a ring */
  float *total;
} FakeState;

void
fake_trouble_reset (void)
{
  fake_trouble = (FakeTrouble){
    .prepare = -1, .feed = -1, .step = -1, .output = -1, .results = -1, .code = VG_GPU_ERROR_FAILED
  };
}

static gboolean
fails (gboolean gpu, int *countdown, GError **error)
{
  if (!gpu || *countdown < 0 || (*countdown)-- > 0)
    return FALSE;
  if (fake_trouble.other)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED, "the operation failed");
  else
    g_set_error (error, VG_GPU_ERROR, fake_trouble.code, "the device fell off the bus");
  return TRUE;
}

static gpointer
make (const VgContext *context, gboolean gpu, GError **error)
{
  FakeState *self;
  gsize n;

  if (fails (gpu, &fake_trouble.prepare, error))
    return NULL;
  self = g_new0 (FakeState, 1);
  self->params = *(const FakeParams *) context->params;
  self->gpu = gpu;
  self->width = context->info == NULL ? 2 : context->info->width;
  self->height = context->info == NULL ? 3 : context->info->height;
  n = (gsize) self->width * self->height;
  self->history = g_new0 (float, n * self->params.window);
  self->total = g_new0 (float, n);
  fake_trouble.states++;
  fake_trouble.files = (int) context->n_files;
  return self;
}

static gpointer
prepare_cpu (const VgContext *context, GError **error)
{
  return make (context, FALSE, error);
}

static gpointer
prepare_gpu (const VgContext *context, GError **error)
{
  return make (context, TRUE, error);
}

static gboolean
update (gpointer state, const void *params)
{
  FakeState *self = state;
  const FakeParams *fresh = params;

  if (fresh->window != self->params.window || fresh->gain > 100)
    return FALSE;
  self->params = *fresh;
  return TRUE;
}

static gboolean
feed (gpointer state, VgFrame *frame, GError **error)
{
  FakeState *self = state;
  gsize n = (gsize) self->width * self->height;
  float *slot = self->history + n * (self->fed % self->params.window);

  if (fails (self->gpu, &fake_trouble.feed, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    slot[i] = ((const guint16 *) frame->data)[i];
  self->fed++;
  self->step = 0;
  return TRUE;
}

static VgStep
step (gpointer state, double budget_s, GError **error)
{
  FakeState *self = state;
  gsize n = (gsize) self->width * self->height;

  if (fails (self->gpu, &fake_trouble.step, error))
    return VG_STEP_FAILED;
  if (++self->step < self->params.steps)
    return VG_STEP_MORE;
  if (self->fed > 0 && self->fed < self->params.window)
    return VG_STEP_WAIT;
  for (gsize i = 0; i < n; i++)
    {
      self->total[i] = self->fed == 0 ? (float) i : 0;
      for (int w = 0; w < self->params.window && self->fed > 0; w++)
        self->total[i] += self->history[n * w + i];
      self->total[i] *= self->params.gain;
    }
  return VG_STEP_DONE;
}

static gboolean
output (gpointer state, guint i, VgPlane *plane, GError **error)
{
  FakeState *self = state;

  if (fails (self->gpu, &fake_trouble.output, error))
    return FALSE;
  *plane = (VgPlane){ .place = self->gpu && fake_trouble.on_device ? VG_DEVICE : VG_HOST,
                      .data = self->total,
                      .width = self->width,
                      .height = self->height,
                      .slices = 1 };
  return TRUE;
}

static gboolean
results (gpointer state, VgMetrics *metrics, GError **error)
{
  FakeState *self = state;

  if (fails (self->gpu, &fake_trouble.results, error))
    return FALSE;
  vg_metrics_add (metrics, "fed", "Frames", "", self->fed, NULL);
  return TRUE;
}

static char *
text (gpointer state, guint i, char **file_name, GError **error)
{
  *file_name = g_strdup ("notes.txt");
  return g_strdup ("as it was\n");
}

static void
free_state (gpointer state)
{
  FakeState *self = state;

  fake_trouble.states--;
  g_free (self->history);
  g_free (self->total);
  g_free (self);
}

static gboolean
validate (const void *params, GError **error)
{
  const FakeParams *self = params;

  if (self->window != 13)
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0, "13 frames bring bad luck; choose another window");
  return FALSE;
}

static int
history (const void *params)
{
  return ((const FakeParams *) params)->window - 1;
}

static void
memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device)
{
  *host = fake_trouble.host_bytes;
  *device = fake_trouble.device_bytes;
}

static GPtrArray *
read_settings (const char *name, const char *content, gsize length, const void *params,
               GError **error)
{
  g_auto (GStrv) lines = g_strsplit (content, "\n", -1);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (vg_settings_run_free);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      VgSettingsRun *run = vg_settings_run_new (&fake_whole_operation.params, params, NULL);

      g_ptr_array_add (runs, run);
      if (!g_str_has_prefix (lines[i], "gain "))
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "%s holds no gain", name);
          return NULL;
        }
      ((FakeParams *) run->params)->gain = (float) g_ascii_strtod (lines[i] + 5, NULL);
    }
  return runs->len > 0 ? g_steal_pointer (&runs) : NULL;
}

#define P FakeParams
static const VgParam items[] = {
  VG_FLOAT_PARAM (P, gain, .label = "Gain", .help = "Factor.", .def = 1, .min = -1000, .max = 1000),
  VG_INT_PARAM (P, window, .label = "Window", .help = "Frames.", .def = 1, .min = 1, .max = 50),
  VG_INT_PARAM (P, steps, .label = "Steps", .help = "Steps.", .def = 1, .min = 1, .max = 1000000),
  VG_FILE_PARAM (P, extra, .label = "Extra", .help = "A file.", .file.kinds = VG_FILE_TEXT),
};
static const VgOutput outputs[] = {
  { "total", "Total", "The sum.", "DN", .time_course = TRUE },
  { "notes", "Notes", "Text.", "", .kind = VG_OUTPUT_TEXT },
};
static const VgEngine cpu_engine = {
  prepare_cpu, update, feed, step, output, .results = results, .text = text, .free = free_state
};
const VgEngine fake_gpu_engine = {
  prepare_gpu, update, feed, step, output, .results = results, .text = text, .free = free_state
};

static const VgMemory memory_need = { memory, NULL };
static const VgImport import = { read_settings, NULL };

const VgOperation fake_operation = {
  .id = "fake",
  .title = "Fake",
  .summary = "For tests.",
  .citation = "None.",
  .input = { .kind = VG_INPUT_STREAM, .files = { 1, -1 }, .history = history },
  .params = { items, G_N_ELEMENTS (items), sizeof (P) },
  .outputs = outputs,
  .n_outputs = G_N_ELEMENTS (outputs),
  .cpu = &cpu_engine,
  .validate = validate,
  .memory = &memory_need,
};

const VgOperation fake_whole_operation = {
  .id = "whole",
  .title = "Whole",
  .summary = "For tests.",
  .citation = "None.",
  .input = { .kind = VG_INPUT_NONE, .files = { 0, -1 } },
  .params = { items, G_N_ELEMENTS (items), sizeof (P) },
  .outputs = outputs,
  .n_outputs = G_N_ELEMENTS (outputs),
  .cpu = &cpu_engine,
  .validate = validate,
  .import = &import,
};
