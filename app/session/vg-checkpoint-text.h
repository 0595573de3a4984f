/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
/* A checkpoint of an engine as a line of a session: compressed (zlib), in base 64. */
G_BEGIN_DECLS

/* The text, owned; NULL and VG_OPERATION_ERROR_MEMORY: it is too large for a session. */
char *vg_checkpoint_format (GBytes *checkpoint, GError **error);
/* Whether TEXT is base 64 and not empty.  It is not decompressed. */
gboolean vg_checkpoint_check (const char *text);
/* The checkpoint, new.  NULL: VG_IO_ERROR_FORMAT, TEXT is damaged; VG_OPERATION_ERROR_MEMORY, there
 * is too little memory.  Any text is read in bounded memory. */
GBytes *vg_checkpoint_parse (const char *text, GError **error);

G_END_DECLS
