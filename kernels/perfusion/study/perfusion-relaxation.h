/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* T1 in s from the signal of spoiled gradient echoes at N flip angles; NaN if no T1 gives such
 * signals. */
double vg_perfusion_t1_from_angles (int n, const double *angles_rad, const double *signal,
                                    double repetition_s);

G_END_DECLS
