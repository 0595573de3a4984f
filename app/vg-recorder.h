/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "vg-frame.h"
/* Writes raw frames to a TIFF on its own thread, from its own bounded ring:
 * a slow disk costs the recording frames, never the display.  The file
 * appears when it is complete. */
G_BEGIN_DECLS

typedef struct _VgRecorder VgRecorder;

/* Called once, from the recorder's thread, when it can write no further. */
typedef void (*VgRecorderFailed) (gpointer data, const GError *error);

enum
{
  VG_RECORDER_FRAMES = 64,             /* that may wait */
  VG_RECORDER_BYTES = 256 << 20,       /* and their memory, four frames at least */
};

VgRecorder *vg_recorder_new   (const VgImageInfo *info, const char *path, VgRecorderFailed failed, gpointer data, GError **error);
/* Frames that may wait, for the size of the frame pool. */
guint       vg_recorder_ring  (const VgImageInfo *info);
/* Queues FRAME with a reference, or counts it as lost; never waits. */
void        vg_recorder_push  (VgRecorder *self, VgFrame *frame);
/* Frames that never came. */
void        vg_recorder_miss  (VgRecorder *self, guint64 n);
/* Writes what waits, completes the file, frees the recorder.  When the disk
 * was full the frames before that are kept in the file, and FALSE and the
 * error say so; a recording without any frame leaves no file, which is an
 * error too. */
gboolean    vg_recorder_stop  (VgRecorder *self, guint64 *kept, guint64 *lost, GError **error);

G_END_DECLS
