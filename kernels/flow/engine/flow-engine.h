/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* The operation and its CPU engine. */
G_BEGIN_DECLS

extern const VgEngine vg_flow_cpu_engine;
extern const VgOperation vg_flow_operation;

G_END_DECLS
