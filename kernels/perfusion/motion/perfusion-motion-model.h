/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/motion/perfusion-motion.h"
/* The model of a series: a few planes, each with a coefficient for every frame. */
G_BEGIN_DECLS

typedef struct
{
  gboolean slow;             /* fast time courses are not enhancement, so not in the model */
  int n, rank, old_rank;     /* frames; planes; planes of the former model, 0: there is none */
  double *c, *q, *old;       /* coefficients (n x rank); orthonormal ones; the former */
  double *weight, *leverage; /* of the frames; the part of a frame in its own model, 0 to 0.8 */
  double *project, *products;
} VgMotionModel;

/* One plane, with the same coefficient for each of N frames, which have WEIGHTS or 0. */
void vg_motion_model_init (VgMotionModel *self, int n, const double *weights);
void vg_motion_model_clear (VgMotionModel *self);
/* Adds a plane whose coefficients vary slowly. */
void vg_motion_model_add_component (VgMotionModel *self);
/* Sets q to the columns of c, made orthonormal with the weights of the frames. */
void vg_motion_model_make_orthonormal (VgMotionModel *self);
/* The same with columns that are smoothed over time: enhancement is slow from frame to frame, and
 * motion is not. */
void vg_motion_model_keep_slow (VgMotionModel *self);
/* Improves the model of the corrected series: its planes by its coefficients, then these by the
 * planes.  FALSE with an error: a pass of the BACKEND failed. */
gboolean vg_motion_model_improve (VgMotionModel *self, const VgPerfusionMotionPasses *passes,
                                  gpointer backend, GError **error);
/* Solves A x = b for COLUMNS right sides B (rows of SIZE), with A of SIZE x SIZE, symmetric.
 * Directions without any weight receive 0. */
void vg_motion_solve (const double *a, int size, double *b, int columns);

G_END_DECLS
