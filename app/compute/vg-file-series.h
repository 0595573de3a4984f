/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
/* Several files as one source: their frames follow each other.  All must
 * have pages of one size and type; one file is open at a time. */
G_BEGIN_DECLS

/* FILES: NULL-terminated, at least one. */
VgSource *vg_file_series_open (const char *const *files, const VgSourceOptions *options,
                               GError **error);
/* In the order of their numbers, v2 before v10, for files that came in no order that a person gave
 * them. */
void vg_file_series_sort (char **files);
/* FALSE and an error that names both when frames of B can't follow those of A. */
gboolean vg_file_series_check (const VgImageInfo *a, const char *name_a, const VgImageInfo *b,
                               const char *name_b, GError **error);

G_END_DECLS
