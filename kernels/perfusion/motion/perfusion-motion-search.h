/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/motion/perfusion-motion-model.h"
/* The search for the displacements of all groups, with the passes of a backend. */
G_BEGIN_DECLS

typedef struct
{
  const VgPerfusionMotionTask *task;
  const VgPerfusionMotionPasses *passes;
  gpointer backend;
  VgPerfusionMotion *motion;
  VgMotionModel model;
  const VgPerfusionControlGrid *grid; /* the groups are its points; NULL: the volume or slices */
  double size[3];                     /* of a voxel, see vg_perfusion_motion_size */
  int n, groups, ranks, factor[3];
  float unit;
  double *sums;
  float *shift, *scaled, *sharp; /* voxels; voxels of the level; see vg_perfusion_motion_terms */
  int done, steps;
} VgMotionSearch;

/* The steps of a search, for the progress. */
int vg_motion_search_steps (int ranks, gboolean deformed);
/* Finds the displacements, from the present ones and a new model; of a grid, from the model of the
 * volume.  Those of a grid never follow its time courses, see vg_motion_search_prefer_still. */
gboolean vg_motion_search (VgMotionSearch *self, GError **error);
/* Whether the task is to be stopped, with an error. */
gboolean vg_motion_search_is_stopped (const VgMotionSearch *self, GError **error);
/* Sets the misfit of the frames. */
void vg_motion_search_rate (VgMotionSearch *self);
/* Corrects the series by the present displacements and improves its model in SWEEPS. */
gboolean vg_motion_search_apply (VgMotionSearch *self, int sweeps, GError **error);
/* Enhancement and a displacement with the same time course look alike, and the model can mistake
 * one for the other.  So the displacements of a group are compared with those without the part that
 * has this time course, after COUNT more steps of both.  Those without it are chosen if their
 * misfit is then at most TOLERATED times as large.  If LIMIT is not 0, the part is removed only
 * along axes where it is most of the displacements and these are smaller than LIMIT (root mean
 * square). */
gboolean vg_motion_search_prefer_still (VgMotionSearch *self, int count, double limit,
                                        double tolerated, GError **error);
/* The precision (inverse covariance, 3 x 3) of a displacement in voxels of the level, from the sums
 * of a group.  FALSE: the group has no structure. */
gboolean vg_motion_search_precision (const double *sums, double *a);

G_END_DECLS
