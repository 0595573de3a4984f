/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/motion/perfusion-motion.h"
#include "kernels/base/vg-memory.h"
#include "kernels/core/vg-operation.h"
#include "kernels/perfusion/motion/perfusion-motion-grid.h"
#include "kernels/perfusion/motion/perfusion-motion-row.h"
#include <string.h>
/* The passes of the motion correction on the CPU.  Every sum has an order that does not depend on
 * the number of threads. */

enum { RANK = VG_PERFUSION_MOTION_RANK, SUMS = VG_PERFUSION_MOTION_SUMS };
enum { CHUNK = 4096, PARTS = VG_PERFUSION_MOTION_PARTS }; /* CHUNK: voxels that stay in the cache */

typedef struct
{
  const VgPerfusionMotionTask *task;
  int frames, groups;
  const VgPerfusionControlGrid *grid; /* see VgPerfusionMotionPasses */
  int factor[3];
  int extent[3], n[3]; /* of the series, and of the level */
  gsize voxels;        /* of the level */
  float *series;       /* as float */
  float *coarse;       /* of the level, if it is not the finest */
  const float *level;
  float *shifted;
  float *planes; /* RANK */
  guint8 *mask, *level_mask;
} Passes;

static gsize
voxels_of (const int n[3])
{
  return (gsize) n[0] * (gsize) n[1] * (gsize) n[2];
}

static gboolean
begin_level (gpointer data, const int factor[3], const VgPerfusionControlGrid *grid, GError **error)
{
  Passes *self = data;
  const int *e = self->extent;
  gsize all = voxels_of (e);
  float share = 1 / (float) (factor[0] * factor[1] * factor[2]);

  (void) error;
  self->grid = grid;
  for (int a = 0; a < 3; a++)
    {
      self->factor[a] = factor[a];
      self->n[a] = e[a] / factor[a];
    }
  self->voxels = voxels_of (self->n);
  self->level = self->series;
  memcpy (self->level_mask, self->mask, all);
  if (factor[0] * factor[1] * factor[2] == 1)
    return TRUE;
  self->level = self->coarse;
#pragma omp parallel for num_threads(self->task->threads)
  for (int i = 0; i < self->frames; i++)
    for (gsize v = 0; v < self->voxels; v++)
      {
        int x = (int) (v % (gsize) self->n[0]),
            y = (int) (v / (gsize) self->n[0] % (gsize) self->n[1]),
            z = (int) (v / ((gsize) self->n[0] * (gsize) self->n[1]));
        float sum = 0;
        guint8 any = 0;

        for (int c = 0; c < factor[2]; c++)
          for (int b = 0; b < factor[1]; b++)
            for (int a = 0; a < factor[0]; a++)
              {
                gsize from = ((gsize) (z * factor[2] + c) * (gsize) e[1] +
                              (gsize) (y * factor[1] + b)) *
                                 (gsize) e[0] +
                             (gsize) (x * factor[0] + a);

                sum += self->series[(gsize) i * all + from];
                any |= self->mask[from];
              }
        self->coarse[(gsize) i * self->voxels + v] = sum * share;
        if (i == 0)
          self->level_mask[v] = any;
      }
  return TRUE;
}

/* Corrects one row.  The rows it is made of are first added up, then shifted along x. */
static void
shift_row (const Passes *self, const float *from, int y, int z, const float *d,
           const VgPerfusionTaps *taps, float *row, float *to)
{
  const int *n = self->n;

  if (!vg_perfusion_inside (y, d[1], n[1]) || !vg_perfusion_inside (z, d[2], n[2]))
    {
      for (int x = 0; x < n[0]; x++)
        to[x] = NAN;
      return;
    }
  memset (row, 0, sizeof *row * (gsize) n[0]);
  for (int k = 0; k < 4; k++)
    for (int j = 0; j < 4 && taps[2].w[k] != 0; j++)
      if (taps[1].w[j] != 0)
        {
          float weight = taps[2].w[k] * taps[1].w[j];
          const float *line = from + ((gsize) vg_perfusion_clamped (z + taps[2].base + k, n[2]) *
                                          (gsize) n[1] +
                                      (gsize) vg_perfusion_clamped (y + taps[1].base + j, n[1])) *
                                         (gsize) n[0];

          for (int x = 0; x < n[0]; x++)
            row[x] += weight * line[x];
        }
  for (int x = 0; x < n[0]; x++)
    {
      float sum = 0;
      int at = x + taps[0].base;

      if (at >= 0 && at + 3 < n[0])
        for (int i = 0; i < 4; i++)
          sum += taps[0].w[i] != 0 ? taps[0].w[i] * row[at + i] : 0;
      else
        for (int i = 0; i < 4; i++)
          sum += taps[0].w[i] != 0 ? taps[0].w[i] * row[vg_perfusion_clamped (at + i, n[0])] : 0;
      to[x] = vg_perfusion_inside (x, d[0], n[0]) ? sum : NAN;
    }
}

