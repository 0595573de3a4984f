/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* NIfTI and Analyze 7.5 in two files, NAME.hdr and NAME.img (either in gzip):
 * the header says it all, the other half is samples alone. */
G_BEGIN_DECLS

/* The header beside PATH when that is called like the other half of a pair and
 * the header looks like one; NULL: it is none. */
char *vg_nifti_pair_header (const char *path);
/* Opens the samples beside the header PATH, called NAME in messages; -1 and an error. */
int vg_nifti_pair_open (const char *path, const char *name, gint64 *size, GError **error);

G_END_DECLS
