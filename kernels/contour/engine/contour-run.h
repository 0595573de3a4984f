/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-grey.h"
#include "kernels/contour/shapes/contour-metrics.h"
#include "kernels/contour/evolve/contour-scene.h"
#include "kernels/contour/seeds/contour-seeds.h"
#include "kernels/contour/engine/contour-finalise.h"
#include "kernels/core/vg-operation.h"
/* What both engines share: the image, the seeds, the scene on the host and
 * all that is made of it. */
G_BEGIN_DECLS

/* Iterations are cut at multiples of this many reinitialisations, where tiles grow. */
enum { VG_CONTOUR_PERIODS = 5 };
/* Nuclei that are given the whole image as their tile, at most. */
enum { VG_CONTOUR_MOST_FULL = 16 };

typedef struct _VgContourEdits VgContourEdits;

/* How far it has come, and what of its seeds. */
typedef struct
{
  guint64 first_iteration, last_iteration; /* where it began to move, and is to end */
  guint outside, double_seeds, left_out;   /* seeds that start no contour */
  guint cut_off;                           /* that moved where the iterations ended */
  gboolean finished;
  VgContourLosses losses;
} VgContourStanding;

typedef struct
{
  VgContourParams params; /* its tables are the run's own, its files NULL */
  VgImageInfo info;
  VgContourScale scale; /* how it was made of the image */
  float *stain;         /* the plane, 0..1 */
  guint16 *grey;        /* the same in units */
  float *density;       /* of the stain, optical; NULL: it is none */
  VgContourForeground *foreground;
  VgContourScene *scene;
  GArray *base;   /* of VgContourPoint: automatic, or from the file */
  gboolean given; /* base is from a file, this: */
  VgImage *seed_file;
  gint32 *areas;              /* found with the seeds: label k is seed k - 1 of base; or NULL */
  gint64 began_us, seeded_us; /* monotonic: seeds were sought and set between */
  GArray *wanted;             /* base without the removed, and the added */
  GPtrArray *truth;           /* of VgContourMask, or NULL */
  guint truth_beyond;         /* objects of its file that lie beyond the image */
  guint without_area;         /* polygons of the seed file that start no contour */
  VgContourStanding standing;
  VgContourEdits *edits; /* what was there under settings before */
  /* owned: the scene's samples for the next update, which takes it; NULL: the scene has them */
  VgContourStore *store;
  guint64 params_iteration; /* the iteration at which the settings came */
  gboolean skip_step;       /* they moved nothing */
  GArray *outlines;         /* of VgOutline, borrowed by the image */
  float *outline_values;    /* their samples, and room for so many; the GPU has its own */
  gsize outline_room;
  /* there from the start, but for the stain's, which is `stain` */
  float *planes[VG_CONTOUR_OUTPUT_CONTOURS];
  gboolean plane_valid[VG_CONTOUR_OUTPUT_CONTOURS];
  double mean_area; /* of the outlines, while */
  gboolean measured;
  VgContourMetrics metrics;
  gboolean scored;
} VgContourRun;

VgContourRun *vg_contour_run_new (const VgContext *context, GError **error);
void vg_contour_run_free (VgContourRun *self);
/* FALSE: prepare again.  The scene has to be up to date before, but for samples in `store` where
 * settings only weigh; *MOVED tells that objects came or went. */
gboolean vg_contour_run_update (VgContourRun *self, const void *params, gboolean *moved);
/* Other files: another truth is taken, and scores what is there.  FALSE: prepare again; with an
 * error: it does not fit. */
gboolean vg_contour_run_set_files (VgContourRun *self, const VgContext *context, GError **error);
/* Settings that change neither seeds nor sizes nor samples. */
gboolean vg_contour_run_changes_weights_only (const VgContourRun *self,
                                              const VgContourParams *params);
/* Once after settings that moved nothing, or brought back what was: a step is to show that, without
 * an iteration. */
gboolean vg_contour_run_skips_step (VgContourRun *self);
/* Iterations up to the next cut, at most MOST. */
int vg_contour_run_chunk (const VgContourRun *self, int most);
/* TRUE at a cut. */
gboolean vg_contour_run_at_cut (const VgContourRun *self);
/* No iteration is left to do. */
gboolean vg_contour_run_is_over (const VgContourRun *self);
/* After iterations; at the end contours are settled, for which the scene has to be up to date.
 * FALSE and VG_OPERATION_ERROR_MEMORY. */
gboolean vg_contour_run_end_step (VgContourRun *self, GError **error);
/* N iterations, on the CPU, and what is to be done after them; all that is left. */
gboolean vg_contour_run_advance (VgContourRun *self, int n, GError **error);
gboolean vg_contour_run_finish (VgContourRun *self, GError **error);
double vg_contour_run_progress (const VgContourRun *self);

gboolean vg_contour_run_plane (VgContourRun *self, guint i, VgPlane *plane);
/* Outlines whose samples follow each other in host memory; FALSE: none, or with an error. */
gboolean vg_contour_run_outlines (VgContourRun *self, VgOutlines *outlines, GError **error);
/* OBJECT's box as an outline of a pool where its tile starts at OFFSET. */
VgOutline vg_contour_outline_of (const VgContourRun *self, const VgContourObject *object,
                                 gsize offset);
void vg_contour_run_results (VgContourRun *self, VgMetrics *metrics);
VgCurves *vg_contour_run_sample (VgContourRun *self, double x, double y);
VgCurves *vg_contour_run_plot (const VgContourRun *self, guint i);
char *vg_contour_run_text (const VgContourRun *self, guint i, char **file_name, GError **error);

/* Of the table of nuclei, in the order of its rows' cells. */
extern const VgObjectColumn vg_contour_columns[];

/* The table's callback. */
void vg_contour_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device);

G_END_DECLS
