/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-fit.h"
/* Between the files of the default solver on the CPU. */

/* Rates of the grid between two starts. */
enum { VG_PERFUSION_APART = 3 };

typedef struct
{
  double log_k[VG_PERFUSION_LANES], k[VG_PERFUSION_LANES], ta[VG_PERFUSION_LANES],
      tp[VG_PERFUSION_LANES];
} VgPerfusionStart;

/* The best N_STARTS starts of each lane. */
void vg_perfusion_find_starts (const VgPerfusionDictionary *dictionary, const double *curves,
                               int n_starts, VgPerfusionStart *starts);

/* Products of all lanes at TRIAL, PRODUCTS rows of LANES (perfusion-products.c). */
void vg_perfusion_products (const VgPerfusionProblem *problem, const double *curves,
                            const VgPerfusionStart *trial, double *scratch, double *products);
/* Of doubles that vg_perfusion_products needs in SCRATCH. */
gsize vg_perfusion_products_scratch (const VgPerfusionProblem *problem);
