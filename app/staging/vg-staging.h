/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The results of one piece of work appear together or not at all: they are
 * written into a hidden folder inside the wanted one, and moved into place
 * when all are complete; the results that a summary.json there lists go then.
 * Dropping it without commit leaves what was there and removes everything
 * else, also folders that had to be made.  A folder
 * that holds nothing but results is exchanged in one step.  In any other they
 * are moved one by one, and put back if that fails; if the process is killed
 * meanwhile, the next one there puts them back.  One process at a time. */
G_BEGIN_DECLS

typedef struct _VgStaging VgStaging;

/* Makes FOLDER when it is not there; VG_IO_ERROR_WRITE when it can't be, or
 * when another process is at work on it. */
VgStaging *vg_staging_new (const char *folder, GError **error);
/* PATH was read for these results: none of them takes its place. */
void vg_staging_protect (VgStaging *self, const char *path);
/* Where to write NAME ("contrast.tif", "run-1/contrast.tif"); owned.
 * VG_USAGE_ERROR when that would replace a protected file. */
char *vg_staging_path (VgStaging *self, const char *name, GError **error);
/* NAME is in the folder, from other work than this, and stays there. */
gboolean vg_staging_is_old (VgStaging *self, const char *name);
/* VG_IO_ERROR_WRITE when the disk has less than BYTES left. */
gboolean vg_staging_check_space (VgStaging *self, guint64 bytes, GError **error);
/* Names of all files asked for so far, in that order; of SELF. */
const GPtrArray *vg_staging_get_names (VgStaging *self);
gboolean vg_staging_commit (VgStaging *self, GError **error);
void vg_staging_free (VgStaging *self);
/* Discards all staging folders, when the process cannot go on. */
void vg_staging_give_up (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgStaging, vg_staging_free)

G_END_DECLS
