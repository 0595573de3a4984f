/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include <string.h>
G_BEGIN_DECLS

/* Whether a file that begins with the LENGTH bytes HEAD is a JPEG image; SIZE is not needed. */
static inline gboolean
vg_jpeg_detect (const guint8 *head, gsize length, gint64 size)
{
  return length >= 3 && memcmp (head, "\377\330\377", 3) == 0;
}

G_END_DECLS
