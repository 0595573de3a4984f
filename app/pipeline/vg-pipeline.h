/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "app/pipeline/vg-query.h"
#include "app/compute/vg-reference.h"
#include "app/compute/vg-plot-plane.h"
#include "app/profile/vg-kymograph.h"
#include "app/record/vg-recorder.h"
#include "app/send/vg-sender.h"
#include "app/compute/vg-result.h"
#include "app/session/vg-session.h"
#include "app/compute/vg-work.h"
#include "io/source/vg-source.h"
#include "kernels/core/vg-cuda.h"
/* The threads behind the window.  The source thread reads frames and never waits for compute when
 * the source is live.  The compute thread applies the newest parameters and computes the newest
 * frame, or the next one when the operation has a history, step by step; between two steps it can
 * be cancelled.  The main thread takes the newest result.  Signals are emitted on the main thread.
 *
 *   sent = shown + superseded + bad + lost + queued
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

enum { VG_LOOK_BACK_S = 60 }; /* of a live source that stay in memory, at most */

typedef struct
{
  gboolean live; /* a source sent them; else they were read from a file or made */
  guint64 sent, shown, superseded, lost, bad, queued;
  double results_per_s;
  double latency_p50_ms, latency_p99_ms; /* arrival to finished result, last 256 */
  double compute_ms;                     /* median of the last 256 */
} VgPipelineCounts;

/* What is kept of a live source. */
typedef struct
{
  double oldest_s, newest_s; /* times of its frames */
  guint frames;
  guint64 bytes;  /* of memory that they take */
  gboolean shown; /* a frame of the past is shown, not the newest */
} VgPast;

#define VG_TYPE_PIPELINE (vg_pipeline_get_type ())
G_DECLARE_FINAL_TYPE (VgPipeline, vg_pipeline, VG, PIPELINE, GObject)
/* Signals:
 * - "result": a newer result waits: call vg_pipeline_take.
 * - "state-changed".
 * - "notice" (const char *text): for the banner, such as a fallback to the CPU.
 * - "refused" (guint64 serial, const char *text): these settings do not fit; the ones before stay.
 * - "failed" (GError *error, guint opening): the opening with this number failed, or, if it is 0,
 * the input that is already open; the displayed result stays.
 * - "opened": vg_pipeline_get_info has an answer.
 * - "recorded": a recording has ended: call vg_pipeline_record_stop. */

VgPipeline *vg_pipeline_new (VgBackend backend);
/* Opens an input in the background and starts it; all arguments are copied.  The present result
 * stays until the new source has opened, or for good if that fails.  Data that the operation
 * accepts are opened even if the settings are invalid for them: "failed" follows "opened", results
 * show the input only, and every change of the settings, and play, tries again.  Returns the number
 * of the opening, from 1. */
guint vg_pipeline_open (VgPipeline *self, const VgOperation *operation, const void *params,
                        const char *const *inputs, const char *read_options);
/* The next opening resumes from a checkpoint if its settings and data are the same: from PACKED
 * (vg-checkpoint-text.h) or, if that is NULL and GOES_ON is set, from the one that was saved when
 * its view was left with this input. */
void vg_pipeline_set_checkpoint (VgPipeline *self, const char *packed, gboolean goes_on);
/* Takes the checkpoints of the views that were left in OTHER, which has been closed. */
void vg_pipeline_inherit (VgPipeline *self, VgPipeline *other);
/* Sets the PARAMS of OPERATION, the one opened last, or the one before if that opening failed. Only
 * the newest settings are computed, with the current frame if no other is about to arrive.  Returns
 * their serial. */
guint64 vg_pipeline_set_params (VgPipeline *self, const VgOperation *operation, const void *params);
void vg_pipeline_set_output (VgPipeline *self, int output);
/* Sets the regions to measure; returns the serial that their results have. */
guint64 vg_pipeline_set_regions (VgPipeline *self, const VgRegion *regions, guint n);
void vg_pipeline_set_playback (VgPipeline *self, double fps, gboolean loop);
/* Plays a stack or continues paused work; a stack at its end, and completed work, start again. */
void vg_pipeline_play (VgPipeline *self);
/* Pauses.  Settings that need a new engine state still get one, and its first step is shown. */
void vg_pipeline_pause (VgPipeline *self);
/* Computes one step of a simulation or a data set, which stays paused. */
void vg_pipeline_step (VgPipeline *self);
/* Shows the frame of a live source that is nearest to TIME_S, and pauses; its frames are received
 * and recorded further.  vg_pipeline_play goes on with them.  FALSE: nothing of it is kept. */
