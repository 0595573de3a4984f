/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "app/export/vg-export.h"
/* The batch loop of `run` and `demo`: processes the whole input and writes every map.  Reading,
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
  const char *const *inputs; /* NULL-terminated; NULL or empty: none, or synthetic */
  int run;                   /* the run of a settings file to process, from 1; 0: all */
  const char *read_options;  /* how the inputs are read (vg-read-options.h), or NULL */
  /* the read options of each slide region, which are processed one after the other;
   * NULL-terminated, at least one; NULL: `read_options` alone, without joined results */
  const char *const *slide_regions;
  const VgSyntheticSize *synthetic; /* size of synthetic data; NULL: the inputs are processed */
  const char *folder;               /* for the results; NULL: none but the movie is written */
  const char *send;                 /* address to which maps are sent (vg-sender.h), or NULL */
  gint64 at_frame;         /* of a stream: its maps alone are written, from 1; 0: those of all */
  gint64 max_frames;       /* of a stream, after which it ends; 0: all */
  double seconds;          /* of a live source, after which it ends; 0: no limit */
  int tile_px, overlap_px; /* of a slide's tiles; 0: chosen */
  /* a slide region is not split into tiles: as in the window, or in a checkpoint of the whole */
  gboolean in_one_piece;
  gboolean find_regions;    /* the operation finds those that are not given */
  const VgDisplay *display; /* of the preview, or NULL */
  int preview_output;
  /* an unreadable frame, or a live source that breaks off, is an error */
  gboolean strict;
  gboolean gzip;                       /* texts are NAME.gz */
  const VgExportOptions *options;      /* formats of the maps, and a movie; NULL: the defaults */
  gboolean as_stored;                  /* the preview's rows and columns are as in the file */
  const VgNamedRegion *const *regions; /* for regions.csv, NULL-terminated; or NULL */
  int regions_size[2]; /* width and height of their label mask; 0: they fit any image */
  const char *command; /* that runs this job, for the provenance; NULL: not known */
  const char *const *settings_files; /* a session, regions: of the provenance; or NULL */
  GCancellable *cancellable;         /* or NULL */
  /* optional; FRACTION negative: not known */
  void (*progress) (double fraction, gint64 maps, gpointer user_data);
  void (*notice) (const char *text, gpointer user_data);
  /* the metrics of one run; PREFIX: its folder within FOLDER, such as "run-2/", or "" */
  void (*results) (const char *prefix, const VgMetrics *metrics, gpointer user_data);
  /* the names of the results within FOLDER, after all have been moved there */
  void (*files) (const GPtrArray *names, gpointer user_data);
  gpointer user_data;
} VgBatchJob;

/* An error leaves the folder as it was, with two exceptions, after which its maps cover only part
 * of the input: VG_OPERATION_ERROR_INCOMPLETE, and G_IO_ERROR_CANCELLED of a live source, whose
 * frames cannot be read again. */
gboolean vg_batch_run (const VgBatchJob *job, VgWork *work, GError **error);

G_END_DECLS
