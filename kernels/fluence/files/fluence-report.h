/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-params.h"
/* Results of a run, as an .mco file has them: fractions of the incident light.  Angles are in bins
 * of pi / 2 / na. */
G_BEGIN_DECLS

/* Comment of files that this program wrote: their last bins have no light from outside the grid. */
#define VG_FLUENCE_WRITTEN "Written by Vivograph; light outside the grid is in no bin."

/* Comment with the light source: this, the beam's shape, its length in cm unless it is a pencil
 * beam, and the power in mW.  Without it: a pencil beam of 1 mW. */
#define VG_FLUENCE_LIGHT "Light: "
extern const char *const vg_fluence_light_words[5]; /* by VgFluenceBeam */

typedef struct
{
  char name[VG_FLUENCE_NAME];
  double photons;
  double dz, dr; /* cm */
  int nz, nr, na;
  VgTable *layers;
  double n_above, n_below;

  /* -, reflectance without the specular part */
  double specular, reflectance, absorbed, transmittance;
  double *a_l;           /* by layer, - */
  double *a_z;           /* nz, 1/cm */
  double *rd_r, *tt_r;   /* nr, 1/cm^2 */
  double *rd_a, *tt_a;   /* na, 1/sr */
  double *a_rz;          /* nr x nz, z fastest, 1/cm^3 */
  double *rd_ra, *tt_ra; /* nr x na, angle fastest, 1/cm^2/sr */

  char *remark;     /* owned: one line about the light source; or NULL */
  gboolean clamped; /* from another program: the last bins include all light outside the grid */
  int beam;         /* VgFluenceBeam, from a file that this program wrote */
  double beam_cm, power_mw; /* radius of the beam or depth of the source; 0: none */

  /* Standard errors of a run; 0 or NULL for a file. */
  double reflectance_error, transmittance_error, absorbed_error;
  double *a_l_error, *rd_r_error, *tt_r_error, *rd_a_error, *tt_a_error;
} VgFluenceReport;

/* A report with arrays of zeros and a copy of LAYERS; NULL and VG_OPERATION_ERROR_MEMORY if memory
 * is short. */
VgFluenceReport *vg_fluence_report_new (const VgTable *layers, int nz, int nr, int na,
                                        gboolean errors, GError **error);
void vg_fluence_report_free (VgFluenceReport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgFluenceReport, vg_fluence_report_free)

/* The text of an .mco file (MCML 1.2.2, version A1). */
char *vg_fluence_mco_write (const VgFluenceReport *self);
/* Reads the text of an .mco file, with sections in any order.  NAME: for messages.  NULL and
 * VG_IO_ERROR_FORMAT on errors. */
VgFluenceReport *vg_fluence_mco_read (const char *name, const char *text, gsize length,
                                      GError **error);

/* The text of an .mci file (MCML 1.2.2) with the settings of one run; comments have the names of
 * layers and the light source. */
char *vg_fluence_mci_write (const VgFluenceReport *self, const VgFluenceParams *params);
/* Reads the light source from a comment that this program wrote; FALSE if there is none.  CM:
 * radius of the beam or depth of the source; 0: none. */
gboolean vg_fluence_read_light (const char *text, gsize length, int *beam, double *cm,
                                double *power_mw);

/* Reads the runs of an .mci file, or the settings in an .mco file, which becomes the earlier run to
 * compare with.  See VgOperation. */
GPtrArray *vg_fluence_read_settings (const char *name, const char *text, gsize length,
                                     const void *params, GError **error);

G_END_DECLS
