/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/fluence/model/fluence-params.h"
G_BEGIN_DECLS

extern const VgEngine vg_fluence_cpu_engine;
extern const VgSynthetic vg_fluence_demo;

/* Rows of the bench for the CPU; the CUDA engine has its own. */
void vg_fluence_bench (const VgContext *context, VgBench *bench);

G_END_DECLS
