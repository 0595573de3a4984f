/* SPDX-License-Identifier: MIT */
/* `run` of images that are sent to the program: they are received into a folder, and the series
 * that arrived there is then the input. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "app/cli/vg-command-run-private.h"
#include "app/cli/vg-terminal.h"
#include "io/dicom/receive/vg-dicom-receiver.h"
#include "io/dicom/receive/vg-dicom-series.h"
#include "kernels/base/vg-error.h"

enum {
  LOOK_US = 100000,
  REST_US = 500000, /* without an image, until the time points are counted */
  STEADY_S = 3,     /* between two counts while images come without a rest */
  MOST_BUSY = 3,    /* counting takes at most a quarter of the time */
  /* without an image, until the time points count as complete: a sender may go slice by slice, and
   * rests longer while it keeps its association */
  CLOSED_S = 3,
  OPEN_S = 10,
  HELD_S = 60, /* for which enough time points were there although images come */
  END_S = 60   /* without an image, until the reception ends */
};

typedef struct
{
  VgDicomReceiver *receiver;
  const char *read_options;
  gint64 begin_us, drawn_us;
  guint said;
  gboolean draws; /* stderr is a terminal */
  /* the series that arrives */
  char *path;             /* of one of its images; NULL: none is known */
  guint64 counted;        /* images that had come when the time points were counted last */
  gint64 counted_us;      /* when they were */
  gint64 after_us;        /* before which they are not counted again */
  gint64 volumes, slices; /* that were counted */
  gint64 enough_us; /* since when enough time points of these slices are there; 0: they are not */
} Reception;

gboolean
vg_run_receives (VgRun *self)
{
  const GPtrArray *plain = self->arguments->plain;

  return self->command == &vg_command_run && plain->len >= 1 && plain->pdata[0] != NULL &&
         vg_dicom_receiver_is_address (plain->pdata[0]);
}

/* Reports the events, and on a terminal how many images have come. */
static void
report (Reception *self, const VgDicomReceived *state)
{
  g_autofree char *text = vg_dicom_received_to_string (state);

  for (; self->said < state->said; self->said++)
    fprintf (stderr, "%svivograph: %s\n", self->draws ? "\r\033[K" : "",
             state->sentences[self->said]);
  if (!self->draws || g_get_monotonic_time () - self->drawn_us < 5 * LOOK_US)
    return;
  self->drawn_us = g_get_monotonic_time ();
  fprintf (stderr, "\r\033[K%s", text);
  fflush (stderr);
}

/* Counts the time points of the series that arrives. */
static gboolean
count_volumes (Reception *self, const VgDicomReceived *state, GError **error)
{
  const VgSourceOptions options = { .read_options = self->read_options };
  g_autoptr (GHashTable) names = vg_dicom_receiver_list (self->receiver);
  gint64 begin_us = g_get_monotonic_time (), slices = self->slices;
  char *path = vg_dicom_find_series (vg_dicom_receiver_get_folder (self->receiver), names,
                                     self->path, error);
  g_autoptr (VgSource) source = path != NULL ? vg_source_open (path, &options, error) : NULL;

  g_free (self->path);
  self->path = path;
  self->counted = state->stored + state->repeated;
  self->counted_us = g_get_monotonic_time ();
  self->after_us = self->counted_us + MOST_BUSY * (self->counted_us - begin_us);
  self->volumes = source != NULL ? source->info.frames : 0;
  self->slices = source != NULL ? source->info.slices : 0;
  if (self->slices != slices)
    self->enough_us = 0;
  return source != NULL;
}

/* Whether N time points are complete.  They are counted when nothing has come for a moment, and now
 * and then while images come. */
static gboolean
has_volumes (Reception *self, const VgDicomReceived *state, gint64 n)
{
  gint64 now_us = g_get_monotonic_time (), silent_us = now_us - state->last_us;

  if (state->stored + state->repeated != self->counted && now_us >= self->after_us &&
      (silent_us >= REST_US || now_us - self->counted_us >= STEADY_S * G_USEC_PER_SEC))
    {
      count_volumes (self, state, NULL);
      return FALSE; /* more may have come meanwhile */
    }
  if (self->volumes < n)
    self->enough_us = 0;
  else if (self->enough_us == 0)
    self->enough_us = now_us;
  if (self->enough_us == 0)
    return FALSE;
  return (state->stored + state->repeated == self->counted &&
          silent_us >= (state->open > 0 ? OPEN_S : CLOSED_S) * G_USEC_PER_SEC) ||
         now_us - self->enough_us >= HELD_S * G_USEC_PER_SEC;
}

