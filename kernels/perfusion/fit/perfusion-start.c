/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/model/perfusion-simd.h"
#include "kernels/perfusion/fit/perfusion-fit-private.h"
#include <string.h>
/* Initial values of the voxels of a batch from the dictionary, in float.  Each rate has its best
 * pair of delays; the initial values are the best rate and the best one that is not adjacent to
 * it. */

typedef struct
{
  float score[VG_PERFUSION_RATES][VG_PERFUSION_LANES];
  int pair[VG_PERFUSION_RATES][VG_PERFUSION_LANES];
} Scores;

/* Projects the voxel's curve onto the dictionary's directions. */
static inline void
project (const VgPerfusionDictionary *dictionary, const double *curves,
         float (*out)[VG_PERFUSION_LANES])
{
  memset (out, 0, sizeof (float) * VG_PERFUSION_RANK * VG_PERFUSION_LANES);
  for (int i = 0; i < dictionary->n; i++)
    {
      const float *direction = dictionary->directions + (gsize) i * VG_PERFUSION_RANK;
      float y[VG_PERFUSION_LANES];

      for (int l = 0; l < VG_PERFUSION_LANES; l++)
        y[l] = (float) curves[(gsize) i * VG_PERFUSION_LANES + (gsize) l];
      for (int r = 0; r < VG_PERFUSION_RANK; r++)
#pragma omp simd
        for (int l = 0; l < VG_PERFUSION_LANES; l++)
          out[r][l] += direction[r] * y[l];
    }
}

static inline void
compare (const float atoms[][VG_PERFUSION_RANK], float (*voxel)[VG_PERFUSION_LANES],
         float (*out)[VG_PERFUSION_LANES])
{
  for (int d = 0; d < VG_PERFUSION_GRID_DELAYS; d++)
    {
      float sum[VG_PERFUSION_LANES] = { 0 };

      for (int r = 0; r < VG_PERFUSION_RANK; r++)
#pragma omp simd
        for (int l = 0; l < VG_PERFUSION_LANES; l++)
          sum[l] += atoms[d][r] * voxel[r][l];
      memcpy (out[d], sum, sizeof sum);
    }
}

static inline void
score_rate (const VgPerfusionDictionary *dictionary, int rate, float (*a)[VG_PERFUSION_LANES],
            float (*p)[VG_PERFUSION_LANES], Scores *scores)
{
  float best[VG_PERFUSION_LANES] = { 0 };
  int where[VG_PERFUSION_LANES] = { 0 },
      pair = rate * VG_PERFUSION_GRID_DELAYS * VG_PERFUSION_GRID_DELAYS;

  for (int i = 0; i < VG_PERFUSION_GRID_DELAYS; i++)
    for (int k = 0; k < VG_PERFUSION_GRID_DELAYS; k++, pair++)
      {
        float overlap = dictionary->overlap[pair], inverse = dictionary->inverse[pair];

#pragma omp simd
        for (int l = 0; l < VG_PERFUSION_LANES; l++)
          {
            float score = vg_perfusion_pair_score (a[i][l], p[k][l], overlap, inverse);
            int better = score > best[l];

            best[l] = better ? score : best[l];
            where[l] = better ? pair : where[l];
          }
      }
  memcpy (scores->score[rate], best, sizeof best);
  memcpy (scores->pair[rate], where, sizeof where);
}

VG_SIMD static void
score_all (const VgPerfusionDictionary *dictionary, const double *curves, Scores *scores)
{
  float voxel[VG_PERFUSION_RANK][VG_PERFUSION_LANES];
  float a[VG_PERFUSION_GRID_DELAYS][VG_PERFUSION_LANES],
      p[VG_PERFUSION_GRID_DELAYS][VG_PERFUSION_LANES];

  project (dictionary, curves, voxel);
  for (int rate = 0; rate < VG_PERFUSION_RATES; rate++)
    {
      compare (&dictionary->a[rate * VG_PERFUSION_GRID_DELAYS], voxel, a);
      compare (&dictionary->p[rate * VG_PERFUSION_GRID_DELAYS], voxel, p);
      score_rate (dictionary, rate, a, p, scores);
    }
}

static void
set_start (const VgPerfusionDictionary *dictionary, int pair, VgPerfusionStart *start, int lane)
{
  int a = vg_perfusion_pair_delay (pair, 0, dictionary->shared),
      p = vg_perfusion_pair_delay (pair, 1, dictionary->shared);

  start->k[lane] = dictionary->rate[pair / (VG_PERFUSION_GRID_DELAYS * VG_PERFUSION_GRID_DELAYS)];
  start->log_k[lane] = log (start->k[lane]);
  start->ta[lane] = dictionary->delay[a];
  start->tp[lane] = dictionary->delay[p];
}

void
vg_perfusion_find_starts (const VgPerfusionDictionary *dictionary, const double *curves,
                          int n_starts, VgPerfusionStart *starts)
{
  Scores scores;

  score_all (dictionary, curves, &scores);
  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    {
      int best = 0, second = -1;

      for (int r = 1; r < VG_PERFUSION_RATES; r++)
        if (scores.score[r][l] > scores.score[best][l])
          best = r;
      for (int r = 0; r < VG_PERFUSION_RATES; r++)
        if (ABS (r - best) > VG_PERFUSION_START_DISTANCE &&
            (second < 0 || scores.score[r][l] > scores.score[second][l]))
          second = r;
      set_start (dictionary, scores.pair[best][l], &starts[0], l);
      if (n_starts > 1)
        set_start (dictionary, scores.pair[second][l], &starts[1], l);
    }
}
