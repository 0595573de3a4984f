/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
G_BEGIN_DECLS

/* VgFind.run: the aorta, the portal vein and the liver (perfusion-vessels.h). */
GPtrArray *vg_perfusion_find_inputs (const VgContext *context, GError **error);

G_END_DECLS
