/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/export/vg-exact.h"
#include "app/export/vg-export-options.h"
#include "app/compute/vg-reference.h"
#include "app/session/vg-session.h"
#include "app/staging/vg-staging.h"
#include "kernels/shared/vg-underlay.h"
#include "app/compute/vg-work.h"
/* An export, of the window or of `run`: every shown map in the formats that are wanted, by default
 * OUTPUT.tif, and OUTPUT.nii.gz beside it if the data are a volume with a placement; the text
 * outputs, regions.csv, regions.geojson, preview.png, and summary.json, which lists the other
 * files.  Writing threads compress the pages and compute their statistics while the next map is
 * computed. */
G_BEGIN_DECLS

/* What an export needs besides the results. */
typedef struct
{
  const char *const *inputs;           /* file names; NULL or empty: none */
  const VgSyntheticSize *synthetic;    /* of synthetic data; NULL: files */
  double seconds;                      /* in the engine, without reading and writing */
  const VgDisplay *display;            /* of the preview; NULL: as the window shows it at first */
  int preview_output;                  /* index; 0: the first */
  gboolean gzip;                       /* texts are NAME.gz */
  gboolean as_stored;                  /* the preview's rows and columns are as in the file */
  const VgReference *reference;        /* vg_export_current writes comparisons with it; or NULL */
  const VgNamedRegion *const *regions; /* NULL-terminated, or NULL: none */
  const GPtrArray *found;              /* ids of parameters whose regions were found; NULL: none */
  const GArray *marks;                 /* of VgCurveMark, x in s: of a stream; NULL: none */
  const VgFrame *frame;                /* that its maps are of; NULL: the work has none */
  gboolean replace;                    /* vg_export_current may replace files of others */
  GCancellable *cancellable;           /* of vg_export_current; NULL: it goes through */
  /* of the preview; NULL: made of a data set where the display has one */
  VgUnderlay *underlay;
  const VgMetrics *metrics; /* the results */
  GPtrArray *notes;         /* texts about the input; or NULL */
  const char *caution;      /* warning about the input (VgSource); or NULL */
  const char *incomplete;   /* why the maps cover only part of the input; NULL: they cover all */
  guint bad_frames;         /* unreadable frames */
  const VgLiveStatus *live; /* of a live source; NULL: another input */
  /* description and settings of the device, or what the file of a stream says of itself; or NULL */
  const char *details;
  const VgExportOptions *options; /* formats, and what is not kept; NULL: the defaults */
  /* of the provenance */
  const char *command;               /* that computes the results; NULL: not known */
  const char *read_options;          /* how the inputs were read; NULL: the defaults */
  const char *const *settings_files; /* further files that results depend on; or NULL */
} VgExportInfo;

#define VG_EXPORT_VOLUME ".nii.gz"

/* The notes of INFO, and the advice of its metrics that is not among them; owned. */
GPtrArray *vg_export_notes (const VgExportInfo *info);
/* Adds to NOTES warnings about the regions of INFO whose fit of the mean data and whose voxels
 * disagree, and remarks on the run to compare with (vg_compared_run_add_notes).  FALSE and an
 * error: the device has failed. */
gboolean vg_export_add_checks (VgWork *work, const VgExportInfo *info, GPtrArray *notes,
                               GError **error);
/* The notes, after what INFO says to be careful about and before what is incomplete; owned. */
GPtrArray *vg_export_warnings (const VgExportInfo *info);

typedef struct _VgExport VgExport;

/* Protects the files from which results are computed: INPUTS (may be NULL) and the files that
 * PARAMS name. */
void vg_export_protect_inputs (VgStaging *staging, const VgOperation *operation, const void *params,
                               const char *const *inputs);

/* Writes PLANE, which is in host memory, to the TIFF file NAME in the staging folder, with the id,
 * label and unit of OUTPUT in its description. */
gboolean vg_export_write_plane (VgStaging *staging, const char *name, const VgOperation *operation,
                                const VgOutput *output, const VgPlane *plane, GError **error);

/* PREFIX is "" or "run-1/".  PAGES_EXPECTED decides between TIFF and BigTIFF and gives the space
 * that the disk must have; it may be too large, and is -1 if not known.  The means in REGIONS
 * (NULL-terminated and borrowed, or NULL) are written to regions.csv. */
VgExport *vg_export_new (VgStaging *staging, const char *prefix, const VgOperation *operation,
                         gint64 pages_expected, const VgNamedRegion *const *regions);
/* Adds the current maps of WORK, computed from FRAME (NULL: it has no frames), as one page each,
 * and the rows of the regions.  If the work has just moved to the CPU, which changes its
 * generation, nothing is added and the result is TRUE.  The time of copying the maps from the
 * device is added to *SECONDS. */
gboolean vg_export_add (VgExport *self, VgWork *work, const VgFrame *frame, double *seconds,
                        GError **error);
/* Follows output I along LINE in kymograph.tif and vessel.csv; before the first maps. */
void vg_export_follow_line (VgExport *self, guint i, const VgProfileLine *line);
/* Records in alarms.csv when the mean of output I in a region is below LIMIT.  Called before the
 * first maps. */
void vg_export_set_alarm (VgExport *self, guint i, double limit);
/* Adds a column with the MARKS (of VgCurveMark, borrowed; may be NULL) to the rows of the regions,
 * if there are any marks.  Called before the first maps. */
void vg_export_set_marks (VgExport *self, const GArray *marks);
/* A sentence, owned, on the next alarm that began or ended with the added maps; NULL: none. */
char *vg_export_take_alarm (VgExport *self);
/* The number of moments that were added. */
gint64 vg_export_get_pages (VgExport *self);
/* Adds a page of missing values to every map, for a moment that has no maps. */
gboolean vg_export_add_blank (VgExport *self, GError **error);
/* The newest page of output I in host memory, valid until the next add.  *FOUND is FALSE if there
 * is none; FALSE and an error: it cannot be read. */
gboolean vg_export_look (VgExport *self, guint i, VgPlane *plane, gboolean *found, GError **error);
/* Whether no page of the first map has a valid pixel. */
gboolean vg_export_is_blank (VgExport *self);
/* Completes all files in the staging folder, which the caller commits. */
gboolean vg_export_finish (VgExport *self, VgWork *work, const VgExportInfo *info, GError **error);
void vg_export_free (VgExport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgExport, vg_export_free)

/* Exports the current maps into FOLDER, for the Export action of the window; *N_MAPS is their
 * number.  If it is cancelled, or the maps that the settings give are missing, FOLDER stays as it
 * was.  G_IO_ERROR_EXISTS: it would replace files that no earlier export wrote, and INFO does not
 * allow that; the message names them. */
gboolean vg_export_current (const char *folder, VgWork *work, const VgExportInfo *info,
                            guint *n_maps, GError **error);

/* The files that INPUTS name, those in folders and of the series of a DICOM image too, as the
 * provenance in summary.json names them; owned. */
GPtrArray *vg_summary_list_inputs (const char *const *inputs);

G_END_DECLS
