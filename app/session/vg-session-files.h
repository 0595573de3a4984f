/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
/* Checks the file names of a session before any of the files is opened, because a session may come
 * from anybody. */
G_BEGIN_DECLS

/* The files outside the session's own folder that the session at PATH names (char *, full names,
 * each once).  NULL and an error: it cannot be read, or it names a device, a pipe or a folder. */
GPtrArray *vg_session_list_outside (const char *path, GError **error);

/* Whether the user has saved or allowed a session with the content of the file PATH.  The list is
 * in FOLDER (vg_journal_folder). */
gboolean vg_session_is_allowed (const char *folder, const char *path);
void vg_session_allow (const char *folder, const char *path);

G_END_DECLS
