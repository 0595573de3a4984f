/* SPDX-License-Identifier: MIT */
/* Makes, starts and steps a work. */
#include <gio/gio.h>
#include <string.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "app/compute/vg-adopt.h"
#include "app/compute/vg-named-param.h"
#include "lib/vivograph-private.h"

/* The process that computed first.  The threads of OpenMP do not exist in its children. */
static gint computing_process;

int
vg_library_limit_threads (VivographWork *self)
{
#ifdef _OPENMP
  int before = omp_get_max_threads ();

  if (self->threads > 0)
    omp_set_num_threads (self->threads);
  return before;
#else
  return 0;
#endif
}

void
vg_library_put_threads_back (int before)
{
#ifdef _OPENMP
  omp_set_num_threads (before);
#endif
}

int
vivograph_work_new (const char *operation, const char *backend, int threads, VivographWork **work,
                    VivographError *error)
{
  const VgOperation *found = operation != NULL ? vg_operation_find (operation) : NULL;
  VgBackend chosen = VG_BACKEND_AUTO;
  GError *failure = NULL;
  VgWork *made;

  if (work == NULL)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE, "give the address of a work");
  *work = NULL;
  if (found == NULL)
    return vg_library_fail_to_find (error, operation);
  if (threads < 0 || threads > 4096)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "%d threads are not possible; give 0 (all) to 4096", threads);
  if (backend != NULL && !vg_backend_parse (backend, &chosen, NULL))
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "the backend is \"%.60s\"; choose auto, cpu or cuda", backend);
  made = vg_work_new (found, chosen, threads, &failure);
  if (made == NULL)
    return vg_library_fail_with (found, error, failure);
  *work = g_new0 (VivographWork, 1);
  (*work)->operation = found;
  (*work)->work = made;
  (*work)->first_backend = vg_work_get_backend (made);
  (*work)->threads = threads;
  (*work)->mapped = -1;
  (*work)->params = vg_params_new (&found->params);
  (*work)->changed = g_new0 (gboolean, MAX (found->params.n_items, 1));
  vg_work_set_stop (made, &(*work)->stop);
  return VIVOGRAPH_OK;
}

/* Ends the run, and keeps the engine state for the next one. */
static void
end_run (VivographWork *self)
{
  self->started = FALSE;
  self->fed = FALSE;
  self->next = self->maps = self->repeat_until = 0;
  self->mapped = -1;
  g_clear_pointer (&self->input.times_s, g_free);
}

static void
clear_run (VivographWork *self)
{
  end_run (self);
  vg_work_reset (self->work);
}

void
vivograph_work_free (VivographWork *self)
{
  if (self == NULL)
    return;
  clear_run (self);
  vg_work_free (self->work);
  vg_params_free (&self->operation->params, self->params);
  g_clear_pointer (&self->metrics, vg_metrics_free);
  g_free (self->changed);
  g_free (self->text);
  g_free (self);
}

gboolean
vg_library_claim_process (void)
{
  gint process = (gint) getpid ();

  return g_atomic_int_compare_and_exchange (&computing_process, 0, process) ||
         g_atomic_int_get (&computing_process) == process;
}

/* A forked process has no threads of its parent, for which OpenMP would wait. */
int
vg_library_check_process (VivographError *error)
{
  return vg_library_claim_process ()
             ? VIVOGRAPH_OK
             : vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                                "this process was forked from one that had computed; start a new "
                                "process instead (in Python: multiprocessing with \"spawn\")");
}

/* As `run`: the operation's values that follow from others, then those of the data, but no value
 * that the caller has set.  Owned. */
static void *
settle_params (VivographWork *self, const VgImageInfo *info)
{
  const VgOperation *operation = self->operation;
  const VgParamTable *table = &operation->params;
  void *given = vg_params_copy (table, self->params), *adopted;

  if (operation->on_params_changed != NULL)
    operation->on_params_changed (given, self->changed);
  adopted = vg_adopt_params (operation, given, info, FALSE);
  for (guint i = 0; i < table->n_items && info != NULL && operation->adopt != NULL; i++)
    if (self->changed[i])
      vg_param_assign (&table->items[i], adopted, given);
  vg_params_free (table, given);
  return adopted;
}

