/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/motion/perfusion-motion-search.h"
/* The deformation of the frames: displacements of the points of a control grid. */
G_BEGIN_DECLS

/* Takes a step of all points of FRAME, whose differences from their neighbours are kept small. */
void vg_motion_grid_step (VgMotionSearch *self, int frame);
/* Moves neighbouring points together where the deformation could fold.  SHIFT: of a frame. */
void vg_motion_grid_unfold (const VgPerfusionControlGrid *grid, const double size[3], float *shift);
/* Writes the sums of a row of N voxels, three each: the displacements SHIFT of the points with the
 * weights X of all voxels, Y and Z of the row.  LINE: memory of 3 floats for each point along x. */
void vg_motion_grid_row (const VgPerfusionControlGrid *grid, const float *shift,
                         const VgPerfusionTaps *y, const VgPerfusionTaps *z,
                         const VgPerfusionTaps *x, int n, float *line, float *to);
/* Frames without a significant deformation keep the displacement of the volume. */
void vg_motion_grid_settle (VgMotionSearch *self);
/* Computes the maps of the Jacobian determinant.  FALSE and an error: the task is stopped. */
gboolean vg_motion_grid_jacobian (VgMotionSearch *self, GError **error);

/* Corrects FRAMES, of N voxels reduced by FACTOR, by SHIFTS [frame][point][3] in voxels of the
 * level. */
void vg_motion_grid_deform (const VgPerfusionControlGrid *grid, const int factor[3], const int n[3],
                            int frames, const float *from, const float *shifts, float *to,
                            int threads);
/* Adds the TERMS of each voxel of row (Y, Z) to the SUMS of the points around it.  LINE: memory of
 * the sums of all points along x. */
void vg_motion_grid_add_row (const VgPerfusionControlGrid *grid, const int factor[3], int n, int y,
                             int z, const float *terms, float *line, double *sums);

G_END_DECLS
