/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-counts.h"
#include "app/pipeline/vg-followed-regions.h"
#include "app/pipeline/vg-input.h"
#include "app/pipeline/vg-pipeline.h"
#include "app/work/vg-result-pool.h"
#include "app/pipeline/vg-time-course.h"
/* The inside of the pipeline, for its source files and its tests.
 *
 * One lock guards everything that two threads see; it is held to look, to
 * queue and to count, never to read, compute, copy or write.  What only the
 * compute thread touches is marked so and needs no lock.
 */
G_BEGIN_DECLS

enum {
  VG_QUEUE_STACK = 3, /* frames read ahead of a stack */
  /* frames a live source may run ahead when every frame counts */
  VG_QUEUE_LIVE = 64,
  VG_QUEUE_LIVE_BYTES = 128 << 20, /* and their memory, four frames at least */
  /* of the frames kept to compute a paused live picture again */
  VG_RECENT_BYTES = 1 << 30,
  VG_RECENT_FRAMES = 512,
  VG_STATISTICS_US = 1000000 / 30, /* histograms are looked at, not counted on */
  /* with a map that newer settings have overtaken, where the one before was given up; */
  VG_PATIENCE_US = 1000000,
  VG_MOST_PATIENCE_US = 64000000, /* grows to */
};

/* What the main thread wants; the newest of each. */
typedef struct
{
  const VgOperation *operation; /* that params and output belong to */
  void *params;
  guint64 serial;
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
  gint64 underlay_frame;   /* VG_UNDERLAY_OFF, 0: the mean, or a frame from 1 */
  gboolean other_outlines; /* of the output that plays VG_ROLE_OUTLINES */
  gboolean again;          /* the work from its start */
  guint steps;             /* of paused work */
} VgWanted;

enum {
  VG_POST_RESULT = 1 << 0,
  VG_POST_STATE = 1 << 1,
  VG_POST_OPENED = 1 << 2,
  VG_POST_RECORDED = 1 << 3,
};

struct _VgPipeline
{
  GObject parent_instance;
  VgBackend backend;
  VgPipelineHooks hooks;
  GMainContext *context;
  GThread *thread;  /* compute */
  char *checkpoint; /* of the next opening, as VgInput has them; main thread */
  gboolean goes_on;
  guint openings; /* how many there have been; main thread */

  GMutex lock;
  GCond wake;    /* compute waits here */
  GCond arrived; /* a result has, or compute has nothing more to do */
  gboolean quit;
  VgWanted wanted;
  VgPlayback playback;
  VgInput *input;   /* in use */
  VgInput *pending; /* opening */
  /* settings of `input` that compute had not come to when something else was opened; NULL: none */
  void *before;
  guint64 before_serial;
  GPtrArray *left;          /* of VgLeftCheckpoint: of work that was left, the newest last */
  GPtrArray *inputs;        /* every one whose thread has not been joined */
  VgPipelineState state;    /* of `input` */
  gboolean cancelled;       /* of `input`: steps end, play goes on */
  guint64 cancelled_serial; /* the newest settings then: those that were waiting wait for play */
  gboolean preparing;       /* compute is taking over what has opened */
  gboolean give_up_opening; /* cancelled meanwhile */
  /* `input` has opened, and no settings have fitted it yet: only the input is seen */
  gboolean unprepared;
  /* a picture of the live `input` was cancelled, and none has come since */
  gboolean passed_over;
  /* atomic: the one thing that compute is at, a step or a preparation, is not wanted any more */
  gint stop;
  gint64 busy_us; /* since when compute has been at one thing; 0: it waits */
  const VgOperation *course_operation;
  const char *device; /* interned */
  const VgCuda *cuda;
  VgResult *mailbox;
  VgMeasured latency, compute, results;
  gint64 took_us; /* the last result that was computed; G_MAXINT64: there was none */
  VgQueryQueue queries;
  VgRecorder *recorder; /* main thread */
  guint posted;         /* VG_POST bits not yet emitted */
  GQueue notices;       /* of char * */
  GQueue errors;        /* of GError * */
  char *refusal;        /* not yet emitted */
  guint64 refused_serial;
  guint64 failed_serial; /* of the settings that failed last */
  GSource *idle;

