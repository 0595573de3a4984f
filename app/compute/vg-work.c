/* SPDX-License-Identifier: MIT */
/* One operation on either backend.  Whether the GPU works, fails or is missing is handled here, so
 * that neither the batch loop nor the window needs to know. */
#include <gio/gio.h>
#include <string.h>
#include "app/compute/vg-work-private.h"
#include "kernels/base/vg-memory.h"
#ifdef _OPENMP
#include <omp.h>
#endif

gboolean
vg_backend_parse (const char *text, VgBackend *backend, GError **error)
{
  static const char *const names[] = { "auto", "cpu", "cuda" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (text, names[i]))
      {
        *backend = (VgBackend) i;
        return TRUE;
      }
  g_set_error (error, VG_USAGE_ERROR, 0, "--backend is \"%s\"; choose auto, cpu or cuda", text);
  return FALSE;
}

static void
list_devices (VgWork *self)
{
  int count = self->cuda == NULL ? 0 : self->cuda->device_count (NULL);
  VgCudaDevice info;

  self->n_devices = MAX (count, 1);
  self->devices = g_new (int, self->n_devices);
  for (int i = 0; i < self->n_devices; i++)
    self->devices[i] = i;
  self->gpu_name = g_strdup (count > 0 && self->cuda->device_info (0, &info, NULL) ? info.name
                                                                                   : "GPU");
}

VgWork *
vg_work_new_with_engines (const VgOperation *operation, const VgEngine *cpu, const VgEngine *gpu,
                          const VgCuda *cuda, VgBackend backend, int threads, GError **error)
{
  int shown = threads > 0 ? threads : (int) g_get_num_processors ();
  VgWork *self;

  if (backend == VG_BACKEND_CUDA && gpu == NULL)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT,
                   "%s cannot run on a GPU here; compute on the CPU", operation->id);
      return NULL;
    }
  self = g_new0 (VgWork, 1);
  self->operation = operation;
  self->cpu = cpu;
  self->gpu = backend == VG_BACKEND_CPU ? NULL : gpu;
  self->cuda = cuda;
  self->backend = backend;
  self->threads = threads;
  self->engine = self->gpu != NULL ? self->gpu : cpu;
  self->cpu_name = g_strdup_printf (shown == 1 ? "CPU, %d thread" : "CPU, %d threads", shown);
  self->files = vg_file_cache_new (operation);
  list_devices (self);
  return self;
}

VgWork *
vg_work_new (const VgOperation *operation, VgBackend backend, int threads, GError **error)
{
  const char *reason = NULL;
  const VgCuda *cuda = backend == VG_BACKEND_CPU ? NULL : vg_cuda_get (&reason);
  const VgEngine *gpu = cuda == NULL ? NULL : vg_cuda_engine (operation);

  if (cuda != NULL && gpu == NULL)
    reason = "this operation has no CUDA engine";
  if (backend == VG_BACKEND_CUDA && gpu == NULL)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT,
                   "%s cannot run on a GPU: %s; compute on the CPU", operation->id,
                   reason == NULL ? "there is none" : reason);
      return NULL;
    }
  return vg_work_new_with_engines (operation, operation->cpu, gpu, cuda, backend, threads, error);
}

static void
drop_state (VgWork *self)
{
  vg_work_note_baseline (self);
  if (self->state != NULL)
    self->engine->free (self->state);
  self->state = NULL;
}

void
vg_work_free (VgWork *self)
{
  if (self == NULL)
    return;
  vg_work_end_tiles (self);
  vg_work_forget_baseline (self);
  if (self->whole == NULL)
    vg_file_cache_free (self->files);
  vg_params_free (&self->operation->params, self->params);
  g_clear_pointer (&self->image, vg_image_unref);
  g_clear_pointer (&self->checkpoint, g_bytes_unref);
  g_free (self->devices);
  g_free (self->cpu_name);
  g_free (self->gpu_name);
  g_free (self->notice);
  g_free (self);
}

