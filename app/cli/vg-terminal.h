/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
/* Long work on a command line: a progress bar where somebody looks, and
 * cancellation by SIGINT, SIGTERM, SIGHUP or SIGPIPE. */
G_BEGIN_DECLS

typedef struct
{
  gboolean visible; /* stderr is a terminal */
  gint64 drawn_us;  /* when; 0: never */
} VgProgressBar;

void vg_progress_bar_init (VgProgressBar *self);
/* FRACTION negative: not known. */
void vg_progress_bar_update (VgProgressBar *self, double fraction, gint64 maps);
/* Makes room for a line of text. */
void vg_progress_bar_clear (VgProgressBar *self);

/* A thread of its own hears the signals, while the main one computes. */
typedef struct _VgSignals VgSignals;
VgSignals *vg_signals_new (void);
GCancellable *vg_signals_get_cancellable (VgSignals *self);
void vg_signals_free (VgSignals *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSignals, vg_signals_free)

G_END_DECLS
