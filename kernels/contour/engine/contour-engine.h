/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
G_BEGIN_DECLS

extern const VgEngine vg_contour_cpu_engine;
extern const VgOperation vg_contour_operation;
G_END_DECLS
