/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-scalar.h"
#include <math.h>
#include <stddef.h>
/* Formulas of the motion correction, compiled by gcc and nvcc (docs/internals/perfusion.md). */

/* Components of the model of a series; partial sums of a frame or of a slice in it, at most. */
enum { VG_PERFUSION_MOTION_RANK = 5, VG_PERFUSION_MOTION_PARTS = 64 };

/* The sums over the voxels of a group (the volume, or a slice) in one frame.  e: difference of the
 * corrected frame from the model; g: gradient of the model; w: weight of the voxel. */
enum {
  VG_PERFUSION_MOTION_CURVATURE,     /* w g g': xx, xy, xz, yy, yz, zz */
  VG_PERFUSION_MOTION_SLOPE = 6,     /* w g e */
  VG_PERFUSION_MOTION_MISFIT = 9,    /* w |g|^2 e^2 */
  VG_PERFUSION_MOTION_STRUCTURE,     /* w |g|^2 */
  VG_PERFUSION_MOTION_ALL_MISFIT,    /* e^2 */
  VG_PERFUSION_MOTION_ALL_STRUCTURE, /* |g|^2 */
  VG_PERFUSION_MOTION_SUMS
};

/* Where a shifted axis is read: at four samples from BASE, with their weights. */
typedef struct
{
  int base;
  float w[4];
} VgPerfusionTaps;

/* The taps of a shift by D voxels: Keys' cubic interpolation (IEEE Trans. ASSP 29, 1153 (1981)).
 * A shift of whole voxels has one weight of 1. */
VG_SCALAR VgPerfusionTaps
vg_perfusion_taps (float d)
{
  float whole = floorf (d), f = d - whole;
  VgPerfusionTaps taps = { (int) whole - 1,
                           { 0.5f * f * ((2 - f) * f - 1), 0.5f * ((3 * f - 5) * f * f + 2),
                             0.5f * f * ((4 - 3 * f) * f + 1), 0.5f * (f - 1) * f * f } };

  return taps;
}

/* Whether sample I of N, shifted by D voxels, is read inside the image, with its border of half a
 * voxel. */
VG_SCALAR int
vg_perfusion_inside (int i, float d, int n)
{
  return (float) i + d >= -0.5f && (float) i + d <= (float) n - 0.5f;
}

