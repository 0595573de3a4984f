/* SPDX-License-Identifier: MIT */
#pragma once
#include <json-glib/json-glib.h>
#include "app/export/vg-export.h"
#include "app/figure/vg-map-picture.h"
#include "app/report/vg-page.h"
#include "io/write/vg-output-file.h"
#include "app/export/vg-region-log.h"
#include "app/events/vg-alarm-log.h"
#include "app/profile/vg-kymograph.h"
#include "app/report/vg-page.h"
/* The state of an export and of each of its maps. */
G_BEGIN_DECLS

typedef struct
{
  float *values;
  gsize capacity; /* samples */
  gboolean busy;  /* a map is being written from it */
} VgExportBuffer;

typedef struct
{
  VgExport *export;
  VgOutput named;         /* the output, with the label and unit of these settings */
  const VgOutput *output; /* points to `named` */
  guint index;
  char *path;           /* in the staging folder */
  VgTiffWriter *writer; /* NULL before the first page */
  VgExact *exact;
  VgPlane plane;          /* the newest page, in `buffer` */
  VgPlane next;           /* the page that has been read and is not written yet */
  VgExportBuffer *buffer; /* one of `own`, or of those that the maps of an export share */
  VgExportBuffer own[2];  /* of a stream */
  gboolean filled;        /* the newest map has this output */
  gint64 pages;
  GError *error; /* of the writing thread */
} VgExportMap;

struct _VgExport
{
  VgStaging *staging;
  char *prefix;
  GHashTable *staged; /* names */
  gint64 pages_expected, pages;
  VgRegionLog *log;       /* NULL: no regions */
  VgKymograph *kymograph; /* NULL: no line is followed */
  VgAlarmLog *alarms;     /* NULL: none are wanted, or there is no map yet */
  guint alarm_output;
  double alarm;                        /* limit; 0: none are wanted */
  const VgNamedRegion *const *regions; /* borrowed; NULL: none */
  VgExportMap *maps;                   /* one per output of the operation */
  guint n_maps;
  int side;                 /* index of the buffer that is filled */
  gboolean once;            /* a single moment, exported map by map */
  VgExportBuffer shared[4]; /* of the maps of a single moment */
  VgWork *work;             /* that computed the maps */
  VgExportBuffer look;      /* of the map that was requested last, while others are written */
  VgPlane look_plane;
  gint64 looked; /* its index; -1: none */
  GThreadPool *pool;
  GMutex mutex;
  GCond idle;
  guint writing; /* maps the pool has not finished */
};

/* How map I is displayed: as OPTIONS say, or else as in the new session FRESH. */
const VgDisplay *vg_export_find_display (const VgExportOptions *options, VgSession *fresh, guint i);
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
/* The buffer for the next page of MAP, after waiting until no map is written from it. */
VgExportBuffer *vg_export_take_buffer (VgExport *self, VgExportMap *map);
/* Discards the maps of a single moment that were written, because the GPU failed between two. */
void vg_export_start_over (VgExport *self);
/* After all maps are written, reads the samples of map I into its plane. */
gboolean vg_export_hold (VgExport *self, guint i, GError **error);
/* Frees these samples of a single moment, so that memory never holds all maps. */
void vg_export_release (VgExport *self, guint i);

/* As vg_export_look; FALSE without an error: there is none. */
gboolean vg_export_load_plane (VgExport *self, guint i, VgPlane *plane, GError **error);

/* Writes OUTPUT-difference.tif and OUTPUT-ratio.tif for every map that REFERENCE fits. */
gboolean vg_export_write_compared (VgExport *self, VgStaging *staging, const VgReference *reference,
                                   GError **error);

/* The samples of PLANE, the present map I, compared with REFERENCE, owned; NULL and an error: there
 * is no memory, or the present errors cannot be read. */
float *vg_export_compare (VgExport *self, const VgReference *reference, guint i, VgCompare mode,
                          const VgPlane *plane, GError **error);

/* Writes the maps as NIfTI and CSV where INFO or their placement asks for it. */
gboolean vg_export_write_formats (VgExport *self, VgWork *work, const VgExportInfo *info,
                                  GError **error);
/* Writes the newest maps as PNG if INFO asks for it. */
gboolean vg_export_write_pngs (VgExport *self, VgWork *work, const VgExportInfo *info,
                               GError **error);
/* Writes parameters.csv, the values of all maps for each curve, if the data are a table of curves.
 */
gboolean vg_export_write_curves (VgExport *self, VgWork *work, GError **error);
/* Discards the TIFF files if INFO asks for other formats alone. */
void vg_export_discard_tiff (VgExport *self, const VgExportInfo *info);
/* Waits for the writing threads; FALSE: a page could not be written. */
gboolean vg_export_wait_until_written (VgExport *self, GError **error);

