/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/staging/vg-staging.h"
/* Between the files of the staging folder.  In the hidden folder lie
 *   new/     the results
 *   old/     while they are moved one by one: what they take the place of
 *   names    then: which they are, and which only go, each with a NUL at its end
 * and whoever holds its lock is at work on it. */
G_BEGIN_DECLS

#define VG_STAGING_PREFIX ".vivograph-"

struct _VgStaging
{
  char *folder, *hidden;
  /* the nearest folder that was there already; NULL: nothing is to be removed */
  char *existing;
  GPtrArray *names;     /* relative to either folder */
  GPtrArray *protected; /* paths */
  /* names of what the summaries in the folder list, as results that go when these come */
  GHashTable *leaving;
  int lock, hidden_lock; /* descriptors; -1: none */
  gboolean unsettled;    /* what was replaced could not be put back: the hidden folder stays */
};

/* vg-staging-lock.c */
/* An open folder of which no other process has the lock, or -1: *BUSY, or it can't be locked here.
 */
int vg_staging_lock (const char *path, gboolean *busy);
/* Removes what killed runs left of their work on FOLDER, and puts back what one of them was about
 * to replace. */
void vg_staging_sweep (const char *folder);
/* Removes a folder of ours; symbolic links are not followed. */
void vg_staging_remove_tree (const char *path);
/* Puts back what was moved from FOLDER into HIDDEN; FALSE: not all of it. */
gboolean vg_staging_restore (const char *folder, const char *hidden);
/* Moves into FOLDER what came into OLD while it was exchanged for it. */
void vg_staging_rescue (const char *old, const char *folder);

/* vg-staging-exchange.c */
typedef enum { VG_EXCHANGE_DONE, VG_EXCHANGE_UNFIT, VG_EXCHANGE_FAILED } VgExchange;
/* All results at once, by exchanging the folder for one that holds them and what is to stay of
 * ours.  UNFIT: the folder holds other things, or its file system can't do it, and all is as it
 * was. */
VgExchange vg_staging_exchange (VgStaging *self, GError **error);

G_END_DECLS