static gboolean
shift (gpointer data, const float *shifts, GError **error)
{
  Passes *self = data;
  const int *n = self->n, rows = self->frames * n[2];

  (void) error;
  if (self->grid != NULL)
    {
      vg_motion_grid_deform (self->grid, self->factor, n, self->frames, self->level, shifts,
                             self->shifted, self->task->threads);
      return TRUE;
    }
#pragma omp parallel num_threads(self->task->threads)
  {
    g_autofree float *row = g_new (float, n[0]);

#pragma omp for schedule(dynamic)
    for (int page = 0; page < rows; page++)
      {
        int frame = page / n[2], z = page % n[2];
        const float *d = shifts + (gsize) (frame * self->groups + (self->groups > 1 ? z : 0)) * 3,
                    *from = self->level + (gsize) frame * self->voxels;
        gsize at = (gsize) z * (gsize) n[0] * (gsize) n[1];
        float *to = self->shifted + (gsize) frame * self->voxels + at;
        VgPerfusionTaps taps[3] = { vg_perfusion_taps (d[0]), vg_perfusion_taps (d[1]),
                                    vg_perfusion_taps (d[2]) };

        if (d[0] == 0 && d[1] == 0 && d[2] == 0)
          memcpy (to, from + at, sizeof *to * (gsize) n[0] * (gsize) n[1]);
        else
          for (int y = 0; y < n[1]; y++)
            shift_row (self, from, y, z, d, taps, row, to + (gsize) y * (gsize) n[0]);
      }
  }
  return TRUE;
}

/* Sets FILLED to the samples of frame I from voxel FIRST on, without gaps. */
static void
fill (const Passes *self, int frame, gsize first, int count, const double *old, int old_rank,
      const float *mean, float *filled)
{
  const float *from = self->shifted + (gsize) frame * self->voxels + first;
  float c[RANK];

  for (int k = 0; k < old_rank; k++)
    c[k] = (float) old[frame * old_rank + k];
  for (int v = 0; v < count; v++)
    filled[v] = isfinite (from[v]) ? from[v]
                : old_rank > 0     ? vg_perfusion_motion_model (self->planes, self->voxels,
                                                                first + (gsize) v, c, old_rank)
                                   : mean[v];
}

static void
project_chunk (Passes *self, const double *matrix, int rank, const double *old, int old_rank,
               gsize first, int count, float *memory, double *products)
{
  float *filled = memory, *mean = memory + CHUNK, *planes = mean + CHUNK;
  int frames = self->frames;

  memset (planes, 0, sizeof *planes * CHUNK * RANK);
  if (old_rank == 0)
    for (int v = 0; v < count; v++)
      {
        float sum = 0;
        int used = 0;

        for (int i = 0; i < frames; i++)
          {
            float value = self->shifted[(gsize) i * self->voxels + first + (gsize) v];

            sum += isfinite (value) ? value : 0;
            used += isfinite (value) != 0;
          }
        mean[v] = used > 0 ? sum / (float) used : 0;
      }
  for (int i = 0; i < frames; i++)
    {
      fill (self, i, first, count, old, old_rank, mean, filled);
      for (int k = 0; k < rank; k++)
        {
          float weight = (float) matrix[k * frames + i], *to = planes + k * CHUNK;

          for (int v = 0; v < count; v++)
            to[v] += weight * filled[v];
        }
    }
  for (int i = 0; i < frames + rank; i++)
    {
      if (i < frames)
        fill (self, i, first, count, old, old_rank, mean, filled);
      else
        memcpy (filled, planes + (i - frames) * CHUNK, sizeof *filled * (gsize) count);
      for (int v = 0; v < count; v++)
        filled[v] = self->level_mask[first + (gsize) v] ? filled[v] : 0;
      for (int k = 0; k < rank; k++)
        {
          const float *with = planes + k * CHUNK;
          double sum = 0;

#pragma omp simd reduction(+ : sum)
          for (int v = 0; v < count; v++)
            sum += (double) filled[v] * (double) with[v];
          products[i * rank + k] += sum;
        }
    }
  for (int k = 0; k < rank; k++)
    memcpy (self->planes + (gsize) k * self->voxels + first, planes + k * CHUNK,
            sizeof *planes * (gsize) count);
}

