/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-device.cuh"
#include "kernels/perfusion/paper/perfusion-paper.h"
#include "kernels/perfusion/model/perfusion-simplex.h"

/* Fits by the paper's solver; launches on self->stream. */
gboolean perfusion_fit_paper (PerfusionDevice *self, const VgPerfusionPaper *paper, gsize first,
                              gsize count, GError **error);
