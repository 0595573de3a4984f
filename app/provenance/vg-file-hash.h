/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
/* SHA-256 of the files that results were computed from.  A file is read once for as long as its
 * size and its time of change stay as they are.  Any thread may call these. */
G_BEGIN_DECLS

/* The SHA-256 of the file PATH as 64 hexadecimal digits, owned, and its size in *BYTES.  NULL
 * without an error: PATH is no regular file.  NULL and an error: it cannot be read, or
 * CANCELLABLE (or NULL) was cancelled. */
char *vg_file_hash (const char *path, GCancellable *cancellable, guint64 *bytes, GError **error);
/* Begins to read the files PATHS (NULL-terminated, or NULL) on a thread of its own, so that
 * vg_file_hash need not wait for them later. */
void vg_file_hash_ahead (const char *const *paths, GCancellable *cancellable);

G_END_DECLS
