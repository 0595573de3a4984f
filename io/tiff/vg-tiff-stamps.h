/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
#include "io/tiff/vg-tiff-index.h"
G_BEGIN_DECLS

/* The frame times of FRAMES frames, STRIDE pages apart, in seconds after the first, owned; and the
 * frame interval (0: of one frame).  SOURCE gets the marks, outages and exposure times, and
 * the number of missing frames.  These are gaps in the frame numbers, and are listed in NOTES.
 * NULL: the pages have no frame times. */
double *vg_tiff_stamps_read (const VgTiffIndex *index, int fd, gint64 frames, gint64 stride,
                             double *interval_s, VgSource *source, GString *notes);
/* The same for FRAMES (at least 1) numbers and times, and for *MARKS, which are finished
 * (vg_marks_finish).  The times become seconds after the first frame, and *MISSING the number of
 * frames that are not in the file.  FALSE: a frame is not later than the one before. */
gboolean vg_stamps_check (const guint64 *ids, double *times_s, gint64 frames, double *interval_s,
                          GArray **marks, guint64 *missing, GString *notes);

G_END_DECLS
