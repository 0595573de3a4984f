/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/perfusion/fit/perfusion-device.cuh"
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/core/vg-operation.h"
/* A study on one GPU. */

/* Takes the memory of a share (device, first and count are set), and gives it
 * back. */
gboolean perfusion_device_new (PerfusionDevice *self, const VgPerfusionStudy *study,
                               GError **error);
void perfusion_device_free (PerfusionDevice *self);

/* Launches on self->stream; voxels FIRST .. FIRST + COUNT of the device's. */
gboolean perfusion_convert (PerfusionDevice *self, const VgPerfusionStudy *study, gsize first,
                            gsize count, GError **error);
gboolean perfusion_derive (PerfusionDevice *self, int output, float factor, GError **error);

/* The tables of STUDY to the device; waited for. */
gboolean perfusion_send_tables (PerfusionDevice *self, const VgPerfusionStudy *study,
                                GError **error);

extern "C" void vg_perfusion_bench_cuda (const VgContext *context, VgBench *bench);
