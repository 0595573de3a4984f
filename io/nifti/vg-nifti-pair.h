/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* NIfTI and Analyze 7.5 in two files, either of them perhaps in gzip: the header NAME.hdr and the
 * samples NAME.img. */
G_BEGIN_DECLS

/* Path of the header beside the samples PATH, owned; NULL: PATH is no second file of a pair. */
char *vg_nifti_pair_header (const char *path);
/* Opens the samples beside the header PATH and gives their *SIZE in bytes; NAME is for messages. -1
 * and an error: there are none. */
int vg_nifti_pair_open (const char *path, const char *name, gint64 *size, GError **error);

G_END_DECLS
