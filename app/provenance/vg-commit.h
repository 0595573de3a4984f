/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The commit that the program was built from, for the provenance of results. */
G_BEGIN_DECLS

/* Sets what `git describe` said of the checkout, a static string, or "" if the program was built
 * from an archive.  Called only by main, before any thread begins.  Only main.c has the
 * commit: what has it is compiled and linked again for each commit. */
void vg_commit_set (const char *commit);
/* "" in other programs, too. */
const char *vg_commit_get (void);

G_END_DECLS