  VgTimeCourse *course; /* of `input`; has its own lock */
  VgResultPool *results_pool;

  /* compute thread only */
  VgWork *work;
  const VgOperation *operation;
  guint generation; /* of the work, when last looked at */
  guint64 serial, regions_serial, compare_serial;
  GPtrArray *courses; /* of VgLeftCourse, of views that were left, the newest last */
  int output;
  VgReference *reference;
  VgCompare compare;
  gint64 underlay_frame;
  gboolean other_outlines;
  /* that of underlay_data, frame underlay_id of a stream, as underlay_made says; NULL: none */
  VgUnderlay *underlay;
  const void *underlay_data;
  guint64 underlay_id;
  gint64 underlay_made;
  gboolean underlay_surveyed; /* limits hold for all of a data set */
  double underlay_limits[2];
  float *compared; /* samples of a compared map */
  gsize compared_capacity;
  VgFollowedRegions *followed;
  GQueue recent;       /* live: of VgFrame, the last is in hand; stack: that one only */
  gboolean broken_off; /* the last frame's steps have not come to their end */
  gint64 patience_us;  /* with the next then */
  gboolean fed;        /* the state has seen a frame */
  gboolean mixed;      /* its window may hold frames from before a jump */
  gint64 since_jump;   /* frames fed since */
  gboolean refeed;     /* feeding again was broken off: do it before anything is shown */
  gboolean stepping;   /* there is more to do for a simulation or a data set */
  gboolean one_step;   /* one step even when paused */
  /* no step yet: an old result that came with the settings is looked at */
  gboolean precomputed;
  void *precomputed_params;  /* with which it came; NULL: none did */
  gboolean has_map;          /* outputs of the frame in hand are there */
  gboolean whole;            /* the picture in view is of finished work */
  gboolean behind;           /* the last step has not been shown */
  gboolean statistics_stale; /* of the last result */
  gint64 statistics_us, published_us;
  gint64 paced_us;      /* when the last step of paced work was due */
  gint64 wait_until_us; /* when paced work is to be looked at again; 0: when woken */
  gint64 started_us;    /* the frame or step that is computed; 0: shown again only */
  gint64 asked_us;      /* work without frames: when its settings came */
  gboolean asked;       /* and no result of them is out yet */
  VgStatistics statistics;
  double brightness_limits[2];
  double noise; /* of the map of noise_output, when it was last looked at */
  int noise_output;
  guint noise_generation;
  gint64 noise_us;
  guint64 maps; /* since the input was taken over */
};

void vg_pipeline_set_hooks (VgPipeline *self, const VgPipelineHooks *hooks);

/* vg-pipeline-compute.c */
gpointer vg_pipeline_compute (gpointer self);
/* The lock is not held. */
void vg_pipeline_fail (VgPipeline *self, const GError *error);

/* vg-pipeline-params.c; compute thread, the lock is held, and let go meanwhile */
void vg_pipeline_apply_params (VgPipeline *self);
void vg_pipeline_start_again (VgPipeline *self);
/* Settings wait, and may be taken now. */
gboolean vg_pipeline_has_params (VgPipeline *self);
/* A frame waits, and may be taken now. */
gboolean vg_pipeline_has_frame (VgPipeline *self);

/* vg-pipeline-left.c; the lock is held */
/* The running live source of the data that are to be opened; NULL: there is none. */
VgInput *vg_pipeline_find_running (VgPipeline *self, const VgOperation *operation,
                                   const char *const *inputs, const char *read_options,
                                   gboolean goes_on);
/* Compute thread: NEXT, which may be the same, takes the place of the input in use.  A live one
 * goes on by itself. */
void vg_pipeline_leave_input (VgPipeline *self, VgInput *next);
/* Compute thread: the time course of FEED, as it was left or a new one. */
void vg_pipeline_take_course (VgPipeline *self, VgInput *input);
void vg_left_course_free (gpointer course);

/* vg-pipeline-control.c; any thread, the lock is held: what is opening, or opened and being
 * prepared, is not wanted any more */
void vg_pipeline_stop_opening (VgPipeline *self);

