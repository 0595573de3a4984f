/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-cuda.h"
#include "io/source/vg-source.h"
/* Reads every frame of a source in order, ahead of the caller, on a thread of its own with a
 * bounded queue. */
G_BEGIN_DECLS

typedef struct _VgReader VgReader;

/* SOURCE is borrowed, and ends after MOST frames (0: at its end), or with the first frame that is
 * SPAN_S or more after the first one (0: no limit).  At most DEPTH frames wait; 0: a few.  The
 * frames are in page-locked memory of the CUDA module PINNED; NULL: in ordinary memory.
 */
VgReader *vg_reader_new (VgSource *source, gint64 most, double span_s, guint depth,
                         const VgCuda *pinned, GError **error);
/* TRUE: the queue has been full, so that a live source may have lost frames. */
gboolean vg_reader_was_full (VgReader *self);
/* Frames that have been read and wait. */
guint vg_reader_waiting (VgReader *self);
/* The next frame, owned; NULL without an error: the source has ended, or the reader was stopped.
 * VG_IO_ERROR_FRAME: this frame is damaged; the next call returns the one after it. */
VgFrame *vg_reader_next (VgReader *self, GError **error);
/* Waits until vg_reader_next has a frame, at most until UNTIL_US, monotonic time.  FALSE: it has
 * none yet. */
gboolean vg_reader_wait (VgReader *self, gint64 until_us);
/* Stops reading a live source; vg_reader_next still returns the frames that wait. */
void vg_reader_end (VgReader *self);
/* Makes a call of vg_reader_next that waits return soon; any thread may call it. */
void vg_reader_stop (VgReader *self);
void vg_reader_free (VgReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgReader, vg_reader_free)

G_END_DECLS
