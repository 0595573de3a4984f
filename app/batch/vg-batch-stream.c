/* SPDX-License-Identifier: MIT */
/* Processes a stream frame by frame.  An unreadable frame gets a page of missing values, so that
 * page numbers match frame numbers.  Frames of a live source cannot be read again, so its maps are
 * written even if it breaks off. */
#include "app/batch/vg-batch-private.h"
#include "io/live/vg-live.h"

typedef enum { PASS_DONE, PASS_FAILED, PASS_AGAIN } VgPass;

enum { NAMED_FRAMES = 8 }; /* of those that could not be read */

/* The history still contains frames from before an unreadable one. */
static gboolean
is_mixed (VgBatch *self)
{
  return self->bad > 0 && self->since_bad <= vg_work_get_history (self->work);
}

/* KEEP: it has maps of its own; WRITTEN: they are exported, too. */
static VgPass
take_frame (VgBatch *self, VgFrame *frame, gboolean keep, gboolean written, GError **error)
{
  guint generation = vg_work_get_generation (self->work);
  gint64 start = g_get_monotonic_time ();
  GError *local = NULL;
  VgStep step;

  if (!vg_work_feed (self->work, frame, error))
    return PASS_FAILED;
  self->seconds += (g_get_monotonic_time () - start) * 1e-6;
  if (vg_work_get_generation (self->work) != generation)
    return PASS_AGAIN;
  step = vg_batch_step_to_end (self, error);
  if (step == VG_STEP_FAILED)
    return PASS_FAILED;
  self->broken = self->broken || vg_work_is_mixed (self->work);
  keep = keep && step == VG_STEP_DONE && !is_mixed (self);
  if (vg_work_get_generation (self->work) == generation && keep &&
      !vg_batch_film_frame (self, frame, error))
    return PASS_FAILED;
  if (vg_work_get_generation (self->work) == generation && keep &&
      !vg_batch_send (self, frame, error))
    return PASS_FAILED;
  keep = keep && written;
  if (vg_work_get_generation (self->work) == generation && keep && self->export != NULL &&
      !vg_export_add (self->export, self->work, frame, &self->seconds, &local))
    return vg_batch_starts_over (self, generation, local, error) ? PASS_AGAIN : PASS_FAILED;
  if (vg_work_get_generation (self->work) != generation)
    return PASS_AGAIN;
  vg_batch_notify_alarms (self);
  self->maps += keep;
  return PASS_DONE;
}

/* Computes RECENT, the history and the frame at which the GPU failed, on the CPU. */
static VgPass
compute_recent (VgBatch *self, GQueue *recent, GError **error)
{
  VgPass pass = PASS_DONE;

  for (GList *l = recent->head; l != NULL && pass == PASS_DONE; l = l->next)
    pass = take_frame (self, l->data, l->next == NULL, l->next == NULL, error);
  return pass;
}

/* Counts the unreadable frame INDEX; ERROR, which is taken, says why. */
static void
count_bad_frame (VgBatch *self, gint64 index, GError *error)
{
  if (self->bad < NAMED_FRAMES)
    g_string_append_printf (self->bad_numbers, "%s%" G_GINT64_FORMAT, self->bad > 0 ? ", " : "",
                            index + 1);
  self->bad++;
  self->since_bad = 0;
  if (self->first_bad == NULL)
    self->first_bad = error;
  else
    g_error_free (error);
}

/* Adds pages of missing values up to frame INDEX; frames before the first map have no page. */
static gboolean
add_missing_pages (VgBatch *self, gint64 index, GError **error)
{
  gint64 due = index + 1 - vg_work_get_history (self->work);

  while ((self->bad > 0 || self->broken) && self->job->at_frame == 0 && self->export != NULL &&
         vg_export_get_pages (self->export) < due)
    if (!vg_export_add_blank (self->export, error))
      return FALSE;
  return TRUE;
}

/* Decides after the last frame whether the maps are kept. */
static gboolean
conclude (VgBatch *self, GError *failure, GError **error)
{
  g_autoptr (GError) local = failure;
  gboolean keeps = self->live && !self->job->strict && self->maps > 0;

  if (local == NULL || g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_STREAM))
    {
      /* Ctrl+C reaches the program that sends the frames, too */
      self->stopped = vg_batch_is_cancelled (self, NULL);
      if (self->stopped && !keeps)
        return !vg_batch_is_cancelled (self, error);
      if (local == NULL)
        return TRUE;
      self->broken_off = g_strdup (local->message);
      if (keeps)
        return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* The maps of a frame may depend on all earlier ones: on a baseline. */
static gboolean
is_written (VgBatch *self, gint64 index)
{
  return self->job->at_frame == 0 || self->job->at_frame == index + 1;
}

/* Nothing that is written or sent needs frame INDEX. */
static gboolean
is_after (VgBatch *self, gint64 index)
{
  gboolean written = self->export == NULL ||
                     (self->job->at_frame > 0 && index >= self->job->at_frame);

  return written && self->sender == NULL &&
         (self->movie == NULL || vg_movie_ends_before (self->movie, index));
}

static VgPass
read_frames (VgBatch *self, VgSource *source, VgReader *reader, GError **error)
{
  guint history = (guint) vg_work_get_history (self->work);
  GQueue recent = G_QUEUE_INIT;
  GError *local = NULL;
  VgPass pass = PASS_DONE;
  VgFrame *frame;

  for (gint64 index = 0; pass == PASS_DONE && !is_after (self, index); index++)
    {
      frame = vg_batch_next_frame (self, source, reader, &local);
      if (frame == NULL &&
          (self->job->strict || !g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_FRAME)))
        break;
      if (frame == NULL)
        {
          count_bad_frame (self, index, g_steal_pointer (&local));
          g_queue_clear_full (&recent, (GDestroyNotify) vg_frame_unref);
        }
      else
        {
          self->since_bad++;
          pass = take_frame (self, frame, TRUE, is_written (self, index), &local);
          g_queue_push_tail (&recent, frame);
          if (pass == PASS_AGAIN && self->live)
            pass = compute_recent (self, &recent, &local);
        }
      if (pass == PASS_DONE && !add_missing_pages (self, index, &local))
        pass = PASS_FAILED;
      vg_batch_report (self, self->total > 0 ? (double) (index + 1) / (double) self->total : -1);
      while (recent.length > (self->live ? history : 0))
        vg_frame_unref (g_queue_pop_head (&recent));
    }
  g_queue_clear_full (&recent, (GDestroyNotify) vg_frame_unref);
  return conclude (self, local, error) ? pass : PASS_FAILED;
}

