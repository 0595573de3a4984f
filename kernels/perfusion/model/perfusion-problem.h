/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "kernels/perfusion/model/perfusion-descent.h"
/* What all voxels share: frame times, the two input curves, the weights of
 * the frames and the model.  Built once per pair of inputs. */
G_BEGIN_DECLS

typedef enum {
  VG_PERFUSION_COMPARTMENT, /* ka, kp, kl: one compartment; single input: Tofts */
  VG_PERFUSION_EXTENDED_TOFTS,
  VG_PERFUSION_PATLAK,
  VG_PERFUSION_UPTAKE,   /* two-compartment uptake */
  VG_PERFUSION_EXCHANGE, /* two-compartment exchange */
} VgPerfusionModel;

typedef struct
{
  VgPerfusionModel model;
  gboolean dual;           /* else the artery alone */
  int n;                   /* frames */
  double *times_s;         /* rising, as measured; even ones exactly so */
  gboolean even;           /* times_s are a constant step apart, to 1e-3 of it or to 1 ms */
  double step_s;           /* mean */
  double *artery, *portal; /* n, in the unit of concentration */
  double *weights;         /* n, 0: left out */
  int used;                /* frames with weight */
  double weight_sum;
  VgPerfusionBounds bounds;
  /* artery[-pad] .. artery[n + pad - 1] may be read: zeros, the last value */
  int pad;
  double *memory;
} VgPerfusionProblem;

/* Copies ARTERY, PORTAL (NULL: single input) and WEIGHTS (NULL: all 1).  A
 * frame without weight has no say in the inputs either: they go straight on
 * from the frame before to the one after. */
VgPerfusionProblem *vg_perfusion_problem_new (VgPerfusionModel model, int n, const double *times_s,
                                              const double *artery, const double *portal,
                                              const double *weights,
                                              const VgPerfusionBounds *bounds);
void vg_perfusion_problem_free (VgPerfusionProblem *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionProblem, vg_perfusion_problem_free)

/* Frames without weight take the straight line between their neighbours, in place. */
void vg_perfusion_bridge (int n, const double *times_s, const double *weights, double *curve);

/* The operation's own: 0.6 to 3000 ml/100 g/min, 0 to 10 s. */
VgPerfusionBounds vg_perfusion_bounds_default (void);

/* The curve of INPUT (artery or portal of SELF) at all frames, in double;
 * BY_K and BY_DELAY may be NULL. */
void vg_perfusion_curve (const VgPerfusionProblem *self, const double *input, VgPerfusionKind kind,
                         double k, double delay, double *value, double *by_k, double *by_delay);

G_END_DECLS
