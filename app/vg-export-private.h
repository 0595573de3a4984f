/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-export.h"
#include "vg-output-file.h"
/* One map on its way to its file. */
G_BEGIN_DECLS

typedef struct
{
  VgExport *export;
  VgOutput named;            /* the operation's output, with the unit of these settings */
  const VgOutput *output;    /* that */
  guint index;
  char *path;                /* in the staging folder */
  VgTiffWriter *writer;      /* NULL: no page yet */
  VgExact *exact;
  VgPlane plane;             /* of the newest page; its data is one of values */
  float *values[2];          /* one is written while the other is filled */
  gsize capacity[2];
  gboolean filled;           /* the newest map has this output */
  gint64 pages;
  GError *error;             /* of the writing thread */
} VgExportMap;

/* Output I with the unit of these settings, once there are maps. */
const VgOutput *vg_export_get_output (VgExport *self, guint i);

/* OUTPUT-difference.tif and OUTPUT-ratio.tif for every map that KEPT fits. */
gboolean vg_export_write_compared (VgExport *self, VgStaging *staging, const VgKept *kept, GError **error);

/* OUTPUT.nii.gz for every map of the data's size, when the data are a volume
 * with a place in the body and there is one map of each. */
gboolean vg_export_write_volumes (VgExport *self, VgStaging *staging, const char *prefix, VgWork *work, GError **error);

/* What a map's file says of it. */
char *vg_export_describe (const VgOperation *operation, const VgOutput *output);

/* Of N maps the one that the preview is of: the wanted one, or the first that has a page; NULL: none has.  *DISPLAY, of
 * INFO or of FRESH, is how it is coloured. */
const VgExportMap *vg_export_choose (const VgExportMap *maps, guint n, const VgExportInfo *info, VgSession *fresh, const VgDisplay **display);
/* BRIGHTNESS dims MAP; NULL: none. */
gboolean vg_export_write_preview (const char *path, const VgExportMap *map, const VgExportMap *brightness, VgWork *work,
                                  const VgExportInfo *info, const VgDisplay *display, GError **error);

/* summary.json. */
gboolean vg_summary_write (const char *path, VgWork *work, const VgExportInfo *info, const VgExportMap *maps, GError **error);

G_END_DECLS
