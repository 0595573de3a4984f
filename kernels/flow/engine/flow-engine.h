/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* The CPU engine: product where there is no GPU, and oracle of the GPU one. */
G_BEGIN_DECLS

extern const VgEngine vg_flow_cpu_engine;
extern const VgOperation vg_flow_operation;

G_END_DECLS
