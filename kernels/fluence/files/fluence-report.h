/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-params.h"
/* The quantities of an .mco file, in its units and order: what a run writes
 * and what an old file holds.  Per packet of light that arrives; angles in
 * bins of pi / 2 / na. */
G_BEGIN_DECLS

/* In a comment of our files: no light from outside the grid is in the last bins. */
#define VG_FLUENCE_WRITTEN "Written by Vivograph; light outside the grid is in no bin."

/* A comment that says how the light came in: this, a shape by its words, a length in cm unless it
 * is a thin beam's, the power in mW.  None: a thin beam of 1 mW. */
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

  char *remark;             /* owned, one line: about the light; NULL: nothing to say */
  gboolean clamped;         /* from another program: the last bins also hold what lies outside */
  int beam;                 /* VgFluenceBeam: of a file of ours that was read */
  double beam_cm, power_mw; /* its radius or depth; 0: has none */

  /* Standard errors of a run; NULL in what comes from a file. */
  double reflectance_error, transmittance_error, absorbed_error;
  double *a_l_error, *rd_r_error, *tt_r_error, *rd_a_error, *tt_a_error;
} VgFluenceReport;

/* Zeroed arrays for the grid and the layers (copied); NULL and an error when
 * they don't fit in memory. */
VgFluenceReport *vg_fluence_report_new (const VgTable *layers, int nz, int nr, int na,
                                        gboolean errors, GError **error);
void vg_fluence_report_free (VgFluenceReport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgFluenceReport, vg_fluence_report_free)

/* The text of an .mco file (MCML 1.2.2, version A1). */
char *vg_fluence_mco_write (const VgFluenceReport *self);
/* Of NAME, for messages; sections in any order and layout, as CONV reads. */
VgFluenceReport *vg_fluence_mco_read (const char *name, const char *text, gsize length,
                                      GError **error);

/* The settings of a run as an .mci file (MCML 1.2.2) with one run; names of layers and the light
 * are in comments. */
char *vg_fluence_mci_write (const VgFluenceReport *self, const VgFluenceParams *params);
/* Reads the light source from a comment that this program wrote.  FALSE: there is none, and nothing
 * is filled in.  CM: its radius or depth; 0: it has none. */
gboolean vg_fluence_read_light (const char *text, gsize length, int *beam, double *cm,
                                double *power_mw);

/* The runs of an .mci file, or the settings that an .mco file repeats (which
 * then is its reference): see VgOperation. */
GPtrArray *vg_fluence_read_settings (const char *name, const char *text, gsize length,
                                     const void *params, GError **error);

G_END_DECLS
