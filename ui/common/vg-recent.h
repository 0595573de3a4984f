/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The desktop's list of recent files. */
G_BEGIN_DECLS

/* Adds the file at PATH. */
void vg_recent_add (const char *path);

G_END_DECLS
