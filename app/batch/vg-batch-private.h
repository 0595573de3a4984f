/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/batch/vg-batch.h"
/* Between the files of the batch loop. */
G_BEGIN_DECLS

typedef struct
{
  const VgBatchJob *job;
  VgWork *work;
  const VgOperation *operation;
  VgStaging *staging;
  const char *prefix; /* "run-2/" or "" */
  VgExport *export;
  double seconds;
  gint64 total;        /* frames; -1: not known */
  GPtrArray *notes;    /* about the run's settings; NULL: none */
  const char *caution; /* of the input; NULL: none */
  /* of a stream */
  gboolean live;        /* its frames can't be had again */
  gint64 maps;          /* moments with maps */
  gint64 since_bad;     /* frames since the last that could not be read */
  guint bad;            /* frames that could not be read */
  GString *bad_numbers; /* the first of them */
  GError *first_bad;
  char *cut;        /* the input ends before its end: how; NULL: it does not */
  char *broken_off; /* why the stream ended early; NULL: it did not */
  gboolean stopped; /* the user ended it; the maps so far are kept */
  /* of a slide */
  int tiles, tiles_done; /* 0 tiles: the data are in one piece */
} VgBatch;

/* Reports new notices of the work, and progress: FRACTION of the data, or of the tile in work;
 * negative: not known. */
void vg_batch_tell (VgBatch *self, double fraction);
void vg_batch_notify (VgBatch *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* At once, and in the summary; CAUTION stays the input's. */
/* CUT: the input ends before its end, as CAUTION says, which makes the results incomplete; FALSE:
 * that was not wanted. */
gboolean vg_batch_tell_caution (VgBatch *self, const char *caution, gboolean cut, GError **error);
gboolean vg_batch_is_cancelled (VgBatch *self, GError **error);
/* PARAMS, with the values that the input gives where the user set none.  INFO NULL: there is no
 * input. */
void *vg_batch_adopt (VgBatch *self, const void *params, const VgImageInfo *info);
gboolean vg_batch_prepare (VgBatch *self, const void *params, const VgImageInfo *info,
                           VgImage *image, GError **error);
void vg_batch_start_export (VgBatch *self, gint64 pages);
/* Steps until the fed frame, or the whole work, is done.  WAIT means that no map is ready. */
VgStep vg_batch_step_to_end (VgBatch *self, GError **error);
/* Completes the files in the staging folder. */
gboolean vg_batch_finish (VgBatch *self, GError **error);

/* vg-tile-run.c: all of SOURCE, which has a pyramid, tile by tile. */
gboolean vg_batch_run_tiles (VgBatch *self, VgSource *source, const void *params, GError **error);

/* vg-batch-stream.c: every frame of the inputs, in order. */
gboolean vg_batch_run_stream (VgBatch *self, const void *params, const char *const *inputs,
                              GError **error);
/* Why the maps are not of all of the stream, owned; NULL: they are. */
char *vg_batch_incomplete (VgBatch *self);

G_END_DECLS
