/* SPDX-License-Identifier: MIT */
/* `record`: every frame of a live source into a file, without a window. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>
#include "app/batch/vg-reader.h"
#include "app/cli/vg-command.h"
#include "app/cli/vg-terminal.h"
#include "app/input/vg-look-back.h"
#include "io/live/vg-live.h"
#include "io/source/vg-frame-account.h"
#include "kernels/base/vg-memory.h"
#include "kernels/base/vg-text.h"

enum { LOOK_US = 50000 };

static const VgOption options[] = {
  { "out", "FILE",
    "the file to write: a BigTIFF, such as run.tif; .raw: bare frames and an index "
    "(run.raw.jsonl)" },
  { "force", NULL, "replace FILE if it exists" },
  VG_LIMIT_OPTIONS,
  { "pre-trigger", "S",
    "keep the last S seconds in memory; a line on standard input starts the file, which begins "
    "with them" },
  VG_CAMERA_OPTION,
  { "grey", NULL, "record colour video (gst:) as grey frames, for operations that need grey" },
  { "geometry", "WxH:TYPE", "size and type of the raw frames of standard input" },
};

typedef struct
{
  VgSource *source;
  VgReader *reader;
  VgRecorder *recorder; /* NULL until the recording begins */
  const char *out;
  gboolean replace; /* OUT, if it exists when the recording begins */
  gint64 max_frames;
  double seconds, pre_s; /* 0: no limit; no trigger */
  GCancellable *cancellable;

  VgLookBack *kept;    /* the last pre_s, until the recording begins; or NULL */
  gboolean told_short; /* that memory holds less than pre_s */
  gboolean input_ended;
  gboolean can_wait; /* the source, as a pipe does */
  gboolean is_timed; /* the times of its frames are those of a stream, not of files */
  guint64 pushed, last_id;
  gint64 end_us;
  double begin_s, span_s; /* time of the first frame since the recording began; to the last one */
  gboolean has_begun;     /* such a frame has come */
  guint said;
} Record;

/* --- the trigger --- */

/* TRUE: a line has arrived on standard input. */
static gboolean
is_triggered (Record *self)
{
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
  char text[256];
  gssize n;

  if (!(self->pre_s > 0))
    return TRUE;
  if (self->input_ended || poll (&input, 1, 0) <= 0)
    return FALSE;
  n = read (STDIN_FILENO, text, sizeof text);
  self->input_ended = n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
  for (gssize i = 0; i < n; i++)
    if (text[i] == '\n')
      return TRUE;
  return FALSE;
}

/* Keeps FRAME, and lets go of those that are older than the time before the trigger, or for which
 * there is no memory. */
static void
keep (Record *self, VgFrame *frame)
{
  const gboolean is_first = vg_look_back_get_n (self->kept) == 0;
  const double before_s = is_first ? frame->time_s : vg_look_back_get (self->kept, 0)->time_s;
  double oldest_s;

  vg_look_back_add (self->kept, frame);
  oldest_s = vg_look_back_get (self->kept, 0)->time_s;
  if (self->told_short || oldest_s <= before_s || frame->time_s - before_s > self->pre_s)
    return;
  fprintf (stderr, "vivograph: memory is short: only the last %.3g s before the trigger are kept\n",
           frame->time_s - oldest_s);
  self->told_short = TRUE;
}

/* --- frames --- */

/* Begins the file with the frames that are kept. */
static gboolean
begin (Record *self, GError **error)
{
  guint n = self->kept != NULL ? vg_look_back_get_n (self->kept) : 0;

  self->recorder = vg_recorder_new (&self->source->info, self->out, self->replace, NULL, NULL,
                                    error);
  if (self->recorder == NULL)
    return FALSE;
  vg_recorder_set_source (self->recorder, self->source->details, self->source->name);
  if (self->seconds > 0)
    self->end_us = g_get_monotonic_time () + (gint64) (self->seconds * 1e6);
  if (self->max_frames > 0)
    n = MIN (n, (guint) MIN (self->max_frames, G_MAXUINT));
  if (n > 0)
    {
      vg_look_back_record (self->kept, 0, n, self->recorder);
      self->last_id = vg_look_back_get (self->kept, n - 1)->id;
      self->pushed = n;
    }
  g_clear_pointer (&self->kept, vg_look_back_free);
  return TRUE;
}

/* Gives FRAME to the recorder.  The gap before it was lost or damaged. */
static void
push (Record *self, VgFrame *frame)
{
  while (self->can_wait && vg_recorder_is_full (self->recorder))
    g_usleep (1000);
  if (self->pushed > 0 && frame->id > self->last_id + 1)
    vg_recorder_add_missed (self->recorder, frame->id - self->last_id - 1);
  self->last_id = frame->id;
  self->pushed++;
  self->begin_s = self->has_begun ? self->begin_s : frame->time_s;
  self->has_begun = TRUE;
  self->span_s = frame->time_s - self->begin_s;
  vg_recorder_push (self->recorder, frame);
}

