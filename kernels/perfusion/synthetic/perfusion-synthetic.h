/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* A contrast series in three slices: an abdomen (perfusion-abdomen.h), and a liver with a round
 * tumour, whose aorta and portal vein are squares in the corners of the first and the second
 * slice. */
G_BEGIN_DECLS

extern const VgSynthetic vg_perfusion_phantom;

/* VgSyntheticSize.sample */
enum { VG_PERFUSION_SAMPLE_ABDOMEN, VG_PERFUSION_SAMPLE_ELLIPSE, VG_PERFUSION_SAMPLE_BREATHING };

/* Displacement along y of a slice in the breathing abdomen, in pixels of PIXEL_MM. */
double vg_perfusion_breathing (int frame, int slice, double pixel_mm);

G_END_DECLS
