/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* Settings files (VgOperation.import).  A file holds one or more runs; INPUTS, a list of files
 * ended by NULL, holds the runs of all of them in order, numbered from 0. */
G_BEGIN_DECLS

/* All runs, at least one VgSettingsRun.  A value that the file does not set is that of PARAMS, or
 * the default if PARAMS is NULL.  NULL and an error: a file cannot be read. */
GPtrArray *vg_settings_file_load (const VgOperation *operation, const char *const *inputs,
                                  const void *params, GError **error);

/* Run RUN alone, owned (vg_settings_run_free).  NULL and an error: a file cannot be read, or, as a
 * usage error, there is no such run. */
VgSettingsRun *vg_settings_file_load_run (const VgOperation *operation, const char *const *inputs,
                                          int run, const void *params, GError **error);

/* The names of the runs, "" where a run has none; empty if a file cannot be read.  Owned. */
char **vg_settings_file_names (const VgOperation *operation, const char *const *inputs);

/* Remarks about likely mistakes in run RUN, as texts with file and line, owned.  Empty if there are
 * none, or no such run, or PARAMS differ from what the file sets. */
GPtrArray *vg_settings_file_notes (const VgOperation *operation, const char *const *inputs, int run,
                                   const void *params);

/* The operation that files named like PATH belong to, whether the file can be read or not; NULL:
 * none. */
const VgOperation *vg_settings_file_claimed (const char *path);

/* The same, or the operation that can read the file; NULL: none. */
const VgOperation *vg_settings_file_find (const char *path);

G_END_DECLS
