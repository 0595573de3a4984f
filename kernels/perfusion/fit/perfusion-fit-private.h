/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-fit.h"
/* Functions shared by the files of the default solver on the CPU. */

/* The distance of two initial values in rates of the grid. */
enum { VG_PERFUSION_START_DISTANCE = 3 };

typedef struct
{
  double log_k[VG_PERFUSION_LANES], k[VG_PERFUSION_LANES], ta[VG_PERFUSION_LANES],
      tp[VG_PERFUSION_LANES];
} VgPerfusionStart;

/* Finds the best N_STARTS initial values of each lane. */
void vg_perfusion_find_starts (const VgPerfusionDictionary *dictionary, const double *curves,
                               int n_starts, VgPerfusionStart *starts);

/* Computes the products of all lanes at TRIAL, PRODUCTS rows of LANES (perfusion-products.c). */
void vg_perfusion_products (const VgPerfusionProblem *problem, const double *curves,
                            const VgPerfusionStart *trial, double *scratch, double *products);
/* The doubles of SCRATCH that vg_perfusion_products needs. */
gsize vg_perfusion_products_scratch (const VgPerfusionProblem *problem);