VG_SCALAR int
vg_perfusion_clamped (int i, int n)
{
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* A grid of control points: POINTS along each axis, SPACING voxels of the series apart, from one
 * before the border of the image to one after the opposite border.  An axis of one voxel has one
 * point. */
typedef struct
{
  int points[3];
  float spacing[3];
} VgPerfusionControlGrid;

VG_SCALAR int
vg_perfusion_control_points (const VgPerfusionControlGrid *grid)
{
  return grid->points[0] * grid->points[1] * grid->points[2];
}

/* The cell and the place in it of voxel I of a level that is reduced by FACTOR; the number of the
 * cell is that of the first of its four points. */
VG_SCALAR float
vg_perfusion_cell (const VgPerfusionControlGrid *grid, int axis, int i, int factor, int *cell)
{
  float t = ((float) i + 0.5f) * (float) factor / grid->spacing[axis];
  int last = grid->points[axis] - 4;

  *cell = (int) t > last ? last : (int) t;
  return t - (float) *cell;
}

/* The weights of the control points around a voxel: the cubic B-spline. */
VG_SCALAR VgPerfusionTaps
vg_perfusion_spline (const VgPerfusionControlGrid *grid, int axis, int i, int factor)
{
  VgPerfusionTaps taps = { 0, { 1, 0, 0, 0 } };
  float f, r;

  if (grid->points[axis] == 1)
    return taps;
  f = vg_perfusion_cell (grid, axis, i, factor, &taps.base);
  r = 1 - f;
  taps.w[0] = r * r * r / 6;
  taps.w[1] = ((3 * f - 6) * f * f + 4) / 6;
  taps.w[2] = ((3 * r - 6) * r * r + 4) / 6;
  taps.w[3] = f * f * f / 6;
  return taps;
}

/* Their derivatives along the axis, per voxel of the series. */
VG_SCALAR VgPerfusionTaps
vg_perfusion_spline_slope (const VgPerfusionControlGrid *grid, int axis, int i, int factor)
{
  VgPerfusionTaps taps = { 0, { 0, 0, 0, 0 } };
  float f, r, share = 1 / grid->spacing[axis];

  if (grid->points[axis] == 1)
    return taps;
  f = vg_perfusion_cell (grid, axis, i, factor, &taps.base);
  r = 1 - f;
  taps.w[0] = -0.5f * r * r * share;
  taps.w[1] = (1.5f * f - 2) * f * share;
  taps.w[2] = -(1.5f * r - 2) * r * share;
  taps.w[3] = 0.5f * f * f * share;
  return taps;
}

/* Sets D to the sum of the displacements SHIFT of the control points, with the weights TAPS of the
 * three axes. */
VG_SCALAR void
vg_perfusion_displacement (const VgPerfusionControlGrid *grid, const float *shift,
                           const VgPerfusionTaps taps[3], float d[3])
{
  d[0] = d[1] = d[2] = 0;
  for (int k = 0; k < 4 && k < grid->points[2]; k++)
    for (int j = 0; j < 4 && j < grid->points[1]; j++)
      {
        const float *row = shift + 3 * (((size_t) (taps[2].base + k) * (size_t) grid->points[1] +
                                         (size_t) (taps[1].base + j)) *
                                            (size_t) grid->points[0] +
                                        (size_t) taps[0].base);
        float weight = taps[2].w[k] * taps[1].w[j];

        for (int i = 0; i < 4 && i < grid->points[0]; i++)
          for (int a = 0; a < 3; a++)
            d[a] += weight * taps[0].w[i] * row[3 * i + a];
      }
}

/* The value of frame FROM (nx, ny, nz samples) at the voxel (x, y, z), shifted by D with the TAPS
 * of the three axes; NaN outside the image and where a sample that counts is not finite. */
VG_SCALAR float
vg_perfusion_shifted (const float *from, const int n[3], int x, int y, int z, const float d[3],
                      const VgPerfusionTaps taps[3])
{
  float sum = 0;

  if (!vg_perfusion_inside (x, d[0], n[0]) || !vg_perfusion_inside (y, d[1], n[1]) ||
      !vg_perfusion_inside (z, d[2], n[2]))
    return (float) NAN;
  for (int k = 0; k < 4; k++)
    for (int j = 0; j < 4 && taps[2].w[k] != 0; j++)
      if (taps[1].w[j] != 0)
        {
          size_t row = ((size_t) vg_perfusion_clamped (z + taps[2].base + k, n[2]) * (size_t) n[1] +
                        (size_t) vg_perfusion_clamped (y + taps[1].base + j, n[1])) *
                       (size_t) n[0];
          float weight = taps[2].w[k] * taps[1].w[j];

          for (int i = 0; i < 4; i++)
            if (taps[0].w[i] != 0)
              sum += weight * taps[0].w[i] *
                     from[row + (size_t) vg_perfusion_clamped (x + taps[0].base + i, n[0])];
        }
  return sum;
}

/* The model at voxel I: RANK components, planes of VOXELS, with the coefficients C of a frame. */
VG_SCALAR float
vg_perfusion_motion_model (const float *planes, size_t voxels, size_t i, const float *c, int rank)
{
  float sum = 0;

  for (int k = 0; k < rank; k++)
    sum += c[k] * planes[(size_t) k * voxels + i];
  return sum;
}

/* The terms of a voxel in the sums of its frame, with the difference E from the model and the
 * gradient GX, GY, GZ of the model.  SHARP is 1 over the square of the difference at which a voxel
 * has half its weight (Cauchy's estimator); 0: all count alike. */
VG_SCALAR void
vg_perfusion_motion_terms (float e, float gx, float gy, float gz, float sharp, float *terms)
{
  float w = 1 / (1 + e * e * sharp), g2 = gx * gx + gy * gy + gz * gz;

  terms[0] = w * gx * gx;
  terms[1] = w * gx * gy;
  terms[2] = w * gx * gz;
  terms[3] = w * gy * gy;
  terms[4] = w * gy * gz;
  terms[5] = w * gz * gz;
  terms[VG_PERFUSION_MOTION_SLOPE] = w * gx * e;
  terms[VG_PERFUSION_MOTION_SLOPE + 1] = w * gy * e;
  terms[VG_PERFUSION_MOTION_SLOPE + 2] = w * gz * e;
  terms[VG_PERFUSION_MOTION_MISFIT] = w * g2 * e * e;
  terms[VG_PERFUSION_MOTION_STRUCTURE] = w * g2;
  terms[VG_PERFUSION_MOTION_ALL_MISFIT] = e * e;
  terms[VG_PERFUSION_MOTION_ALL_STRUCTURE] = g2;
}
