/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
G_BEGIN_DECLS

extern const VgEngine vg_perfusion_cpu_engine;
/* The maps, VG_PERFUSION_N_OUTPUTS, and their roles (perfusion-outputs.c). */
extern const VgOutput vg_perfusion_outputs[];
extern const VgOutputRole vg_perfusion_roles[];

/* Functions of the operation (perfusion-checks.c). */
gboolean vg_perfusion_validate (const void *params, GError **error);
void vg_perfusion_adopt (void *params, const VgImageInfo *info);
/* Notes that the user has chosen the signal model. */
void vg_perfusion_follow (void *params, const gboolean *changed);
void vg_perfusion_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device);

G_END_DECLS
