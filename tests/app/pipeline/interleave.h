/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Runs the threads of a program one at a time, in an order that the test chooses.
 *
 * The threads that are started meanwhile are coroutines of the main thread.  Each runs until it is
 * about to take LOCK, sleeps, waits for a condition, joins a thread, or ends; no thread holds LOCK
 * then.  What it does without the lock thus happens in one go, which is how other threads see it as
 * long as shared data are used with the lock only; the thread sanitizer checks that.  The clock
 * stands still, or advances by a fixed time at each look.  This file replaces functions of GLib in
 * the whole program, which otherwise behave as ever. */
G_BEGIN_DECLS

enum { INTERLEAVE_THREADS = 16 };

/* Called before the thread that was started with DATA continues at PLACE in its code.  PAST is a
 * fingerprint of all that its local variables may depend on; 0: its loop begins anew.  Returns PAST
 * with what the thread can read now added. */
typedef guint64 (*InterleaveRead) (gpointer data, guint64 past, guint64 place);

void interleave_begin (GMutex *lock, gint64 tick_us, InterleaveRead read);
/* All threads must have been joined. */
void interleave_end (void);
guint interleave_n (void);
/* TRUE: thread I can continue, if only because the time of its waiting is up. */
gboolean interleave_can_run (guint i);
/* Thread I does its next step. */
void interleave_run (guint i);
/* Each thread that can run does a step, and again, at most MOST steps; returns their number, or
 * MOST + 1 if there are more. */
guint interleave_settle (guint most);
/* A fingerprint of what the threads wait for, and of what their local variables depend on. */
guint64 interleave_print (guint64 print);

/* PRINT with VALUE added. */
guint64 interleave_mix (guint64 print, guint64 value);

G_END_DECLS