char *
vg_batch_incomplete (VgBatch *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->stopped)
    g_string_append_printf (
        text, "stopped; the maps cover the %" G_GINT64_FORMAT " frames computed before",
        (self->export != NULL ? vg_export_get_pages (self->export) : self->maps) +
            vg_work_get_history (self->work));
  else if (self->broken_off != NULL)
    g_string_append_printf (text, "%s; the maps cover the frames before it", self->broken_off);
  else if (self->cut != NULL)
    g_string_append (text, self->cut);
  if (self->bad > 0)
    g_string_append_printf (
        text, "%s%u frame%s cannot be read (%s%s): %s; the maps have missing values at these times",
        text->len > 0 ? "; " : "", self->bad, self->bad == 1 ? "" : "s", self->bad_numbers->str,
        self->bad > NAMED_FRAMES ? " and more" : "", self->first_bad->message);
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

static gboolean
has_maps (VgBatch *self, VgSource *source, GError **error)
{
  if (self->maps > 0)
    return TRUE;
  if (self->first_bad != NULL)
    g_propagate_error (error, g_error_copy (self->first_bad));
  else if (self->job->at_frame > 0)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "frame %" G_GINT64_FORMAT " of \"%s\" has no map with these settings, which need "
                 "%d earlier frames; choose another frame with --at-frame",
                 self->job->at_frame, source->name, vg_work_get_history (self->work));
  else
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "\"%s\" has too few frames for these settings, which need %d; choose a smaller "
                 "window, or record more frames",
                 source->name, vg_work_get_history (self->work) + 1);
  return FALSE;
}

static void
stop_reader (GCancellable *cancellable, gpointer reader)
{
  vg_reader_stop (reader);
}

static void
start_pass (VgBatch *self, gint64 pages)
{
  vg_batch_start_export (self, pages);
  self->maps = self->since_bad = 0;
  self->bad = 0;
  self->broken = FALSE;
  g_string_truncate (self->bad_numbers, 0);
  g_clear_error (&self->first_bad);
  g_clear_pointer (&self->broken_off, g_free);
}

/* The most that the frames of the job may span; 0: no limit.  A video file may deliver them faster
 * than they were taken.  The times of files in a folder say nothing of that. */
static double
find_span_s (const VgBatch *self)
{
  const char *const *inputs = self->job->inputs;

  return inputs != NULL && inputs[0] != NULL && vg_live_sends_images (inputs[0])
             ? self->job->seconds
             : 0;
}

/* Once through the whole input. */
static VgPass
pass_source (VgBatch *self, VgSource *source, GError **error)
{
  g_autoptr (VgReader)
      reader = vg_reader_new (source, self->job->max_frames, find_span_s (self),
                              vg_batch_depth (self, source), vg_work_get_cuda (self->work), error);
  gboolean finished = FALSE;
  gulong handler = 0;
  VgPass pass;

  if (reader == NULL)
    return PASS_FAILED;
  start_pass (self, self->job->at_frame > 0 ? 1 : self->total);
  if (self->job->cancellable != NULL)
    handler = g_cancellable_connect (self->job->cancellable, G_CALLBACK (stop_reader), reader,
                                     NULL);
  pass = read_frames (self, source, reader, error);
  if (handler != 0)
    g_cancellable_disconnect (self->job->cancellable, handler);
  vg_batch_note_frames (self, source, reader);
  if (pass == PASS_DONE &&
      (!has_maps (self, source, error) || !vg_batch_finish (self, &finished, error)))
    pass = PASS_FAILED;
  return pass == PASS_DONE && !finished ? PASS_AGAIN : pass;
}

gboolean
vg_batch_run_stream (VgBatch *self, const void *params, const char *const *inputs, GError **error)
{
  const VgBatchJob *job = self->job;
  g_autoptr (VgSource) source = vg_batch_open_source (self, params, inputs, error);
  void *adopted;
  gboolean ok;
  VgPass pass;

  if (source == NULL)
    return FALSE;
  self->live = source->info.frames < 0;
  self->device.details = source->details;
  self->marks = self->scene.marks = job->options != NULL && job->options->marks != NULL
                                        ? job->options->marks
                                        : source->marks;
  self->total = source->info.frames;
  if (job->max_frames > 0 && !self->live)
    self->total = MIN (self->total, job->max_frames);
  if (!vg_batch_report_caution (self, source->caution, source->cut, error))
    return FALSE;
  adopted = vg_batch_adopt (self, params, &source->info);
  ok = vg_batch_prepare (self, adopted, &source->info, NULL, error) &&
       (self->movie == NULL || vg_movie_accepts (self->movie, self->work, error));
  vg_params_free (&self->operation->params, adopted);
  if (!ok)
    return FALSE;
  do
    pass = pass_source (self, source, error);
  while (pass == PASS_AGAIN);
  return pass == PASS_DONE;
}
