/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Undo and redo of a document that has a text form: the texts before each
 * step, with a label, the oldest dropped beyond VG_HISTORY_STEPS. */
G_BEGIN_DECLS

enum { VG_HISTORY_STEPS = 200 };

typedef struct _VgHistory VgHistory;

/* Takes TEXT, the state at the start. */
VgHistory *vg_history_new (char *text);
VgHistory *vg_history_copy (const VgHistory *self);
void vg_history_free (VgHistory *self);
/* Takes TEXT, the state now.  FALSE, and no step, when nothing has changed. */
gboolean vg_history_commit (VgHistory *self, char *text, const char *label);
/* The text to go to, borrowed, or NULL when there is no step that way. */
const char *vg_history_undo (VgHistory *self);
const char *vg_history_redo (VgHistory *self);
/* NULL: no step that way. */
const char *vg_history_undo_label (VgHistory *self);
const char *vg_history_redo_label (VgHistory *self);
/* Takes TEXT as the new start; forgets all steps. */
void vg_history_reset (VgHistory *self, char *text);

G_END_DECLS
