/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-dictionary.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/fit/perfusion-general-start.h"
#include "kernels/perfusion/paper/perfusion-paper.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/model/perfusion-signal.h"
/* A data set with its settings worked out: times, weights, mask, relaxation
 * times, input curves, dictionary.  Both engines start from this; all that a
 * moved region changes is made again by vg_perfusion_study_update. */
G_BEGIN_DECLS

enum { VG_PERFUSION_MAX_FILES = 8 };

typedef struct
{
  VgPerfusionParams *params; /* own copy */
  VgImage *image;
  int threads; /* of the processor, at most */
  struct
  {
    char *id;
    VgImage *image;
  } files[VG_PERFUSION_MAX_FILES];
  int n_files;

  int n;                     /* frames */
  gsize voxels;              /* width * height * slices */
  double *times_s, *weights; /* times from the first frame */
  /* of the first frame in its own file's time, which is that of the tables of inputs too */
  double begin_s;
  VgPerfusionSignal signal;
  guint8 *mask;                       /* per voxel, or NULL: all */
  float *t1_s;                        /* per voxel, or NULL: params */
  double t1_median_s;                 /* of it within the mask; NaN: no voxel has one */
  gboolean t1_in_s;                   /* the T1 map was in seconds */
  double *artery, *portal;            /* concentration in plasma; portal NULL: single input */
  gsize artery_voxels, portal_voxels; /* averaged; 0: not from the image */
  gboolean population, dispersed;     /* ARTERY is the population's; PORTAL was made from ARTERY */
  VgPerfusionProblem *problem;
  VgPerfusionDictionary *dictionary; /* of one compartment, else NULL */
  VgPerfusionPlaces *places;         /* of the other models */
  VgPerfusionPaper *paper;           /* of the paper's solver */
} VgPerfusionStudy;

/* Copies the settings and takes references of image and files; NULL and
 * VG_OPERATION_ERROR_INPUT that says what does not fit. */
VgPerfusionStudy *vg_perfusion_study_new (const VgContext *context, GError **error);
/* Takes other settings with the same files; FALSE and error: SELF is as before. */
gboolean vg_perfusion_study_update (VgPerfusionStudy *self, const VgPerfusionParams *params,
                                    GError **error);
/* TRUE when PARAMS differ in how results are shown at most: the units are taken, nothing is fitted
 * again. */
gboolean vg_perfusion_study_rename (VgPerfusionStudy *self, const VgPerfusionParams *params);
void vg_perfusion_study_free (VgPerfusionStudy *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionStudy, vg_perfusion_study_free)

/* The decoded file of parameter ID, or NULL. */
const VgImage *vg_perfusion_study_file (const VgPerfusionStudy *self, const char *id);
/* Reads a voxel's curve as concentration, n values STRIDE apart in CURVE.
 * MEAN: of its samples.  FITTED unless it can not be fitted. */
VgPerfusionStatus vg_perfusion_study_read (const VgPerfusionStudy *self, gsize voxel, double *curve,
                                           int stride, float *mean);

/* Mean concentration over the voxels of a region in its slice, n values;
 * with the study's T1, no mask.  How many voxels: 0, and CURVE is not set. */
gsize vg_perfusion_study_region (const VgPerfusionStudy *self, const VgRegion *region,
                                 double *curve);

/* Copies BYTES of the samples of voxels FIRST .. FIRST + COUNT, frame after
 * frame, from byte AT of these on. */
void vg_perfusion_study_stage (const VgPerfusionStudy *self, gsize first, gsize count, gsize at,
                               gsize bytes, void *to);

/* Between the files of the study (perfusion-frames.c, perfusion-inputs.c,
 * perfusion-relaxation.c); each fills its part of SELF. */
gboolean vg_perfusion_read_frames (VgPerfusionStudy *self, GError **error);
gboolean vg_perfusion_read_mask (VgPerfusionStudy *self, GError **error);
gboolean vg_perfusion_read_inputs (VgPerfusionStudy *self, GError **error);
gboolean vg_perfusion_read_relaxation (VgPerfusionStudy *self, GError **error);
/* Numbers of a text in rows; the first rows may be headings.  *ROWS *
 * *COLUMNS values, as many columns as the first row of numbers has. */
double *vg_perfusion_read_table (const VgImage *file, int *rows, int *columns, GError **error);

G_END_DECLS
