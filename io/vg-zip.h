/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The data file in a ZIP archive. */
G_BEGIN_DECLS

/* Inflates one file of the archive FD of SIZE bytes into a temporary file without a name: of the
 * files whose first bytes show a format that is read, the first with the suffix of a data file,
 * else the first.  *ENTRY is its name for messages.  -1 and an error: there is no such file, or it
 * takes more than LIMIT bytes. */
int vg_zip_extract (int fd, const char *name, gint64 size, guint64 limit, char **entry,
                    GError **error);

G_END_DECLS
