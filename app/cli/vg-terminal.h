/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/batch/vg-batch.h"
/* A batch run on a command line: its progress bar and results, and its cancellation by SIGINT,
 * SIGTERM, SIGHUP or SIGPIPE. */
G_BEGIN_DECLS

typedef struct
{
  gboolean visible; /* stderr is a terminal */
  gint64 drawn_us;  /* when; 0: never */
} VgProgressBar;

/* Makes JOB report its progress on stderr if that is a terminal, its notices on stderr, and its
 * results and files on stdout. */
void vg_progress_bar_watch (VgProgressBar *self, VgBatchJob *job);
/* Removes the bar, so that a line of text can follow. */
void vg_progress_bar_clear (VgProgressBar *self);

/* A thread of its own receives the signals while the main thread computes. */
typedef struct _VgSignals VgSignals;
VgSignals *vg_signals_new (void);
GCancellable *vg_signals_get_cancellable (VgSignals *self);
void vg_signals_free (VgSignals *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSignals, vg_signals_free)

G_END_DECLS
