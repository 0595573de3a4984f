/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/batch/vg-batch.h"
/* A batch run of what a session computes, for the window: it is set up on the main thread and runs
 * on another, while the session may change. */
G_BEGIN_DECLS

typedef struct _VgSessionBatch VgSessionBatch;

/* A movie alone, as OPTIONS (copied) describe it.  No file is written besides. */
VgSessionBatch *vg_session_batch_new (VgSession *session, VgBackend backend,
                                      const VgExportOptions *options);
/* Any thread; once.  CANCELLABLE ends it, and nothing is written then. */
gboolean vg_session_batch_run (VgSessionBatch *self, GCancellable *cancellable, GError **error);
/* From 0 to 1; any thread. */
double vg_session_batch_get_progress (VgSessionBatch *self);
void vg_session_batch_free (VgSessionBatch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSessionBatch, vg_session_batch_free)

/* The frames that a movie of SESSION has: those of its data with INFO (or NULL), or of its sample
 * data.  -1: not known before it is made.  0: there is none, as the data cannot be read again, or
 * have no frames. */
gint64 vg_session_batch_count_frames (VgSession *session, const VgImageInfo *info);

G_END_DECLS
