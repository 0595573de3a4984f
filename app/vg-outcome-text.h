/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
/* What an engine wants kept of its work (VgEngine.outcome) as a line of a
 * session: packed (zlib), in base 64. */
G_BEGIN_DECLS

/* Owned; NULL: it is too large for a session. */
char   *vg_outcome_format (GBytes *outcome);
/* NULL: not such a text.  Bounded, whatever the text says. */
GBytes *vg_outcome_parse  (const char *text);

G_END_DECLS
