/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-beam.h"
#include "kernels/fluence/files/fluence-report.h"
#include "kernels/fluence/model/fluence-tally.h"
#include "kernels/core/vg-operation.h"
/* A simulation as both engines share it: the tallies, the statistics, when
 * to stop, and everything that is derived from the tallies.  An engine only
 * adds photons. */
G_BEGIN_DECLS

enum { VG_FLUENCE_LEAST_BATCHES = 8 }; /* for an error of the map as a whole */

typedef struct
{
  VgFluenceParams params; /* layers are owned, reference_file is not kept */
  VgFluenceMedium *medium;
  VgFluenceLayout layout;
  guint64 *tally;
  guint64 photons; /* launched so far */
  guint64 alive;   /* of them, still on their way */
  double seconds;  /* spent in steps */
  gboolean finished;

  /* Batches, for standard errors: they end at photon counts that depend on
   * nothing else, or are parts that run side by side. */
  guint64 first_batch;
  gboolean parts;       /* no batches: see vg_fluence_run_take_parts */
  guint64 mark, marked; /* the next end, the last */
  guint64 marked_alive; /* then */
  int batches;
  guint64 counted; /* photons in them */
  guint64 *last;   /* cells at the last mark */
  double *sums;    /* nz x nr, r fastest: fluence tally of the batches */
  double *squares; /* sum of (batch's fluence tally)^2 / photons */
  double *layer_sums, *layer_squares;
  /* mean relative error of the fluence, weighted with it; NaN: not known yet */
  double map_error;

  VgFluenceReport *reference;
  char *apart; /* why the reference is not compared with; NULL: it is */
  float *planes[VG_FLUENCE_OUTPUT_MCO];
  gboolean plane_valid[VG_FLUENCE_OUTPUT_MCO];
  VgFluenceBeamKernel *kernel; /* NULL: a thin beam */
  float *thin;                 /* nz x nr: a map before it is spread; there with the kernel */
  VgFluenceReport *report;     /* see vg_fluence_run_report */
  gboolean report_valid, scale_valid;
  double scale;  /* see vg_fluence_run_scale */
  gboolean full; /* a bin can take no more: it ended early */
  char *suspect; /* see vg_fluence_suspect */
} VgFluenceRun;

VgFluenceRun *vg_fluence_run_new (const VgContext *context, GError **error);
void vg_fluence_run_free (VgFluenceRun *self);
gboolean vg_fluence_run_update (VgFluenceRun *self, const void *params);
/* Photons up to which the next batch goes. */
guint64 vg_fluence_run_goal (const VgFluenceRun *self);
/* Takes note that the tally now holds PHOTONS, of which ALIVE are still on
 * their way, and sets `finished`. */
void vg_fluence_run_reached (VgFluenceRun *self, guint64 photons, guint64 alive);
/* Takes in N batches of PHOTONS[I] each (0: none), what NOW[I] has more than
 * BEFORE (NULL: all): sums and squares of what each added, the mean error of
 * the map.  Threads meet once for all of them. */
void vg_fluence_run_take_batches (VgFluenceRun *self, const guint64 *const *now,
                                  const guint64 *before, const guint64 *photons, int n);
/* With `parts` set, before vg_fluence_run_reached and at the end at least: the
 * tally of each of N parts that trace photons of their own, PHOTONS[I] so
 * far.  Their scatter gives the standard errors. */
void vg_fluence_run_take_parts (VgFluenceRun *self, const guint64 *const *tallies,
                                const guint64 *photons, int n);
/* The tally becomes the sum of N others. */
void vg_fluence_run_sum (VgFluenceRun *self, const guint64 *const *tallies, int n);
/* FALSE and an error when a bin's 64 bits may be exceeded.  From half of
 * them on, where a batch ends, `finished` and `full` are set, so that this is
 * for photons without an end alone. */
gboolean vg_fluence_run_holds (VgFluenceRun *self, GError **error);
/* Sums over the columns of the tally NOW, less that of BEFORE (or NULL), by
 * row; the same on any number of threads. */
void vg_fluence_run_row_sums (const VgFluenceRun *self, const guint64 *now, const guint64 *before,
                              double *sums);
/* The same within a batch that is not done: PHOTONS of it have ended, ALIVE
 * have not.  It is no point to end at, unless by the time. */
void vg_fluence_run_under_way (VgFluenceRun *self, guint64 photons, guint64 alive);
double vg_fluence_run_progress (const VgFluenceRun *self);

/* Weight of one tally unit relative to all light that arrives. */
double vg_fluence_run_scale (VgFluenceRun *self);
/* Output I comes from the earlier run. */
static inline gboolean
vg_fluence_is_old (guint i)
{
  return i == VG_FLUENCE_OUTPUT_OLD_FLUENCE || i == VG_FLUENCE_OUTPUT_REFERENCE;
}
/* The plane of output I in host memory; FALSE: not with these settings. */
gboolean vg_fluence_run_plane (VgFluenceRun *self, guint i, VgPlane *plane);
/* Of the photons so far; the run's own, until more are traced. */
VgFluenceReport *vg_fluence_run_report (VgFluenceRun *self, GError **error);
/* Standard errors from the tally's sums of squares from SQUARES on: of N bins whose VALUES are the
 * part of all light that arrives times UNITS; ERRORS may be NULL.  Returns the mean square of a
 * packet's weight. */
double vg_fluence_run_exit_errors (const VgFluenceRun *self, gsize squares, int n,
                                   const double *values, const double *units, double *errors);
void vg_fluence_run_results (VgFluenceRun *self, VgMetrics *metrics);
VgCurves *vg_fluence_run_sample (VgFluenceRun *self, double x, double y);
VgCurves *vg_fluence_run_plot (VgFluenceRun *self, guint i);
/* Light that leaves by radius or angle, of REPORT and of OLD (an earlier run), each or NULL; by
 * time. */
VgCurves *vg_fluence_exits_plot (const VgFluenceRun *self, const VgFluenceReport *report,
                                 const VgFluenceReport *old, gboolean by_angle);
VgCurves *vg_fluence_gates_plot (VgFluenceRun *self);
/* The same by radius, and by time, as tables. */
char *vg_fluence_exits_text (const VgFluenceRun *self, const VgFluenceReport *report);
char *vg_fluence_gates_text (VgFluenceRun *self);
char *vg_fluence_run_text (VgFluenceRun *self, guint i, char **file_name, GError **error);

G_END_DECLS
