/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-frame.h"
/* The frames of one stream between the thread that reads them and the thread that computes them.
 *
 * The queue knows which frame of a stack is read next (play, loop, seek with history), which frames
 * of a live source are discarded when compute is behind, and what has become of every frame:
 *
 *   sent = shown + superseded + bad + lost + queued
 *
 * A frame of a live source counts when it arrives; a frame of a stack when compute takes it,
 * because a seek discards what was read ahead.  The frame that compute takes is in hand, then in
 * the published result, and ends as exactly one of shown, superseded or bad.
 *
 * Every function needs the owner's lock; those that wait do so on a condition with that lock. */
G_BEGIN_DECLS

typedef struct
{
  double fps; /* of a played stack; 0: as fast as it is read */
  gboolean loop, playing;
} VgPlayback;

/* A frame to read or to compute, and why. */
typedef struct
{
  VgFrame *frame;   /* NULL until it is read */
  gint64 index;     /* of a stack */
  guint serial;     /* of the seek before it was ordered */
  gboolean preroll; /* history of a requested frame: computed, but not shown */
  gboolean wanted;  /* requested by a seek: computed also while paused */
  gboolean restart; /* does not follow the frame before it */
  gboolean fresh;   /* to be counted; FALSE: counted before */
} VgQueuedFrame;

typedef struct
{
  guint64 sent, shown, superseded, lost, bad, queued;
} VgFrameCounts;

typedef struct
{
  GMutex *lock;  /* the owner's */
  GCond *filled; /* the owner's: signalled when compute may have something to do */
  GCond room;    /* the reading thread waits here */
  const VgPlayback *playback;
  GQueue frames; /* of VgQueuedFrame */
  GQueue past;   /* live: requested ones that were received before; computed before `frames` */
  guint max;
  int history; /* frames that are read before a requested one */
  gboolean live;
  gint64 catch_up_us;   /* live: until then (monotonic time) no frame is discarded; 0: no longer */
  gint64 n_frames;      /* of a stack */
  gboolean is_stopped;  /* the source is to be closed */
  gboolean is_detached; /* live: another view is shown; the newest frames wait */
  gboolean has_ended;   /* no frame will follow */
  gboolean end_seen;    /* by compute */
  GError *error;        /* why opening or reading ended */
  char *first_bad;      /* message of the first unreadable frame, until it is reported */

  gint64 next;    /* frame to read next */
  gint64 seek_to; /* -1, or the requested frame */
  gboolean seek_fresh;
  guint seek_serial;
  gboolean restart;   /* the next frame does not follow the last */
  guint bad_in_a_row; /* unreadable frames since the last readable one */
  gint64 due_us;      /* when the next frame of a played stack is due */

  VgFrameCounts counts; /* without `queued` */
  gboolean in_hand;     /* compute works on a frame that is to be counted */
  gboolean in_result;   /* the published result has such a frame */
} VgFrameQueue;

/* LOCK, FILLED and PLAYBACK are borrowed. */
void vg_frame_queue_init (VgFrameQueue *self, GMutex *lock, GCond *filled,
                          const VgPlayback *playback);
void vg_frame_queue_clear (VgFrameQueue *self);
/* Frees QUEUED and its reference to the frame. */
void vg_queued_frame_free (VgQueuedFrame *queued);

/* --- the reading thread --- */

/* The next frame of a stack to read.  FALSE after waiting: ask again. */
gboolean vg_frame_queue_next (VgFrameQueue *self, VgQueuedFrame *order);
/* Discards what was read for ORDER when a seek came meanwhile: FALSE.  Else FRAME, with its
 * reference, goes to compute. */
gboolean vg_frame_queue_add (VgFrameQueue *self, const VgQueuedFrame *order, VgFrame *frame);
/* The frame of ORDER cannot be read; ERROR is taken.  It ends the stack when it is FATAL or when
 * several frames in a row cannot be read. */
void vg_frame_queue_skip (VgFrameQueue *self, const VgQueuedFrame *order, gboolean fatal,
                          GError *error);
/* A live frame, with its reference.  The source skipped MISSING frames before it, which are LOST
 * or superseded.  RESTART: it does not follow the frame before it. */
void vg_frame_queue_add_live (VgFrameQueue *self, VgFrame *frame, guint64 missing, gboolean lost,
                              gboolean restart);
/* A live frame arrived damaged after MISSING that are LOST or superseded; ERROR is taken. */
void vg_frame_queue_skip_live (VgFrameQueue *self, guint64 missing, gboolean lost, GError *error);
/* No frame will follow; ERROR, or NULL, is taken. */
void vg_frame_queue_end (VgFrameQueue *self, GError *error);

/* --- the computing thread and the owner --- */

/* TRUE: a frame waits that may be computed now; EVEN_PAUSED: also while paused. */
gboolean vg_frame_queue_has_frame (const VgFrameQueue *self, gboolean even_paused);
/* TRUE: a seek has delivered its first frame. */
gboolean vg_frame_queue_has_jump (const VgFrameQueue *self);
/* The next frame, owned, which is then in hand.  There must be one.  A live source without history
 * gives its newest. */
VgQueuedFrame *vg_frame_queue_take (VgFrameQueue *self);
/* The frame in hand ends as superseded, or as BAD. */
void vg_frame_queue_finish (VgFrameQueue *self, gboolean bad);
/* The frame in hand is now in the published result; a frame in the result before is superseded. */
void vg_frame_queue_publish (VgFrameQueue *self);
/* The published result is shown. */
void vg_frame_queue_show (VgFrameQueue *self);
/* What is in hand or published ends as superseded. */
void vg_frame_queue_abandon (VgFrameQueue *self);
/* FRAME, with its reference, is computed again before the others; it is not counted again. */
void vg_frame_queue_put_back (VgFrameQueue *self, VgFrame *frame);
/* FRAME of a live source, of which a reference is taken, is computed again after the ones that were
 * added so before it; PREROLL: it is history of the next.  RESTART: it does not follow them. */
void vg_frame_queue_add_past (VgFrameQueue *self, VgFrame *frame, gboolean preroll,
                              gboolean restart);
/* Keeps all frames of a live source, even if there are more than `max`, until the past and those
 * that come meanwhile are computed, or MOST_US have passed.  If they are not computed by then, they
 * are discarded, and the next frame does not follow. */
void vg_frame_queue_catch_up (VgFrameQueue *self, gint64 most_us);
/* Discards the frames of the past. */
void vg_frame_queue_drop_past (VgFrameQueue *self);
/* The oldest frame ends as superseded. */
void vg_frame_queue_drop_oldest (VgFrameQueue *self);
/* Discards every frame. */
void vg_frame_queue_flush (VgFrameQueue *self);
/* Reads FRAME next, after its history; FRESH: it is to be counted. */
void vg_frame_queue_seek (VgFrameQueue *self, gint64 frame, gboolean fresh);
/* Reads the requested frame, or else CURRENT, once more with its history. */
void vg_frame_queue_read_again (VgFrameQueue *self, gint64 current);
VgFrameCounts vg_frame_queue_count (const VgFrameQueue *self);

G_END_DECLS
