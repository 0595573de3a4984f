/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/study/perfusion-study.h"
/* State of the CPU engine. */
G_BEGIN_DECLS

typedef struct
{
  VgPerfusionStudy *study;
  guint32 *order; /* voxels to look at */
  gsize n_order, next;
  float *values;           /* FIT_VALUES planes */
  float *signal, *derived; /* planes */
  double seconds;          /* of fitting */
  gsize counts[VG_PERFUSION_N_COUNTS];
} VgPerfusionState;

/* Adds the numbers that both engines report. */
void vg_perfusion_report (VgMetrics *metrics, const VgPerfusionStudy *study, const gsize *counts,
                          double seconds);
/* What is odd about the baseline, or about the signal that it is taken of (owned); NULL: nothing.
 */
char *vg_perfusion_baseline_advice (const VgPerfusionStudy *study);
/* The frame, from 0, where CURVE is highest. */
int vg_perfusion_peak_frame (const double *curve, int n);
/* The curve, fit and inputs of the voxel at X, Y, SLICE from its VALUES. */
VgCurves *vg_perfusion_plot_voxel (const VgPerfusionStudy *study, double x, double y, int slice,
                                   const double *values);
/* The mean curve of a region's voxels, with the fit to it; NULL: it has none. */
VgCurves *vg_perfusion_plot_region (const VgPerfusionStudy *study, const VgRegion *region);
VgCurves *vg_perfusion_plot_inputs (const VgPerfusionStudy *study);
char *vg_perfusion_inputs_text (const VgPerfusionStudy *study, char **file_name);
/* The voxel at a place in the picture; -1: outside. */
gssize vg_perfusion_voxel_at (const VgPerfusionStudy *study, double x, double y, int slice);

G_END_DECLS
