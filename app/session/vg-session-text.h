/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-document.h"
/* Sessions as text: a GKeyFile.  [session] has the version and the operation that is shown.  Every
 * operation that was used has these groups:
 * - [ID]: inputs; run, from 1, of settings files; reading, the read options; outcome, the
 *   checkpoint; followed, the derived parameters; mask, the key of the mask that is painted.
 * - [ID parameters]: every parameter, as on the command line.
 * - [ID said]: the values that the input gives, where they differ from the default.
 * - [ID view]: zoom, center_x, center_y, output, frame, slice ...
 * - [ID display OUTPUT]: colormap, limits, gamma ...
 * - [ID region N], N from 1: name, shape, color, selected.
 * - [ID masks]: the masks that were painted, by their keys (vg-mask-store.h); parameters name them
 *   "mask:KEY".
 * A missing key has its default; an unknown one is an error. */
G_BEGIN_DECLS

enum {
  VG_SESSION_VERSION = 1,
  VG_SESSION_MAX_BYTES = 64 << 20,
};
#define VG_SESSION_MASK_PREFIX "mask:"

/* The text of DOCUMENTS, owned.  FOLDER: names of files below it are written relative to it, others
 * in full; NULL: as they are.  PASSING: with view, selection and checkpoints, which undo does not
 * change.  CHECKPOINTS: by operation, for documents without (VG_QUERY_CHECKPOINTS), or NULL.  LIVE:
 * address that is written for an input of the same device, or NULL. */
char *vg_session_text_write (GPtrArray *documents, const VgOperation *current, const char *folder,
                             gboolean passing, GHashTable *checkpoints, const char *live);
/* The documents, and in CURRENT the operation that is shown; NULL and an error that names group and
 * key.  Operations are searched among the KNOWN ones, then in the registry.  Relative names are
 * relative to FOLDER. */
GPtrArray *vg_session_text_read (const char *text, gsize length, const char *folder,
                                 GPtrArray *known, const VgOperation **current, GError **error);
/* The same without opening any of the files that the session names. */
GPtrArray *vg_session_text_names (const char *text, gsize length, const char *folder,
                                  GError **error);
/* The bytes of a session file, owned; NULL and an error: it is missing, too long or not a regular
 * file. */
char *vg_session_text_load (const char *path, gsize *length, GError **error);

G_END_DECLS
