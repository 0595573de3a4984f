/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/study/perfusion-study.h"
/* The state of the CPU engine, and the results of both engines. */
G_BEGIN_DECLS

typedef struct
{
  VgPerfusionStudy *study; /* first in the states of both backends (VgContext.state) */
  guint32 *order;          /* indices of the voxels to fit */
  gsize n_order, next;
  const VgRanks *ranks;    /* each fits a part of the voxels, until all are fitted; else NULL */
  float *values;           /* FIT_VALUES planes */
  float *signal, *derived; /* planes */
  gboolean whole_signal;   /* `signal` has the voxels outside the mask too */
  double seconds;          /* time of fitting */
  gsize counts[VG_PERFUSION_N_COUNTS];
} VgPerfusionState;

/* Adds the metrics of both engines. */
void vg_perfusion_report (VgMetrics *metrics, VgPerfusionStudy *study, const gsize *counts,
                          double seconds);
/* Advice if the baseline or the choice of signal seems wrong (owned); NULL: none.  *BETTER: the one
 * to choose instead, or -1. */
char *vg_perfusion_baseline_advice (const VgPerfusionStudy *study, int *better);
/* The frame, 0-based, at which CURVE is highest. */
int vg_perfusion_peak_frame (const double *curve, int n);
/* The curve of the voxel at X, Y, SLICE with its fit, given by VALUES, and the inputs. */
VgCurves *vg_perfusion_plot_voxel (const VgPerfusionStudy *study, double x, double y, int slice,
                                   const double *values);
/* The mean curve of the voxels of N regions, which count as one, with its fit, and their number and
 * volume as metrics; NULL if they have no curve. */
VgCurves *vg_perfusion_plot_regions (const VgPerfusionStudy *study, const VgRegion *const *regions,
                                     guint n);
/* Both engines use these functions.  STATE begins with its study (see VgEngine). */
VgCurves *vg_perfusion_state_region (gpointer state, const VgRegion *region, GError **error);
VgCurves *vg_perfusion_state_regions (gpointer state, const VgRegion *const *regions, guint n,
                                      GError **error);
VgCurves *vg_perfusion_state_plot (gpointer state, guint i, GError **error);
char *vg_perfusion_state_text (gpointer state, guint i, char **file_name, GError **error);
VgImage *vg_perfusion_state_corrected (gpointer state);
VgCurves *vg_perfusion_plot_inputs (const VgPerfusionStudy *study);
char *vg_perfusion_inputs_text (const VgPerfusionStudy *study, char **file_name);
/* The motion that was corrected: plot, table and metrics (perfusion-moved.c). */
VgCurves *vg_perfusion_plot_motion (const VgPerfusionStudy *study);
char *vg_perfusion_motion_text (const VgPerfusionStudy *study, char **file_name);
void vg_perfusion_report_motion (VgMetrics *metrics, VgPerfusionStudy *study);
/* Whether OUTPUT is a map that the study holds in host memory.  *PLANE: NULL if it was not
 * computed.
 */
gboolean vg_perfusion_host_plane (const VgPerfusionStudy *study, int output, const float **plane);
/* Reports what makes the concentration in the artery wrong: the loss of signal to T2* decay, and
 * unsaturated blood that flows in (perfusion-artery.c). */
void vg_perfusion_report_artery (VgMetrics *metrics, const VgPerfusionStudy *study);
/* The voxel at a position in the image; -1: outside. */
gssize vg_perfusion_voxel_at (const VgPerfusionStudy *study, double x, double y, int slice);

G_END_DECLS