/* vg-pipeline-open.c; compute thread, the lock is held, and let go meanwhile */
void vg_pipeline_take_over (VgPipeline *self);
void vg_pipeline_forget_precomputed (VgPipeline *self); /* compute thread */

/* vg-pipeline-stream.c; compute thread, the lock is not held */
void vg_pipeline_take_frame (VgPipeline *self, VgQueuedFrame *queued);
void vg_pipeline_recompute (VgPipeline *self, VgWorkChange change);
void vg_pipeline_drop_recent (VgPipeline *self);
/* A frame that no state can take is looked at. */
void vg_pipeline_look_at_frame (VgPipeline *self, VgQueuedFrame *queued);

/* vg-pipeline-publish.c; compute thread, the lock is not held */
/* Follows the regions of the frame in hand without showing it. */
void vg_pipeline_follow (VgPipeline *self);
void vg_pipeline_publish (VgPipeline *self, gboolean final, gboolean more_to_come);
/* The input by itself, where there is no state to make a map. */
void vg_pipeline_publish_input (VgPipeline *self);
/* The frame in hand ends as superseded, or as bad. */
void vg_pipeline_settle (VgPipeline *self, gboolean bad);
/* What the work has become: device, notice. */
void vg_pipeline_look_at_work (VgPipeline *self);

/* vg-pipeline-compare.c; compute thread, the lock is not held */
/* PLANE becomes what is wanted of it.  A map that does not fit stays as it is,
 * with a note; FALSE: an error. */
gboolean vg_pipeline_compare (VgPipeline *self, int output, VgPlane *plane, VgCompare *mode,
                              char **note, GError **error);
/* Of what has its error in %; looked at as seldom as histograms while the same work goes on. */
double vg_pipeline_noise_of (VgPipeline *self, int output, const VgPlane *plane);

/* vg-pipeline-underlay.c; compute thread, the lock is not held */
/* Gives the result the input to lie under it, where it is of its size and is asked for. */
/* Of the map and of the followed regions; MAY_BE_STALE: more results come at once, so the map's are
 * made anew a few times a second. */
gboolean vg_pipeline_add_statistics (VgPipeline *self, VgResult *result, gboolean may_be_stale,
                                     GError **error);
/* Makes PLANE one that the CPU reads: in *OWNED what a device has. */
gboolean vg_pipeline_bring_to_host (const VgCuda *cuda, VgPlane *plane, float **owned);
void vg_pipeline_add_underlay (VgPipeline *self, VgResult *result);
void vg_pipeline_forget_underlay (VgPipeline *self);

/* vg-pipeline-query.c; compute thread, the lock is held, and let go meanwhile */
/* Answers the next query; FALSE: none waits, or a map comes first. */
gboolean vg_pipeline_answer_query (VgPipeline *self);

/* vg-pipeline-checkpoint.c; compute thread, the lock is not held */
/* Remembers the outcome of the work at hand, with PARAMS (NULL: as it is). */
void vg_pipeline_leave (VgPipeline *self, const void *params);
void vg_left_checkpoint_free (gpointer checkpoint);
/* What the work of FEED goes on from; NULL: from its settings, with an error if there should have
 * been more. */
GBytes *vg_pipeline_come_to (VgPipeline *self, VgInput *input, GError **error);
/* Packed, of all operations that have one. */
GHashTable *vg_pipeline_gather (VgPipeline *self, GError **error);

/* vg-pipeline-export.c; compute thread, the lock is not held */
gboolean vg_pipeline_export (VgPipeline *self, const VgQuery *query, GCancellable *cancellable,
                             guint *n_maps, GError **error);

/* vg-pipeline-signals.c; any thread, the lock is held */
void vg_pipeline_post (VgPipeline *self, guint bits);
void vg_pipeline_post_notice (VgPipeline *self, const char *text);
void vg_pipeline_post_refusal (VgPipeline *self, guint64 serial, const char *text);
void vg_pipeline_post_error (VgPipeline *self, const GError *error);
void vg_pipeline_set_state (VgPipeline *self, VgPipelineState state);
/* Emits what was posted; main thread, the lock is not held. */
void vg_pipeline_emit (VgPipeline *self);
void vg_pipeline_init_signals (VgPipelineClass *class);

G_END_DECLS
