/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
/* Marks of recordings in progress, so that one that was interrupted by a crash can be offered at
 * the next start.  They are journals (vg-journal.h) in the user's state folder. */
G_BEGIN_DECLS

typedef struct _VgPartMark VgPartMark;

/* PART is being written and is to become PATH.  NULL: there is no place for marks; nothing else
 * depends on it. */
VgPartMark *vg_part_mark_new (const char *part, const char *path);
/* The recording is complete, or has been decided on. */
void vg_part_mark_free (VgPartMark *self);
/* It stays for the next start. */
void vg_part_mark_leave (VgPartMark *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPartMark, vg_part_mark_leave)

/* What programs that are gone have left and is still there, held by the caller so that no other
 * offers it too. */
GPtrArray *vg_part_mark_find_left (void);
const char *vg_part_mark_get_part (const VgPartMark *self);
/* Gives it the name that it was to have or, if that is in use, the first free one; owned. */
char *vg_part_mark_keep (VgPartMark *self, GError **error);
/* To the user's trash. */
gboolean vg_part_mark_discard (VgPartMark *self, GError **error);

G_END_DECLS
