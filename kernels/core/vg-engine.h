/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/tables/vg-curves.h"
#include "kernels/base/vg-frame.h"
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-metrics.h"
#include "kernels/base/vg-plane.h"
#include "kernels/base/vg-region.h"
#include "kernels/core/vg-outlines.h"
#include "kernels/core/vg-ranks.h"
#include "kernels/core/vg-tiles.h"
/* How an operation computes: one table of functions for each backend.  A
 * state is what `prepare` returns; one thread at a time calls into it. */
G_BEGIN_DECLS

typedef enum {
  VG_STEP_MORE,   /* outputs are valid and will improve: call again */
  VG_STEP_DONE,   /* finished; for a stream: the maps of the fed frame are ready */
  VG_STEP_WAIT,   /* stream: this frame gave no map, feed the next one */
  VG_STEP_FAILED, /* error is set */
} VgStep;

/* The decoded content of a FILE parameter. */
typedef struct
{
  const char *param_id;
  const VgImage *image;
} VgInputFile;

/* All that an engine is given to prepare itself.  Borrowed for the call. */
typedef struct
{
  const void *params;
  const VgImageInfo *info; /* shape of the frames or the data set; NULL for VG_INPUT_NONE */
  const VgImage *image;    /* the data set; NULL for the other kinds of input */
  const VgInputFile *files;
  guint n_files;
  int threads;        /* CPU: OpenMP threads; 0: all cores */
  const int *devices; /* CUDA ordinals, the first is the display's */
  int n_devices;
  const VgPart *part; /* the data are a tile of a larger image; NULL: the whole image */
  const gint *stop;   /* atomic; not 0: the state is no longer wanted; NULL: it always is */
  void (*report) (gpointer data, double done); /* receives progress; NULL: none */
  gpointer report_data;
  /* from VgEngineResume.checkpoint, but read from a file and so not to be trusted; NULL: none */
  GBytes *checkpoint;
  /* Neither streams nor tiles: the state computes a part, and its results are the same in all
   * ranks when it is done; NULL: it computes all. */
  const VgRanks *ranks;
  /* For VgFind: a state of the operation with the same data, on either backend and perhaps with
   * other settings, whose preparation may be of use; NULL: there is none. */
  gconstpointer state;
} VgContext;

/* `prepare` asks this between long pieces of work.  TRUE: it returns NULL; its error is ignored. */
static inline gboolean
vg_context_is_stopped (const VgContext *self)
{
  return self->stop != NULL && g_atomic_int_get (self->stop) != 0;
}

/* A long `prepare` reports the fraction that is DONE, 0 to 1, on the thread that called it. */
static inline void
vg_context_report (const VgContext *self, double done)
{
  if (self->report != NULL)
    self->report (self->report_data, done);
}

/* Curves behind the maps and over them.  Each function that returns an object returns a new one;
 * NULL without an error where there are no curves.  Each member may be NULL. */
typedef struct
{
  /* data and fit of a pixel */
  VgCurves *(*sample) (gpointer state, double x, double y, int slice, GError **error);
  /* and of a region's mean */
  VgCurves *(*sample_region) (gpointer state, const VgRegion *region, GError **error);
  /* and of the mean of N regions that count as one, such as a lesion in several slices */
  VgCurves *(*sample_regions) (gpointer state, const VgRegion *const *regions, guint n,
                               GError **error);
  VgCurves *(*plot) (gpointer state, guint i, GError **error); /* of plots[i] */
  /* Outlines to compare the objects with, such as those of a ground truth, in host memory.  FALSE:
   * there are none, or an error.  Valid until the next call on STATE. */
  gboolean (*compared) (gpointer state, VgOutlines *outlines, GError **error);
  /* The data set that the maps are computed from if it was corrected, for example for motion, in
   * host memory, borrowed; NULL: it was not. */
  VgImage *(*corrected) (gpointer state);
} VgEngineCurves;

