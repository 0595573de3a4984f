/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source-private.h"
G_BEGIN_DECLS

/* Sets the frame times and pulse settings of a NIfTI source from NAME.json or NAME.xtr beside PATH,
 * and adds them to its details.  Frame intervals outside SHORTEST_S to LONGEST_S are ignored. */
void vg_nifti_read_sidecar (VgSource *self, const char *path, double shortest_s, double longest_s);

G_END_DECLS
