/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* One time point on its way from a source to an engine: all its bins and
 * slices, for most modalities a single page.  The memory belongs to a pool;
 * the last unref gives it back, so an engine that copies asynchronously holds
 * its reference until the copy is over. */
G_BEGIN_DECLS

typedef struct _VgFrame VgFrame;
struct _VgFrame
{
  const VgImageInfo *info; /* of the source, alive as long as the frame */
  void *data;              /* frame_bytes, tightly packed */
  guint64 id;              /* of the source: gaps are lost frames */
  gint64 index;            /* position in a seekable stack, else == id */
  gint64 time_us;          /* g_get_monotonic_time when it arrived */
  double time_s;           /* of the recording: index * interval, or the camera's stamp */
  gboolean pinned;         /* page-locked: an asynchronous upload needs no staging */
  void (*release) (VgFrame *self);
  gpointer owner;
  gatomicrefcount ref_count;
};

VgFrame *vg_frame_ref (VgFrame *self);
void vg_frame_unref (VgFrame *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgFrame, vg_frame_unref)

G_END_DECLS