gboolean vg_pipeline_look_back (VgPipeline *self, double time_s);
/* What is kept of the live source in use; FALSE: nothing. */
gboolean vg_pipeline_get_past (VgPipeline *self, VgPast *past);
/* The newest frame of the live source in use, with a reference; NULL: there is none. */
VgFrame *vg_pipeline_get_newest (VgPipeline *self);
void vg_pipeline_seek (VgPipeline *self, gint64 frame); /* stacks only */
/* Cancels the work; its result stays.  Settings that have not been applied wait for play or for
 * newer settings.  With a live source only the present map is cancelled and the next frame is
 * computed; a second call before there is a map ends the source. */
void vg_pipeline_cancel (VgPipeline *self);
void vg_pipeline_close (VgPipeline *self); /* joins the threads */

VgPipelineState vg_pipeline_get_state (VgPipeline *self);
/* The serial of the settings that failed last; G_MAXUINT64: the source failed, whatever the
 * settings. */
guint64 vg_pipeline_get_failed (VgPipeline *self);
/* TRUE: the work was cancelled and has not been continued or started again. */
gboolean vg_pipeline_is_cancelled (VgPipeline *self);
/* What the user can make happen in the live sample data that are open, and whether it is ON; NULL:
 * nothing. */
const VgSampleEvent *vg_pipeline_get_event (VgPipeline *self, gboolean *on);
/* Begins (ON) or ends it, from *TIME_S on; FALSE: it is so already, or nothing can happen. */
gboolean vg_pipeline_trigger (VgPipeline *self, gboolean on, double *time_s);
/* TRUE: a live source will deliver no more frames: it has ended, failed or been cancelled. */
gboolean vg_pipeline_has_ended (VgPipeline *self);
/* Seconds since the present map or preparation was begun; 0: nothing is computed. */
double vg_pipeline_get_busy_s (VgPipeline *self);
/* The fraction of a long preparation that is done; negative: there is none, or it is unknown. */
double vg_pipeline_get_prepared (VgPipeline *self);
/* The number of the opening of the input in use, for which "opened" may not have been emitted yet;
 * 0: none. */
guint vg_pipeline_get_opened (VgPipeline *self);
/* FALSE: nothing is open. */
gboolean vg_pipeline_get_info (VgPipeline *self, VgImageInfo *info);
/* How the live source in use does; FALSE: it is none, or does not say. */
gboolean vg_pipeline_get_live (VgPipeline *self, VgLiveStatus *status);
/* The settings of its device, with a reference; NULL: it has none, or they are not known yet. */
VgFeatures *vg_pipeline_get_features (VgPipeline *self);
/* Has SETTING ("Name=Value") set at the device soon. */
void vg_pipeline_set_feature (VgPipeline *self, const char *setting);
/* The source in use has this exposure and frame interval from now on, 0 for not known; INFO, with
 * them.  It takes effect with the next vg_pipeline_set_params.  FALSE: there is none. */
gboolean vg_pipeline_set_timing (VgPipeline *self, double exposure_ms, double frame_interval_s,
                                 VgImageInfo *info);
/* Lines that say what was read and what was assumed, owned; or NULL. */
char *vg_pipeline_get_details (VgPipeline *self);
/* What each of several series of the source is, ended by NULL and owned; or NULL. */
char **vg_pipeline_get_series (VgPipeline *self);
void vg_pipeline_get_counts (VgPipeline *self, VgPipelineCounts *counts);
/* The counts as a sum that can be checked, such as "10 frames sent = 3 shown + 7 superseded + 0 bad
 * + 0 lost + 0 waiting"; in English, owned. */
char *vg_pipeline_counts_to_text (const VgPipelineCounts *counts);
/* "NVIDIA H200" or "CPU, 8 threads" */
const char *vg_pipeline_get_device (VgPipeline *self);
const VgCuda *vg_pipeline_get_cuda (VgPipeline *self); /* NULL: CPU backend in use */
/* The newest result not yet taken, with a reference; NULL: nothing new. */
VgResult *vg_pipeline_take (VgPipeline *self);
/* Waits at most MOST_US until a result with the settings of SERIAL, or newer ones, can be taken. It
 * does not wait if the result before took longer to compute, or if none is being computed.  TRUE: a
 * result can be taken. */
