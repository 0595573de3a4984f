/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/input/vg-frame-pool.h"
#include "app/input/vg-frame-queue.h"
#include "app/input/vg-look-back.h"
#include "app/record/vg-recorder.h"
#include "app/compute/vg-work.h"
/* One opened input: the thread that opens, reads and closes it, and the frames that it has read.
 *
 * A stream is read from the moment that compute uses it.  A data set is read whole when it is
 * opened.  The source thread is the only one that closes the source. */
G_BEGIN_DECLS

/* What a test replaces. */
typedef struct
{
  VgSource *(*open_source) (gpointer data, const VgOperation *operation, const void *params,
                            const char *const *inputs, const char *read_options, GError **error);
  VgWork *(*new_work) (gpointer data, const VgOperation *operation, VgBackend backend,
                       GError **error);
  gpointer data;
} VgPipelineHooks;

typedef struct
{
  const VgPipelineHooks *hooks; /* borrowed */
  const VgOperation *operation;
  void *params; /* when it was opened: those of a synthetic source */
  GStrv inputs; /* empty: a synthetic source */
  char *read_options;
  GThread *thread;       /* NULL until vg_input_start */
  GCancellable *opening; /* of an opening that waits for its device */

  /* guarded by the owner's lock */
  guint number;        /* of the opening */
  char *checkpoint;    /* packed, from which the work resumes; or NULL */
  gboolean resumes;    /* from the checkpoint of when its view was left */
  gboolean is_opened;  /* or has failed: queue.error */
  gboolean is_running; /* compute uses it or has used it */
  gboolean is_closed;  /* its thread ends */
  VgSource *source;    /* of a stream that is open */
  VgLiveStatus sent;   /* account of a stream that has been closed */
  VgImage *image;      /* VG_INPUT_DATASET */
  VgImage *slide;      /* VgImage.slide of the slide region before, to use again; or NULL */
  VgImageInfo info;
  gboolean has_info;
  char *details; /* what the source reports about itself, or NULL */
  GArray *marks; /* VgSource.marks, or NULL */
  char **series; /* what each of its series is, ended by NULL; or NULL */
  char *caution; /* what it reports about the read options, or NULL */
  VgFramePool *pool;
  VgLookBack *look_back; /* of a live source, before its thread reads; or NULL */
  guint64 bad;           /* live: frames that were lost or damaged after the newest one kept */
  VgRecorder *recorder;  /* that gets the frames, borrowed; or NULL */
  VgFrameQueue queue;
} VgInput;

/* LOCK, FILLED and PLAYBACK: of the queue (vg-frame-queue.h). */
VgInput *vg_input_new (const VgPipelineHooks *hooks, const VgOperation *operation,
                       const void *params, const char *const *inputs, const char *read_options,
                       GMutex *lock, GCond *filled, const VgPlayback *playback);
/* Joins the thread; the lock is not held. */
void vg_input_free (VgInput *self);
/* TRUE: the same operation, files and read options. */
gboolean vg_input_matches (const VgInput *self, const VgOperation *operation,
                           const char *const *inputs, const char *read_options);
/* TRUE: frames are computed on demand, so a frame that nobody requested is not lost. */
gboolean vg_input_is_synthetic (const VgInput *self);

/* The lock is held. */
void vg_input_start (VgInput *self);
/* Cancels what the source waits for; the thread then closes it. */
void vg_input_stop (VgInput *self);
/* What became of the frames of a stream, also when it has ended; all 0 for other data. */
void vg_input_account (VgInput *self, VgLiveStatus *status);
/* Ends an opening.  A source that runs already continues, detached unless it is IN_USE. */
void vg_input_cancel_opening (VgInput *self, gboolean in_use);

/* Reads frames into the queue until the input is stopped or ends; source thread, the lock is not
 * held. */
void vg_input_read (VgInput *self);

G_END_DECLS
