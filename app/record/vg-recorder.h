/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "kernels/base/vg-frame.h"
/* Writes raw frames to a TIFF on its own thread, from its own bounded ring:
 * a slow disk costs the recording frames, never the display.
 *
 * While it runs the file is NAME.part.tif, which opens up to the last whole
 * frame at any moment, also after a crash: it is flushed to the disk each
 * second or 64 MB.  At the end it gets its name.  Every page says in its
 * ImageDescription which frame it is and when it was taken (docs/files.md). */
G_BEGIN_DECLS

typedef struct _VgRecorder VgRecorder;

typedef struct
{
  guint64 kept;       /* frames in the file */
  guint64 missed;     /* that the source skipped: they never came */
  guint64 dropped;    /* that came, and could not be kept */
  double seconds;     /* from the first frame kept to the last */
  guint64 bytes;      /* of the file */
  guint64 free_bytes; /* left where it is written; G_MAXUINT64: not known */
  gboolean ended;     /* no more frames are accepted, and the file is final */
  char *path;         /* the file as it is called now */
} VgRecording;

void vg_recording_clear (VgRecording *self);
/* One line while it runs: name, frames, time, size, space left, what is missing. */
char *vg_recording_to_line (const VgRecording *self);
/* And one when it has ended. */
char *vg_recording_to_text (const VgRecording *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgRecording, vg_recording_clear)

/* Called once, from the recorder's thread, when the file is final. */
typedef void (*VgRecorderEnded) (gpointer data);

enum {
  VG_RECORDER_FRAMES = 64,       /* that may wait */
  VG_RECORDER_BYTES = 256 << 20, /* and their memory, four frames at least */
  /* bytes left on the disk; a recording ends before it takes these */
  VG_RECORDER_LEAST_FREE = 64 << 20,
};

VgRecorder *vg_recorder_new (const VgImageInfo *info, const char *path, VgRecorderEnded ended,
                             gpointer data, GError **error);
/* Frames that may wait, for the size of the frame pool. */
guint vg_recorder_ring (const VgImageInfo *info);
/* Queues FRAME with a reference, or counts it as dropped; never waits. */
void vg_recorder_push (VgRecorder *self, VgFrame *frame);
/* N frames, after the first one received, never arrived. */
void vg_recorder_miss (VgRecorder *self, guint64 n);
/* How it is by now. */
void vg_recorder_look (VgRecorder *self, VgRecording *now);
/* Accepts no more frames; its thread writes the queued ones and completes the file. */
void vg_recorder_end (VgRecorder *self);
/* The same, waits for it, and frees the recorder.  NOW (or NULL): how it has ended.
 * When the disk was full the frames before that are kept in the file, and
 * FALSE and the error say so; a recording without any frame leaves no file,
 * which is an error too. */
gboolean vg_recorder_stop (VgRecorder *self, VgRecording *now, GError **error);

G_END_DECLS
