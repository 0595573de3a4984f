/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/model/perfusion-choice.h"
#include "kernels/perfusion/fit/perfusion-deconvolution.h"
#include "kernels/perfusion/fit/perfusion-dictionary.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/fit/perfusion-general-start.h"
#include "kernels/perfusion/motion/perfusion-motion.h"
#include "kernels/perfusion/paper/perfusion-paper.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/model/perfusion-signal.h"
#include "kernels/perfusion/model/perfusion-t1.h"
/* A data set prepared for the fits: times, weights, mask, T1, input functions, dictionary.  Both
 * engines start from it.  vg_perfusion_study_update computes again what a change of settings
 * affects. */
G_BEGIN_DECLS

enum { VG_PERFUSION_MAX_FILES = 8 };

typedef struct
{
  VgPerfusionParams *params; /* owned copy */
  VgImage *image;            /* the series; if its motion was corrected, the corrected one */
  VgPerfusionMotion *motion; /* NULL: not corrected */
  int threads;               /* largest number of CPU threads */
  /* See VgContext; while the study is prepared, else NULL. */
  const gint *stop;
  struct
  {
    char *id;
    VgImage *image;
  } files[VG_PERFUSION_MAX_FILES];
  int n_files;

  int n;                     /* frames */
  gsize voxels;              /* width * height * slices */
  double *times_s, *weights; /* times since the first frame */
  /* The time of the first frame in its file, on which the tables of inputs are based too. */
  double begin_s;
  VgPerfusionSignal signal;
  guint8 *mask;                  /* per voxel: those to fit; NULL: all */
  double apparent_motion;        /* vg_perfusion_apparent_motion; NaN: not known */
  const gint *motion_stop;       /* VgContext.stop, for that search; NULL: it goes through */
  gboolean has_liver;            /* the mask is that of a liver, without the vessels in it */
  float *t1_s;                   /* per voxel, s; NULL: the same T1 in all voxels */
  double t1_median_s;            /* median in the mask; NaN: no voxel has a T1 */
  gboolean t1_in_s;              /* The T1 map was in seconds. */
  float *t1_maps;                /* T1 and its standard error in ms, from a series; else NULL */
  VgPerfusionT1Method t1_method; /* with which t1_maps was computed */
  gsize t1_unknown;              /* voxels in the mask without T1, where t1_s is given */
  float *b1;                     /* actual / nominal flip angle per voxel; NULL: 1 */
  float *cos_flip;               /* per voxel, for gradient echoes with b1; else NULL */
  /* concentration in plasma; portal is NULL for a single input */
  double *artery, *portal;
  gsize artery_voxels, portal_voxels; /* voxels averaged; 0: not measured in the image */
  /* Of an artery measured in the image: its mean signal before the bolus, and the mean cosine of
   * the flip angle in its voxels. */
  double artery_baseline;
  float artery_cosine;
  double inflow_ratio; /* vg_perfusion_inflow of it */
  /* artery is the population AIF; portal was derived from artery */
  gboolean population, dispersed;
  guint averaged; /* number of tables averaged for artery or portal; 0: none */
  /* The fitted arrival of the population AIF and its standard error; NaN: it was given. */
  double arrival_s, arrival_error_s;
  VgPerfusionProblem *problem;
  VgPerfusionDictionary *dictionary;       /* for one compartment, else NULL */
  VgPerfusionGrid *grid;                   /* for the other models, else NULL */
  VgPerfusionDeconvolution *deconvolution; /* for deconvolution, else NULL */
  /* If the best model is chosen: the problem and the grid of each model but the first, which has
   * `problem` and `dictionary`; else NULL. */
  VgPerfusionProblem *others[VG_PERFUSION_CANDIDATES];
  VgPerfusionGrid *other_grids[VG_PERFUSION_CANDIDATES];
  VgPerfusionPaper *paper; /* for the paper's solver, else NULL */
} VgPerfusionStudy;

/* Prepares a study.  Copies the settings and references the image and files.  Returns NULL with
 * VG_OPERATION_ERROR_INPUT if they are unsuitable. */
VgPerfusionStudy *vg_perfusion_study_new (const VgContext *context, GError **error);
/* The same with another way to find motion than vg_perfusion_motion_find, on DEVICE. */
typedef VgPerfusionMotion *(*VgPerfusionMotionFind) (const VgPerfusionMotionTask *task, int device,
                                                     GError **error);
VgPerfusionStudy *vg_perfusion_study_new_on (const VgContext *context, VgPerfusionMotionFind find,
                                             GError **error);
/* As vg_perfusion_study_new, but reads only the times and weights of the frames, and corrects their
 * motion if the settings say so. */
VgPerfusionStudy *vg_perfusion_study_new_frames (const VgContext *context, GError **error);
/* Applies other settings with the same files.  Returns FALSE with an error, and SELF unchanged,
 * if they are unsuitable. */
gboolean vg_perfusion_study_update (VgPerfusionStudy *self, const VgPerfusionParams *params,
                                    GError **error);
/* Whether PARAMS differ at most in display units.  If so it sets them; the fit remains valid. */
gboolean vg_perfusion_study_set_units (VgPerfusionStudy *self, const VgPerfusionParams *params);
void vg_perfusion_study_free (VgPerfusionStudy *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionStudy, vg_perfusion_study_free)

