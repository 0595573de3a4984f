/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source-private.h"
G_BEGIN_DECLS

/* What NAME.json, or NAME.xtr, beside PATH says of a NIfTI source's frame times and
 * pulses, in its details too; intervals outside SHORTEST_S to LONGEST_S are not believed. */
void vg_nifti_read_sidecar (VgSource *self, const char *path, double shortest_s, double longest_s);

G_END_DECLS
