/* SPDX-License-Identifier: MIT */
#pragma once
#include "fluence-report.h"
#include "fluence-tally.h"
#include "vg-operation.h"
/* A simulation as both engines share it: the tallies, the statistics, when
 * to stop, and everything that is derived from the tallies.  An engine only
 * adds photons. */
G_BEGIN_DECLS

typedef struct
{
  VgFluenceParams params;      /* layers are owned, reference_file is not kept */
  VgFluenceMedium *medium;
  VgFluenceLayout layout;
  guint64 *tally;
  guint64 photons;             /* launched so far */
  guint64 alive;               /* of them, still on their way */
  double seconds;              /* spent in steps */
  gboolean finished;

  /* Batches, for standard errors: they end at photon counts that depend on
   * nothing else. */
  guint64 mark, marked;        /* the next end, the last */
  guint64 marked_alive;        /* then */
  int batches;
  guint64 counted;             /* photons in them */
  guint64 *last;               /* cells at the last mark */
  float *sums;                 /* nz x nr, r fastest: fluence tally of the batches */
  float *squares;              /* sum of (batch's fluence tally)^2 / photons */
  double *layer_sums, *layer_squares;
  double map_error;            /* mean relative error of the fluence, weighted with it; NaN: not known yet */

  VgFluenceReport *reference;
  float *planes[VG_FLUENCE_OUTPUT_MCO];
  guint64 plane_photons[VG_FLUENCE_OUTPUT_MCO];
  gboolean plane_valid[VG_FLUENCE_OUTPUT_MCO];
  float *kernel;               /* nr x nr: the beam's convolution */
  double kernel_radius;
  int kernel_beam;
  char *suspect;               /* see vg_fluence_suspect */
} VgFluenceRun;

VgFluenceRun *vg_fluence_run_new      (const VgContext *context, GError **error);
void          vg_fluence_run_free     (VgFluenceRun *self);
gboolean      vg_fluence_run_update   (VgFluenceRun *self, const void *params);
/* Photons up to which the next batch goes. */
guint64       vg_fluence_run_goal     (const VgFluenceRun *self);
/* Takes note that the tally now holds PHOTONS, of which ALIVE are still on
 * their way, and sets `finished`. */
void          vg_fluence_run_reached  (VgFluenceRun *self, guint64 photons, guint64 alive);
double        vg_fluence_run_progress (const VgFluenceRun *self);

/* Weight of one tally unit relative to all light that arrives. */
double        vg_fluence_run_scale    (const VgFluenceRun *self);
/* The plane of output I in host memory; FALSE: not with these settings. */
gboolean      vg_fluence_run_plane    (VgFluenceRun *self, guint i, VgPlane *plane);
VgFluenceReport *vg_fluence_run_report (const VgFluenceRun *self, GError **error);
void          vg_fluence_run_results  (const VgFluenceRun *self, VgNumbers *numbers);
VgCurves     *vg_fluence_run_sample   (VgFluenceRun *self, double x, double y);
VgCurves     *vg_fluence_run_plot     (VgFluenceRun *self, guint i);
char         *vg_fluence_run_text     (const VgFluenceRun *self, guint i, char **file_name, GError **error);

/* Spreads ROWS rows of NR samples, the response to a thin beam, as a wider one
 * does: kernel (nr x nr) is made by vg_fluence_beam_kernel. */
float        *vg_fluence_beam_kernel  (int beam, double radius, int nr, double dr);
void          vg_fluence_beam_apply   (const float *kernel, const float *thin, float *wide, int rows, int nr);

G_END_DECLS
