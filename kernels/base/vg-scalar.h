/* SPDX-License-Identifier: MIT */
#pragma once
/* Annotation for formulas that the C compiler and nvcc both compile: one
 * formula, two backends. */
#ifdef __CUDACC__
#define VG_SCALAR static __host__ __device__ inline
#else
#define VG_SCALAR static inline
#endif