/* Begins the statistics of MAP; FALSE and an error: there is no memory. */
gboolean vg_export_measure (VgExportMap *map, GError **error);

/* Reads the complete file of MAP again and calls TAKE with the samples of one or more pages. */
typedef gboolean (*VgExportTake) (gpointer data, const float *values, gsize n, GError **error);
gboolean vg_export_read_back (VgExportMap *map, VgExportTake take, gpointer data, GError **error);

/* Computes the median of MAP from its complete file. */
gboolean vg_export_find_median (VgExportMap *map, GError **error);

/* Turns FAILURE (owned), from reading the map of output ID back, into an error on the disk. */
void vg_export_blame_disk (GError **error, const char *id, GError *failure);

/* The ImageDescription of the file of OUTPUT, owned. */
char *vg_export_describe (const VgOperation *operation, const VgOutput *output);

/* The map of the preview: the one that INFO asks for, or the first of the N maps that has a page;
 * NULL: none has.  *DISPLAY, of INFO or of FRESH, is its display. */
const VgExportMap *vg_export_choose (const VgExportMap *maps, guint n, const VgExportInfo *info,
                                     VgSession *fresh, const VgDisplay **display);
/* Writes the preview and the figures of map I. */
gboolean vg_export_write_pictures (VgExport *self, guint i, VgWork *work, const VgExportInfo *info,
                                   const VgDisplay *display, GError **error);
/* Calls DRAW with map I as DISPLAY shows it, with all that lies under and over it.  The regions of
 * the info that DRAW gets lie over this map. */
typedef gboolean (*VgExportDraw) (gpointer data, VgMapView *view, const VgExportInfo *info,
                                  GError **error);
gboolean vg_export_draw (VgExport *self, guint i, VgWork *work, const VgExportInfo *info,
                         const VgDisplay *display, VgExportDraw draw, gpointer data,
                         GError **error);
/* Whether figures and report show the slice of region I: a mask that is a setting may lie in all
 * slices, so it does not decide if there are other regions. */
gboolean vg_export_chooses_slice (const VgExportInfo *info, guint i);
/* The slice, of SLICES, that figures and report show if INFO names none: one with the most such
 * regions, else the middle one. */
int vg_export_find_slice (const VgExportInfo *info, int slices);
/* Writes the text outputs.  If there are regions, the table of objects names those of each. */
gboolean vg_export_write_texts (VgExport *self, VgWork *work, gboolean gzip, GError **error);
/* Writes regions.csv and, of an operation with objects, regions.geojson, if there are regions. */
gboolean vg_export_write_regions (VgExport *self, VgWork *work, GError **error);
/* Writes comparison.csv if the options name another run. */
gboolean vg_export_write_comparison (VgExport *self, VgWork *work, const VgExportInfo *info,
                                     GError **error);
/* Writes report.html if INFO asks for it. */
gboolean vg_export_write_report (VgExport *self, VgWork *work, const VgExportInfo *info,
                                 GError **error);
/* Adds a table with the minimum, median, mean and maximum of each map to the PAGE of the report. */
gboolean vg_export_add_statistics (VgExport *self, const VgExportInfo *info, VgPage *page,
                                   GError **error);
/* Adds settings, provenance and references to PAGE.  ANONYMOUS: nothing that may identify the
 * patient is told. */
gboolean vg_export_add_origin (VgPage *page, VgWork *work, const VgExportInfo *info,
                               gboolean anonymous, GError **error);
/* Whether map I is not kept. */
gboolean vg_export_leaves_out (VgExport *self, guint i, const VgExportInfo *info);
/* Writes the figures that INFO asks for, of VIEW, as figure.png and so on under PREFIX.  SHOWN is
 * the comparison that they show, or NULL; BESIDE are its kept maps if they have pictures of their
 * own, or NULL. */
gboolean vg_export_write_figures (VgStaging *staging, const char *prefix, const VgMapView *view,
                                  const VgMapView *beside, const VgExportComparison *shown,
                                  const VgExportInfo *info, GError **error);
/* The same of map I, whose view VIEW is, as the comparison of INFO shows it.  Of kept maps that do
 * not fit, a note says why the figure is without them. */
gboolean vg_export_write_shown (VgExport *self, guint i, const VgMapView *view,
                                const VgExportInfo *info, GError **error);

/* Adds the member "provenance" to a summary. */
gboolean vg_summary_add_provenance (JsonBuilder *builder, VgWork *work, const VgExportInfo *info,
                                    GError **error);

/* Writes summary.json under PREFIX, after the other files, which it lists.  ALARMS may be NULL. */
gboolean vg_summary_write (VgStaging *staging, const char *prefix, VgWork *work,
                           const VgExportInfo *info, const VgExportMap *maps,
                           const VgAlarmLog *alarms, GError **error);

G_END_DECLS
