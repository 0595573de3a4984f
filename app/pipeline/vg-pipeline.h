/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "app/pipeline/vg-query.h"
#include "app/compute/vg-reference.h"
#include "app/compute/vg-plot-plane.h"
#include "app/record/vg-recorder.h"
#include "app/compute/vg-result.h"
#include "app/session/vg-session.h"
#include "app/compute/vg-work.h"
#include "kernels/core/vg-cuda.h"
/* The threads behind the window.  The source thread reads frames and never waits for compute when
 * the source is live.  The compute thread applies the newest parameters and computes the newest
 * frame, or the next one when the operation has a history, step by step; between two steps it can
 * be cancelled.  The main thread takes the newest result.  Signals are emitted on the main thread.
 *
 *   received = shown + superseded + bad + lost + queued
 *
 * A frame is shown when its result has been taken, lost when the source skipped its number, bad
 * when it could not be read or the operation refused it, and superseded when a newer one replaced
 * it or when it was only history of a later map.
 *
 * After a seek or the end of a loop the history is computed first, so a map never mixes frames from
 * before and after the jump.
 *
 * The session adopts the source's metadata: on "opened" the window does so and sets the
 * parameters. */
G_BEGIN_DECLS

typedef enum {
  VG_PIPELINE_IDLE, /* nothing open */
  VG_PIPELINE_OPENING,
  VG_PIPELINE_RUNNING,
  /* holds the current frame, or the work where it is; still follows the sliders */
  VG_PIPELINE_PAUSED,
  VG_PIPELINE_FINISHED, /* end of the stack, or the work is done */
  VG_PIPELINE_FAILED,
} VgPipelineState;

typedef struct
{
  guint64 received, shown, superseded, lost, bad, queued;
  double results_per_s;
  double latency_p50_ms, latency_p99_ms; /* arrival to finished result, last 256 */
  double compute_ms;                     /* median of the last 256 */
} VgPipelineCounts;

#define VG_TYPE_PIPELINE (vg_pipeline_get_type ())
G_DECLARE_FINAL_TYPE (VgPipeline, vg_pipeline, VG, PIPELINE, GObject)
/* Signals:
 * - "result": a newer result waits: call vg_pipeline_take.
 * - "state-changed".
 * - "notice" (const char *text): for the banner, such as a fallback to the CPU.
 * - "refused" (guint64 serial, const char *text): these settings do not fit; the ones before stay.
 * - "failed" (GError *error): what was shown stays.
 * - "opened": vg_pipeline_get_info has an answer.
 * - "recorded": a recording has ended: call vg_pipeline_record_stop. */

VgPipeline *vg_pipeline_new (VgBackend backend);
/* Opens in the background and starts; what is shown stays until the new
 * source has opened, and stays for good when it fails.  Data that suit the
 * operation open also when the settings do not fit them: "failed" comes after
 * "opened", results are of the input only, and each change of the settings,
 * and play, tries again.  Takes a copy of all.  Returns the opening's number,
 * from 1. */
guint vg_pipeline_open (VgPipeline *self, const VgOperation *operation, const void *params,
                        const char *const *inputs, const char *read_options);
/* The next opening goes on from an outcome (VgEngine.outcome), if its settings and data are the
 * same: PACKED (vg-checkpoint-text.h), or, where that is NULL and it GOES_ON, what its operation
 * had come to with this input when it was left. */
void vg_pipeline_set_checkpoint (VgPipeline *self, const char *packed, gboolean goes_on);
/* For that, what the work of OTHER, which has been closed, had come to. */
void vg_pipeline_inherit (VgPipeline *self, VgPipeline *other);
/* PARAMS are OPERATION's: the one last opened, or after an opening that came
 * to nothing the one before.  Coalesces: only the newest is computed, of the
 * current frame when none is about to come.  Returns its serial. */
guint64 vg_pipeline_set_params (VgPipeline *self, const VgOperation *operation, const void *params);
void vg_pipeline_set_output (VgPipeline *self, int output);
/* Regions to follow; returns the serial the results carry. */
guint64 vg_pipeline_set_regions (VgPipeline *self, const VgRegion *regions, guint n);
void vg_pipeline_set_playback (VgPipeline *self, double fps, gboolean loop);
/* Plays on, or goes on with work where it was paused; at the end of a stack
 * and when the work is done, from the start again. */
void vg_pipeline_play (VgPipeline *self);
/* Work that refines itself keeps what it has; new settings that need a new
 * start get one, and show its first step. */
void vg_pipeline_pause (VgPipeline *self);
/* One step of such work, paused before and after. */
void vg_pipeline_step (VgPipeline *self);
void vg_pipeline_seek (VgPipeline *self, gint64 frame); /* stacks only */
/* Ends the work, keeps what is shown; settings that compute has not come to wait for play, or for
 * others.  While a live source's picture is being computed only that: the next frame is taken, and
 * a second call before a picture has come ends the source. */
