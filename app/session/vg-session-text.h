/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-document.h"
/* Sessions as text: a GKeyFile with these groups, for every operation used:
 *
 *   [session]                 version, operation (the one shown)
 *   [ID]                      inputs, run (from 1; of inputs that hold several), reading (how they
 * are read), outcome (of work that edits acted on as it went, packed), followed (parameters that
 * went along with others) [ID parameters]           every parameter, as on the command line [ID
 * said]                 those of which the data said other than the default [ID view] zoom,
 * center_x, center_y, output, frame, slice, ... [ID display OUTPUT]       colormap, limits, gamma,
 * ... [ID region N]             name, shape, color, selected; N from 1
 *
 * What is left out has its default; what is not known is an error. */
G_BEGIN_DECLS

enum {
  VG_SESSION_VERSION = 1,
  VG_SESSION_MAX_BYTES = 64 << 20,
};

/* FOLDER: names of files below it are written relative to it, others in full;
 * NULL: as they are.  PASSING: view, selection and outcomes too.  OUTCOMES: of
 * operations whose documents have none (vg_pipeline_query_finish), or NULL. */
char *vg_session_text_write (GPtrArray *documents, const VgOperation *current, const char *folder,
                             gboolean passing, GHashTable *outcomes);
/* A list of documents, and the current one's operation; NULL and an error
 * that names group and key.  Operations are looked up among the KNOWN ones,
 * then in the registry.  FOLDER: what relative names are relative to. */
GPtrArray *vg_session_text_read (const char *text, gsize length, const char *folder,
                                 GPtrArray *known, const VgOperation **current, GError **error);
/* The same without opening any of the files that it names: a list of documents, to look at their
 * names. */
GPtrArray *vg_session_text_names (const char *text, gsize length, const char *folder,
                                  GError **error);
/* A session file's bytes, owned by the caller; NULL and an error: no regular file, too long, or not
 * there. */
char *vg_session_text_load (const char *path, gsize *length, GError **error);

G_END_DECLS
