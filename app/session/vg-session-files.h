/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
/* Which files a session opens.  A session may come from anybody, so these are checked before any of
 * them is touched. */
G_BEGIN_DECLS

/* The files that the session at PATH names outside its own folder (char *, full names, each once;
 * empty: none).  NULL and an error: it can't be read, or it names what is there and no regular
 * file: a device, a pipe, a folder. */
GPtrArray *vg_session_list_outside (const char *path, GError **error);

/* Sessions that the user has saved or allowed, by their content, in FOLDER (vg_journal_folder). */
gboolean vg_session_is_allowed (const char *folder, const char *path);
void vg_session_allow (const char *folder, const char *path);

G_END_DECLS
