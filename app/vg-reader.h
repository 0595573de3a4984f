/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-cuda.h"
#include "vg-source.h"
/* Frames of a source, read ahead by a thread of its own into a short queue:
 * every frame, in order.  The reader outlives the frames it gave. */
G_BEGIN_DECLS

typedef struct _VgReader VgReader;

/* SOURCE is borrowed.  PINNED: frames in page-locked memory of that module,
 * NULL: plain memory. */
VgReader *vg_reader_new  (VgSource *source, const VgCuda *pinned);
/* The next frame, owned; NULL without error at the end and after stop. */
VgFrame  *vg_reader_next (VgReader *self, GError **error);
/* Makes a waiting next return soon; from any thread. */
void      vg_reader_stop (VgReader *self);
void      vg_reader_free (VgReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgReader, vg_reader_free)

G_END_DECLS
