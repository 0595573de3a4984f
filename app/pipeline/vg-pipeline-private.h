/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-counts.h"
#include "app/input/vg-input.h"
#include "app/pipeline/vg-pipeline.h"
#include "app/pipeline/vg-time-course.h"
/* The inside of the pipeline, for its source files and its tests.
 *
 * One lock guards everything that two threads see.  It is held to inspect, to queue and to count,
 * never to read, compute, copy or write.  No function releases a lock that its caller holds.  What
 * only the compute thread uses is in VgCompute (vg-compute.h) and needs no lock. */
G_BEGIN_DECLS

enum { VG_QUEUE_LIVE = 64 }; /* frames that a live source may be ahead of compute */

/* What the main thread has requested; the newest of each. */
typedef struct
{
  const VgOperation *operation; /* that params and output belong to */
  void *params;
  guint64 serial;
  guint64 n_serials; /* numbers given so far; those of an opening may be dropped */
  int output;
  VgDisplay display; /* of exported previews */
  gboolean has_display;
  gboolean as_stored;
  VgRegion *regions;
  /* that they were drawn for; NULL: for whatever is opened */
  const VgOperation *regions_operation;
  guint n_regions;
  guint64 regions_serial;
  VgReference *reference;
  VgCompare compare;
  guint64 compare_serial;
  gint64 underlay_frame;     /* VG_UNDERLAY_OFF, 0: the mean, or a frame from 1 */
  double underlay_window[2]; /* its black and white level; equal: automatic */
  gboolean other_outlines;   /* of the output that plays VG_ROLE_OUTLINES */
  int beside;                /* the output that results have beside theirs; -1: none */
  int whole;                 /* the slice that is measured as a whole; -1: none */
  gboolean again;            /* the work from its start */
  guint steps;               /* of paused work */
} VgWanted;

enum {
  VG_POST_RESULT = 1 << 0,
  VG_POST_STATE = 1 << 1,
  VG_POST_OPENED = 1 << 2,
  VG_POST_RECORDED = 1 << 3,
};

/* Newest results on their way to the main thread, and how long they took. */
typedef struct
{
  VgResult *result; /* not yet taken; or NULL */
  GCond changed;    /* a result has come, or compute has nothing more to do */
  VgMeasured latency_ms, compute_ms, times_s;
  gint64 took_us;  /* the last computed result; G_MAXINT64: there was none */
  gint64 frame_us; /* the last map of a single frame of a stream; G_MAXINT64: there was none */
} VgMailbox;

/* Signals that are to be emitted on the main thread. */
typedef struct
{
  GMainContext *context;
  GSource *idle;  /* NULL: nothing is to be emitted */
  guint posted;   /* VG_POST bits */
  GQueue notices; /* of char * */
  GQueue errors;  /* what has failed */
  char *refusal;  /* the newest, or NULL */
  guint64 refused_serial;
} VgPostedSignals;

/* The settings of the input in use when another was opened.  Newer ones are the opening's.  If it
 * fails or is cancelled, these are wanted again. */
typedef struct
{
  const VgOperation *operation;
  void *params; /* NULL: nothing was opened before */
  guint64 serial;
  guint64 opening_serial; /* of the first settings of the opening; 0: nothing is being opened */
  int output;
  VgDisplay display;
  gboolean has_display;
} VgLastSettings;

typedef enum {
  VG_PREPARATION_NONE,
  VG_PREPARATION_RUNNING, /* compute prepares the work of an input that has opened */
  VG_PREPARATION_CANCELLED,
} VgPreparation;

typedef struct _VgCompute VgCompute;

struct _VgPipeline
{
  GObject parent_instance;
  VgBackend backend;
  VgPipelineHooks hooks;

  /* main thread only */
  GThread *thread; /* compute; NULL: nothing was opened */
  guint openings;
  char *next_checkpoint; /* of the next opening, as VgInput.checkpoint and .resumes */
  gboolean next_resumes;
  VgRecorder *recorder;

  GMutex lock;
  GCond wake; /* compute waits here */
  gboolean quit;
  VgWanted wanted;
  VgPlayback playback;
  gboolean looks_back; /* at a frame of the past of `input` */
  double left_s;       /* the newest time of the courses when it began to; NaN: they had none */
  GPtrArray *inputs;   /* of VgInput: all whose threads have not been joined */
  VgInput *input;      /* in use */
  VgInput *pending;    /* opening */
  GPtrArray *left;     /* of VgLeftCheckpoint, the newest last */
  VgLastSettings last;

