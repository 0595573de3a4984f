/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "kernels/base/vg-frame.h"
/* Writes raw frames to a file (vg-frame-file.h) on a thread of its own, from a bounded queue of its
 * own: a slow disk costs the recording frames, never the display.
 *
 * While it is written the file is called NAME.part.tif.  It can be opened at any moment up to its
 * last complete frame, also after a crash, because it is flushed to the disk every second or 64 MB.
 * At the end it is renamed to NAME.tif.  Number and time of a frame are in the ImageDescription of
 * its page, or in the index of a raw file (docs/files.md). */
G_BEGIN_DECLS

typedef struct _VgRecorder VgRecorder;

typedef struct
{
  guint64 kept;       /* frames in the file */
  guint64 missed;     /* frames that were lost or bad */
  guint64 dropped;    /* frames that were received and could not be written */
  double seconds;     /* from the first frame in the file to the last */
  guint outages;      /* how often the connection was lost between its frames */
  double outage_at_s; /* when it first was, since the first frame in the file */
  double outage_s;    /* for how long it was lost in all */
  double before_s;    /* from the first frame to the last that came before the recording began */
  guint64 bytes;      /* of the file */
  guint64 free_bytes; /* left where it is written; G_MAXUINT64: not known */
  gboolean ended;     /* no more frames are accepted, and the file is final */
  char *path;         /* the file as it is called now */
} VgRecording;

void vg_recording_clear (VgRecording *self);
/* Counts another frame in the file, SECONDS after the first one.  INTERRUPTED: the connection was
 * lost before it. */
void vg_recording_add (VgRecording *self, double seconds, gboolean interrupted);
/* One line for a recording in progress: name, frames, time, size, free space, missing frames. */
char *vg_recording_to_line (const VgRecording *self);
/* One line for a recording that has ended. */
char *vg_recording_to_text (const VgRecording *self);
/* That the connection was lost N times, first at AT_S, and for LENGTH_S in all; owned. */
char *vg_outages_to_text (guint n, double at_s, double length_s);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgRecording, vg_recording_clear)

/* Called once, from the recorder's thread, when the file is final. */
typedef void (*VgRecorderEnded) (gpointer data);

enum {
  VG_RECORDER_FRAMES = 8192, /* that may wait */
  /* bytes left on the disk; a recording ends before it takes these */
  VG_RECORDER_LEAST_FREE = 64 << 20,
};

/* REPLACE: a file at PATH that exists now is replaced at the end (vg_frame_file_new). */
VgRecorder *vg_recorder_new (const VgImageInfo *info, const char *path, gboolean replace,
                             VgRecorderEnded ended, gpointer data, GError **error);
/* Has the file name its live source: the first line of DETAILS (VgSource.details) describes the
 * device; NULL: NAME is used.  Called before the first frame. */
void vg_recorder_set_source (VgRecorder *self, const char *details, const char *name);
/* Raises the priority of the calling thread and of those that it starts, because frames that are
 * not read or written in time are lost.  Has no effect if the user may not raise priorities. */
void vg_recorder_go_first (void);
/* Frames that may wait for the disk, for the size of the frame pool: four at least, and otherwise
 * no more than a quarter of the available memory holds. */
guint vg_recorder_ring (const VgImageInfo *info);
/* Queues FRAME with a reference, or counts it as dropped; never waits. */
void vg_recorder_push (VgRecorder *self, VgFrame *frame);
/* Queues FRAME, which came before the recording began, with a reference: all such frames, oldest
 * first, before the first that is pushed.  They don't count as waiting, because their memory is in
 * use anyway.  The thread begins to write with the first frame that is pushed, or at the end. */
void vg_recorder_push_past (VgRecorder *self, VgFrame *frame);
/* TRUE: a frame that is pushed now is dropped. */
gboolean vg_recorder_is_full (VgRecorder *self);
/* N frames, after the first one received, were lost or bad. */
void vg_recorder_add_missed (VgRecorder *self, guint64 n);
/* Writes the mark TEXT, of the moment TIME_S, with the next frame or, if none comes, with the last
 * one. */
void vg_recorder_add_mark (VgRecorder *self, double time_s, const char *text);
/* The present state of the recording; the caller clears NOW. */
void vg_recorder_get_status (VgRecorder *self, VgRecording *now);
/* Accepts no more frames; its thread writes the queued ones and completes the file. */
void vg_recorder_end (VgRecorder *self);
/* Does the same, waits until the file is complete and frees the recorder.  NOW, or NULL: the final
 * state.  FALSE and an error: the disk became full, and the file holds the frames before that; or
 * no frame was received, and there is no file. */
gboolean vg_recorder_stop (VgRecorder *self, VgRecording *now, GError **error);

G_END_DECLS
