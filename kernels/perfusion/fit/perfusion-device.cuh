/* SPDX-License-Identifier: MIT */
#pragma once
/* The default solver uses float on the GPU, all others double. */
#ifndef VG_PERFUSION_REAL
#define VG_PERFUSION_REAL float
#endif
#include "kernels/perfusion/model/perfusion-choice.h"
#include "kernels/perfusion/fit/perfusion-deconvolve.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/fit/perfusion-general-start.h"
#include "kernels/perfusion/model/perfusion-descent.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* The device memory of the fits, and the launches of their kernels on self->stream.  FIRST and
 * COUNT number the voxels of one device. */

/* The tables that the kernels read, in one block of device memory. */
struct PerfusionTables
{
  int n, even, dual, model, paper, pad, points, point_group, point_parts;
  float step, weight_sum;
  double step64, weight_sum64;
  int used;
  VgPerfusionBounds bounds;
  /* artery and portal can be read up to `pad` samples beyond both ends. */
  const float *times, *weights, *artery, *portal;
  const float *directions, *a, *p, *overlap, *inverse, *log_rate, *delay;
  const double *place;
  /* NULL for the exchange model, which uses place_pair and place_part */
  const float *point_u, *point_v, *point_overlap, *point_inverse;
  const VgPerfusionPointPair *point_pair;
  const float *point_part;
  const double *times64, *weights64, *artery64, *portal64;
  VgPerfusionDeconvolver deconvolver;
};

/* The factors of a Block-FFT on the device.  turn: e^(i pi j / n) for the frequency of each
 * element of the spectrum, whose rows are in bit-reversed order. */
struct PerfusionBlock
{
  int n, q, p;
  double scale;
  const double2 *column, *twiddle, *root, *turn;
  double2 *memory;
};

/* One GPU's part of the voxels. */
struct PerfusionDevice
{
  int device;
  cudaStream_t stream;
  gsize first, count; /* range of voxels */
  guint8 *raw;        /* n frames of `count` samples */
  float *curves;      /* concentrations; equal to `raw` if the samples are concentrations */
  gboolean own_curves;
  guint8 *mask;
  float *t1_s, *cos_flip, *signal, *values, *derived; /* values: FIT_VALUES planes of `count` */
  float2 *sums;                                       /* of each curve: sum of squares, mean */
  ushort2 *starts;                                    /* pairs of the dictionary, or grid points */
  guint8 *tables_memory;
  gsize tables_bytes;
  PerfusionTables tables;
  PerfusionTables others[VG_PERFUSION_CANDIDATES]; /* if the best model is chosen, by model */
  PerfusionBlock block;                            /* for the paper's solver */
  void *scratch; /* for deconvolution, the choice of a model, and the paper's solver with cuFFT */
  gsize scratch_bytes;
};

/* Finds the initial values of the voxels. */
gboolean perfusion_find_starts (PerfusionDevice *self, gsize first, gsize count, GError **error);
/* Fits one compartment. */
gboolean perfusion_fit_default (PerfusionDevice *self, const VgPerfusionFitOptions *options,
                                gsize first, gsize count, GError **error);
/* Makes `scratch` hold BYTES at least. */
gboolean perfusion_reserve_scratch (PerfusionDevice *self, gsize bytes, GError **error);
/* Deconvolution. */
gboolean perfusion_deconvolve (PerfusionDevice *self, gsize first, gsize count, GError **error);
/* Fits the other models. */
gboolean perfusion_fit_general (PerfusionDevice *self, const VgPerfusionFitOptions *options,
                                gsize first, gsize count, GError **error);
/* Fits all models and keeps the preferred one (perfusion-choice.cu). */
gboolean perfusion_fit_best (PerfusionDevice *self, const VgPerfusionFitOptions *options,
                             double significance, gsize first, gsize count, GError **error);
