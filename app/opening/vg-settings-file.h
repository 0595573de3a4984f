/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* Inputs that are settings texts (operation->import): each holds one
 * run or several, and a list of files holds all of theirs, in order. */
G_BEGIN_DECLS

/* All runs (VgSettingsRun, one at least), each PARAMS with what its file says;
 * NULL and an error when a file can't be read. */
GPtrArray *vg_settings_file_load (const VgOperation *operation, const char *const *inputs,
                                  const void *params, GError **error);

/* Run RUN (from 0) of INPUTS into PARAMS, whose other values stay; the number
 * of runs in all, 0 and an error otherwise, which is a usage error when there
 * are not that many.  NAME (owned, may be NULL): the file the run is from. */
int vg_settings_file_read (const VgOperation *operation, const char *const *inputs, int run,
                           void *params, char **name, GError **error);

/* What the runs are called, "" where a text has no name; none when they can't be read.  Owned by
 * the caller. */
char **vg_settings_file_names (const VgOperation *operation, const char *const *inputs);

/* What looks like a mistake in that run, as texts with file and line; owned
 * by the caller, empty when there is nothing (or no such run), or NOW, the
 * settings, differ from what the file says. */
GPtrArray *vg_settings_file_notes (const VgOperation *operation, const char *const *inputs, int run,
                                   const void *now);

/* The operation whose settings the file at PATH holds by its name, whether it can be read or not;
 * NULL: none. */
const VgOperation *vg_settings_file_claimed (const char *path);

/* That one, or the operation that can read the file for its settings, NULL
 * when none does: for a file that the operation in view can't read. */
const VgOperation *vg_settings_file_find (const char *path);

G_END_DECLS
