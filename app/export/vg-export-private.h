/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/export/vg-export.h"
#include "io/write/vg-output-file.h"
#include "app/export/vg-region-log.h"
/* One map on its way to its file. */
G_BEGIN_DECLS

typedef struct
{
  VgExport *export;
  VgOutput named;         /* the operation's output, with the unit of these settings */
  const VgOutput *output; /* that */
  guint index;
  char *path;           /* in the staging folder */
  VgTiffWriter *writer; /* NULL: no page yet */
  VgExact *exact;
  VgPlane plane;    /* of the newest page; its data is one of values */
  float *values[2]; /* of a stream: one is written while the other is filled */
  gsize capacity[2];
  gboolean filled; /* the newest map has this output */
  gint64 pages;
  int slot;      /* of the export's buffers; -1: one of values */
  GError *error; /* of the writing thread */
} VgExportMap;

enum { VG_EXPORT_SLOTS = 4 };

struct _VgExport
{
  VgStaging *staging;
  char *prefix;
  GHashTable *staged; /* names */
  gint64 pages_expected, pages;
  VgRegionLog *log;  /* NULL: no regions */
  VgExportMap *maps; /* one per output of the operation */
  guint n_maps;
  int side;      /* buffer that is being filled */
  gboolean once; /* one moment: map by map */
  float *slots[VG_EXPORT_SLOTS];
  gsize capacity[VG_EXPORT_SLOTS];
  gboolean busy[VG_EXPORT_SLOTS]; /* a map is being written from it */
  VgWork *work;                   /* whose maps these are */
  /* the map that was asked for last, while others may be on their way to disk */
  float *look;
  gsize look_capacity;
  VgPlane look_plane;
  gint64 looked; /* its index; -1: none */
  GThreadPool *pool;
  GMutex mutex;
  GCond idle;
  guint writing; /* maps the pool has not finished */
};

/* Writes the pages of MAP; runs on a thread of the pool of EXPORT. */
void vg_export_write_page (gpointer map, gpointer export);
/* Waits until the writing threads have written all pages that were queued. */
void vg_export_wait_idle (VgExport *self);
/* Queues the newest pages of MAP for the writing threads. */
void vg_export_hand_over (VgExport *self, VgExportMap *map);
/* Path of the file NAME of these results in the staging folder, owned; VG_USAGE_ERROR: two results
 * have this name. */
char *vg_export_stage (VgExport *self, const char *name, GError **error);
/* Opens the file of MAP for pages of the size of PLANE. */
gboolean vg_export_open_map (VgExport *self, VgExportMap *map, const VgPlane *plane,
                             const VgOperation *operation, GError **error);
/* Adds the maps of the one moment there is, one by one; FALSE with no error:
 * the GPU gave up, nothing was added.  *SECONDS grows by the time of reading. */
gboolean vg_export_add_once (VgExport *self, VgWork *work, double *seconds, GError **error);
/* Once all are written: the samples of map I, which is drawn, in its plane. */
gboolean vg_export_hold (VgExport *self, guint i, GError **error);

/* As vg_export_get_plane; an error where the map is there and can not be read. */
gboolean vg_export_load_plane (VgExport *self, guint i, VgPlane *plane, GError **error);

/* OUTPUT-difference.tif and OUTPUT-ratio.tif for every map that KEPT fits. */
gboolean vg_export_write_compared (VgExport *self, VgStaging *staging, const VgReference *reference,
                                   GError **error);

/* OUTPUT.nii.gz for every map of the data's size, when the data are a volume
 * with a place in the body and there is one map of each. */
gboolean vg_export_write_volumes (VgExport *self, VgStaging *staging, const char *prefix,
                                  VgWork *work, GError **error);

/* The statistics of MAP; FALSE: no memory. */
gboolean vg_export_measure (VgExportMap *map, GError **error);

/* The median of MAP, whose file is complete. */
gboolean vg_export_find_median (VgExportMap *map, GError **error);

/* FAILURE (taken) came when the map of output ID was read back: what was written a moment ago is at
 * fault, no input. */
void vg_export_blame_disk (GError **error, const char *id, GError *failure);

/* What a map's file says of it. */
char *vg_export_describe (const VgOperation *operation, const VgOutput *output);

/* Of N maps the one that the preview is of: the wanted one, or the first that has a page; NULL:
 * none has.  *DISPLAY, of INFO or of FRESH, is how it is coloured. */
const VgExportMap *vg_export_choose (const VgExportMap *maps, guint n, const VgExportInfo *info,
                                     VgSession *fresh, const VgDisplay **display);
/* BRIGHTNESS dims MAP; NULL: none. */
gboolean vg_export_write_preview (const char *path, const VgExportMap *map,
                                  const VgExportMap *brightness, VgWork *work,
                                  const VgExportInfo *info, const VgDisplay *display,
                                  GError **error);

/* summary.json under PREFIX, the last of its files: it lists the others. */
gboolean vg_summary_write (VgStaging *staging, const char *prefix, VgWork *work,
                           const VgExportInfo *info, const VgExportMap *maps, GError **error);

G_END_DECLS
