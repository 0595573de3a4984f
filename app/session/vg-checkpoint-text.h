/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
/* What an engine wants kept of its work (VgEngine.outcome) as a line of a
 * session: packed (zlib), in base 64. */
G_BEGIN_DECLS

/* Owned; NULL and VG_OPERATION_ERROR_MEMORY: it is too large for a session. */
char *vg_checkpoint_format (GBytes *checkpoint, GError **error);
/* TEXT may be such a text: base 64, and not none.  Nothing is unpacked. */
gboolean vg_checkpoint_check (const char *text);
/* NULL: VG_IO_ERROR_FORMAT, not such a text; VG_OPERATION_ERROR_MEMORY, there is not so much
 * memory.  Bounded, whatever the text says. */
GBytes *vg_checkpoint_parse (const char *text, GError **error);

G_END_DECLS