  VgPreparation preparation;
  VgPipelineState state;    /* of `input` */
  gboolean cancelled;       /* of `input`: steps end until play */
  guint64 cancelled_serial; /* of the newest settings then, which wait for play */
  gboolean untold; /* `input` gives settings, but "opened" was not emitted yet: no map is made */
  gboolean unprepared;    /* no settings have fitted `input` yet: only the input is shown */
  gboolean map_cancelled; /* of a live `input`; no map has come since */
  gint stop;              /* atomic: the current step or preparation is to end */
  gint prepared;          /* atomic: finished thousandths of the preparation; negative: unknown */
  gint64 busy_us;         /* since when compute has done one thing; 0: it waits */
  guint64 failed_serial;  /* of the settings that failed last */

  const VgOperation *operation; /* of the work */
  guint64 serial;               /* of the settings that were applied last */
  const char *device;           /* interned */
  const VgCuda *cuda;
  VgTimeCourse *course;   /* of `input`; has its own lock */
  VgSender *sender;       /* to which maps are sent; NULL: none */
  VgKymograph *kymograph; /* of the line that is followed; NULL: none */
  VgQueryQueue queries;
  VgMailbox mailbox;
  VgPostedSignals signals;

  VgCompute *compute; /* compute thread only */
};

void vg_pipeline_set_hooks (VgPipeline *self, const VgPipelineHooks *hooks);

/* vg-pipeline-compute.c */
gpointer vg_pipeline_compute (gpointer self);

/* vg-pipeline-state.c; the lock is held */
/* TRUE: an input is opened or prepared, and the settings that are wanted are those for it. */
gboolean vg_pipeline_is_opening (VgPipeline *self);
/* TRUE: settings wait that may be applied now. */
gboolean vg_pipeline_has_params (VgPipeline *self);
/* TRUE: settings of the input in use waited when another was opened. */
gboolean vg_pipeline_has_last (VgPipeline *self);
/* The same, and no query waits that saves the result of the present ones. */
gboolean vg_pipeline_may_change (VgPipeline *self);
/* TRUE: a frame waits that may be computed now. */
gboolean vg_pipeline_has_frame (VgPipeline *self);

/* vg-pipeline-params.c; the lock is held */
/* Sets the settings that the compute thread applies next. */
void vg_pipeline_want_params (VgPipeline *self, const VgOperation *operation, const void *params);
/* The same for the input that is being opened: they are applied with its data, or not at all. */
void vg_pipeline_want_opening (VgPipeline *self, const VgOperation *operation, const void *params);
/* The opening has failed or was cancelled: its settings are no longer wanted. */
void vg_pipeline_drop_opening (VgPipeline *self);
/* The settings from before the opening are no longer needed. */
void vg_pipeline_forget_last (VgPipeline *self);

/* vg-pipeline-left.c; the lock is held */
/* A running live source of the same data; NULL: there is none. */
VgInput *vg_pipeline_find_running (VgPipeline *self, const VgOperation *operation,
                                   const char *const *inputs, const char *read_options,
                                   gboolean resumes);

/* Adds the marks of INPUT to the time courses. */
void vg_pipeline_mark_input (VgPipeline *self, const VgInput *input);

/* A device that NEXT opens anew, with other settings, is closed first. */
void vg_pipeline_stop_same_device (VgPipeline *self, const VgInput *next);

/* vg-pipeline-past.c; the lock is held */
/* Computes frame I of the past of the input in use again, after its history. */
void vg_pipeline_request_past (VgPipeline *self, guint i);
/* Goes on with the frames that come. */
void vg_pipeline_leave_past (VgPipeline *self);

/* vg-pipeline-control.c; the lock is held */
/* Cancels the input that is opening or being prepared. */
void vg_pipeline_stop_opening (VgPipeline *self);

/* vg-pipeline-checkpoint.c */
void vg_left_checkpoint_free (gpointer checkpoint);

/* vg-pipeline-mailbox.c; any thread, the lock is held */
void vg_pipeline_set_state (VgPipeline *self, VgPipelineState state);
/* Reports ERROR; the state is VG_PIPELINE_FAILED from now on. */
void vg_pipeline_set_failed (VgPipeline *self, const GError *error);
void vg_pipeline_post (VgPipeline *self, guint bits);
void vg_pipeline_post_notice (VgPipeline *self, const char *text);
void vg_pipeline_post_refusal (VgPipeline *self, guint64 serial, const char *text);
/* OPENING: the number of the opening that failed; 0: the input that is already open failed. */
void vg_pipeline_post_error (VgPipeline *self, const GError *error, guint opening);
/* Discards what was posted. */
void vg_pipeline_clear_posted (VgPipeline *self);
void vg_pipeline_init_signals (VgPipelineClass *class);

G_END_DECLS
