/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/staging/vg-staging.h"
/* The staging folder is hidden and contains
 *   new/     the new results
 *   old/     the files that they replace, while they are moved one by one
 *   names    the names of all files that are replaced or removed, each followed by a NUL
 * The process that holds its lock works on it. */
G_BEGIN_DECLS

#define VG_STAGING_PREFIX ".vivograph-"

struct _VgStaging
{
  char *folder, *hidden;
  /* the nearest parent that existed before; folders below it are removed if they stay empty.  NULL
   * after commit */
  char *existing;
  GPtrArray *names;     /* of the new results, relative to the folder */
  GPtrArray *protected; /* paths that must not be replaced */
  GPtrArray *unlisted;  /* names of files that new results replace and that no summary lists */
  /* names of the earlier results, which commit removes: the files that the summaries list */
  GHashTable *leaving;
  int lock, hidden_lock; /* descriptors; -1: none */
  gboolean unsettled;    /* replaced files could not be restored, so the hidden folder stays */
};

/* vg-staging-lock.c */
/* Opens and locks a folder.  -1: another process holds the lock (*BUSY), or it cannot be locked. */
int vg_staging_lock (const char *path, gboolean *busy);
/* Removes the staging folders that killed processes left for FOLDER, and restores the files that
 * they were replacing. */
void vg_staging_sweep (const char *folder);
/* Removes a folder and its content; symbolic links are not followed. */
void vg_staging_remove_tree (const char *path);
/* Moves the files back that were moved from FOLDER to HIDDEN; FALSE: not all of them. */
gboolean vg_staging_restore (const char *folder, const char *hidden);
/* Moves the files into FOLDER that others wrote to OLD while the two were exchanged. */
void vg_staging_rescue (const char *old, const char *folder);

/* vg-staging-exchange.c */
typedef enum { VG_EXCHANGE_DONE, VG_EXCHANGE_UNFIT, VG_EXCHANGE_FAILED } VgExchange;
/* Replaces all results in one step: exchanges the folder for one with the new results and the
 * earlier ones that stay.  UNFIT: nothing was changed, because the folder has files of others, or
 * its file system cannot exchange folders. */
VgExchange vg_staging_exchange (VgStaging *self, GError **error);

G_END_DECLS