static gboolean
project (gpointer data, const double *matrix, int rank, const double *old, int old_rank,
         double *products, GError **error)
{
  Passes *self = data;
  gsize size = (gsize) ((self->frames + rank) * rank), chunks = (self->voxels + CHUNK - 1) / CHUNK;
  g_autofree double *parts = g_new0 (double, PARTS *size);

  (void) error;
#pragma omp parallel num_threads(self->task->threads)
  {
    g_autofree float *memory = g_new (float, CHUNK *(RANK + 2));

#pragma omp for schedule(dynamic)
    for (gsize p = 0; p < PARTS; p++)
      for (gsize chunk = chunks * p / PARTS; chunk < chunks * (p + 1) / PARTS; chunk++)
        project_chunk (self, matrix, rank, old, old_rank, chunk * CHUNK,
                       (int) MIN (CHUNK, self->voxels - chunk * CHUNK), memory, parts + p * size);
  }
  memset (products, 0, sizeof *products * size);
  for (gsize p = 0; p < PARTS; p++)
    for (gsize i = 0; i < size; i++)
      products[i] += parts[p * size + i];
  return TRUE;
}

/* Computes slice Z of the model, at first or last slice that one again. */
static void
model_slice (const Passes *self, const float *c, int rank, float unit, int z, float *to)
{
  gsize page = (gsize) self->n[0] * (gsize) self->n[1],
        from = (gsize) vg_perfusion_clamped (z, self->n[2]) * page;

  memset (to, 0, sizeof *to * page);
  for (int k = 0; k < rank; k++)
    {
      const float *plane = self->planes + (gsize) k * self->voxels + from;

      for (gsize i = 0; i < page; i++)
        to[i] += unit * c[k] * plane[i];
    }
}

/* Adds up the terms of a row. */
static void
sum_row (const VgMotionRow *row, double *sums)
{
  float all[SUMS] = { 0 };

#pragma omp simd reduction(+ : all[:SUMS])
  for (int x = 0; x < row->n; x++)
    {
      float terms[SUMS];

      vg_motion_row_terms (row, x, terms);
      for (int k = 0; k < SUMS; k++)
        all[k] += terms[k];
    }
  for (int k = 0; k < SUMS; k++)
    sums[k] += (double) all[k];
}

static void
sum_frame (const Passes *self, int frame, const float *c, int rank, float unit, const float *sharp,
           float *memory, double *sums)
{
  const int *n = self->n;
  gsize page = (gsize) n[0] * (gsize) n[1];
  float *slices[3] = { memory, memory + page, memory + 2 * page }, *terms = memory + 3 * page,
        *line = terms + SUMS * n[0];

  model_slice (self, c, rank, unit, 0, slices[0]);
  model_slice (self, c, rank, unit, 0, slices[1]);
  for (int z = 0; z < n[2]; z++)
    {
      int group = self->groups > 1 ? z : 0;
      float *first = slices[0];

      model_slice (self, c, rank, unit, z + 1, slices[2]);
      for (int y = 0; y < n[1]; y++)
        {
          gsize row = (gsize) y * (gsize) n[0], at = (gsize) z * page + row;
          VgMotionRow values = { self->shifted + (gsize) frame * self->voxels + at,
                                 slices[1] + row,
                                 { slices[1] + (gsize) MAX (y - 1, 0) * (gsize) n[0],
                                   slices[1] + (gsize) MIN (y + 1, n[1] - 1) * (gsize) n[0],
                                   slices[0] + row, slices[2] + row },
                                 self->level_mask + at,
                                 n[0],
                                 unit,
                                 sharp[group] };

          if (self->grid == NULL)
            {
              sum_row (&values, sums + group * SUMS);
              continue;
            }
          for (int x = 0; x < n[0]; x++)
            vg_motion_row_terms (&values, x, terms + x * SUMS);
          vg_motion_grid_add_row (self->grid, self->factor, n[0], y, z, terms, line, sums);
        }
      slices[0] = slices[1];
      slices[1] = slices[2];
      slices[2] = first;
    }
}

