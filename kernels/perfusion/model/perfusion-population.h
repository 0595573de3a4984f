/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Inputs when none are measured. */
G_BEGIN_DECLS

/* Concentration in arterial blood in mM, T_S seconds after arrival (Parker et
 * al., Magn. Reson. Med. 56, 993, 2006); before it falls off within a second or
 * two, as the formula does. */
double vg_perfusion_population_artery (double t_s);
/* The gut's impulse response per second (after Banerji et al., J. Magn.
 * Reson. Imaging 35, 176, 2012): from ARTERY to PORTAL, N samples at TIMES_S. */
double vg_perfusion_gut_response (double t_s);
void vg_perfusion_disperse (int n, const double *times_s, const double *artery, double *portal);

G_END_DECLS
