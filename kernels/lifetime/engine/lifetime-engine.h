/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* The CPU engine.  It is used without a GPU, and the tests compare the CUDA engine with it. */
G_BEGIN_DECLS

extern const VgEngine vg_lifetime_cpu_engine;
extern const VgOperation vg_lifetime_operation;

G_END_DECLS
