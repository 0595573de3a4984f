/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Input functions that are not measured. */
G_BEGIN_DECLS

/* Parker's population AIF: concentration in arterial blood in mM, T_S seconds after bolus arrival
 * (Parker et al., Magn. Reson. Med. 56, 993, 2006, equation 1 and table 1).  Before arrival it
 * decreases to 0 within a second or two, as the formula does. */
double vg_perfusion_population_artery (double t_s);

typedef enum {
  VG_PERFUSION_PARKER,
  VG_PERFUSION_GEORGIOU,
  VG_PERFUSION_ORTON,
  VG_PERFUSION_MCGRATH,  /* rats */
  VG_PERFUSION_CHECKLEY, /* mice */
  VG_PERFUSION_N_POPULATIONS,
} VgPerfusionPopulationKind;

typedef struct
{
  /* Concentration in mM at the dose of the source, T_S seconds after bolus arrival. */
  double (*concentration) (double t_s);
  double dose;     /* of the source, mmol per kg of body weight; 0: not known */
  gboolean plasma; /* in plasma; FALSE: in whole blood */
} VgPerfusionPopulation;

/* The population AIF KIND; the table says where each comes from. */
const VgPerfusionPopulation *vg_perfusion_population (VgPerfusionPopulationKind kind);

/* The impulse response of the gut per second (after Banerji et al., J. Magn. Reson. Imaging 35,
 * 176, 2012), and its use to compute PORTAL from ARTERY, N samples at TIMES_S. */
double vg_perfusion_gut_response (double t_s);
void vg_perfusion_disperse (int n, const double *times_s, const double *artery, double *portal);

G_END_DECLS
