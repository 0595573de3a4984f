/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-format.h"
/* The format table: which format a file is in, by its first bytes. */
G_BEGIN_DECLS

/* The format of a file of SIZE bytes that begins with the LENGTH bytes HEAD; NULL: none of them.
 * A decay as text has no format here, because only the whole file shows that it is one. */
const VgFormat *vg_format_find (const guint8 *head, gsize length, gint64 size);
/* Whether a file called NAME is likely to be in one of the formats. */
gboolean vg_format_has_suffix (const char *name);
/* Whether the content is in a known format that this program does not read. */
gboolean vg_format_is_foreign (const guint8 *head, gsize length);
/* Sets the error for a file in none of the formats: what the file is, by its content or the suffix
 * of NAME, and how to export it.  VG_IO_ERROR_UNKNOWN where neither shows it: the file may hold raw
 * frames. */
void vg_format_refuse (const char *name, const guint8 *head, gsize length, gint64 size,
                       GError **error);

G_END_DECLS