/* Memory of the present state counts as available, because that is freed first. */
static gboolean
check_memory (VgWork *self, const VgEngine *engine, const void *params, GError **error)
{
  const VgOperation *operation = self->operation;
  gboolean on_gpu = engine == self->gpu;
  gsize need[2] = { 0, 0 }, held[2] = { 0, 0 }, available = G_MAXSIZE;
  const char *advice;
  g_autofree char *needed = NULL, *left = NULL;
  VgCudaDevice device;

  if (operation->memory == NULL)
    return TRUE;
  advice = operation->memory->advice != NULL ? operation->memory->advice
                                             : "smaller windows or a smaller image";
  operation->memory->estimate (params, self->has_info ? &self->info : NULL, &need[0], &need[1]);
  if (self->state != NULL && self->engine == engine)
    operation->memory->estimate (self->params, self->has_info ? &self->info : NULL, &held[0],
                                 &held[1]);
  if (!on_gpu)
    available = vg_memory_available ();
  else if (self->cuda != NULL && self->cuda->device_info (self->devices[0], &device, NULL))
    available = device.memory_free;
  if (need[on_gpu] <= held[on_gpu] || need[on_gpu] - held[on_gpu] <= available)
    return TRUE;

  needed = g_format_size_full (need[on_gpu], G_FORMAT_SIZE_IEC_UNITS);
  left = g_format_size_full (available + held[on_gpu], G_FORMAT_SIZE_IEC_UNITS);
  if (on_gpu)
    g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_MEMORY,
                 "%s needs %s of GPU memory for these settings, but only %s is free; choose %s",
                 operation->id, needed, left, advice);
  else
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                 "%s needs %s of memory for these settings, but only %s is free; choose %s",
                 operation->id, needed, left, advice);
  return FALSE;
}

void
vg_work_limit_threads (VgWork *self)
{
#ifdef _OPENMP
  if (self->threads > 0)
    omp_set_num_threads (self->threads);
#endif
}

VgContext
vg_work_context (VgWork *self, const void *params)
{
  VgContext context = {
    .params = params,
    .info = self->has_info ? &self->info : NULL,
    .image = self->image,
    .threads = self->threads,
    .devices = self->devices,
    .n_devices = self->n_devices,
    .part = self->part.calibration != NULL ? &self->part : NULL,
    .stop = self->stop,
    .report = self->report,
    .report_data = self->report_data,
    .checkpoint = self->checkpoint,
    .ranks = self->ranks,
  };

  context.files = vg_file_cache_get (self->files, &context.n_files);
  return context;
}

/* The planes may have other samples from now on. */
static void
begin_moment (VgWork *self)
{
  static gint last;

  self->moment = (guint) g_atomic_int_add (&last, (gint) self->operation->n_outputs) + 1;
}

/* Prepares a state on ENGINE if it fits into memory.  The old one is freed or renewed first. */
static gboolean
make_state (VgWork *self, const VgEngine *engine, const void *params, GError **error)
{
  VgContext context;
  gpointer old;

  if (!check_memory (self, engine, params, error))
    return FALSE;
  context = vg_work_context (self, params);
  if (engine != self->engine || engine->resume == NULL || engine->resume->renew == NULL)
    drop_state (self);
  old = g_steal_pointer (&self->state);
  self->engine = engine;
  self->generation++;
  vg_work_forget_frames (self);
  begin_moment (self);
  vg_work_limit_threads (self);
  self->state = old != NULL ? engine->resume->renew (old, &context, error)
                            : engine->prepare (&context, error);
  if (self->state != NULL)
    g_clear_pointer (&self->checkpoint, g_bytes_unref);
  if (self->state != NULL && !vg_work_restore_baseline (self, params, error))
    {
      drop_state (self);
      return FALSE;
    }
  if (self->state != NULL || !vg_context_is_stopped (&context))
    return self->state != NULL;
  g_clear_error (error);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
  return FALSE;
}

/* Tiles of one slide region share what is known about the GPU. */
static gint *
gpu_flag (VgWork *self)
{
  return self->whole != NULL ? &self->whole->gpu_failed : &self->gpu_failed;
}

