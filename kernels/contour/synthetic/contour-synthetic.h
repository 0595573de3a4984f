/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* Nuclei in tissue (contour-tissue.h), and ellipses on a grid. */
G_BEGIN_DECLS

extern const VgSynthetic vg_contour_synthetic;

/* VgSyntheticSize.sample */
enum { VG_CONTOUR_SAMPLE_TISSUE, VG_CONTOUR_SAMPLE_LATTICE };

G_END_DECLS