static void
report_status (Record *self)
{
  VgLiveStatus status;

  vg_source_get_status (self->source, &status);
  if (status.said != self->said && status.state != VG_LIVE_ENDED)
    fprintf (stderr, "vivograph: %s\n", vg_text_clean (status.sentence));
  self->said = status.said;
}

/* TRUE: the recorder writes no more, as when the disk is full. */
static gboolean
has_ended (const Record *self)
{
  g_auto (VgRecording) now = { 0 };

  if (self->recorder != NULL)
    vg_recorder_get_status (self->recorder, &now);
  return now.ended;
}

/* A video file may deliver its frames faster than they were taken: their own times count, too. */
static gboolean
is_over (const Record *self)
{
  return has_ended (self) ||
         (self->is_timed && self->seconds > 0 && self->span_s >= self->seconds) ||
         (self->end_us > 0 && g_get_monotonic_time () >= self->end_us) ||
         (self->max_frames > 0 && self->pushed >= (guint64) self->max_frames) ||
         g_cancellable_is_cancelled (self->cancellable);
}

/* Takes frames until the end.  FALSE: the source or the recording failed. */
static gboolean
take_frames (Record *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  while (!is_over (self))
    {
      gboolean ready = vg_reader_wait (self->reader, g_get_monotonic_time () + LOOK_US);
      g_autoptr (VgFrame) frame = NULL;

      report_status (self);
      if (self->recorder == NULL && is_triggered (self) && !begin (self, error))
        return FALSE;
      if (self->recorder == NULL && self->input_ended)
        break; /* no line can come any more */
      if (!ready || is_over (self))
        continue;
      frame = vg_reader_next (self->reader, &local);
      if (frame == NULL && g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_FRAME))
        {
          g_clear_error (&local); /* counted by the gap in the numbers */
          continue;
        }
      if (frame == NULL)
        break;
      (self->recorder == NULL ? keep : push) (self, frame);
    }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return error == NULL || *error == NULL;
}

/* Completes the file and says what is in it. */
static gboolean
finish (Record *self, GError **error)
{
  g_auto (VgRecording) now = { 0 };
  g_autofree char *text = NULL;
  VgLiveStatus status;

  if (self->recorder == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                   "nothing was recorded, because no line on standard input started the recording; "
                   "write a line to start it");
      return FALSE;
    }
  if (!vg_recorder_stop (self->recorder, &now, error))
    return FALSE;
  text = vg_recording_to_text (&now);
  vg_source_get_status (self->source, &status);
  printf ("%s\n", text);
  if (status.received + status.bad + status.lost > 0)
    {
      g_autofree char *account = vg_account_to_text (&status);
      const guint64 taken = now.kept + now.dropped,
                    other = status.received > taken ? status.received - taken : 0;

      printf ("Source: %s", account);
      if (other > 0)
        printf ("; %" G_GUINT64_FORMAT
                " received frames came before the start or after the end of the recording",
                other);
      putchar ('\n');
    }
  return TRUE;
}

static gboolean
record (Record *self, GError **error)
{
  g_autoptr (GError) broken = NULL;
  gboolean whole;

  if (self->pre_s > 0)
    self->kept = vg_look_back_new (vg_image_info_frame_bytes (&self->source->info), self->pre_s,
                                   vg_memory_available () / 2, vg_memory_available);
  self->reader = vg_reader_new (self->source, 0, 0, 0, NULL, error);
  if (self->reader == NULL || (!(self->pre_s > 0) && !begin (self, error)))
    return FALSE;
  whole = take_frames (self, &broken);
  vg_reader_stop (self->reader);
  if (self->recorder == NULL && broken != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&broken));
      return FALSE;
    }
  if (!finish (self, error))
    return FALSE;
  if (!whole)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INCOMPLETE,
                 "%s; the file contains the frames before it", broken->message);
  return whole;
}

/* --- the command --- */

/* A recording cannot be made again, so only the user may replace one. */
static gboolean
check_out (const Record *self, GError **error)
{
  if (self->replace || !g_file_test (self->out, G_FILE_TEST_EXISTS))
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0,
               "\"%s\" already exists; choose another name, or replace it with --force", self->out);
  return FALSE;
}

