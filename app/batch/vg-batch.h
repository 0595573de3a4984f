/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "app/export/vg-export.h"
/* The batch loop of `run` and `demo`: analyses the whole input and writes every map.  Reading,
 * computing and writing overlap, and memory does not grow with the length of the input. */
G_BEGIN_DECLS

typedef struct
{
  const void *params;
  /* One per parameter: the input does not change derived and user values.  NULL: it changes no
   * value. */
  const VgOrigin *origins;
  /* One flag per parameter for operation->on_params_changed, where a settings file has set the
   * others; NULL: none. */
  const gboolean *changed;
  const char *const *inputs;        /* NULL-terminated; NULL or empty: none, or synthetic */
  int run;                          /* of a settings text's runs the one to do, from 1; 0: all */
  const char *read_options;         /* how the inputs are read (vg-read-options.h), or NULL */
  const VgSyntheticSize *synthetic; /* built-in data of this size, with its truth; NULL: inputs */
  const char *folder;               /* for the results */
  int tile_px, overlap_px;          /* of a slide's tiles; 0: chosen */
  /* a slide's part too, unless tiles are asked for: the work brings what came of it so */
  gboolean in_one_piece;
  const VgDisplay *display; /* of the preview, or NULL */
  int preview_output;
  /* a frame that can't be read, or a live source that breaks off, is an error */
  gboolean strict;
  gboolean gzip;                       /* texts are NAME.gz */
  gboolean as_stored;                  /* the preview's rows and columns are as in the file */
  const VgNamedRegion *const *regions; /* NULL-terminated, or NULL: their means go to regions.csv */
  int regions_size[2];       /* of the mask that they are of; 0: they go with any picture */
  GCancellable *cancellable; /* or NULL */
  /* optional; FRACTION negative: not known */
  void (*progress) (double fraction, gint64 maps, gpointer user_data);
  void (*notice) (const char *text, gpointer user_data);
  /* The figures of one run; PREFIX: its folder within FOLDER, such as "run-2/", or "". */
  void (*results) (const char *prefix, const VgMetrics *metrics, gpointer user_data);
  /* What is in FOLDER now, names within it, once all are in place. */
  void (*files) (const GPtrArray *names, gpointer user_data);
  gpointer user_data;
} VgBatchJob;

/* On an error the folder is as it was, but for two that tell that the maps in it
 * are not of all of the input: VG_OPERATION_ERROR_INCOMPLETE, and
 * G_IO_ERROR_CANCELLED of a live source, whose frames can't be had again. */
gboolean vg_batch_run (const VgBatchJob *job, VgWork *work, GError **error);

G_END_DECLS
