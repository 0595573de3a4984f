/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-pipeline-private.h"
#include "app/pipeline/vg-publisher.h"
/* The part of the pipeline that only the compute thread uses, and the functions of that thread.
 *
 * They call each other in one direction: the loop (vg-pipeline-compute.c), opening and settings,
 * then steps (vg-pipeline-steps.c), then results (vg-pipeline-mailbox.c). */
G_BEGIN_DECLS

enum {
  /* of the frames that are kept to compute a paused live map again */
  VG_RECENT_BYTES = 1 << 30,
  VG_RECENT_FRAMES = 512,
  VG_PATIENCE_US = 1000000,  /* first value of VgCompute.patience_us */
  VG_SHOW_US = 1000000 / 60, /* between two maps of work in progress */
};

struct _VgCompute
{
  VgWork *work;
  guint generation;         /* of the work, when last inspected */
  VgBaselineState baseline; /* as well */
  guint64 regions_serial, compare_serial;
  GPtrArray *courses; /* of VgLeftCourse, of views that were left, the newest last */
  VgPublisher publisher;

  /* a stream */
  GQueue recent;       /* live: of VgFrame, the last is in hand; stack: that one only */
  gboolean broken_off; /* the last frame's steps have not come to their end */
  gint64 patience_us;  /* for the next one then, although newer settings wait */
  gboolean fed;        /* the engine state has seen a frame */
  gboolean mixed;      /* its window may hold frames from before a jump */
  gint64 since_jump;   /* frames computed since */
  gboolean recent_due; /* computing the recent frames again was broken off: do it first */
  gboolean owes_map;   /* new settings have no map; if no frame comes, recompute the last */
  guint64 maps;        /* of this input */

  /* a simulation or a data set */
  gboolean stepping;        /* there are more steps */
  gboolean one_step;        /* one step even when paused */
  gboolean precomputed;     /* no step yet: a precomputed result is shown */
  void *precomputed_params; /* with which it came; NULL: none did */
  gint64 paced_us;          /* when the last step of an animation was due */
  gint64 wait_until_us;     /* when the next one is due; 0: wait for a signal */
  gint64 requested_us;      /* when the settings came */
  gboolean is_requested;    /* and no result of them has been published yet */

  gboolean is_ahead; /* a checkpoint gave the work new settings, which have no map yet */

  /* what is shown */
  gboolean has_map;   /* outputs of the frame in hand are there */
  guint64 map_serial; /* of the settings that they were computed with */
  gboolean whole;     /* the shown map is of finished work */
  gboolean behind;    /* the last step has not been shown */
  gint64 published_us;
  gint64 started_us; /* the frame or step in hand; 0: it is only shown again */
};

/* No function below is called with the lock held, except where its comment says so. */

/* vg-pipeline-open.c */
typedef struct
{
  VgInput *input;
  void *params; /* owned */
  guint64 serial;
  void *last; /* owned: settings that were not yet applied to the work before, or NULL */
} VgInstall;
/* The lock is held.  FALSE: the input has failed to open, which is reported. */
gboolean vg_pipeline_begin_install (VgPipeline *self, VgInstall *task);
void vg_pipeline_install (VgPipeline *self, VgInstall *task);
void vg_pipeline_forget_precomputed (VgPipeline *self);

/* vg-pipeline-params.c */
typedef struct
{
  void *params;           /* owned */
  double exposure_ms;     /* exposure time of the camera when they were set; 0: not known */
  gboolean next_is_ready; /* a frame waits that shows them at once */
} VgChange;
/* The lock is held: the settings to apply, of before another input was opened or the newest. */
VgChange vg_pipeline_begin_change (VgPipeline *self);
void vg_pipeline_apply_params (VgPipeline *self, VgChange *change);
/* The lock is held.  The settings to start again with; FALSE: that was not requested. */
gboolean vg_pipeline_begin_restart (VgPipeline *self, VgChange *change);
void vg_pipeline_start_again (VgPipeline *self, VgChange *change);

/* vg-pipeline-left.c; the lock is held */
/* NEXT, which may be the same, replaces the input in use.  A live one continues detached. */
void vg_pipeline_leave_input (VgPipeline *self, VgInput *next);
/* Restores the time course of INPUT from when its view was left, or begins a new one. */
void vg_pipeline_restore_course (VgPipeline *self, VgInput *input);
void vg_left_course_free (gpointer course);

/* The time courses show a marker if the baseline has been lost since it was last inspected. */
void vg_pipeline_inspect_baseline (VgPipeline *self);

/* vg-pipeline-steps.c */
void vg_pipeline_compute_frame (VgPipeline *self, VgQueuedFrame *queued);
/* TRUE: newer settings or another input wait, or the work is to stop.  Takes the lock. */
gboolean vg_pipeline_is_replaced (gpointer pipeline);
/* Computes the frame in hand again, with other settings or on another device. */
void vg_pipeline_recompute (VgPipeline *self, VgWorkChange change);
void vg_pipeline_drop_recent (VgPipeline *self);
/* One step of a simulation or a data set. */
void vg_pipeline_compute_step (VgPipeline *self, gboolean playing);
/* Publishes what the work has computed. */
void vg_pipeline_show (VgPipeline *self, gboolean final, gboolean more_to_come);

/* vg-pipeline-mailbox.c */
/* FALSE: the work has moved to another device, and the frame in hand must be computed again. */
gboolean vg_pipeline_publish (VgPipeline *self, gboolean final, gboolean more_to_come);
/* Adds the frame in hand to the time courses without showing it; FALSE: as vg_pipeline_publish. */
gboolean vg_pipeline_add_to_course (VgPipeline *self);
/* Publishes the input where there is no engine state to compute a map. */
void vg_pipeline_publish_input (VgPipeline *self);
/* The frame in hand ends as superseded, or as BAD. */
void vg_pipeline_finish_frame (VgPipeline *self, gboolean bad);
/* Reports the device of the work and its notice. */
void vg_pipeline_inspect_work (VgPipeline *self);
/* Reports ERROR and ends the steps. */
void vg_pipeline_fail (VgPipeline *self, const GError *error);

/* vg-pipeline-query.c */
/* TRUE: the settings that were applied last have no step yet; the lock is held. */
gboolean vg_pipeline_owes_map (VgPipeline *self);
/* The lock is held.  The next query to answer; NULL: none waits, or a map comes first. */
GTask *vg_pipeline_next_query (VgPipeline *self);
/* QUERY is taken. */
void vg_pipeline_answer_query (VgPipeline *self, GTask *query);

/* vg-pipeline-checkpoint.c */
/* Saves the checkpoint of the work, with PARAMS when they need no other engine state (NULL: as it
 * is), for when its data are opened again. */
void vg_pipeline_save_checkpoint (VgPipeline *self, const void *params);
/* The checkpoint from which the work of INPUT resumes; NULL: none, with an error if there should
 * have been one. */
GBytes *vg_pipeline_find_checkpoint (VgPipeline *self, VgInput *input, GError **error);
/* Packed checkpoints of all operations that have one. */
GHashTable *vg_pipeline_collect_checkpoints (VgPipeline *self, GError **error);

G_END_DECLS
