/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-filter.h"
#include "kernels/lifetime/engine/lifetime-state.h"
#include <string.h>
/* Phasor filters on the CPU, in the same steps as lifetime-filter.cu. */

typedef struct
{
  const VgLifetimeState *state;
  int width, height, rows; /* of all slices */
  gsize n, pixels;
} Frame;

/* Computes the unfiltered phasors; NaN for pixels without a value. */
static void
take_phasors (const Frame *frame, float *phasor)
{
  const VgLifetimeFinish *finish = &frame->state->plan.finish;
  const float *sums = vg_lifetime_state_sums (frame->state);

#pragma omp parallel for num_threads(frame->state->threads)
  for (int row = 0; row < frame->rows; row++)
    for (int x = 0; x < frame->width; x++)
      {
        gsize base = (gsize) (row / frame->height) * frame->pixels,
              i = (gsize) row * (gsize) frame->width + (gsize) x;
        int status;

        phasor[i] = vg_lifetime_value (VG_LIFETIME_OUTPUT_PHASOR_G, sums, frame->n, base, x,
                                       row % frame->height, finish, &status);
        phasor[frame->n + i] = vg_lifetime_value (VG_LIFETIME_OUTPUT_PHASOR_S, sums, frame->n, base,
                                                  x, row % frame->height, finish, &status);
      }
}

static void
filter_median (const Frame *frame, float *phasor, float *scratch)
{
  const VgLifetimeParams *params = &frame->state->params;

  take_phasors (frame, phasor);
  for (int pass = 0; pass < params->median_passes; pass++)
    {
#pragma omp parallel for num_threads(frame->state->threads)
      for (int row = 0; row < 2 * frame->rows; row++)
        {
          const float *slice = phasor + (gsize) (row / frame->height) * frame->pixels;

          for (int x = 0; x < frame->width; x++)
            scratch[(gsize) row * (gsize) frame->width + (gsize) x] = vg_lifetime_median (
                slice, frame->width, frame->height, x, row % frame->height, params->median_radius);
        }
      memcpy (phasor, scratch, sizeof (float) * 2 * frame->n);
    }
}

static VgLifetimeLevel
level_at (const Frame *frame, const float *scratch, int level, gsize base)
{
  const float *planes = scratch + (gsize) (3 * level) * frame->n + base;

  return (VgLifetimeLevel){ planes, planes + frame->n, planes + 2 * frame->n };
}

static void
build_levels (const Frame *frame, float *scratch, int levels)
{
  const VgLifetimeState *state = frame->state;
  const float *sums = vg_lifetime_state_sums (state);

#pragma omp parallel for num_threads(state->threads)
  for (int row = 0; row < frame->rows; row++)
    for (int x = 0; x < frame->width; x++)
      vg_lifetime_filter_start (sums, frame->n, (gsize) row * (gsize) frame->width + (gsize) x,
                                vg_lifetime_window_pixels (x, row % frame->height, frame->width,
                                                           frame->height, state->params.bin),
                                &state->plan.finish, scratch);
  for (int level = 1; level <= levels; level++)
    {
#pragma omp parallel for num_threads(state->threads)
      for (int row = 0; row < 3 * frame->rows; row++)
        {
          gsize slice = (gsize) (row / frame->height) * frame->pixels;
          const float *fine = scratch + (gsize) (3 * (level - 1)) * frame->n + slice;
          float *coarse = scratch + (gsize) (3 * level) * frame->n +
                          (gsize) row * (gsize) frame->width;

          for (int x = 0; x < frame->width; x++)
            coarse[x] = vg_lifetime_filter_coarsen (fine, frame->width, frame->height, x,
                                                    row % frame->height, 1 << (level - 1));
        }
    }
}

/* Refines the estimate FROM (U, then V) of the coarser level to TO. */
static void
refine_level (const Frame *frame, const float *scratch, int level, const float *from, float *to)
{
#pragma omp parallel for num_threads(frame->state->threads)
  for (int row = 0; row < frame->rows; row++)
    {
      gsize base = (gsize) (row / frame->height) * frame->pixels;
      VgLifetimeLevel fine = level_at (frame, scratch, level, base),
                      coarse = level_at (frame, scratch, level + 1, base);

      for (int x = 0; x < frame->width; x++)
        {
          gsize i = (gsize) row * (gsize) frame->width + (gsize) x;

          vg_lifetime_filter_refine (&fine, &coarse, from + base, from + frame->n + base,
                                     frame->width, frame->height, x, row % frame->height,
                                     1 << level, frame->state->params.wavelet_threshold, &to[i],
                                     &to[frame->n + i]);
        }
    }
}

static void
filter_wavelet (const Frame *frame, float *phasor, float *scratch)
{
  const VgLifetimeState *state = frame->state;
  int all = state->params.wavelet_levels,
      levels = vg_lifetime_filter_levels (frame->width, frame->height, all);
  float *from = scratch + (gsize) (3 * (all + 1)) * frame->n, *to = from + 2 * frame->n, *other;

  build_levels (frame, scratch, levels);
  memcpy (from, scratch + (gsize) (3 * levels + 1) * frame->n, sizeof (float) * 2 * frame->n);
  for (int level = levels - 1; level >= 0; level--)
    {
      refine_level (frame, scratch, level, from, to);
      other = from;
      from = to;
      to = other;
    }
#pragma omp parallel for num_threads(state->threads)
  for (int row = 0; row < frame->rows; row++)
    for (int x = 0; x < frame->width; x++)
      {
        gsize i = (gsize) row * (gsize) frame->width + (gsize) x;
        double g, s;

        vg_lifetime_calibrate (from[i] / scratch[i], from[frame->n + i] / scratch[i],
                               &state->plan.finish, &g, &s);
        phasor[i] = scratch[i] > 0.0f ? (float) g : VG_LIFETIME_NAN;
        phasor[frame->n + i] = scratch[i] > 0.0f ? (float) s : VG_LIFETIME_NAN;
      }
}

void
vg_lifetime_filter (VgLifetimeState *self)
{
  const Frame frame = { self,    self->width, self->height, self->height * self->slices,
                        self->n, self->pixels };

  self->plan.finish.phasor = NULL;
  if (self->params.phasor_filter == VG_LIFETIME_FILTER_NONE)
    return;
  if (self->params.phasor_filter == VG_LIFETIME_FILTER_MEDIAN)
    filter_median (&frame, self->filtered, self->filtered + 2 * self->n);
  else
    filter_wavelet (&frame, self->filtered, self->filtered + 2 * self->n);
  self->plan.finish.phasor = self->filtered;
}
