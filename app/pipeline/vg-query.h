/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "app/export/vg-export-options.h"
#include "app/profile/vg-profile-line.h"
/* What the main thread can ask of the compute thread, and the queue in which queries wait.
 *
 * A query is answered by its GTask, whose data it is.  Some only show something of the work;
 * others save it (reference, checkpoints, export), and these must see the settings with which they
 * were requested. */
G_BEGIN_DECLS

typedef enum {
  VG_QUERY_PIXEL_CURVES,  /* VgCurves of pixel x, y of slice */
  VG_QUERY_REGION_CURVES, /* VgCurves of region, or of all `regions` as one if the engine can */
  VG_QUERY_PLOT,          /* VgCurves of plot */
  VG_QUERY_PLOT_PLANE,    /* VgPlotPlane of plot, with the points of the followed regions and of
                           * pixel x, y of slice; x is NAN: no pixel */
  VG_QUERY_VALUE,         /* double *, for g_free: output at pixel x, y of slice */
  VG_QUERY_READING,   /* VgReading of region, or of all `regions` as one if the engine can, or, if
                       * region is NULL, of pixel x, y of slice, in the maps of the size of
                       * output */
  VG_QUERY_FITTED,    /* GArray of VgRegionFitted: output in each of `regions`, and in the kept
                       * result */
  VG_QUERY_MAP_PAIR,  /* VgMapPair: slice of output and of other_output */
  VG_QUERY_PROFILE,   /* VgCurves of output along line */
  VG_QUERY_TEXT,      /* char *: the VG_OUTPUT_TEXT output */
  VG_QUERY_FINDINGS,  /* GPtrArray of VgFinding: regions that are not marked yet, or that are among
                       * `regions` as they were found */
  VG_QUERY_REFERENCE, /* VgReference: the present result with that of each of `regions`, to compare
                       * later ones with */
  VG_QUERY_CHECKPOINTS, /* GHashTable: VgOperation to packed text (vg-checkpoint-text.h), also of
                         * operations left before; VG_OPERATION_ERROR_MEMORY when a session
                         * cannot hold them */
  VG_QUERY_EXPORT,      /* guint *, for g_free: the number of maps written.  Writes what `run`
                         * writes to folder, which stays as it was when the export is cancelled
                         * or when there is no map although the settings give one.
                         * G_IO_ERROR_EXISTS: it would replace files that no earlier export
                         * wrote, which the message names, and replace is not set */
} VgQueryKind;

typedef struct
{
  VgQueryKind kind;
  guint plot;
  int output, other_output;
  double x, y;
  int slice;
  const VgRegion *region;
  VgProfileLine line;
  const char *folder;
  gboolean replace; /* VG_QUERY_EXPORT: files that no earlier export wrote may be replaced */
  const VgNamedRegion *const *regions; /* NULL-terminated, or NULL for none */
  GPtrArray *notes;                    /* VG_QUERY_EXPORT: texts about the settings, or NULL */
  const VgExportOptions *options;      /* VG_QUERY_EXPORT: NULL for the defaults */
  const char *command; /* VG_QUERY_EXPORT: that computes the same without a window, or NULL */
} VgQuery;

/* Queries that wait.  The owner's lock guards it. */
typedef struct
{
  GQueue tasks;        /* of GTask */
  guint changes_first; /* changes of settings that were applied before the first query */
} VgQueryQueue;

/* Appends TASK, which is taken, with a copy of QUERY.  SERIAL: of the newest settings, which are
 * PARAMS of OPERATION if they wait to be applied, else NULL. */
void vg_query_queue_push (VgQueryQueue *self, GTask *task, const VgQuery *query, guint64 serial,
                          const VgOperation *operation, const void *params);
/* The first one, owned; NULL: none waits. */
GTask *vg_query_queue_pop (VgQueryQueue *self);
/* TRUE: a query that saves waits, and was requested with settings up to SERIAL. */
gboolean vg_query_queue_saves (const VgQueryQueue *self, guint64 serial);
/* The settings of OPERATION, later than number AFTER, with which the first query that saves was
 * requested, and their number; NULL: none waits for such.  Borrowed. */
const void *vg_query_queue_get_settings (const VgQueryQueue *self, const VgOperation *operation,
                                         guint64 after, guint64 *serial);
/* Every query that waits fails with G_IO_ERROR_CANCELLED. */
void vg_query_queue_cancel (VgQueryQueue *self);

G_END_DECLS