/* Objects that are outlined over the maps.  Both members are required. */
typedef struct
{
  /* FALSE: there are none, or an error.  Valid until the next call on STATE. */
  gboolean (*outlines) (gpointer state, VgOutlines *outlines, GError **error);
  /* What VgTiled.merge reads of a finished tile, borrowed; NULL and an error. */
  gconstpointer (*tile) (gpointer state, GError **error);
} VgEngineObjects;

/* ABSENT: there is none, and it begins only when the user sets it. */
typedef enum { VG_BASELINE_COLLECTING, VG_BASELINE_COMPLETE, VG_BASELINE_ABSENT } VgBaselineState;

typedef struct
{
  VgBaselineState state;
  int maps; /* in the baseline so far */
} VgBaseline;

/* The baseline of a stream: maps with which the later ones are compared.  A new state collects it
 * from its first maps, and again after a change of settings that changes the maps, unless it is
 * ABSENT.  The caller decides whether these maps are the right ones: it may feed the frames of the
 * earlier baseline first.  Each member is required. */
typedef struct
{
  const char *action; /* id of the ACTION parameter with which the user sets it */
  const char *length; /* id of the parameter for the number of its maps */
  VgBaseline (*get) (gconstpointer state);
  /* No map is added any more: it is COMPLETE or, without a map, ABSENT.  The frames so far do not
   * belong to those that follow. */
  void (*end) (gpointer state);
} VgEngineBaseline;

/* Work that continues where `prepare` would begin again.  Each member may be NULL. */
typedef struct
{
  /* Like `prepare`, but reuses the buffers of STATE, which it always consumes. */
  gpointer (*renew) (gpointer state, const VgContext *context, GError **error);
  /* Like `update`, for other files too.  FALSE: prepare again; with an error: the files do not fit
   * and STATE is unchanged. */
  gboolean (*update_files) (gpointer state, const VgContext *context, GError **error);
  /* The progress of work that edits have changed, so that settings and data do not determine it.
   * With the same settings and data `prepare` continues from it bit for bit, else it ignores it.
   * Owned. */
  GBytes *(*checkpoint) (gpointer state);
  const VgEngineBaseline *baseline;
} VgEngineResume;

typedef struct
{
  /* Allocates all memory whose size grows with the data; other calls allocate little.  NULL and an
   * error: VG_OPERATION_ERROR for unsuitable input, VG_GPU_ERROR for the device. */
  gpointer (*prepare) (const VgContext *context, GError **error);
  /* Adopts changed settings without a new state; FALSE: prepare again. */
  gboolean (*update) (gpointer state, const void *params);
  /* Streams only: adds one frame and references it while copying. */
  gboolean (*feed) (gpointer state, VgFrame *frame, GError **error);
  /* Works for about BUDGET_S seconds, at least one unit of work. */
  VgStep (*step) (gpointer state, double budget_s, GError **error);
  /* The plane of output I.  FALSE without an error: these settings do not compute it, or there is
   * no such output; with one, VG_GPU_ERROR: the device failed. */
  gboolean (*output) (gpointer state, guint i, VgPlane *plane, GError **error);
  /* 0 to 1; negative: unknown.  NULL: always unknown. */
  double (*progress) (gpointer state);
  /* Adds to METRICS; FALSE and an error: the device failed.  NULL: there are none. */
  gboolean (*results) (gpointer state, VgMetrics *metrics, GError **error);
  /* The text of output I, owned; *FILE_NAME may be set (owned) where the output's id is not the
   * name.  NULL if no output is a text. */
  char *(*text) (gpointer state, guint i, char **file_name, GError **error);
  void (*free) (gpointer state);  /* accepts NULL */
  const VgEngineCurves *curves;   /* or NULL */
  const VgEngineObjects *objects; /* or NULL */
  const VgEngineResume *resume;   /* or NULL */
} VgEngine;

G_END_DECLS
