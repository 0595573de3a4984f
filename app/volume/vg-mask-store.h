/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/volume/vg-mask.h"
/* Masks that were painted, as files among the user's data.  A file is named by its key: a name and
 * the first figures of the SHA-256 of its content, so that undo and sessions find each mask again.
 * A session file holds the masks that it uses, and opening it stores them again. */
G_BEGIN_DECLS

/* The path of the stored mask, owned; NULL and an error: it cannot be stored. */
char *vg_mask_store_add (const VgMask *mask, const VgImageInfo *info, const char *name,
                         GError **error);
/* The key of the file PATH of the store, owned; NULL: it is no such file. */
char *vg_mask_store_key (const char *path);
/* The path of the mask with KEY, owned; NULL: KEY is none. */
char *vg_mask_store_path (const char *key);
/* The file of KEY in base 64, owned; NULL: it is missing, or longer than VG_MASK_STORE_MOST. */
enum { VG_MASK_STORE_MOST = 1 << 20 };
char *vg_mask_store_pack (const char *key);
/* Stores the mask KEY of a session, whose TEXT may come from anybody.  A file that exists is left
 * as it is.  FALSE and an error: TEXT is not the content that KEY names, or cannot be written. */
gboolean vg_mask_store_unpack (const char *key, const char *text, GError **error);

G_END_DECLS
