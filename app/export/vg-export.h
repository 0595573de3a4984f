/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/export/vg-exact.h"
#include "app/work/vg-reference.h"
#include "app/session/vg-session.h"
#include "app/staging/vg-staging.h"
#include "kernels/shared/vg-underlay.h"
#include "app/work/vg-work.h"
/* What an export holds, of the window as of `run`: OUTPUT.tif for every shown map (and beside
 * it OUTPUT.nii.gz when the data are a volume with a place in the body), the text
 * outputs, regions.csv, preview.png and summary.json, which lists the others.  The pages are
 * compressed and measured by threads of its own while the next map is computed. */
G_BEGIN_DECLS

/* What the summary says besides the results. */
typedef struct
{
  const char *const *inputs;        /* file names; NULL or empty: none */
  const VgSyntheticSize *synthetic; /* of synthetic data; NULL: files */
  double seconds;                   /* in the engine, without reading and writing */
  const VgDisplay *display;         /* of the preview; NULL: as the window shows it at first */
  int preview_output;               /* index; 0: the first */
  gboolean gzip;                    /* texts are NAME.gz */
  gboolean as_stored;               /* the preview's rows and columns are as in the file */
  /* vg_export_current also writes what compares with it; NULL: none */
  const VgReference *reference;
  const VgNamedRegion *const *regions; /* of vg_export_current; NULL-terminated, or NULL: none */
  const VgFrame *frame;                /* that its maps are of; NULL: the work has none */
  GCancellable *cancellable;           /* of vg_export_current; NULL: it goes through */
  /* of the preview; NULL: made of a data set where the display has one */
  VgUnderlay *underlay;
  const VgMetrics *metrics; /* the results; NULL: those of the work */
  GPtrArray *notes;         /* what was noticed about the input, texts; NULL: nothing */
  const char *caution;      /* and of how it was read (VgSource); NULL: nothing */
  /* why the maps are not of all of the input; NULL: they are */
  const char *incomplete;
  guint bad_frames; /* that could not be read */
} VgExportInfo;

#define VG_EXPORT_VOLUME ".nii.gz"

/* INFO's notes and the advice of the results of WORK that is not among them; owned. */
GPtrArray *vg_export_notes (const VgExportInfo *info, VgWork *work);

typedef struct _VgExport VgExport;

/* Results never take the place of what they were computed from: INPUTS (may be
 * NULL) and the files that PARAMS name. */
void vg_export_protect_inputs (VgStaging *staging, const VgOperation *operation, const void *params,
                               const char *const *inputs);

/* PREFIX: "" or "run-1/".  PAGES_EXPECTED decides about BigTIFF and how much
 * room the disk must have; it may be too large, and -1 when not known.  The
 * means in REGIONS (NULL-terminated and borrowed, or NULL) go to regions.csv. */
VgExport *vg_export_new (VgStaging *staging, const char *prefix, const VgOperation *operation,
                         gint64 pages_expected, const VgNamedRegion *const *regions);
/* Adds the present maps of WORK, which are of FRAME (NULL: the work has none), as one page each,
 * and the regions' rows.  TRUE with nothing added when the work has just moved to the CPU: compare
 * the generation. The time that the maps took to come from the device is added to *SECONDS. */
gboolean vg_export_add (VgExport *self, VgWork *work, const VgFrame *frame, double *seconds,
                        GError **error);
gint64 vg_export_get_pages (VgExport *self);
/* One page without a value in every map, in the place of a moment that has none. */
gboolean vg_export_add_blank (VgExport *self, GError **error);
/* The newest page of output I in host memory, until the next add. */
gboolean vg_export_get_plane (VgExport *self, guint i, VgPlane *plane);
/* No pixel of the first map had a value on any page. */
gboolean vg_export_is_blank (VgExport *self);
/* Completes all files in the staging folder; the caller commits that. */
gboolean vg_export_finish (VgExport *self, VgWork *work, const VgExportInfo *info, GError **error);
void vg_export_free (VgExport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgExport, vg_export_free)

/* All of it at once, for the maps as they are now: the window's Export.  One
 * that is cancelled, or finds none though the settings give maps, leaves FOLDER
 * as it was.  *N_MAPS: how many were written. */
gboolean vg_export_current (const char *folder, VgWork *work, const VgExportInfo *info,
                            guint *n_maps, GError **error);

/* Names of what an export of OPERATION with PARAMS into FOLDER would take the place of, or would
 * leave beside what it writes though it is of an earlier one: what is there of its maps, and all
 * that the summary there lists.  Owned. */
GPtrArray *vg_export_find_old (const char *folder, const VgOperation *operation,
                               const void *params);

G_END_DECLS
