/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/events/vg-event-average.h"
#include "app/export/vg-export-comparison.h"
#include "app/movie/vg-movie-options.h"
#include "app/profile/vg-profile-line.h"
#include "app/session/vg-session.h"
/* What an export writes besides the summary: which maps, and in which formats. */
G_BEGIN_DECLS

typedef enum {
  VG_FORMAT_TIFF = 1 << 0,  /* OUTPUT.tif: every page */
  VG_FORMAT_NIFTI = 1 << 1, /* OUTPUT.nii.gz: every page */
  VG_FORMAT_CSV = 1 << 2,   /* OUTPUT.csv: a row for each pixel, with coordinates */
  VG_FORMAT_PNG = 1 << 3,   /* OUTPUT.png: the last map in its colours, a pixel for each sample */
  VG_FORMAT_NONE = 1 << 4,  /* no files of maps */
  VG_FORMAT_DICOM = 1 << 5, /* OUTPUT.dcm: a parametric map of a volume with a placement */
  VG_FORMAT_NRRD = 1 << 6,  /* OUTPUT.nrrd: every page */
} VgExportFormat;

/* The figure of the shown map, with colour bar, scale bar and regions. */
typedef enum {
  VG_FIGURE_PNG = 1 << 0, /* figure.png */
  VG_FIGURE_SVG = 1 << 1, /* figure.svg */
  VG_FIGURE_PDF = 1 << 2, /* figure.pdf */
} VgFigureFormat;
enum { VG_FIGURE_USUAL_DPI = 300, VG_FIGURE_LEAST_DPI = 72, VG_FIGURE_MOST_DPI = 1200 };

typedef struct
{
  guint formats;            /* of the maps; 0: TIFF, and NIfTI of a volume with a placement */
  gboolean dicom_anonymous; /* DICOM leaves out patient, study, dates and references */
  char **left_out;          /* names of results that are not kept, NULL-terminated; or NULL */
  VgDisplay *displays;      /* of each output; NULL: as the window shows it at first */
  guint n_displays;
  guint figures;           /* VG_FIGURE bits */
  int figure_mm;           /* its width; 0: 85 */
  int figure_dpi;          /* of the PNG; 0: 300 */
  int slice;               /* that figures and report show; -1: vg_export_find_slice */
  gboolean report;         /* report.html */
  char *compared_run;      /* another run, with whose regions comparison.csv compares; or NULL */
  VgProfileLine profile;   /* of profile.csv; width 0: the table is not written */
  VgProfileLine kymograph; /* of kymograph.tif and vessel.csv; width 0: they are not written */
  GArray *events; /* of double, s: the means of regions around them are in events.csv; or NULL */
  VgEventWindow around_events;
  double alarm;           /* limit for the means of regions in alarms.csv; 0: it is not written */
  GPtrArray *courses;     /* of VgCurves: regions against time, for the report; NULL: none */
  GArray *marks;          /* of VgCurveMark, x in s: those of a stream; NULL: those of its file */
  GPtrArray *annotations; /* of VgAnnotation, over figures, report and movie; NULL: none */
  VgMovieOptions *movie;  /* of the shown map, by a batch run; NULL: none */
  VgExportComparison *comparison; /* that the figures show; NULL: none */
} VgExportOptions;

/* SELF NULL: the defaults. */
VgExportOptions *vg_export_options_copy (const VgExportOptions *self);
void vg_export_options_free (VgExportOptions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgExportOptions, vg_export_options_free)

/* Copies how SESSION displays each output, and its annotations. */
void vg_export_options_set_displays (VgExportOptions *self, VgSession *session);
/* Reads "tiff,csv"; VG_USAGE_ERROR: TEXT names no formats. */
gboolean vg_export_options_set_formats (VgExportOptions *self, const char *text, GError **error);
/* The same for figures: "png,svg". */
gboolean vg_export_options_set_figures (VgExportOptions *self, const char *text, GError **error);
/* Whether the maps are written as FORMAT.  PLACED: the map is a volume with a placement.  SELF may
 * be NULL. */
gboolean vg_export_options_wants (const VgExportOptions *self, VgExportFormat format,
                                  gboolean placed);
/* Whether the result NAME is not kept.  SELF may be NULL. */
gboolean vg_export_options_leaves_out (const VgExportOptions *self, const char *name);
/* Whether the map of output ID is not kept. */
gboolean vg_export_options_leaves_out_map (const VgExportOptions *self, const char *id);
/* The options of `run` for the same, such as " --format tiff,csv"; owned. */
char *vg_export_options_to_words (const VgExportOptions *self);

G_END_DECLS
