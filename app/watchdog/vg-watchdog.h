/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Watches the main loop of the window.  If the loop does not run for a second, the stack of its
 * thread is appended to the file silences.log, and later the time for which it did not run.
 *
 * Time during which the whole program stood still, as in a debugger or on a computer that sleeps,
 * does not count. */
G_BEGIN_DECLS

typedef struct _VgWatchdog VgWatchdog;

/* Silence that is reported, seconds. */
#define VG_WATCHDOG_LIMIT_S 1.0

/* Begins to watch the default loop of the calling thread.  A program has at most one watchdog.  The
 * log is in FOLDER, which is made when something is written. */
VgWatchdog *vg_watchdog_new (const char *folder);
void vg_watchdog_free (VgWatchdog *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgWatchdog, vg_watchdog_free)

G_END_DECLS
