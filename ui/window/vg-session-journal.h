/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
/* Writes a journal of the unsaved session, and offers those that a crash has left. */
G_BEGIN_DECLS

#define VG_TYPE_SESSION_JOURNAL (vg_session_journal_get_type ())
G_DECLARE_FINAL_TYPE (VgSessionJournal, vg_session_journal, VG, SESSION_JOURNAL, GObject)
/* signals:
 *   "failed"  (const char *text)                    the journal cannot be written: a warning
 *   "restore" (const char *file, const char *path)  gboolean: the session in FILE is being opened;
 *                                                   PATH is where it is saved, or NULL */

VgSessionJournal *vg_session_journal_new (VgSession *session);
/* The banner that offers a journal. */
GtkWidget *vg_session_journal_get_banner (VgSessionJournal *self);
/* The session has changed; OPENING: by opening data, which leaves nothing to save. */
void vg_session_journal_changed (VgSessionJournal *self, guint flags, gboolean opening);
/* TRUE: it differs from what was saved or opened last. */
gboolean vg_session_journal_is_unsaved (VgSessionJournal *self);
/* The session has been saved as it is. */
void vg_session_journal_note_saved (VgSessionJournal *self);
/* The journal that was to be restored was OPENED; else it is offered again. */
void vg_session_journal_end_restoring (VgSessionJournal *self, gboolean opened);
/* Deletes the journal, as the program ends normally. */
void vg_session_journal_close (VgSessionJournal *self);

G_END_DECLS
