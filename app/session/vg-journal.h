/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
/* Unsaved work on disk, in case the program crashes: one session text per window, in the user's
 * state folder.  A lock that is held while the program runs tells its journal from one left by a
 * crash. */
G_BEGIN_DECLS

typedef struct _VgJournal VgJournal;

/* $XDG_STATE_HOME/vivograph, owned by the caller. */
char *vg_journal_folder (void);

/* An empty journal in FOLDER, which is made if need be; NULL and an error that says why there can
 * be none. */
VgJournal *vg_journal_new (const char *folder, GError **error);
/* Replaces the journal by TEXT, completely or not at all.  PATH: the session file, or NULL. */
gboolean vg_journal_write (VgJournal *self, const char *text, const char *path, GError **error);
/* Deletes the text: everything is saved, or nothing was changed. */
void vg_journal_clear (VgJournal *self);
/* Deletes the files: the program ends normally. */
void vg_journal_free (VgJournal *self);

/* The journals that crashed programs have left in FOLDER, newest first, owned.  Each is locked, so
 * no other program offers it too. */
GPtrArray *vg_journal_find_left (const char *folder);
/* The file with the text. */
const char *vg_journal_get_file (VgJournal *self);
/* NULL: it was never saved. */
const char *vg_journal_get_path (VgJournal *self);
/* Time of the last write, seconds since 1970. */
gint64 vg_journal_get_time (VgJournal *self);
/* Releases a journal that was left by a crash; the next start offers it again. */
void vg_journal_leave (VgJournal *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgJournal, vg_journal_leave)

G_END_DECLS
