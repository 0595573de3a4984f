/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
G_BEGIN_DECLS

/* A liver with a tumour, in three slices; aorta and portal vein are squares
 * in the corner of the first and the second. */
extern const VgSynthetic vg_perfusion_phantom;

G_END_DECLS
