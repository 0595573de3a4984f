/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* T1 of one voxel from a series of images, by least squares on the signals. */
G_BEGIN_DECLS

typedef enum {
  VG_PERFUSION_T1_AUTO, /* not a method: chosen from the known times */
  VG_PERFUSION_T1_FLIP_ANGLES,
  VG_PERFUSION_T1_INVERSION,
  VG_PERFUSION_T1_LOOK_LOCKER,
  VG_PERFUSION_T1_SATURATION,
} VgPerfusionT1Method;

enum { VG_PERFUSION_T1_MOST = 64 }; /* images of a series */

/* T1 in s from the signals of spoiled gradient echoes at N flip angles.  NaN: no T1 gives such
 * signals, or its standard error is above half of it.  ERROR_S receives the standard error; NaN:
 * two angles leave no residual.  It may be NULL. */
double vg_perfusion_t1_from_angles (int n, const double *angles_rad, const double *signal,
                                    double repetition_s, double *error_s);
/* The same from the recovery after a preparation pulse, at N times that do not decrease:
 *   inversion    S = A - B exp (-t / T1)      (Barral et al., Magn. Reson. Med. 64, 1057 (2010))
 *   Look-Locker  S = A - B exp (-t / T1*), T1 = T1* (B / A - 1)      (Deichmann and Haase,
 *                J. Magn. Reson. 96, 608 (1992); Messroghli et al., Magn. Reson. Med. 52, 141
 *                (2004))
 *   saturation   S = A (1 - exp (-t / T1))
 * A magnitude image has |S|; its signs are those with the smallest residual.  At least 4 times are
 * needed, after saturation 3.  T1 is searched from 10 ms to 10 s. */
double vg_perfusion_t1_from_recovery (VgPerfusionT1Method method, int n, const double *times_s,
                                      const double *signal, gboolean magnitude, double *error_s);

G_END_DECLS