static gboolean
parse (const VgArguments *arguments, Record *self, GError **error)
{
  const char *const *inputs = (const char *const *) arguments->plain->pdata;
  const char *pre = vg_arguments_get (arguments, "pre-trigger");

  self->out = vg_arguments_get (arguments, "out");
  self->replace = vg_arguments_get (arguments, "force") != NULL;
  if (inputs[0] == NULL || inputs[1] != NULL)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "record takes one source, such as shm:NAME or camera:ID; vivograph devices lists "
                 "the cameras");
  else if (self->out == NULL)
    g_set_error (error, VG_USAGE_ERROR, 0, "--out is missing: name the file to write");
  else if (pre != NULL &&
           !vg_command_parse_seconds ("pre-trigger", pre, 86400, &self->pre_s, error))
    return FALSE;
  else if (pre != NULL && g_str_equal (inputs[0], "-"))
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "--pre-trigger needs standard input for the trigger, but the source is standard "
                 "input; omit the option");
  else
    return check_out (self, error) &&
           vg_command_limits (arguments, &self->max_frames, &self->seconds, error);
  return FALSE;
}

/* Waits while ADDRESS has nothing to deliver yet, which is reported once, for at most SECONDS (0:
 * no limit). */
static VgSource *
wait_for_source (const char *address, const VgSourceOptions *how, double seconds, GError **error)
{
  GCancellable *cancellable = g_cancellable_get_current ();
  const gint64 end_us = g_get_monotonic_time () + (gint64) (seconds * 1e6);
  gboolean is_told = FALSE;

  while (!g_cancellable_set_error_if_cancelled (cancellable, error))
    {
      g_autoptr (GError) local = NULL;
      VgSource *source = vg_live_open (address, how, &local);

      if (!g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_LATER))
        {
          if (local != NULL)
            g_propagate_error (error, g_steal_pointer (&local));
          return source;
        }
      if (seconds > 0 && g_get_monotonic_time () >= end_us)
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                       "\"%s\" sent no frame within %g s; check that its program is running",
                       address, seconds);
          return NULL;
        }
      if (!is_told)
        fprintf (stderr, "vivograph: %s\n", vg_text_clean (local->message));
      is_told = TRUE;
      g_usleep (LOOK_US);
    }
  return NULL;
}

static VgSource *
open_source (const VgArguments *arguments, double seconds, GError **error)
{
  const char *input = arguments->plain->pdata[0];
  g_autofree char *read_options = NULL, *address = NULL;
  VgSourceOptions how = { .colour = vg_arguments_get (arguments, "grey") == NULL };
  g_autoptr (VgSource) source = NULL;

  if (!vg_command_read_options (arguments, NULL, &read_options, error) ||
      !vg_command_set_camera (arguments, input, &address, error))
    return NULL;
  how.read_options = read_options;
  source = vg_live_is_address (address) ? wait_for_source (address, &how, seconds, error)
                                        : vg_source_open (address, &how, error);
  if (source != NULL && source->info.frames >= 0)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "\"%s\" is a file, not a live source; copy the file instead", input);
  else if (source != NULL && source->info.channels != 1 && !how.colour)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "\"%s\" sends colour frames, and --grey converts only those of gst:; omit --grey",
                 input);
  else
    {
      if (source != NULL && source->info.channels != 1 && g_str_has_prefix (address, "gst:"))
        fprintf (stderr, "vivograph: the frames are recorded in colour; if an operation needs grey "
                         "ones, record with --grey\n");
      return g_steal_pointer (&source);
    }
  return NULL;
}

static gboolean
command_record (const VgArguments *arguments, VgDisplayBench display_bench, GError **error)
{
  Record self = { 0 };
  g_autoptr (VgSignals) signals = NULL;
  gboolean good;

  if (!parse (arguments, &self, error))
    return FALSE;
  signals = vg_signals_new ();
  self.cancellable = vg_signals_get_cancellable (signals);
  g_cancellable_push_current (self.cancellable);
  vg_recorder_go_first ();
  /* with a trigger the seconds begin only at its line */
  self.source = open_source (arguments, self.pre_s > 0 ? 0 : self.seconds, error);
  g_cancellable_pop_current (self.cancellable);
  if (self.source == NULL)
    return FALSE;
  self.can_wait = g_str_equal (arguments->plain->pdata[0], "-");
  self.is_timed = vg_live_sends_images (arguments->plain->pdata[0]);
  good = record (&self, error);
  g_clear_pointer (&self.kept, vg_look_back_free);
  vg_reader_free (self.reader);
  vg_source_close (self.source);
  return good;
}

const VgCommand vg_command_record = {
  "record",
  "SOURCE --out FILE [--force] [--seconds S] [--max-frames N] [--pre-trigger S]",
  "Record every frame of a live source.",
  options,
  G_N_ELEMENTS (options),
  command_record,
};
