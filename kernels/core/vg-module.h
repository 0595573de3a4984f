/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Modules: parts of the program in shared libraries that are loaded when they are needed, so that
 * the program runs without the libraries that they need. */
G_BEGIN_DECLS

/* The path of the module or helper program FILE, owned; NULL: there is none.  It is searched for in
 * $VIVOGRAPH_MODULE_DIR alone when that is set, else in BUILD_FOLDER when the program runs from the
 * build folder, else where it was installed. */
char *vg_module_find (const char *file, const char *build_folder);

/* Opens the module FILE and gives the function SYMBOL in it.  A module stays loaded.  NULL: *PATH
 * is NULL if there is no such file; else it and *REASON, both owned, say why it cannot be used. */
gpointer vg_module_open (const char *file, const char *build_folder, const char *symbol,
                         char **path, char **reason);

G_END_DECLS