/* The decoded file of parameter ID, or NULL. */
const VgImage *vg_perfusion_study_file (const VgPerfusionStudy *self, const char *id);
/* Reads the samples of a voxel into CURVE, n values STRIDE apart.  MEAN receives the mean of those
 * with a weight.  FALSE: the voxel is outside the mask or below the threshold. */
gboolean vg_perfusion_study_samples (const VgPerfusionStudy *self, gsize voxel, double *curve,
                                     int stride, float *mean);
/* Reads the curve of a voxel as concentration into CURVE, n values STRIDE apart.  MEAN receives
 * the mean of its samples.  Returns FITTED unless the voxel cannot be fitted. */
VgPerfusionStatus vg_perfusion_study_read (const VgPerfusionStudy *self, gsize voxel, double *curve,
                                           int stride, float *mean);
/* The standard deviation of the noise of CURVE, N values, at least 3.  It is estimated from second
 * differences, whose median size is 1.65 standard deviations, because blood curves are smooth over
 * a few frames only.  STEPS: space for N values. */
double vg_perfusion_noise (const double *curve, int n, double *steps);
/* The contrast-to-noise ratio of CURVE, N values: its peak above its lowest tenth, in standard
 * deviations of its noise. */
double vg_perfusion_contrast (const double *curve, int n);

/* The mean concentration over the voxels of N_REGIONS regions, each in its slice, n values, with
 * the study's T1 and without the mask.  Voxels of the artery and the portal vein are left out,
 * unless there are no others: then *BLOOD is TRUE, and CURVE the concentration in plasma, with the
 * T1 of blood.  Returns the number of voxels; if it is 0, CURVE is not set. */
gsize vg_perfusion_study_regions (const VgPerfusionStudy *self, const VgRegion *const *regions,
                                  guint n_regions, double *curve, gboolean *blood);

/* Reads column 2 of a table, or for the portal vein column 3 if it exists; a single column has one
 * value per frame.  Values are interpolated linearly in time. */
gboolean vg_perfusion_read_curve (const VgPerfusionStudy *self, const VgImage *file,
                                  gboolean portal, double *curve, GError **error);
/* Sets artery and portal, where they are not given, to the average of the input tables. */
gboolean vg_perfusion_read_averages (VgPerfusionStudy *self, GError **error);

/* The mean signal of the artery before the bolus relative to the tissue, divided by the ratio that
 * T1, flip angle and repetition time allow.  It is above 1 where blood that has just entered the
 * volume is not saturated by the pulses yet.  NaN: it was not measured, or is not known. */
double vg_perfusion_inflow (const VgPerfusionStudy *self);
/* The mean of the voxels to fit: signal, and, once the baseline is set, concentration.  FALSE:
 * there is no such voxel. */
gboolean vg_perfusion_mean_signal (const VgPerfusionStudy *self, double *curve);
gboolean vg_perfusion_mean_tissue (const VgPerfusionStudy *self, double *curve);
/* The population AIF of the settings as plasma concentration, T_S seconds after its arrival. */
double vg_perfusion_population_plasma (const VgPerfusionStudy *self, double t_s);
/* Fits the arrival of the population AIF to CURVE, n concentrations: of the artery, or (TISSUE) of
 * tissue with one compartment, whose portal input is `portal` if it is set and else the dispersed
 * AIF.  Sets arrival_s and arrival_error_s.  FALSE and an error: CURVE does not tell it. */
gboolean vg_perfusion_fit_arrival (VgPerfusionStudy *self, const double *curve, gboolean tissue,
                                   GError **error);

/* The stages of a study's preparation (perfusion-frames.c, perfusion-inputs.c,
 * perfusion-relaxation.c).  Each sets its members of SELF. */
gboolean vg_perfusion_read_frames (VgPerfusionStudy *self, GError **error);
/* Corrects the motion in `image`, after frames and mask were read, unless `motion` is off. */
gboolean vg_perfusion_correct_motion (VgPerfusionStudy *self, const VgContext *context,
                                      VgPerfusionMotionFind find, GError **error);
/* Gives no weight to the frames that the motion correction left out. */
void vg_perfusion_leave_out (VgPerfusionStudy *self);
/* Without motion correction: the range of the displacements of the volume from the 10th to the 90th
 * percentile of the frames, as the root of the sum of squares over the axes, in the unit of
 * vg_perfusion_motion_size; 0: there is no clear motion.  It is computed once, in a coarse copy of
 * the series. */
double vg_perfusion_apparent_motion (VgPerfusionStudy *self);
gboolean vg_perfusion_read_mask (VgPerfusionStudy *self, GError **error);
/* Marks the voxels of the artery in MASK, one byte per voxel, all 0.  *FOUND: FALSE if the settings
 * name no region and no mask of it. */
gboolean vg_perfusion_mark_artery (VgPerfusionStudy *self, guint8 *mask, gboolean *found,
                                   GError **error);
gboolean vg_perfusion_read_inputs (VgPerfusionStudy *self, GError **error);
gboolean vg_perfusion_read_relaxation (VgPerfusionStudy *self, GError **error);
/* Reads the rows of numbers of a text table; the first lines may be headings.  Returns *ROWS x
 * *COLUMNS values, with as many columns as the first row of numbers. */
double *vg_perfusion_read_table (const VgImage *file, int *rows, int *columns, GError **error);

G_END_DECLS
