/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
G_BEGIN_DECLS

/* A liver with a tumour in three slices.  The aorta and the portal vein are squares in the
 * corners of the first and the second slice. */
extern const VgSynthetic vg_perfusion_phantom;

G_END_DECLS
