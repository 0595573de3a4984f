/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-work.h"
/* Parts of the work loop that stand for themselves. */
G_BEGIN_DECLS

/* The decoded FILE parameters of one operation, kept while path, size and
 * time of change stay the same. */
typedef struct _VgFileCache VgFileCache;

VgFileCache *vg_file_cache_new  (const VgParamTable *table);
void         vg_file_cache_free (VgFileCache *self);
/* Loads what PARAMS names; on an error the old content stays. */
gboolean     vg_file_cache_load (VgFileCache *self, const void *params, GError **error);
/* Of the last load: an array of VgInputFile, borrowed. */
const VgInputFile *vg_file_cache_get (VgFileCache *self, guint *n);

G_END_DECLS
