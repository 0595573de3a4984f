/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/study/perfusion-study.h"
/* Finds the aorta, the portal vein and the liver in a time series by the time, height and shape of
 * the enhancement, and grows a vessel from one voxel by the similarity of curves
 * (docs/perfusion.md). */
G_BEGIN_DECLS

/* The enhancement of all voxels: the sample minus the mean of the frames before the bolus.  Frames
 * of weight 0 and those before the first baseline frame are left out. */
typedef struct
{
  const VgPerfusionStudy *study;
  const VgContext *context; /* whose `stop` ends the search */
  int n, before;            /* frames that are used; those of them before the bolus */
  int *frames;              /* their indices in the series */
  double *times_s;
  /* Per voxel; base is NAN where a sample is not a number.  half_s: when the enhancement first
   * reaches half of its peak.  noise: one standard deviation of a sample. */
  float *base, *noise, *peak, *half_s;
  /* Space for one number per voxel, for the function that runs. */
  float *values;
  gsize *queue;
} VgPerfusionVoxels;

/* STUDY and CONTEXT are borrowed.  NULL and an error: the series is too short, there is too little
 * memory, or CONTEXT is stopped. */
VgPerfusionVoxels *vg_perfusion_voxels_new (const VgPerfusionStudy *study, const VgContext *context,
                                            GError **error);
void vg_perfusion_voxels_free (VgPerfusionVoxels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionVoxels, vg_perfusion_voxels_free)
/* The enhancement of VOXEL at the used frames.  FALSE: it has samples that are not numbers. */
gboolean vg_perfusion_voxels_read (const VgPerfusionVoxels *self, gsize voxel, double *curve);
/* TRUE with an error: the search is to end. */
gboolean vg_perfusion_voxels_stopped (const VgPerfusionVoxels *self, GError **error);
/* A block of BYTES zeros; NULL and an error. */
gpointer vg_perfusion_voxels_alloc (const VgPerfusionVoxels *self, gsize bytes, GError **error);
/* The largest value of CURVE, and the time at which it first exceeds half of it, or, if it is not
 * positive, the time of that value. */
double vg_perfusion_curve_peak (const VgPerfusionVoxels *self, const double *curve, double *half_s);

/* A vessel that was grown. */
typedef struct
{
  guint8 *member;      /* per voxel of the series: 0 outside, 1 inside, 2 edge */
  gsize inside, edge;  /* voxels; the mean curve is that of those inside */
  int slices;          /* with voxels inside */
  gboolean thin;       /* no voxel has all of its neighbours in the vessel */
  gboolean bounded;    /* growth ended at the largest size */
  double *curve;       /* mean enhancement of the voxels inside */
  double peak, half_s; /* of that curve */
  double base;         /* mean sample before the bolus */
} VgPerfusionGrown;

/* Grows from SEED to neighbours whose curves have the same shape and at least half the height, up
 * to MOST voxels.  Edge voxels whose height differs by more than 15 % from that of the interior
 * contain other tissue (partial volume) and are left out of the mean.  NULL: the curve of the seed
 * does not stand out from its noise; or, with an error, too little memory, or stopped. */
VgPerfusionGrown *vg_perfusion_grow (const VgPerfusionVoxels *self, gsize seed, gsize most,
                                     GError **error);
/* The vessel whose voxels the user has marked, all inside; MEMBER, 0 or 1 per voxel, is taken.
 * NULL: no contrast agent arrives there. */
VgPerfusionGrown *vg_perfusion_grown_new (const VgPerfusionVoxels *self, guint8 *member);
void vg_perfusion_grown_free (VgPerfusionGrown *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionGrown, vg_perfusion_grown_free)

typedef enum {
  VG_PERFUSION_FOUND_ARTERY,
  VG_PERFUSION_FOUND_PORTAL,
  VG_PERFUSION_FOUND_LIVER,
  VG_PERFUSION_N_FOUND
} VgPerfusionFoundKind;

typedef struct
{
  VgPerfusionGrown *grown[VG_PERFUSION_N_FOUND]; /* NULL: not found */
  char *note[VG_PERFUSION_N_FOUND];              /* English sentences, one a line */
  gboolean sure[VG_PERFUSION_N_FOUND];
} VgPerfusionFound;

/* GIVEN (owned from now on): the artery that the user has marked; NULL: the artery is searched for
 * too.  FALSE and an error: there is too little memory, or the search is stopped. */
gboolean vg_perfusion_find (const VgPerfusionVoxels *self, VgPerfusionGrown *given,
                            VgPerfusionFound *found, GError **error);
/* The first sentence of a note on the region WHAT, owned. */
char *vg_perfusion_found_size (const char *what, gsize voxels, int slices, int of);
void vg_perfusion_found_clear (VgPerfusionFound *found);

G_END_DECLS