static int
check_call (VivographWork *self, const VivographData *data, VivographError *error)
{
  VgInputKind kind = self->operation->input.kind;

  if (vg_library_check_process (error) < 0)
    return VIVOGRAPH_ERROR_USAGE;
  if ((data == NULL) != (kind == VG_INPUT_NONE))
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            data == NULL ? "%s needs data" : "%s is a simulation and takes no data",
                            self->operation->id);
  return VIVOGRAPH_OK;
}

/* KEPT: the state of the previous run fits these data. */
static gboolean
prepare (VivographWork *self, gboolean kept, GError **error)
{
  VgInputKind kind = self->operation->input.kind;
  const VgImageInfo *info = kind == VG_INPUT_NONE ? NULL : &self->input.info;
  g_autoptr (VgImage) image = kind == VG_INPUT_DATASET
                                  ? vg_library_make_image (&self->input, "data", TRUE, error)
                                  : NULL;
  void *params;
  gboolean ok;

  if (kind == VG_INPUT_DATASET && image == NULL)
    return FALSE;
  params = settle_params (self, info);
  ok = kept ? vg_work_set_params (self->work, params, error) != VG_WORK_REFUSED
            : vg_work_prepare (self->work, params, info, image, error);
  vg_params_free (&self->operation->params, params);
  return ok;
}

/* FAILURE, or that the caller has cancelled. */
static int
end_call (VivographWork *self, int status, VivographError *error)
{
  if (!g_atomic_int_compare_and_exchange (&self->stop, 1, 0))
    return status;
  clear_run (self);
  return vg_library_fail (error, VIVOGRAPH_ERROR_CANCELLED, "cancelled");
}

/* The CPU, which may take over from the GPU at any time, cannot read what a GPU holds. */
static int
check_place (VivographWork *self, VivographError *error)
{
  if (!self->input.data.device || vg_work_get_cuda (self->work) != NULL)
    return VIVOGRAPH_OK;
  return vg_library_fail (error, VIVOGRAPH_ERROR_DEVICE,
                          "the samples are on a GPU, but the work computes on the CPU; copy them "
                          "to host memory");
}

int
vivograph_work_start (VivographWork *self, const VivographData *data, VivographError *error)
{
  /* if frames need no earlier ones, the old state gives the same maps as a new one */
  gboolean kept = self != NULL && self->started && self->operation->input.kind == VG_INPUT_STREAM &&
                  self->operation->input.history == NULL;
  VgImageInfo before = { 0 };
  GError *failure = NULL;
  int threads, status = vg_library_check_work (self, error);

  if (status < 0 || (status = check_call (self, data, error)) < 0)
    return status;
  memcpy (&before, &self->input.info, sizeof before);
  g_atomic_int_set (&self->stop, 0); /* a cancel that came after the end of the last run */
  end_run (self);
  if (data != NULL && (status = vg_library_take_data (self, data, error)) < 0)
    {
      clear_run (self);
      return status;
    }
  /* a work that had to leave the GPU tries it again */
  kept = kept && !self->files_given && memcmp (&before, &self->input.info, sizeof before) == 0 &&
         vg_work_get_backend (self->work) == self->first_backend;
  if (!kept)
    vg_work_reset (self->work);
  self->files_given = FALSE;
  threads = vg_library_limit_threads (self);
  self->started = prepare (self, kept, &failure);
  vg_library_put_threads_back (threads);
  self->generation = vg_work_get_generation (self->work);
  status = self->started ? check_place (self, error)
                         : vg_library_fail_with (self->operation, error, failure);
  if (status < 0)
    clear_run (self);
  return end_call (self, status, error);
}

/* Feeds the next frame.  DONE: there is none. */
static int
feed (VivographWork *self, VivographError *error)
{
  g_autoptr (VgFrame) frame = NULL;
  GError *failure = NULL;
  int status;

  if (self->next >= self->input.info.frames && self->maps > 0)
    return VIVOGRAPH_DONE;
  if (self->next >= self->input.info.frames)
    return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                            "%" G_GINT64_FORMAT
                            " frames are too few for these settings, which need "
                            "%d; choose a smaller window, or give more frames",
                            self->input.info.frames, vg_work_get_history (self->work) + 1);
  if ((status = check_place (self, error)) < 0)
    return status;
  frame = vg_library_make_frame (&self->input, self->next, &failure);
  if (frame == NULL || !vg_work_feed (self->work, frame, &failure))
    return vg_library_fail_with (self->operation, error, failure);
  self->fed = TRUE;
  self->next++;
  return VIVOGRAPH_OK;
}

