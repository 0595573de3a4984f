/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/provenance/vg-json.h"
#include "kernels/core/vg-operation.h"
G_BEGIN_DECLS

/* Adds the member "parameters": each of PARAMS by its id. */
void vg_json_add_parameters (JsonBuilder *builder, const VgOperation *operation,
                             const void *params);

G_END_DECLS
