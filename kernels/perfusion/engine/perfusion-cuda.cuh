/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/perfusion/fit/perfusion-device.cuh"
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/core/vg-operation.h"
/* The functions of one GPU's part of a study. */

/* Allocates the memory for the voxels of a device, with device, first and count set; and frees
 * it. */
gboolean perfusion_device_new (PerfusionDevice *self, const VgPerfusionStudy *study,
                               GError **error);
void perfusion_device_free (PerfusionDevice *self);

/* Queues kernels on self->stream for the voxels [FIRST, FIRST + COUNT) of the device. */
gboolean perfusion_convert (PerfusionDevice *self, const VgPerfusionStudy *study, gsize first,
                            gsize count, GError **error);
gboolean perfusion_derive (PerfusionDevice *self, int output, float factor, GError **error);
/* Sets `derived` to the map of OUTPUT, which is computed from the curves; queued for the same
 * voxels. */
gboolean perfusion_summarise (PerfusionDevice *self, const VgPerfusionStudy *study, int output,
                              gsize first, gsize count, GError **error);

/* Copies the tables of STUDY to the device and waits for the copy. */
gboolean perfusion_send_tables (PerfusionDevice *self, const VgPerfusionStudy *study,
                                GError **error);

extern "C" void vg_perfusion_bench_cuda (const VgContext *context, VgBench *bench);