/* TRUE when ERROR is the GPU's and the CPU may take over: notes it. */
static gboolean
leave_gpu (VgWork *self, const VgEngine *engine, const GError *error)
{
  gboolean lasts = error->code != VG_GPU_ERROR_MEMORY;

  /* with ranks the run ends, as the bits of a CPU would differ from those of the other GPUs */
  if (engine != self->gpu || self->backend != VG_BACKEND_AUTO || error->domain != VG_GPU_ERROR ||
      self->ranks != NULL)
    return FALSE;
  /* tiles that are computed at the same time may all meet it: one notice is enough */
  if (lasts && !g_atomic_int_compare_and_exchange (gpu_flag (self), FALSE, TRUE))
    return TRUE;
  g_free (self->notice);
  self->notice = g_strdup_printf ("Computing on the %s, because the GPU cannot continue: %s",
                                  self->cpu_name, error->message);
  return TRUE;
}

gboolean
vg_work_may_use_gpu (VgWork *self)
{
  return self->gpu != NULL && !g_atomic_int_get (gpu_flag (self));
}

static gboolean
make_state_anywhere (VgWork *self, const void *params, GError **error)
{
  const VgEngine *engine = vg_work_may_use_gpu (self) ? self->gpu : self->cpu;
  g_autoptr (GError) local = NULL;

  if (make_state (self, engine, params, &local))
    return TRUE;
  if (leave_gpu (self, engine, local))
    {
      drop_state (self);
      return make_state (self, self->cpu, params, error);
    }
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
vg_work_check_params (VgWork *self, const void *params, const VgImageInfo *info, GError **error)
{
  if (self->operation->validate != NULL && !self->operation->validate (params, error))
    return FALSE;
  return vg_file_cache_load (self->files, params, info, error);
}

static void
keep_params (VgWork *self, const void *params)
{
  void *copy = vg_params_copy (&self->operation->params, params);

  vg_params_free (&self->operation->params, self->params);
  self->params = copy;
}

gboolean
vg_work_prepare (VgWork *self, const void *params, const VgImageInfo *info, VgImage *image,
                 GError **error)
{
  /* those of a tile were checked when the calibration of the whole was computed */
  gboolean fit = self->whole != NULL || vg_work_check_params (self, params, info, error);

  if (!fit && self->state != NULL)
    return FALSE;
  drop_state (self);
  vg_work_forget_baseline (self);
  if (image != NULL)
    vg_image_ref (image);
  g_clear_pointer (&self->image, vg_image_unref);
  self->image = image;
  self->has_info = info != NULL;
  if (info != NULL)
    self->info = *info;
  self->camera_ms = info != NULL ? info->exposure_ms : 0;
  keep_params (self, params);
  return fit && make_state_anywhere (self, self->params, error);
}

void
vg_work_give_file (VgWork *self, const VgParam *param, const char *name, VgImage *image)
{
  vg_file_cache_give (self->files, param, name, image);
}

void
vg_work_set_stop (VgWork *self, const gint *stop)
{
  self->stop = stop;
}

void
vg_work_raise_stop (GCancellable *cancellable, gpointer stop)
{
  g_atomic_int_set ((gint *) stop, 1);
}

void
vg_work_set_report (VgWork *self, void (*report) (gpointer data, double done), gpointer data)
{
  self->report = report;
  self->report_data = data;
}

void
vg_work_reset (VgWork *self)
{
  drop_state (self);
}

gboolean
vg_work_restart (VgWork *self, GError **error)
{
  g_return_val_if_fail (self->params != NULL, FALSE);

  return make_state_anywhere (self, self->params, error);
}

/* A region in the place of a file is none, and moves in place. */
static gboolean
same_files (VgWork *self, const void *params)
{
  const VgParamTable *table = &self->operation->params;

  for (guint i = 0; i < table->n_items; i++)
    if (g_strcmp0 (vg_file_cache_path (&table->items[i], self->params),
                   vg_file_cache_path (&table->items[i], params)) != 0)
      return FALSE;
  return TRUE;
}

/* FALSE with an error: they are invalid, and the state stays as it is. */
static gboolean
change_in_place (VgWork *self, const void *params, GError **error)
{
  const VgEngineResume *resume = self->engine->resume;
  void *fitted;
  gboolean changed;

  if (self->state == NULL)
    return FALSE;
  begin_moment (self);
  fitted = vg_work_fit_params (self, params);
  if (!same_files (self, params))
    {
      const VgContext context = vg_work_context (self, fitted);

      changed = resume != NULL && resume->update_files != NULL &&
                resume->update_files (self->state, &context, error);
    }
  else
    changed = vg_work_update_engine (self, params, fitted);
  vg_params_free (&self->operation->params, fitted);
  if (changed)
    keep_params (self, params);
  return changed;
}

gboolean
vg_work_update (VgWork *self, const void *params)
{
  return self->params != NULL &&
         vg_work_check_params (self, params, self->has_info ? &self->info : NULL, NULL) &&
         change_in_place (self, params, NULL);
}

VgWorkChange
vg_work_set_params (VgWork *self, const void *params, GError **error)
{
  const guint generation = self->generation;
  GError *misfit = NULL;

  g_return_val_if_fail (self->params != NULL, VG_WORK_REFUSED);

  if (self->state != NULL && !self->baseline.broken_off &&
      vg_params_equal (&self->operation->params, self->params, params))
    return VG_WORK_UNCHANGED;
  if (!vg_work_check_params (self, params, self->has_info ? &self->info : NULL, error))
    return VG_WORK_REFUSED;
  if (change_in_place (self, params, &misfit))
    return self->generation == generation ? VG_WORK_UPDATED : VG_WORK_PREPARED;
  if (misfit != NULL)
    {
      g_propagate_error (error, misfit);
      return VG_WORK_REFUSED;
    }
  if (!make_state_anywhere (self, params, error))
    return VG_WORK_REFUSED;
  keep_params (self, params);
  return VG_WORK_PREPARED;
}

gboolean
vg_work_recover (VgWork *self, GError *failure, GError **error)
{
  g_autoptr (GError) owned = failure;

  if (!leave_gpu (self, self->engine, owned))
    {
      g_propagate_error (error, g_steal_pointer (&owned));
      return FALSE;
    }
  drop_state (self);
  return make_state (self, self->cpu, self->params, error);
}

gboolean
vg_work_feed (VgWork *self, VgFrame *frame, GError **error)
{
  GError *local = NULL;

  g_return_val_if_fail (self->state != NULL, FALSE);
  if (vg_work_owes_baseline (self))
    return make_state_anywhere (self, self->params, error);
  begin_moment (self);
  vg_work_keep_frame (self, frame);
  vg_work_note_frame (self, frame);
  return self->engine->feed (self->state, frame, &local) || vg_work_recover (self, local, error);
}

VgStep
vg_work_step (VgWork *self, double budget_s, GError **error)
{
  GError *local = NULL;
  VgStep step;

  g_return_val_if_fail (self->state != NULL, VG_STEP_FAILED);
  begin_moment (self);
  step = self->engine->step (self->state, budget_s, &local);
  if (step == VG_STEP_DONE && vg_work_is_mixed (self))
    return VG_STEP_WAIT;
  if (step != VG_STEP_FAILED)
    return step;
  if (!vg_work_recover (self, local, error))
    return VG_STEP_FAILED;
  return self->operation->input.kind == VG_INPUT_STREAM ? VG_STEP_WAIT : VG_STEP_MORE;
}

gboolean
vg_work_output (VgWork *self, guint i, VgPlane *plane, GError **error)
{
  g_return_val_if_fail (i < self->operation->n_outputs, FALSE);

  return self->state != NULL && self->operation->outputs[i].kind != VG_OUTPUT_TEXT &&
         vg_operation_output_is_shown (self->operation, i, self->params) &&
         self->engine->output (self->state, i, plane, error);
}
