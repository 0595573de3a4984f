/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The desktop's list of recent files. */
G_BEGIN_DECLS

/* Adds the file at PATH. */
void vg_recent_add (const char *path);
/* The paths of at most 10 files that this program has opened and that exist, newest first; ended by
 * NULL and owned. */
char **vg_recent_list (void);

G_END_DECLS
