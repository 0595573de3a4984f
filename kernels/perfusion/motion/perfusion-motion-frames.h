/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* How well the frames of a series fit its model.  WEIGHTS of frames: 0 for one that is not used. */
G_BEGIN_DECLS

/* Sets the MISFIT of each frame: the displacement that would explain its difference from the model,
 * as without the frame in the model; NaN: the frame has no structure.  SUMS are those of
 * [frame][group] (VgPerfusionMotionPasses), in units of VOXELS. */
void vg_motion_frames_rate (const double *sums, int n, int groups, const double *leverage,
                            double voxels, double *misfit);
/* Frames that fit badly count less for the model: sets RESULT, 1e-3 to 1, of the frames that are
 * used. */
void vg_motion_frames_weigh (const double *misfit, int n, const double *weights, double *result);
/* A frame is left out that differs more from the model than all frames and its neighbours do, for
 * enhancement that the model does not contain lasts for several frames.  Returns their number. */
int vg_motion_frames_leave_out (const double *misfit, int n, const double *weights,
                                guint8 *left_out);
/* The variance of the difference from the model at the edges of a group, not below the rounding
 * error of single precision.  FALSE: the SUMS of the group have no structure. */
gboolean vg_motion_frames_variance (const double *sums, double *variance);
/* The median of N values, which are sorted; 0: there are none. */
double vg_motion_median (double *values, int n);

G_END_DECLS
