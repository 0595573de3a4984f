/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-beam.h"
#include "kernels/fluence/files/fluence-report.h"
#include "kernels/fluence/model/fluence-tally.h"
#include "kernels/base/vg-statistics.h"
#include "kernels/core/vg-operation.h"
/* A simulation: the tallies, their statistics, the rule to stop, and all results.  An engine traces
 * photons and adds them to the tallies. */
G_BEGIN_DECLS

enum { VG_FLUENCE_LEAST_BATCHES = 8 }; /* before the error of the map is estimated */

/* Fluence at each depth, summed over all radii, of each batch or of several in a row. */
typedef struct
{
  int n;
  guint64 photons[VG_FLUENCE_DEPTH_BATCHES];
  double *sums; /* VG_FLUENCE_DEPTH_BATCHES x nz */
} VgFluenceDepths;

typedef struct
{
  VgFluenceParams params; /* layers are owned; reference_file is NULL */
  VgFluenceMedium *medium;
  VgFluenceLayout layout;
  guint64 *tally;
  guint64 photons; /* launched so far */
  guint64 alive;   /* of these, not ended yet */
  double seconds;  /* computing time so far */
  gboolean finished;
  int ranks; /* processes that add up their tallies at the end; 0: this one alone */

  /* Standard errors come from the scatter of batches, which end at fixed photon counts, or of
   * replicates that run at the same time. */
  guint64 first_batch;
  gboolean replicated;         /* see vg_fluence_run_set_replicates() */
  guint64 batch_end, last_end; /* photons at the end of this batch, of the last one */
  guint64 last_alive;          /* photons that had not ended then */
  int batches;
  guint64 batch_photons; /* in all batches */
  guint64 *last_cells;   /* cells at the end of the last batch */
  double *sums;          /* nz x nr, r fastest: sum of the batches' fluence tallies */
  double *squares;       /* sum of (batch's fluence tally)^2 / photons */
  double *layer_sums, *layer_squares;
  VgFluenceDepths depths;
  /* mean relative error of the fluence, weighted by the fluence; NaN: unknown yet */
  double map_error;

  VgFluenceReport *reference;
  char *mismatch; /* why the earlier run cannot be compared; NULL: it can */
  float *planes[VG_FLUENCE_OUTPUT_MCO];
  gboolean plane_valid[VG_FLUENCE_OUTPUT_MCO];
  VgFluenceBeamKernel *kernel; /* NULL for a pencil beam */
  float *pencil;               /* nz x nr: a map for a pencil beam; NULL without `kernel` */
  VgFluenceReport *report;     /* see vg_fluence_run_report() */
  gboolean report_valid, scale_valid;
  double scale;  /* see vg_fluence_run_scale() */
  gboolean full; /* ended early, before a bin's 64 bits overflow */
  char *hints;   /* see vg_fluence_hints_text() */
} VgFluenceRun;

VgFluenceRun *vg_fluence_run_new (const VgContext *context, GError **error);
void vg_fluence_run_free (VgFluenceRun *self);
gboolean vg_fluence_run_update (VgFluenceRun *self, const void *params);
/* Number of launched photons at which the next batch ends. */
guint64 vg_fluence_run_goal (const VgFluenceRun *self);
/* Updates the statistics: PHOTONS were launched, of which ALIVE have not ended.  Sets `finished` by
 * the rule to stop. */
void vg_fluence_run_advance (VgFluenceRun *self, guint64 photons, guint64 alive);
/* Adds N batches to the statistics.  Batch I has PHOTONS[I] photons (0: it is ignored); its tally
 * is NOW[I] minus BEFORE (NULL: 0). */
void vg_fluence_run_add_batches (VgFluenceRun *self, const guint64 *const *now,
                                 const guint64 *before, const guint64 *photons, int n);
/* With `replicated` set, called before vg_fluence_run_advance() and at least once at the end.
 * Computes the standard errors from the TALLIES of N replicates with PHOTONS[I] different photons
 * each. */
void vg_fluence_run_set_replicates (VgFluenceRun *self, const guint64 *const *tallies,
                                    const guint64 *photons, int n);
/* Sets the tally to the sum of N TALLIES. */
void vg_fluence_run_sum (VgFluenceRun *self, const guint64 *const *tallies, int n);
/* At the end of a batch, sets `full` and `finished` if a bin is half full.  FALSE and
 * VG_OPERATION_ERROR_INPUT if a bin's 64 bits may overflow within a batch, which only photons that
 * never end can cause. */
gboolean vg_fluence_run_check_capacity (VgFluenceRun *self, GError **error);
/* Sums over the columns of the tally NOW minus BEFORE (or NULL), for each row.  They do not depend
 * on the number of threads. */
void vg_fluence_run_row_sums (const VgFluenceRun *self, const guint64 *now, const guint64 *before,
                              double *sums);
/* Updates `photons` and `alive` within a batch.  The run finishes here only by its time limit. */
void vg_fluence_run_advance_in_batch (VgFluenceRun *self, guint64 photons, guint64 alive);
double vg_fluence_run_progress (const VgFluenceRun *self);

/* Weight of one tally unit as a fraction of the incident light. */
double vg_fluence_run_scale (VgFluenceRun *self);
/* Whether output I is computed from the earlier run alone. */
static inline gboolean
vg_fluence_is_earlier_run (guint i)
{
  return i == VG_FLUENCE_OUTPUT_OLD_FLUENCE || i == VG_FLUENCE_OUTPUT_REFERENCE;
}
/* Output I in host memory; FALSE if it does not exist with these settings. */
gboolean vg_fluence_run_plane (VgFluenceRun *self, guint i, VgPlane *plane);
/* The results so far.  Owned by SELF and valid until more photons are traced. */
VgFluenceReport *vg_fluence_run_report (VgFluenceRun *self, GError **error);
/* Standard errors of N bins, from the tally's sums of squares at index SQUARES.  VALUES are
 * fractions of the incident light times UNITS; ERRORS may be NULL.  Returns the mean squared weight
 * of a packet. */
double vg_fluence_run_exit_errors (const VgFluenceRun *self, gsize squares, int n,
                                   const double *values, const double *units, double *errors);
void vg_fluence_run_results (VgFluenceRun *self, VgMetrics *metrics);
VgCurves *vg_fluence_run_sample (VgFluenceRun *self, double x, double y);
/* Absorbed power in REGION, and the mean fluence in it at each depth; NULL: there is no map. */
VgCurves *vg_fluence_run_sample_region (VgFluenceRun *self, const VgRegion *region);
/* Adds how deep the light goes: the penetration depth, and the depths that contain 50 % and 90 % of
 * the absorption. */
void vg_fluence_run_add_depths (VgFluenceRun *self, VgMetrics *metrics);
VgCurves *vg_fluence_run_plot (VgFluenceRun *self, guint i);
/* Reflectance and transmittance against exit radius or angle; REPORT or OLD, an earlier run, may be
 * NULL.  vg_fluence_gates_plot() has them against exit time. */
VgCurves *vg_fluence_exits_plot (const VgFluenceRun *self, const VgFluenceReport *report,
                                 const VgFluenceReport *old, gboolean by_angle);
VgCurves *vg_fluence_gates_plot (VgFluenceRun *self);
/* Tables, as CSV, by exit radius and by exit time. */
char *vg_fluence_exits_text (const VgFluenceRun *self, const VgFluenceReport *report);
char *vg_fluence_gates_text (VgFluenceRun *self);
char *vg_fluence_run_text (VgFluenceRun *self, guint i, char **file_name, GError **error);

G_END_DECLS
