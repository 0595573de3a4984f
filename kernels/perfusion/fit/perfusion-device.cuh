/* SPDX-License-Identifier: MIT */
#pragma once
/* The default solver works in float on the GPU, all others in double. */
#ifndef VG_PERFUSION_REAL
#define VG_PERFUSION_REAL float
#endif
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/fit/perfusion-general-start.h"
#include "kernels/perfusion/model/perfusion-descent.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* The device memory of the fits, and the launches of their kernels on self->stream.  FIRST and
 * COUNT number the voxels of one device. */

/* What the kernels read beside the voxels, in one block of device memory. */
struct PerfusionTables
{
  int n, even, dual, model, paper, pad, places, place_group, place_parts;
  float step, weight_sum;
  double step64, weight_sum64;
  int used;
  VgPerfusionBounds bounds;
  /* artery and portal may be read PAD beyond both ends, here and below */
  const float *times, *weights, *artery, *portal;
  const float *directions, *a, *p, *overlap, *inverse, *log_rate, *delay;
  const double *place;
  const float *place_u, *place_v, *place_overlap, *place_inverse; /* exchange has none, but */
  const VgPerfusionPlace *place_pair;
  const float *place_part;
  const double *times64, *weights64, *artery64, *portal64;
};

/* A Block-FFT's factors on the device.  turn: e^(i pi j / n) of the frequency
 * at each place of the spectrum, whose rows are in bit-reversed order. */
struct PerfusionBlock
{
  int n, q, p;
  double scale;
  const double2 *column, *twiddle, *root, *turn;
  double2 *memory;
};

/* One GPU's share of the voxels. */
struct PerfusionDevice
{
  int device;
  cudaStream_t stream;
  gsize first, count; /* voxels */
  guint8 *raw;        /* n frames of count samples */
  float *curves;      /* concentration; raw itself when that is what it holds */
  gboolean own_curves;
  guint8 *mask;
  float *t1_s, *signal, *values, *derived; /* values: FIT_VALUES planes of count */
  float2 *sums;                            /* of each curve: squares, mean */
  ushort2 *starts;                         /* pairs of the dictionary; or a place */
  guint8 *tables_memory;
  gsize tables_bytes;
  PerfusionTables tables;
  PerfusionBlock block; /* of the paper's solver */
  void *lockstep;       /* of its comparison with cuFFT */
  gsize lockstep_bytes;
};

/* Finds the initial values of the voxels. */
gboolean perfusion_find_starts (PerfusionDevice *self, gsize first, gsize count, GError **error);
/* Fits one compartment. */
gboolean perfusion_fit_default (PerfusionDevice *self, const VgPerfusionFitOptions *options,
                                gsize first, gsize count, GError **error);
/* Fits the other models. */
gboolean perfusion_fit_general (PerfusionDevice *self, const VgPerfusionFitOptions *options,
                                gsize first, gsize count, GError **error);
