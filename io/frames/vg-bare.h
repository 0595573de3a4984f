/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Files of bare frames: they need a geometry (vg-read-options.h). */
G_BEGIN_DECLS

/* Whether PATH is a file with something in it that is none of the formats
 * which say how large their frames are; *SIZE in bytes. */
gboolean vg_file_is_bare (const char *path, gint64 *size);

G_END_DECLS