/* Whether the reception ends: after --seconds, after --max-frames, or when nothing has come for a
 * minute. */
static gboolean
is_over (Reception *self, const VgRun *run, const VgDicomReceived *state)
{
  gint64 now_us = g_get_monotonic_time ();

  if (run->seconds > 0 && now_us - self->begin_us >= (gint64) (run->seconds * G_USEC_PER_SEC))
    return TRUE;
  if (run->max_frames > 0 && has_volumes (self, state, run->max_frames))
    return TRUE;
  return !(run->seconds > 0) && state->last_us > 0 &&
         now_us - state->last_us >= END_S * G_USEC_PER_SEC;
}

/* Whether what was received is to be computed. */
static gboolean
check_received (Reception *self, const VgRun *run, const VgDicomReceived *state, GError **error)
{
  const char *folder = vg_dicom_receiver_get_folder (self->receiver);

  if (!count_volumes (self, state, error))
    return FALSE;
  if (run->seconds > 0 || self->volumes >= run->max_frames)
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM,
               "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " time points were received, and then "
               "no image for a minute; no map was computed. The images are in \"%s\"; name this "
               "folder to compute them, or let the program send the others",
               self->volumes, run->max_frames, folder);
  return FALSE;
}

/* The command computes the same from PATH, without the options that end the reception. */
static void
replace_words (VgRun *self, const char *address, const char *path)
{
  g_autoptr (GString) words = g_string_new (self->words);
  g_autoptr (GRegex) limits = g_regex_new (self->operation->input.kind == VG_INPUT_STREAM
                                               ? " --seconds[= ][^ ]+"
                                               : " --(seconds|max-frames)[= ][^ ]+",
                                           0, 0, NULL);
  char *shorter;

  g_string_replace (words, address, path, 1);
  shorter = g_regex_replace_literal (limits, words->str, -1, 0, "", 0, NULL);
  g_free (self->words);
  self->words = shorter;
}

/* Receives until the end; FALSE: it was cancelled. */
static gboolean
receive (Reception *self, const VgRun *run, VgDicomReceived *state)
{
  VgSignals *signals = vg_signals_new ();
  gboolean cancelled;

  do
    {
      g_usleep (LOOK_US);
      vg_dicom_receiver_get_state (self->receiver, state);
      report (self, state);
      cancelled = g_cancellable_is_cancelled (vg_signals_get_cancellable (signals));
    }
  while (!cancelled && !is_over (self, run, state));
  vg_signals_free (signals);
  return !cancelled;
}

gboolean
vg_run_receive (VgRun *self, const char *address, char **path, GError **error)
{
  g_autofree char *place = NULL, *text = NULL;
  g_autoptr (VgDicomReceiver) receiver = NULL;
  Reception reception = { .begin_us = g_get_monotonic_time () };
  VgDicomReceived state;
  gboolean good;

  if (self->ranks != NULL || self->cancellable != NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "\"%s\": only a single run can receive images, not a study or a run of several "
                   "processes; receive them first, then give their folder as the input",
                   address);
      return FALSE;
    }
  receiver = vg_dicom_receiver_new (address, error);
  if (receiver == NULL)
    return FALSE;
  reception.receiver = receiver;
  reception.read_options = self->read_options;
  reception.draws = isatty (STDERR_FILENO) != 0;
  place = vg_dicom_receiver_describe (receiver);
  fprintf (stderr, "vivograph: %s\n", place);
  good = receive (&reception, self, &state);
  text = vg_dicom_received_to_string (&state);
  fprintf (stderr, "%svivograph: %s\n", reception.draws ? "\r\033[K" : "", text);
  if (!good)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                 "cancelled; no map was computed, and the images that were received are in \"%s\"",
                 vg_dicom_receiver_get_folder (receiver));
  else
    good = check_received (&reception, self, &state, error);
  *path = reception.path;
  if (!good)
    return FALSE;
  replace_words (self, address, *path);
  /* the folder has an end of its own */
  self->seconds = 0;
  if (self->operation->input.kind != VG_INPUT_STREAM)
    self->max_frames = 0;
  return TRUE;
}
