/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Undo and redo of a document that has a text form: the text after each of the last
 * VG_HISTORY_STEPS steps. */
G_BEGIN_DECLS

enum { VG_HISTORY_STEPS = 200 };

typedef struct _VgHistory VgHistory;

/* Owns TEXT, the state at the start. */
VgHistory *vg_history_new (char *text);
VgHistory *vg_history_copy (const VgHistory *self);
void vg_history_free (VgHistory *self);
/* Owns TEXT, the state now.  FALSE: nothing has changed, so there is no step. */
gboolean vg_history_commit (VgHistory *self, char *text, const char *label);
/* The text to go to, owned by the history; NULL: there is no step that way. */
const char *vg_history_undo (VgHistory *self);
const char *vg_history_redo (VgHistory *self);
/* NULL: there is no step that way. */
const char *vg_history_undo_label (VgHistory *self);
const char *vg_history_redo_label (VgHistory *self);

G_END_DECLS
