/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/motion/perfusion-motion-grid.h"
#include <string.h>
/* What a control grid adds to the passes of the motion correction on the CPU. */

enum { SUMS = VG_PERFUSION_MOTION_SUMS };

/* The displacements of the points around a row, with the weights Y and Z. */
static void
add_points (const VgPerfusionControlGrid *grid, const float *shift, const VgPerfusionTaps *y,
            const VgPerfusionTaps *z, float *line)
{
  const int length = 3 * grid->points[0];

  memset (line, 0, sizeof *line * (gsize) length);
  for (int k = 0; k < 4 && k < grid->points[2]; k++)
    for (int j = 0; j < 4 && j < grid->points[1]; j++)
      {
        gsize row = (gsize) (z->base + k) * (gsize) grid->points[1] + (gsize) (y->base + j);
        const float *from = shift + (gsize) length * row;
        float weight = y->w[j] * z->w[k];

        for (int i = 0; i < length; i++)
          line[i] += weight * from[i];
      }
}

void
vg_motion_grid_row (const VgPerfusionControlGrid *grid, const float *shift,
                    const VgPerfusionTaps *y, const VgPerfusionTaps *z, const VgPerfusionTaps *x,
                    int n, float *line, float *to)
{
  add_points (grid, shift, y, z, line);
  for (int v = 0; v < n; v++)
    for (int a = 0; a < 3; a++)
      {
        float sum = 0;

        for (int i = 0; i < 4 && i < grid->points[0]; i++)
          sum += x[v].w[i] * line[3 * (x[v].base + i) + a];
        to[3 * v + a] = sum;
      }
}

/* Corrects slice Z of the frame FROM. */
static void
deform_slice (const VgPerfusionControlGrid *grid, const int factor[3], const int n[3],
              const float *from, const float *shift, int z, float *to)
{
  g_autofree VgPerfusionTaps *x_taps = g_new (VgPerfusionTaps, n[0]);
  g_autofree float *line = g_new (float, 3 * grid->points[0]);
  g_autofree float *d = g_new (float, 3 * n[0]);
  VgPerfusionTaps z_taps = vg_perfusion_spline (grid, 2, z, factor[2]);

  for (int x = 0; x < n[0]; x++)
    x_taps[x] = vg_perfusion_spline (grid, 0, x, factor[0]);
  for (int y = 0; y < n[1]; y++)
    {
      VgPerfusionTaps y_taps = vg_perfusion_spline (grid, 1, y, factor[1]);

      vg_motion_grid_row (grid, shift, &y_taps, &z_taps, x_taps, n[0], line, d);
      for (int x = 0; x < n[0]; x++)
        {
          const float *own = d + 3 * x;
          VgPerfusionTaps taps[3] = { vg_perfusion_taps (own[0]), vg_perfusion_taps (own[1]),
                                      vg_perfusion_taps (own[2]) };

          *to++ = vg_perfusion_shifted (from, n, x, y, z, own, taps);
        }
    }
}

void
vg_motion_grid_deform (const VgPerfusionControlGrid *grid, const int factor[3], const int n[3],
                       int frames, const float *from, const float *shifts, float *to, int threads)
{
  const gsize points = (gsize) vg_perfusion_control_points (grid),
              page = (gsize) n[0] * (gsize) n[1], voxels = page * (gsize) n[2];

#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int i = 0; i < frames * n[2]; i++)
    {
      gsize frame = (gsize) (i / n[2]);

      deform_slice (grid, factor, n, from + frame * voxels, shifts + frame * points * 3, i % n[2],
                    to + (gsize) i * page);
    }
}

void
vg_motion_grid_add_row (const VgPerfusionControlGrid *grid, const int factor[3], int n, int y,
                        int z, const float *terms, float *line, double *sums)
{
  const int length = grid->points[0] * SUMS;
  VgPerfusionTaps y_taps = vg_perfusion_spline (grid, 1, y, factor[1]),
                  z_taps = vg_perfusion_spline (grid, 2, z, factor[2]);

  memset (line, 0, sizeof *line * (gsize) length);
  for (int x = 0; x < n; x++)
    {
      VgPerfusionTaps taps = vg_perfusion_spline (grid, 0, x, factor[0]);

      for (int i = 0; i < 4 && i < grid->points[0]; i++)
        for (int k = 0; k < SUMS; k++)
          line[(taps.base + i) * SUMS + k] += taps.w[i] * terms[x * SUMS + k];
    }
  for (int k = 0; k < 4 && k < grid->points[2]; k++)
    for (int j = 0; j < 4 && j < grid->points[1]; j++)
      {
        gsize row = (gsize) (z_taps.base + k) * (gsize) grid->points[1] + (gsize) (y_taps.base + j);
        double *to = sums + row * (gsize) length, weight = (double) (y_taps.w[j] * z_taps.w[k]);

        for (int i = 0; i < length; i++)
          to[i] += weight * (double) line[i];
      }
}
