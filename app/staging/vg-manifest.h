/* SPDX-License-Identifier: MIT */
#pragma once
#include <json-glib/json-glib.h>
/* The list of a run's files in its summary.json, each with its size and
 * checksum (CRC-32, as of ZIP and gzip): whether a folder holds the results of
 * one run, and all of them, can be checked. */
G_BEGIN_DECLS

/* What the summaries of FOLDER, and of run-1 and so on in it, list, relative to FOLDER, and the
 * summaries themselves. */
GHashTable *vg_manifest_names (const char *folder);
/* Whether the results in FOLDER are those of its summaries: VG_IO_ERROR_FORMAT tells what is not,
 * VG_IO_ERROR_OPEN that there are none.  *TEXT, owned, says in lines what was found. */
gboolean vg_manifest_check (const char *folder, char **text, GError **error);

G_END_DECLS