gboolean vg_pipeline_await (VgPipeline *self, guint64 serial, gint64 most_us);

/* Asks the compute thread, which answers between two steps. */
void vg_pipeline_query_async (VgPipeline *self, const VgQuery *query, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer data);
/* The answer, owned, of the type that VgQueryKind names; NULL and an error: there is none. */
gpointer vg_pipeline_query_finish (VgPipeline *self, GAsyncResult *result, GError **error);
/* TRUE: VG_QUERY_CHECKPOINTS may have an answer for a session to save. */
gboolean vg_pipeline_has_checkpoint (VgPipeline *self);

/* The means of the regions against time, one series per region; older points are thinned.  NULL:
 * OUTPUT has no time course. */
VgCurves *vg_pipeline_time_course (VgPipeline *self, int output);
/* Keeps the marks of the file. */
void vg_pipeline_clear_time_course (VgPipeline *self);
/* The marks of the file and those that were set (of VgCurveMark), in the order of their times,
 * owned.  x is the time in s, or, with BY_FRAME, the number of the frame at that time, from 1. */
GArray *vg_pipeline_get_marks (VgPipeline *self, gboolean by_frame);
/* Puts a marker with LABEL at TIME_S into all time courses, and into a recording in progress. */
void vg_pipeline_mark_time (VgPipeline *self, double time_s, const char *label);

/* Results of the operation of REFERENCE contain the comparison MODE from now on, and exports too;
 * REFERENCE NULL: none.  A map that cannot be compared stays as it is, with a note. */
void vg_pipeline_set_compare (VgPipeline *self, VgReference *reference, VgCompare mode);

/* The underlay of results: VG_UNDERLAY_OFF, 0 for the mean of a data set over time, or its frame
 * from
 * 1.  A stream shows the frame of the map. */
enum { VG_UNDERLAY_OFF = -1 };
void vg_pipeline_set_underlay (VgPipeline *self, gint64 frame);
/* Black and white level of a grey underlay; equal: automatic. */
void vg_pipeline_set_window (VgPipeline *self, const double limits[2]);
/* Results have this output beside theirs; -1: none. */
void vg_pipeline_set_beside (VgPipeline *self, int output);
/* Results have the statistics of all pixels of SLICE of their map (VgResult.whole); -1: none. */
void vg_pipeline_set_whole (VgPipeline *self, int slice);
/* Whether results have the outlines of the output with the role VG_ROLE_OUTLINES. */
void vg_pipeline_set_other_outlines (VgPipeline *self, gboolean on);

/* The display of exported previews; NULL: as the window shows it at first.  AS_STORED: their rows
 * and columns are as in the file. */
void vg_pipeline_set_display (VgPipeline *self, const VgDisplay *display, gboolean as_stored);
/* Records every raw frame of the source in use into a file (vg-recorder.h), whatever view is shown,
 * until it is ended, the source ends or the disk is full.  Frames that could not be written are
 * counted.  The file begins with the frames of a live source that are still in memory and that
 * arrived at FROM_US (monotonic time) or later, with their marks; G_MAXINT64: with none. */
gboolean vg_pipeline_record_start (VgPipeline *self, const char *path, gint64 from_us,
                                   GError **error);
/* The state of the recording, which the caller clears; FALSE: there is none. */
gboolean vg_pipeline_record_get_status (VgPipeline *self, VgRecording *now);
/* Frames received so far are written in the background; the signal "recorded" follows. */
void vg_pipeline_record_end (VgPipeline *self);
/* Ends the recording, waits for it and frees it.  REPORT, or NULL, is set even if it failed. */
gboolean vg_pipeline_record_stop (VgPipeline *self, VgRecording *report, GError **error);

/* The values of OUTPUT along LINE (NULL: no line), followed from the first call with them on, with
 * a reference; NULL: there is no line. */
VgKymograph *vg_pipeline_follow_line (VgPipeline *self, guint output, const VgProfileLine *line);
/* Maps that are published are sent to other programs too; NULL: none are. */
void vg_pipeline_set_sender (VgPipeline *self, VgSender *sender);

G_END_DECLS
