/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* Undo steps out of a stream of small changes: a slider drag or a typed
 * number is one step, ended by a moment of rest or by another control. */
G_BEGIN_DECLS

/* Commits WHAT when nothing has changed for half a second. */
void vg_commit_later (VgSession *session, const char *what);
/* Commits now what is waiting, before an undo, a save or another action. */
void vg_commit_flush (VgSession *session);

G_END_DECLS
