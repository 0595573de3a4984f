/* SPDX-License-Identifier: MIT */
/* What a terminal shows of a batch run, and the signals that stop it. */
#include "app/cli/vg-terminal.h"
#include <glib-unix.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "app/cli/vg-command-line.h"
#include "app/staging/vg-staging.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-text.h"

enum { BAR_WIDTH = 30, REDRAW_US = 100000 };

static void
show_progress (double fraction, gint64 maps, gpointer data)
{
  VgProgressBar *self = data;
  gint64 now = g_get_monotonic_time ();
  char bar[BAR_WIDTH + 1] = { 0 };
  int full;

  if (!self->visible || now - self->drawn_us < REDRAW_US)
    return;
  self->drawn_us = now;
  if (fraction < 0)
    {
      fprintf (stderr, "\r%" G_GINT64_FORMAT " maps ", maps);
      return;
    }
  full = (int) (CLAMP (fraction, 0, 1) * BAR_WIDTH);
  memset (bar, '#', full);
  memset (bar + full, '.', BAR_WIDTH - full);
  fprintf (stderr, "\r[%s] %3.0f %%  %" G_GINT64_FORMAT " maps ", bar, CLAMP (fraction, 0, 1) * 100,
           maps);
}

void
vg_progress_bar_clear (VgProgressBar *self)
{
  if (self->drawn_us != 0)
    fputs ("\r\033[K", stderr);
  self->drawn_us = 0;
}

static void
show_notice (const char *text, gpointer bar)
{
  g_autofree char *line = vg_text_clean (g_strdup (text));

  vg_progress_bar_clear (bar);
  fprintf (stderr, "vivograph: %s\n", line);
}

/* Value and error on one line.  A missing value is shown only if there is advice about it. */
static void
print_number (const VgMetrics *metrics, const VgMetric *number)
{
  const VgMetric *error = vg_metrics_find_error (metrics, number);

  if (isnan (number->value))
    {
      if (number->advice != NULL)
        printf ("%-28s none\n", number->label);
      return;
    }
  if (number->value == floor (number->value) && fabs (number->value) < 1e15)
    printf ("%-28s %.0f", number->label, number->value);
  else
    printf ("%-28s %.7g", number->label, number->value);
  if (error != NULL && isfinite (error->value))
    printf (" \302\261 %.2g", error->value);
  printf ("%s%s\n", number->unit != NULL && *number->unit != '\0' ? " " : "",
          number->unit != NULL ? number->unit : "");
}

static void
show_results (const char *prefix, const VgMetrics *metrics, gpointer bar)
{
  vg_progress_bar_clear (bar);
  if (*prefix != '\0')
    printf ("%s\n", prefix);
  for (guint i = 0; i < metrics->items->len; i++)
    {
      const VgMetric *number = &g_array_index (metrics->items, VgMetric, i);

      if (vg_metrics_is_shown (metrics, number))
        print_number (metrics, number);
    }
}

/* The names of all written files, in lines of a page's width. */
static void
show_files (const GPtrArray *names, gpointer bar)
{
  const int margin = 28, width = 110;
  int column = margin;

  vg_progress_bar_clear (bar);
  printf ("%-*s", margin, "Files");
  for (guint i = 0; i < names->len; i++)
    {
      int length = (int) strlen (names->pdata[i]) + 2;

      if (i > 0 && column + length > width)
        {
          printf ("\n%*s", margin, "");
          column = margin;
        }
      printf (" %s%s", (const char *) names->pdata[i], i + 1 < names->len ? "," : "");
      column += length;
    }
  putchar ('\n');
}

void
vg_progress_bar_watch (VgProgressBar *self, VgBatchJob *job)
{
  self->visible = isatty (STDERR_FILENO);
  self->drawn_us = 0;
  job->progress = show_progress;
  job->notice = show_notice;
  job->results = show_results;
  job->files = show_files;
  job->user_data = self;
}

struct _VgSignals
{
  GCancellable *cancellable;
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  struct sigaction pipe; /* what SIGPIPE did before */
  guint log;
};

static gboolean
cancel (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_CONTINUE;
}

static gboolean
quit (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

static gpointer
receive_signals (gpointer data)
{
  VgSignals *self = data;

  g_main_context_push_thread_default (self->context);
  g_main_loop_run (self->loop);
  g_main_context_pop_thread_default (self->context);
  return NULL;
}

static void
attach (VgSignals *self, GSource *source, GSourceFunc function, gpointer data)
{
  g_source_set_callback (source, function, data, NULL);
  g_source_attach (source, self->context);
  g_source_unref (source);
}

/* GLib hears no SIGPIPE. */
static void
pass_on (int signal)
{
  kill (getpid (), SIGTERM);
}

/* GLib aborts when even small allocations fail; this ends the process in an orderly way instead. */
static void
end_without_memory (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  if (strstr (message, "failed to allocate") == NULL)
    {
      g_log_default_handler (domain, level, message, data);
      return;
    }
  fputs ("vivograph: there is not enough memory; close other programs, or process less data\n",
         stderr);
  vg_staging_give_up ();
  vg_output_files_give_up ();
  _exit (VG_EXIT_FAILED);
}

VgSignals *
vg_signals_new (void)
{
  VgSignals *self = g_new0 (VgSignals, 1);
  const struct sigaction broken = { .sa_handler = pass_on, .sa_flags = SA_RESTART };

  self->cancellable = g_cancellable_new ();
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  attach (self, g_unix_signal_source_new (SIGINT), cancel, self->cancellable);
  attach (self, g_unix_signal_source_new (SIGTERM), cancel, self->cancellable);
  attach (self, g_unix_signal_source_new (SIGHUP), cancel, self->cancellable);
  sigaction (SIGPIPE, &broken, &self->pipe);
  self->log = g_log_set_handler ("GLib", G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL, end_without_memory,
                                 NULL);
  self->thread = g_thread_new ("signals", receive_signals, self);
  return self;
}

GCancellable *
vg_signals_get_cancellable (VgSignals *self)
{
  return self->cancellable;
}

void
vg_signals_free (VgSignals *self)
{
  if (self == NULL)
    return;
  /* as a source: quitting a loop that has not begun yet would be lost */
  attach (self, g_idle_source_new (), quit, self->loop);
  g_thread_join (self->thread);
  sigaction (SIGPIPE, &self->pipe, NULL);
  g_log_remove_handler ("GLib", self->log);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_object_unref (self->cancellable);
  g_free (self);
}
