/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-operation.h"
/* The CPU engine: product where there is no GPU, and oracle of the GPU one. */
G_BEGIN_DECLS

extern const VgEngine vg_flow_cpu_engine;

G_END_DECLS
