/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* One time point, with all its time bins and slices, that a source passes to an engine.  The memory
 * belongs to a pool and returns to it with the last unref.  An engine that copies asynchronously
 * keeps a reference until the copy has ended. */
G_BEGIN_DECLS

typedef struct _VgFrame VgFrame;
struct _VgFrame
{
  const VgImageInfo *info; /* of the source; lives as long as the frame */
  /* frame_bytes without padding; for CUDA engines alone it may be in device memory */
  void *data;
  guint64 id;           /* number of the frame at the source: gaps are lost frames */
  gint64 index;         /* position in a stack; equal to `id` for a live source */
  gint64 time_us;       /* monotonic time of its arrival */
  gint64 device_ns;     /* time stamp of the camera's clock, ns; 0: it has none */
  double time_s;        /* frame time: index times frame interval, or the camera's time stamp */
  double exposure_ms;   /* of this frame, from the camera; 0: as VgImageInfo says, or not known */
  char *settings;       /* of the camera for this frame, a GRefString; NULL: not known */
  gboolean interrupted; /* the connection to the source was lost before this frame */
  gboolean pinned;      /* page-locked memory, which CUDA copies asynchronously */
  void (*release) (VgFrame *self);
  gpointer owner;
  gatomicrefcount ref_count;
};

VgFrame *vg_frame_ref (VgFrame *self);
void vg_frame_unref (VgFrame *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgFrame, vg_frame_unref)

G_END_DECLS
