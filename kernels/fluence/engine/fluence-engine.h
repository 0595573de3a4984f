/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-params.h"
G_BEGIN_DECLS

extern const VgEngine vg_fluence_cpu_engine;
extern const VgSynthetic vg_fluence_demo;

G_END_DECLS
