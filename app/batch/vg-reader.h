/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-cuda.h"
#include "io/source/vg-source.h"
/* Frames of a source, read ahead by a thread of its own into a short queue:
 * every frame, in order.  The reader outlives the frames it gave. */
G_BEGIN_DECLS

typedef struct _VgReader VgReader;

/* SOURCE is borrowed.  PINNED: frames in page-locked memory of that module,
 * NULL: plain memory. */
VgReader *vg_reader_new (VgSource *source, const VgCuda *pinned);
/* The next frame, owned; NULL without error at the end and after stop.
 * VG_IO_ERROR_FRAME: that one can't be read, the next call gives the one after it. */
VgFrame *vg_reader_next (VgReader *self, GError **error);
/* Makes a waiting next return soon; from any thread. */
void vg_reader_stop (VgReader *self);
void vg_reader_free (VgReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgReader, vg_reader_free)

G_END_DECLS
