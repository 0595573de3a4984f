/* SPDX-License-Identifier: MIT */
/* `run` of images that are sent to the program: they are received into a folder, which is then the
 * input. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "app/cli/vg-command-run-private.h"
#include "app/cli/vg-terminal.h"
#include "io/dicom/receive/vg-dicom-receiver.h"

enum { LOOK_US = 100000, REST_US = 500000, END_S = 60 };

typedef struct
{
  VgDicomReceiver *receiver;
  gint64 begin_us, drawn_us;
  guint said;
  guint64 counted; /* images when the time points were counted last */
  gint64 volumes;
  gboolean draws; /* stderr is a terminal */
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

  if (state->said != self->said)
    fprintf (stderr, "%svivograph: %s\n", self->draws ? "\r\033[K" : "", state->sentence);
  self->said = state->said;
  if (!self->draws || g_get_monotonic_time () - self->drawn_us < 5 * LOOK_US)
    return;
  self->drawn_us = g_get_monotonic_time ();
  fprintf (stderr, "\r\033[K%s", text);
  fflush (stderr);
}

/* Whether N time points are there; they are counted when nothing has come for a moment. */
static gboolean
has_volumes (Reception *self, const VgDicomReceived *state, gint64 n)
{
  g_autoptr (VgSource) source = NULL;

  if (n == 0 || state->stored == self->counted ||
      g_get_monotonic_time () - state->stored_us < REST_US)
    return n > 0 && self->volumes >= n;
  source = vg_source_open (vg_dicom_receiver_get_folder (self->receiver), NULL, NULL);
  self->counted = state->stored;
  self->volumes = source != NULL ? source->info.frames : 0;
  return self->volumes >= n;
}

/* Whether the reception ends: after --seconds, after --max-frames, or when nothing has come for a
 * minute. */
static gboolean
is_over (Reception *self, const VgRun *run, const VgDicomReceived *state)
{
  gint64 now_us = g_get_monotonic_time ();

  if (run->seconds > 0 && now_us - self->begin_us >= (gint64) (run->seconds * G_USEC_PER_SEC))
    return TRUE;
  if (run->max_frames > 0)
    return has_volumes (self, state, run->max_frames);
  return !(run->seconds > 0) && state->stored > 0 &&
         now_us - state->stored_us >= END_S * G_USEC_PER_SEC;
}

/* The command computes the same from the folder, without the options that end the reception. */
static void
replace_words (VgRun *self, const char *address, const char *folder)
{
  g_autoptr (GString) words = g_string_new (self->words);
  g_autoptr (GRegex) limits = g_regex_new (self->operation->input.kind == VG_INPUT_STREAM
                                               ? " --seconds[= ][^ ]+"
                                               : " --(seconds|max-frames)[= ][^ ]+",
                                           0, 0, NULL);
  char *shorter;

  g_string_replace (words, address, folder, 1);
  shorter = g_regex_replace_literal (limits, words->str, -1, 0, "", 0, NULL);
  g_free (self->words);
  self->words = shorter;
}

gboolean
vg_run_receive (VgRun *self, const char *address, char **folder, GError **error)
{
  gboolean shared = self->ranks != NULL || self->cancellable != NULL;
  g_autoptr (VgDicomReceiver) receiver = shared ? NULL : vg_dicom_receiver_new (address, error);
  Reception reception = { .receiver = receiver, .begin_us = g_get_monotonic_time () };
  g_autofree char *text = receiver != NULL ? vg_dicom_receiver_describe (receiver) : NULL;
  VgSignals *signals;
  VgDicomReceived state;
  gboolean cancelled;

  if (shared)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "\"%s\": images are received by a single run; receive them first, then name "
                 "their folder",
                 address);
  if (receiver == NULL)
    return FALSE;
  reception.draws = isatty (STDERR_FILENO) != 0;
  fprintf (stderr, "vivograph: %s\n", text);
  signals = vg_signals_new ();
  do
    {
      g_usleep (LOOK_US);
      vg_dicom_receiver_get_state (receiver, &state);
      report (&reception, &state);
      cancelled = g_cancellable_is_cancelled (vg_signals_get_cancellable (signals));
    }
  while (!cancelled && !is_over (&reception, self, &state));
  vg_signals_free (signals);
  g_free (text);
  text = vg_dicom_received_to_string (&state);
  fprintf (stderr, "%svivograph: %s\n", reception.draws ? "\r\033[K" : "", text);
  *folder = g_strdup (vg_dicom_receiver_get_folder (receiver));
  replace_words (self, address, *folder);
  /* the folder has an end of its own */
  self->seconds = 0;
  if (self->operation->input.kind != VG_INPUT_STREAM)
    self->max_frames = 0;
  if (cancelled)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                 "cancelled; no map was computed, and the images are in \"%s\"", *folder);
  return !cancelled;
}
