/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Input functions that are not measured. */
G_BEGIN_DECLS

/* The population AIF: concentration in arterial blood in mM, T_S seconds after bolus arrival
 * (Parker et al., Magn. Reson. Med. 56, 993, 2006).  Before arrival it decreases to 0 within a
 * second or two, as the formula does. */
double vg_perfusion_population_artery (double t_s);
/* The impulse response of the gut per second (after Banerji et al., J. Magn. Reson. Imaging 35,
 * 176, 2012), and its use to compute PORTAL from ARTERY, N samples at TIMES_S. */
double vg_perfusion_gut_response (double t_s);
void vg_perfusion_disperse (int n, const double *times_s, const double *artery, double *portal);

G_END_DECLS
