/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/motion/perfusion-motion-formula.h"
#include <glib.h>

/* A row: its VALUES, the rows of the model at it and around it, and the mask. */
typedef struct
{
  const float *values, *model, *around[4];
  const guint8 *mask;
  int n;
  float unit, sharp;
} VgMotionRow;

/* Sets the TERMS of voxel X (vg_perfusion_motion_terms); 0 where it does not count. */
static inline void
vg_motion_row_terms (const VgMotionRow *row, int x, float *terms)
{
  const float *model = row->model;
  float e = row->unit * row->values[x] - model[x];
  float counts = row->mask[x] && isfinite (e);

  vg_perfusion_motion_terms (
      counts > 0 ? e : 0,
      counts * 0.5f * (model[x + 1 < row->n ? x + 1 : x] - model[x > 0 ? x - 1 : x]),
      counts * 0.5f * (row->around[1][x] - row->around[0][x]),
      counts * 0.5f * (row->around[3][x] - row->around[2][x]), row->sharp, terms);
}