static gboolean
sum (gpointer data, const double *coefficients, int rank, float unit, const float *sharp,
     double *sums, GError **error)
{
  Passes *self = data;
  gsize page = (gsize) self->n[0] * (gsize) self->n[1],
        points = (gsize) (self->grid != NULL ? self->grid->points[0] : 0),
        groups = (gsize) (self->grid != NULL ? vg_perfusion_control_points (self->grid)
                                             : self->groups);

  (void) error;
  memset (sums, 0, sizeof *sums * (gsize) self->frames * groups * SUMS);
#pragma omp parallel num_threads(self->task->threads)
  {
    g_autofree float *memory = g_new (float, 3 * page + SUMS * ((gsize) self->n[0] + points));

#pragma omp for schedule(dynamic)
    for (int i = 0; i < self->frames; i++)
      {
        float c[RANK];

        for (int k = 0; k < rank; k++)
          c[k] = (float) coefficients[i * rank + k];
        sum_frame (self, i, c, rank, unit, sharp + i * self->groups, memory,
                   sums + (gsize) i * groups * SUMS);
      }
  }
  return TRUE;
}

static gboolean
residual (gpointer data, const double *coefficients, int rank, float *to, GError **error)
{
  Passes *self = data;

  (void) error;
#pragma omp parallel for num_threads(self->task->threads)
  for (gsize v = 0; v < self->voxels; v++)
    {
      double total = 0;
      int used = 0;

      for (int i = 0; i < self->frames; i++)
        {
          float c[RANK], e;

          for (int k = 0; k < rank; k++)
            c[k] = (float) coefficients[i * rank + k];
          e = self->shifted[(gsize) i * self->voxels + v] -
              vg_perfusion_motion_model (self->planes, self->voxels, v, c, rank);
          if (isfinite (e))
            {
              total += (double) e * (double) e;
              used++;
            }
        }
      to[v] = used > 0 ? (float) sqrt (total / used) : NAN;
    }
  return TRUE;
}

static gboolean
fetch (gpointer data, float *to, GError **error)
{
  const Passes *self = data;

  (void) error;
  vg_memory_gather (to, self->shifted, self->voxels * sizeof (float), self->voxels * sizeof (float),
                    0, self->voxels * sizeof (float) * (gsize) self->frames);
  return TRUE;
}

static const VgPerfusionMotionPasses passes = {
  .level = begin_level,
  .shift = shift,
  .project = project,
  .sums = sum,
  .residual = residual,
  .fetch = fetch,
};

static gboolean
passes_new (Passes *self, const VgPerfusionMotionTask *task, GError **error)
{
  const VgImageInfo *info = &task->image->info;
  gsize results, bytes, all, series;

  *self = (Passes){ .task = task,
                    .frames = (int) info->frames,
                    .groups = vg_perfusion_motion_groups (task),
                    .extent = { info->width, info->height, (int) info->slices } };
  vg_perfusion_motion_memory (info, vg_perfusion_motion_spacing (task), &results, &bytes);
  if (!vg_memory_check (results + bytes, "the motion correction", error))
    return FALSE;
  all = voxels_of (self->extent);
  series = all * (gsize) self->frames;
  self->series = g_try_new (float, series);
  self->coarse = g_try_new (float, series / 2 + 1);
  self->shifted = g_try_new (float, series);
  self->planes = g_try_new0 (float, all *RANK);
  self->mask = g_try_malloc (all);
  self->level_mask = g_try_malloc (all);
  if (self->series == NULL || self->coarse == NULL || self->shifted == NULL ||
      self->planes == NULL || self->mask == NULL || self->level_mask == NULL)
    {
      vg_perfusion_motion_no_memory (self->frames, error);
      return FALSE;
    }
#pragma omp parallel for num_threads(task->threads)
  for (gsize i = 0; i < series; i++)
    self->series[i] = (float) vg_image_sample (task->image, i);
  for (gsize i = 0; i < all; i++)
    self->mask[i] = task->mask == NULL || task->mask[i];
  return TRUE;
}

VgPerfusionMotion *
vg_perfusion_motion_find (const VgPerfusionMotionTask *task, GError **error)
{
  Passes self;
  VgPerfusionMotion *motion = NULL;

  if (passes_new (&self, task, error))
    motion = vg_perfusion_motion_run (task, &passes, &self, error);
  g_free (self.series);
  g_free (self.coarse);
  g_free (self.shifted);
  g_free (self.planes);
  g_free (self.mask);
  g_free (self.level_mask);
  return motion;
}