void vg_pipeline_cancel (VgPipeline *self);
void vg_pipeline_close (VgPipeline *self); /* joins the threads */

VgPipelineState vg_pipeline_get_state (VgPipeline *self);
/* Of the settings at work when "failed" came last; G_MAXUINT64: it was the source, of which
 * settings change nothing. */
guint64 vg_pipeline_get_failed (VgPipeline *self);
/* Work was ended before it was done, and not begun or gone on with since. */
gboolean vg_pipeline_is_cancelled (VgPipeline *self);
/* A live source from which no more frames will come: it has ended, broken off or been cancelled. */
gboolean vg_pipeline_has_ended (VgPipeline *self);
/* Seconds since the picture, or the preparation, that is being computed was begun; 0: none is. */
double vg_pipeline_get_busy_s (VgPipeline *self);
/* The number of the opening that is in place, which may be the one before where "opened" is on its
 * way; 0: none. */
guint vg_pipeline_get_opened (VgPipeline *self);
/* FALSE: nothing open */
gboolean vg_pipeline_get_info (VgPipeline *self, VgImageInfo *info);
/* What was read and what was assumed, lines; NULL: nothing to say. */
char *vg_pipeline_get_details (VgPipeline *self);
void vg_pipeline_get_counts (VgPipeline *self, VgPipelineCounts *counts);
/* All of them, so that the sum can be checked: "10 frames received = 3 shown + 7 superseded + 0 bad
 * + 0 lost + 0 waiting". */
char *vg_pipeline_counts_to_text (const VgPipelineCounts *counts);
/* "NVIDIA H200" or "CPU, 8 threads" */
const char *vg_pipeline_get_device (VgPipeline *self);
const VgCuda *vg_pipeline_get_cuda (VgPipeline *self); /* NULL: CPU backend in use */
/* The newest result not yet taken, with a reference; NULL: nothing new. */
VgResult *vg_pipeline_take (VgPipeline *self);
/* Waits until a result with the settings of SERIAL, or newer ones, can be taken, at most MOST_US,
 * and not at all when the one before took longer to compute, or when none is coming.  TRUE: it can
 * be taken. */
gboolean vg_pipeline_await (VgPipeline *self, guint64 serial, gint64 most_us);

/* Asks the compute thread, which answers between two steps. */
void vg_pipeline_query_async (VgPipeline *self, const VgQuery *query, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer data);
/* The answer, owned, of the type that VgQueryKind names; NULL and an error: there is none. */
gpointer vg_pipeline_query_finish (VgPipeline *self, GAsyncResult *result, GError **error);
/* TRUE: VG_QUERY_CHECKPOINTS may have an answer for a session to save. */
gboolean vg_pipeline_has_checkpoint (VgPipeline *self);

/* Region means of every time_course output against time, for the regions of
 * SERIAL; bounded (older points are thinned by two when full). One VgCurves
 * per output, one series per region; NULL: the output has none. */
VgCurves *vg_pipeline_time_course (VgPipeline *self, int output);
void vg_pipeline_clear_time_course (VgPipeline *self);

/* What results hold from now on, for the operation that KEPT is of; KEPT NULL:
 * none, and exports hold no comparison.  A map that does not fit comes as it
 * is, with a note. */
void vg_pipeline_set_compare (VgPipeline *self, VgReference *reference, VgCompare mode);

/* What of the input results bring to lie under the map: VG_UNDERLAY_OFF,
 * 0: the mean over the time of a data set, or its frame from 1 on; of a stream
 * always the frame that the map is of. */
enum { VG_UNDERLAY_OFF = -1 };
void vg_pipeline_set_underlay (VgPipeline *self, gint64 frame);
/* Whether results bring the borders of the output that plays VG_ROLE_OUTLINES. */
void vg_pipeline_set_other_outlines (VgPipeline *self, gboolean on);

/* How exported previews are coloured; NULL: as the window shows it at first.
 * AS_STORED: their rows and columns are as in the file. */
void vg_pipeline_set_display (VgPipeline *self, const VgDisplay *display, gboolean as_stored);
/* Records every raw frame of the source in use from now on into a TIFF stack (vg-recorder.h),
 * whatever view is looked at, until it is ended, the source ends or the disk is full.  Frames that
 * could not be kept are counted. */
gboolean vg_pipeline_record_start (VgPipeline *self, const char *path, GError **error);
/* How it is; FALSE: there is none. */
gboolean vg_pipeline_record_get_status (VgPipeline *self, VgRecording *now);
/* Frames received so far are written in the background; the signal "recorded" follows. */
void vg_pipeline_record_end (VgPipeline *self);
/* Ends the recording, waits for it and frees it.  REPORT (or NULL) is filled in also when it
 * failed. */
gboolean vg_pipeline_record_stop (VgPipeline *self, VgRecording *report, GError **error);

G_END_DECLS
