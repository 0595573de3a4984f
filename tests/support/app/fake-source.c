/* SPDX-License-Identifier: MIT */
#include "tests/support/app/fake-source.h"
#include "kernels/base/vg-error.h"

static int sources_open;

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
  else if (self->how.may_come)
    while (!self->cancelled && !self->how.may_come (self->next, self->how.data))
      g_cond_wait_until (&self->wake, &self->lock, g_get_monotonic_time () + 200);
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
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_STREAM,
                           "the stream ended within a frame");
      return FALSE;
    }
  self->next++;
  *id = (guint64) (self->how.gap_every > 0 ? n + 3 * (n / self->how.gap_every) : n) + 1000;
  *time_s = (double) n * 1e-3;
  fill_frame (self, frame, n);
  return TRUE;
}

/* The reading thread's. */
static void
source_get_status (VgSource *source, VgLiveStatus *status)
{
  const Source *self = (const Source *) source;

  status->received = (guint64) self->next;
  status->interrupted = self->how.interrupted_at > 0 && self->next > self->how.interrupted_at;
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
source_clear (VgSource *source)
{
  Source *self = (Source *) source;

  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
  g_atomic_int_add (&sources_open, -1);
}

static const VgSourceClass stack_class = { source_read, source_next, source_cancel, source_clear };
static const VgSourceClass live_class = { .next = source_next,
                                          .cancel = source_cancel,
                                          .clear = source_clear,
                                          .get_status = source_get_status };

static VgSource *
open_fake (gpointer data, const VgOperation *operation, const void *params,
           const char *const *inputs, const char *read_options, GError **error)
{
  const FakeSource *how = data;
  Source *self;

  g_usleep ((gulong) how->open_ms * 1000);
  if (how->refuses)
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open it");
      return NULL;
    }
  self = (Source *) vg_source_new (sizeof (Source), how->frames < 0 ? &live_class : &stack_class,
                                   "fake", NULL, -1);
  self->how = *how;
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  self->parent.info = (VgImageInfo){ .type = VG_U16,
                                     .width = how->width,
                                     .height = how->height,
                                     .channels = 1,
                                     .pixel_size = { 2, 3 },
                                     .pixel_unit = "mm",
                                     .bins = 1,
                                     .slices = MAX (how->slices, 1),
                                     .frames = how->frames,
                                     .significant_bits = 16,
                                     .gathers = how->gathers };
  if (how->frames > 0 && how->interrupted_at > 0)
    {
      self->parent.outages = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_array_append_val (self->parent.outages, how->interrupted_at);
    }
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
  return vg_work_new (operation, VG_BACKEND_CPU, 1, error);
}

static VgWork *
new_gpu_work (gpointer data, const VgOperation *operation, VgBackend backend, GError **error)
{
  return vg_work_new_with_engines (operation, operation->cpu, &fake_failing_gpu, NULL,
                                   VG_BACKEND_AUTO, 1, error);
}

static VgPipeline *
make_pipeline (FakeSource *source,
               VgWork *(*new_work) (gpointer, const VgOperation *, VgBackend, GError **) )
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
