/* SPDX-License-Identifier: MIT */
#pragma once
#include <json-glib/json-glib.h>
/* The list of a run's files in its summary.json, each with its size and
 * checksum (CRC-32, as of ZIP and gzip): whether a folder holds the results of
 * one run, and all of them, can be checked. */
G_BEGIN_DECLS

typedef struct
{
  guint run; /* of a settings file with several, from 1; 0: the folder's own */
  JsonObject *summary;
} VgRunSummary;

/* The set of files that the summaries of FOLDER and of its runs list, and the summaries themselves,
 * as names relative to FOLDER; owned. */
GHashTable *vg_manifest_names (const char *folder);
/* The summaries of FOLDER and of its runs (VgRunSummary), in the order of their numbers; owned. */
GPtrArray *vg_manifest_load (const char *folder);
/* Checks the files in FOLDER against its summaries; *TEXT, owned, reports the result in lines.
 * VG_IO_ERROR_FORMAT: a file differs; VG_IO_ERROR_OPEN: there is no summary. */
gboolean vg_manifest_check (const char *folder, char **text, GError **error);

G_END_DECLS
