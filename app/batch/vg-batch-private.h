/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/batch/vg-batch.h"
#include "app/batch/vg-reader.h"
#include "app/movie/vg-movie.h"
#include "app/send/vg-sender.h"
/* The state of a batch run, and the functions that its files share. */
G_BEGIN_DECLS

/* State of the device of a live source. */
typedef struct
{
  VgLiveStatus status; /* as it was last read */
  gint64 end_us;       /* monotonic time at which the stream ends; 0: no limit */
  const char *details; /* VgSource.details */
  gboolean told_full;  /* that frames come faster than they are computed */
  gboolean noted;      /* what became of the frames */
} VgBatchLive;

typedef struct
{
  const VgBatchJob *job;
  VgWork *work;
  const VgOperation *operation;
  VgStaging *staging; /* NULL: only a movie is made */
  const char *prefix; /* "run-2/" or "" */
  VgExport *export;   /* NULL: the same */
  VgMovie *movie;     /* NULL: none */
  VgMovieScene scene; /* of the movie */
  VgSender *sender;   /* of maps to other programs; NULL: none */
  VgFollowedRegions *sent_regions;
  char **sent_names; /* of these regions */
  double seconds;
  gint64 total;        /* frames; -1: not known */
  const GArray *marks; /* of a stream, of VgCurveMark, x in s; NULL: none */
  GPtrArray *notes;    /* about the run, owned; NULL: none */
  GPtrArray *found;    /* ids of the parameters whose regions were found, static; NULL: none */
  GPtrArray *outlines; /* of the masks that were found, VgNamedRegion; NULL: none */
  /* those of the job and of the settings, NULL-terminated; NULL: none.  They borrow from the job
   * and from `own_regions`. */
  const VgNamedRegion **regions;
  GPtrArray *own_regions;
  const char *caution; /* warning about the input; NULL: none */
  /* of a stream */
  gboolean live;        /* its frames cannot be read again */
  gint64 maps;          /* frames with maps */
  gint64 since_bad;     /* frames since the last unreadable one */
  guint bad;            /* unreadable frames */
  gboolean broken;      /* frames without a map came after a lost connection or a new exposure */
  GString *bad_numbers; /* numbers of the first of them */
  GError *first_bad;
  char *cut;        /* how the input is truncated; NULL: it is not */
  char *broken_off; /* why the stream ended early; NULL: it did not */
  gboolean stopped; /* the user ended it; the maps so far are written */
  VgBatchLive device;
  /* of a slide */
  int tiles, tiles_done; /* 0 tiles: the data are in one piece */
  GPtrArray *numbers;    /* of VgMetrics: of its regions so far; NULL: there is only one */
} VgBatch;

/* vg-batch-loop.c */
/* Reports new notices of the work, and progress: FRACTION of the data, or of the tile in work;
 * negative: not known. */
