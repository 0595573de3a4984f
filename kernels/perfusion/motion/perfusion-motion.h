/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-engine.h"
#include "kernels/perfusion/motion/perfusion-motion-formula.h"
/* Motion correction of a contrast series: the displacement of each time point, of the whole volume
 * or of each slice in its plane, or its deformation, against a model of the series that is
 * estimated with it. */
G_BEGIN_DECLS

typedef enum {
  VG_PERFUSION_MOTION_OFF,
  VG_PERFUSION_MOTION_VOLUME,      /* along three axes */
  VG_PERFUSION_MOTION_SLICES,      /* each slice in its plane */
  VG_PERFUSION_MOTION_DEFORMATION, /* along three axes, then a smooth deformation */
} VgPerfusionMotionKind;

/* What was found.  Arrays of [frame][group][axis]; a group is the volume or a slice. */
typedef struct
{
  int n, groups, moved; /* frames; groups; frames that were shifted */
  float *shift, *error; /* displacement that was corrected, and its standard error, voxels */
  float *found;         /* before those that are not significant were set to 0 */
  double *misfit;       /* per frame: the displacement that would explain its difference from the
                         * model, voxels; NaN: no structure */
  guint8 *left_out;     /* per frame: does not fit after the correction */
  int n_left_out;
  float *before, *after; /* per voxel: root mean square difference from the model */
  VgImage *corrected;    /* the series, float; NULL: no frame was shifted */
  /* Of a deformation; else NULL.  Arrays of [frame][point][axis]. */
  VgPerfusionControlGrid grid;
  float *deformation; /* displacements of the control points, with that of the volume, voxels */
  float *deformed;    /* per frame: root mean square difference from that of the volume, in the unit
                       * of vg_perfusion_motion_size; 0: not significant, so not corrected */
  float *jacobian_low, *jacobian_high; /* per voxel: over the frames that are not left out */
} VgPerfusionMotion;

void vg_perfusion_motion_free (VgPerfusionMotion *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionMotion, vg_perfusion_motion_free)

/* The passes over the series of one backend.  Each returns FALSE with an error.  The series is
 * reduced by the factors of a level; n are its extents, and planes its model. */
typedef struct VgPerfusionMotionPasses VgPerfusionMotionPasses;
struct VgPerfusionMotionPasses
{
  /* Begins a level: means over factor[0] x factor[1] x factor[2] voxels.  GRID: groups are its
   * points, which share the voxels by their weights; NULL: groups are the volume or slices. */
  gboolean (*level) (gpointer self, const int factor[3], const VgPerfusionControlGrid *grid,
                     GError **error);
  /* Corrects each frame by SHIFT [frame][group][3] voxels of the level. */
  gboolean (*shift) (gpointer self, const float *shift, GError **error);
  /* Computes the planes of RANK components as PROJECT (rank x n) times the corrected series, and
   * their PRODUCTS (n + rank rows of rank) with each frame and with each other, over the mask.  A
   * missing sample is that of the former model, with OLD (n x old_rank) as the coefficients;
   * old_rank 0: the mean of the others. */
  gboolean (*project) (gpointer self, const double *project, int rank, const double *old,
                       int old_rank, double *products, GError **error);
  /* Sums of [frame][group] (vg_perfusion_motion_terms), with the COEFFICIENTS (n x rank) and all
   * samples multiplied by UNIT, so that squares neither overflow nor vanish.  SHARP: of
   * [frame][group], or with a grid of each frame. */
  gboolean (*sums) (gpointer self, const double *coefficients, int rank, float unit,
                    const float *sharp, double *sums, GError **error);
  /* Writes the root mean square differences from the model, per voxel. */
  gboolean (*residual) (gpointer self, const double *coefficients, int rank, float *to,
                        GError **error);
  /* Copies the corrected frames. */
  gboolean (*fetch) (gpointer self, float *to, GError **error);
};

/* What both backends start from.  MASK: voxels whose edges count; NULL: all. */
typedef struct
{
  const VgImage *image;
  VgPerfusionMotionKind kind;
  const guint8 *mask;
  const double *weights; /* of the frames; 0: does not count */
  double spacing;        /* of the control points of a deformation (vg_perfusion_motion_grid) */
  int threads;
  const gint *stop;                            /* see VgContext */
  void (*report) (gpointer data, double done); /* see VgContext */
  gpointer report_data;
} VgPerfusionMotionTask;

/* Sets the SIZE of a voxel in mm.  FALSE: it is not known, and 1. */
gboolean vg_perfusion_motion_size (const VgImageInfo *info, double size[3]);
/* The control grid of a deformation whose points are about SPACING mm apart, or SPACING voxels if
 * their size is not known, and at least two voxels. */
VgPerfusionControlGrid vg_perfusion_motion_grid (const VgImageInfo *info, double spacing);
/* Samples of the GPU's memory for each term of a frame of N voxels: on the voxels, then added along
 * y; and added along z. */
static inline void
vg_perfusion_motion_scratch (const int n[3], const VgPerfusionControlGrid *grid, gsize *terms,
                             gsize *added)
{
  const gsize x = (gsize) n[0], y = (gsize) n[1], z = (gsize) n[2],
              points_y = (gsize) grid->points[1], points_z = (gsize) grid->points[2];

  *terms = MAX (x * y * z, x * points_y * points_z);
  *added = x * y * points_z;
}

/* Memory of the correction: on the host for the results, and for the passes of a backend.  SPACING
 * as for vg_perfusion_motion_grid; 0: without a deformation. */
void vg_perfusion_motion_memory (const VgImageInfo *info, double spacing, gsize *results,
                                 gsize *passes);
/* Sets VG_OPERATION_ERROR_MEMORY. */
void vg_perfusion_motion_no_memory (int frames, GError **error);
/* Finds the motion with the PASSES of SELF.  NULL with an error: memory is short, a pass failed,
 * or the task is stopped. */
VgPerfusionMotion *vg_perfusion_motion_run (const VgPerfusionMotionTask *task,
                                            const VgPerfusionMotionPasses *passes, gpointer self,
                                            GError **error);
/* The same on the CPU. */
VgPerfusionMotion *vg_perfusion_motion_find (const VgPerfusionMotionTask *task, GError **error);

static inline int
vg_perfusion_motion_groups (const VgPerfusionMotionTask *task)
{
  return task->kind == VG_PERFUSION_MOTION_SLICES ? (int) task->image->info.slices : 1;
}
/* The spacing of vg_perfusion_motion_memory. */
static inline double
vg_perfusion_motion_spacing (const VgPerfusionMotionTask *task)
{
  return task->kind == VG_PERFUSION_MOTION_DEFORMATION ? task->spacing : 0;
}

G_END_DECLS