/* After the GPU has failed the CPU begins with the first frame. */
static gboolean
begins_again (VivographWork *self)
{
  if (vg_work_get_generation (self->work) == self->generation)
    return FALSE;
  self->generation = vg_work_get_generation (self->work);
  self->repeat_until = MAX (self->repeat_until, self->mapped + 1);
  self->next = 0;
  self->fed = FALSE;
  return TRUE;
}

static int
step_stream (VivographWork *self, VivographError *error)
{
  GError *failure = NULL;
  int status = self->fed ? VIVOGRAPH_OK : feed (self, error);
  VgStep step;

  if (status != VIVOGRAPH_OK)
    return status;
  if (begins_again (self))
    return VIVOGRAPH_MORE;
  step = vg_work_step (self->work, VG_LIBRARY_STEP_S, &failure);
  if (step == VG_STEP_FAILED)
    return vg_library_fail_with (self->operation, error, failure);
  if (begins_again (self) || step == VG_STEP_MORE)
    return VIVOGRAPH_MORE;
  self->fed = FALSE;
  if (step == VG_STEP_WAIT || self->next <= self->repeat_until)
    return VIVOGRAPH_MORE;
  self->mapped = self->next - 1;
  self->maps++;
  return VIVOGRAPH_MAPS;
}

static int
step_whole (VivographWork *self, VivographError *error)
{
  GError *local = NULL, *failure = NULL;
  VgStep step = vg_work_step (self->work, VG_LIBRARY_STEP_S, &failure);

  if (step == VG_STEP_MORE)
    return VIVOGRAPH_MORE;
  if (step == VG_STEP_FAILED)
    return vg_library_fail_with (self->operation, error, failure);
  if (vg_work_check (self->work, &local))
    return VIVOGRAPH_DONE;
  return vg_work_recover (self->work, local, &failure)
             ? VIVOGRAPH_MORE
             : vg_library_fail_with (self->operation, error, failure);
}

int
vivograph_work_step (VivographWork *self, VivographError *error)
{
  int threads, status;

  if ((status = vg_library_check_work (self, error)) < 0)
    return status;
  if (!self->started)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "the work was not started; start it first");
  if ((status = end_call (self, VIVOGRAPH_OK, error)) < 0)
    return status;
  threads = vg_library_limit_threads (self);
  status = self->operation->input.kind == VG_INPUT_STREAM ? step_stream (self, error)
                                                          : step_whole (self, error);
  vg_library_put_threads_back (threads);
  if (status < 0)
    clear_run (self);
  return end_call (self, status, error);
}

int
vivograph_work_run (VivographWork *self, VivographProgress progress, void *user,
                    VivographError *error)
{
  int status;

  do
    {
      status = vivograph_work_step (self, error);
      if (status >= 0 && progress != NULL &&
          progress (self, status, vivograph_work_progress (self), user) != 0)
        {
          vivograph_work_cancel (self);
          return end_call (self, status, error);
        }
    }
  while (status > VIVOGRAPH_DONE);
  return status;
}

void
vivograph_work_cancel (VivographWork *self)
{
  if (self != NULL)
    g_atomic_int_set (&self->stop, 1);
}

int64_t
vivograph_work_frame (VivographWork *self)
{
  return self != NULL ? self->mapped : -1;
}

double
vivograph_work_progress (VivographWork *self)
{
  if (self == NULL || !self->started)
    return 0;
  if (self->operation->input.kind == VG_INPUT_STREAM)
    return (double) self->next / (double) self->input.info.frames;
  return vg_work_progress (self->work);
}

const char *
vivograph_work_device (VivographWork *self)
{
  return self != NULL ? vg_work_get_device (self->work) : "";
}

int
vivograph_work_notice (VivographWork *self, char *text, size_t size)
{
  g_autofree char *notice = self != NULL ? vg_work_take_notice (self->work) : NULL, *named = NULL;

  if (notice == NULL || size == 0)
    return VIVOGRAPH_NONE;
  named = vg_named_param_use_ids (&self->operation->params, notice);
  vg_text_copy (text, size, named);
  return VIVOGRAPH_OK;
}
