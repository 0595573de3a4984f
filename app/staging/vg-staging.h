/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A staging folder makes all results of a run appear together or not at all.  They are written into
 * a hidden folder inside the final one.  Commit moves them into place and removes the earlier
 * results that a summary.json lists.  Freeing without a commit leaves the folder as it was.
 *
 * A folder with nothing but results is exchanged in one step.  In any other folder the files are
 * moved one by one and restored if that fails; after a killed process, the next one restores them.
 * One process at a time works on a folder. */
G_BEGIN_DECLS

typedef struct _VgStaging VgStaging;

/* Makes FOLDER if it does not exist.  VG_IO_ERROR_WRITE: it cannot be made, or another process
 * works on it. */
VgStaging *vg_staging_new (const char *folder, GError **error);
/* PATH, perhaps with read options, is an input of these results, so none of them may replace it. */
void vg_staging_protect (VgStaging *self, const char *path);
/* The path to which the result NAME ("contrast.tif", "run-1/contrast.tif") is written, owned.
 * VG_USAGE_ERROR: it would replace a protected file. */
char *vg_staging_path (VgStaging *self, const char *name, GError **error);
/* Discards the new result NAME.  That of an earlier run is removed all the same. */
void vg_staging_discard (VgStaging *self, const char *name);
/* Whether the folder has a file NAME that is neither a new nor an earlier result, and stays. */
gboolean vg_staging_is_old (VgStaging *self, const char *name);
/* The files that the results replace although no earlier summary lists them: at most five names and
 * the number of the others; owned.  NULL: there are none. */
char *vg_staging_list_unlisted (VgStaging *self);
/* VG_IO_ERROR_WRITE: the disk has less than BYTES left. */
gboolean vg_staging_check_space (VgStaging *self, guint64 bytes, GError **error);
/* Names of all results so far, in the order of vg_staging_path; borrowed. */
const GPtrArray *vg_staging_get_names (VgStaging *self);
gboolean vg_staging_commit (VgStaging *self, GError **error);
void vg_staging_free (VgStaging *self);
/* Discards all staging folders of the process before it aborts. */
void vg_staging_give_up (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgStaging, vg_staging_free)

G_END_DECLS
