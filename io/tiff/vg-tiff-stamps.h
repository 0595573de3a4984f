/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/tiff/vg-tiff-index.h"
G_BEGIN_DECLS

/* When each of FRAMES frames, STRIDE pages apart, was taken, in seconds after
 * the first; and the time between two that follow each other.  Gaps in the
 * numbers are told in NOTES.  NULL: the pages do not say it. */
double *vg_tiff_stamps_read (const VgTiffIndex *index, int fd, gint64 frames, gint64 stride,
                             double *interval_s, GString *notes);

G_END_DECLS