void vg_batch_report (VgBatch *self, double fraction);
void vg_batch_notify (VgBatch *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Reports the alarms that began or ended with the newest maps. */
void vg_batch_notify_alarms (VgBatch *self);
/* Adds NOTE, which is taken, to those of the run. */
void vg_batch_add_note (VgBatch *self, char *note);
gboolean vg_batch_is_cancelled (VgBatch *self, GError **error);
/* Called between two steps.  FALSE, with or without an error: no more steps. */
typedef gboolean (*VgBatchBetween) (gpointer data, GError **error);
/* Steps WORK until its frame, tile or data set is computed, on any thread if WORK is not that of
 * the batch.  FAILED without an error: BETWEEN ended it. */
VgStep vg_batch_step (VgBatch *self, VgWork *work, VgBatchBetween between, gpointer data,
                      GError **error);
/* Steps the work of the batch until the frame or data set is computed.  WAIT: the frame has no map.
 */
VgStep vg_batch_step_to_end (VgBatch *self, GError **error);

/* vg-batch.c */
/* Reports CAUTION, which is borrowed, now and in the summary.  CUT: it says that the input is
 * truncated, which makes the results incomplete.  FALSE: an error, as the job is strict. */
gboolean vg_batch_report_caution (VgBatch *self, const char *caution, gboolean cut, GError **error);
/* A copy of PARAMS that adopts the metadata in INFO where the user set no value.  INFO NULL: there
 * is no input. */
void *vg_batch_adopt (VgBatch *self, const void *params, const VgImageInfo *info);
gboolean vg_batch_prepare (VgBatch *self, const void *params, const VgImageInfo *info,
                           VgImage *image, GError **error);
void vg_batch_start_export (VgBatch *self, gint64 pages);
/* Handles FAILURE (owned), an error while maps of GENERATION were written.  TRUE: it was the GPU's,
 * the work has moved to the CPU, and the job begins again from its input; else ERROR is set. */
gboolean vg_batch_starts_over (VgBatch *self, guint generation, GError *failure, GError **error);
/* Completes the files in the staging folder.  *FINISHED is FALSE if the GPU failed meanwhile and
 * the data can be read again: the CPU has to compute everything, because the maps of a GPU differ
 * from its own in the last bits. */
gboolean vg_batch_finish (VgBatch *self, gboolean *finished, GError **error);

/* A data set, or a simulation: steps to the end, one set of maps. */
gboolean vg_batch_run_whole (VgBatch *self, const void *params, const char *const *inputs,
                             GError **error);
/* Processes the RUNS of a settings file, with the values that the user set. */
gboolean vg_batch_run_settings (VgBatch *self, GPtrArray *runs, GError **error);
/* Opens the input if it is a slide to process by tiles; else NULL, with or without an error. */
VgSource *vg_batch_open_slide (VgBatch *self, GError **error);
/* Processes a slide tile by tile. */
gboolean vg_batch_run_slide (VgBatch *self, VgSource *source, GError **error);

/* vg-slide-regions.c */
/* Processes the slide regions of the job one after the other, each into a folder of its own, and
 * joins their tables, outlines and metrics. */
gboolean vg_batch_run_regions (VgBatch *self, GError **error);

/* vg-batch-find.c */
/* Sets the regions in PARAMS that the operation finds in IMAGE, and adds notes on them. */
gboolean vg_batch_find_regions (VgBatch *self, void *params, VgImage *image, GError **error);
void vg_batch_forget_found (VgBatch *self);

/* vg-batch-movie.c */
/* Sets the movie if the job wants one. */
gboolean vg_batch_open_movie (VgBatch *self, GError **error);
/* Adds the newest maps of a stream to the movie. */
gboolean vg_batch_film_frame (VgBatch *self, VgFrame *frame, GError **error);
/* Adds a step of an evolution that is not at its end. */
gboolean vg_batch_film_step (VgBatch *self, GError **error);
/* Adds the final maps of a data set: the last step, or one for each of its frames. */
gboolean vg_batch_film_whole (VgBatch *self, GError **error);

/* vg-batch-send.c */
/* Connects to the programs that the job wants maps sent to, or listens for them. */
gboolean vg_batch_open_sender (VgBatch *self, GError **error);
/* Sends the newest map, which is of FRAME (NULL: none). */
gboolean vg_batch_send (VgBatch *self, const VgFrame *frame, GError **error);
/* Waits until the last map is sent, and reports how many were. */
void vg_batch_close_sender (VgBatch *self);

/* vg-batch-live.c */
/* Opens the inputs.  Waits for a live source that has nothing to deliver yet. */
VgSource *vg_batch_open_source (VgBatch *self, const void *params, const char *const *inputs,
                                GError **error);
/* As vg_reader_next; reports the status of SOURCE, and ends it after its time limit. */
VgFrame *vg_batch_next_frame (VgBatch *self, VgSource *source, VgReader *reader, GError **error);
/* How many frames of SOURCE may wait to be computed, for vg_reader_new. */
guint vg_batch_depth (VgBatch *self, const VgSource *source);
/* Adds notes on the frames of SOURCE that are missing, on interruptions, and on changes of the
 * exposure time. */
void vg_batch_note_frames (VgBatch *self, VgSource *source, VgReader *reader);

/* vg-tile-run.c: all of SOURCE, which has a pyramid, tile by tile.  REGIONS, or NULL: those that
 * the table of objects names. */
gboolean vg_batch_run_tiles (VgBatch *self, VgSource *source, const void *params,
                             const VgNamedRegion *const *regions, GError **error);

/* vg-batch-stream.c: every frame of the inputs, in order. */
gboolean vg_batch_run_stream (VgBatch *self, const void *params, const char *const *inputs,
                              GError **error);
/* Why the maps cover only part of the stream, owned; NULL: they cover all of it. */
char *vg_batch_incomplete (VgBatch *self);

G_END_DECLS
