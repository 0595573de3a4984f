/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/fit/lifetime-fit-cpu.h"
#include "kernels/lifetime/fit/lifetime-fit-private.h"
#include <omp.h>
/* Fits pixels on the CPU: 16 of them in the lanes of a vector, blocks of them on each core. */

enum { BLOCK = 512 }; /* pixels that a thread fits at a time */

/* Only the passes over the bins gain from a function for each shape. */
#define PASS(name, terms, offset, irf)                                                             \
  VG_SIMD static void pass_##name (const VgLifetimeFit *fit, const VgLanes *samples,               \
                                   const VgLanes *x, VgFitSums *sums)                              \
  {                                                                                                \
    const VgFitShape shape = { terms, offset, irf };                                               \
    vg_fit_pass (fit, shape, samples, x, sums);                                                    \
  }
PASS (stretched, 0, FALSE, FALSE)
PASS (stretched_offset, 0, TRUE, FALSE)
PASS (1, 1, FALSE, FALSE)
PASS (1_offset, 1, TRUE, FALSE)
PASS (1_irf, 1, FALSE, TRUE)
PASS (1_irf_offset, 1, TRUE, TRUE)
PASS (2, 2, FALSE, FALSE)
PASS (2_offset, 2, TRUE, FALSE)
PASS (2_irf, 2, FALSE, TRUE)
PASS (2_irf_offset, 2, TRUE, TRUE)
PASS (3, 3, FALSE, FALSE)
PASS (3_offset, 3, TRUE, FALSE)
PASS (3_irf, 3, FALSE, TRUE)
PASS (3_irf_offset, 3, TRUE, TRUE)
#undef PASS

VgLifetimePass
vg_lifetime_pass (const VgLifetimeFit *fit)
{
  static const VgLifetimePass table[4][2][2] = {
    /* terms, IRF, offset */
    { { pass_stretched, pass_stretched_offset }, { pass_stretched, pass_stretched_offset } },
    { { pass_1, pass_1_offset }, { pass_1_irf, pass_1_irf_offset } },
    { { pass_2, pass_2_offset }, { pass_2_irf, pass_2_irf_offset } },
    { { pass_3, pass_3_offset }, { pass_3_irf, pass_3_irf_offset } },
  };

  return table[fit->stretched ? 0 : fit->terms][fit->irf != NULL][fit->free_offset];
}

VG_SIMD static void
begin (const VgLifetimeFit *fit, VgFitShape shape, const VgLifetimeTile *tile,
       const VgLanes *photons, VgFitState *state)
{
  vg_fit_begin (fit, shape, *photons, tile->area, state);
}

VG_SIMD static gboolean
advance (const VgFitBounds *bounds, const VgFitSums *sums, VgFitState *state, int p)
{
  vg_fit_advance (bounds, sums, state, p);
  return vg_any (vg_not (state->done));
}

VG_SIMD static void
finish (const VgLifetimeFit *fit, VgFitShape shape, const VgFitBounds *bounds,
        const VgFitState *state, const VgLifetimeTile *tile, const VgLanes *photons,
        VgFitResult *result)
{
  VgFitEnd end;

  vg_fit_end (fit, shape, tile->samples, state->x, *photons, &end);
  vg_fit_result (fit, shape, bounds, state, &end, *photons, result);
}

VG_SIMD static void
photons_of (const VgLifetimeFit *fit, const VgLifetimeTile *tile, VgLanes *photons)
{
  *photons = vg_select (tile->there, vg_fit_photons (fit, tile->samples), vg_lanes (0.0f));
}

VG_SIMD static void
fit_mono (const VgLifetimeFit *fit, const VgLifetimeTile *tile, VgFitResult *result)
{
  vg_fit_mono (fit, tile->samples, tile->there, result);
}

void
vg_lifetime_fit_run (const VgLifetimeFit *fit, const VgLanes *samples, VgFitState *state,
                     VgFitSums *sums)
{
  VgFitShape shape = vg_lifetime_fit_shape (fit);
  VgLifetimePass pass = vg_lifetime_pass (fit);
  int n = 0, p = vg_fit_n_params (shape);
  VgFitBounds bounds;

  vg_fit_bounds (fit, shape, &bounds);
  do
    pass (fit, samples, state->next, sums);
  while (advance (&bounds, sums, state, p) && ++n < fit->max_passes);
}

/* As vg_fit_lanes, with passes that are functions here. */
void
vg_lifetime_fit_tile (const VgLifetimeFit *fit, const VgLifetimeTile *tile, const VgLanes *x,
                      VgFitResult *result)
{
  VgFitShape shape = vg_lifetime_fit_shape (fit);
  VgLanes photons;
  VgFitBounds bounds;
  VgFitState state;
  VgFitSums sums;

  photons_of (fit, tile, &photons);
  vg_fit_bounds (fit, shape, &bounds);
  begin (fit, shape, tile, &photons, &state);
  for (int i = 0; i < vg_fit_n_params (shape) && x != NULL; i++)
    state.x[i] = state.next[i] = x[i];
  vg_lifetime_fit_run (fit, tile->samples, &state, &sums);
  finish (fit, shape, &bounds, &state, tile, &photons, result);
}

/* Adds pixels without a mask from index I on, up to one vector.  Returns the index after the
 * last. */
static gsize
take (VgLifetimeTile *tile, const VgLifetimeCube *cube, gsize i, gsize end)
{
  for (tile->n = 0; i < end && tile->n < VG_N_LANES; i++)
    if (cube->mask == NULL || cube->mask[i])
      tile->pixel[tile->n++] = i;
  return i;
}

static void
clear (VgLifetimeFitMaps *maps, gsize i, gsize end)
{
  for (int k = 0; k < VG_LIFETIME_FIT_N_PLANES; k++)
    if (maps->plane[k] != NULL)
      for (gsize j = i; j < end; j++)
        maps->plane[k][j] = k == VG_LIFETIME_FIT_STATUS ? VG_LIFETIME_FIT_SKIPPED : NAN;
}

/* Pixels in work.  A lane that has ended gets another pixel while the others continue, so that no
 * lane waits for the slowest of sixteen.  A lane's result does not depend on the other lanes. */
typedef struct
{
  VgLifetimeTile tile;
  VgLanes photons;
  VgFitState state;
  VgFitSums sums;     /* of the last pass */
  VgMask busy, ready; /* lanes that have a pixel; those of them whose fit has ended */
  int passes[VG_N_LANES];
} Lanes;

/* Copies the lanes of MASK from FROM. */
VG_SIMD static void
copy_lanes (VgLanes *to, const VgLanes *from, gsize bytes, const VgMask *mask)
{
  for (gsize i = 0; i < bytes / sizeof *to; i++)
    to[i] = vg_select (*mask, from[i], to[i]);
}

/* Starts the fits of the lanes in NEW, whose samples are in the tile. */
static void
begin_lanes (Lanes *self, const VgLifetimeFit *fit, VgFitShape shape, const VgMask *new)
{
  VgFitState start;
  VgLanes photons;

  photons_of (fit, &self->tile, &photons);
  memset (&start, 0, sizeof start);
  begin (fit, shape, &self->tile, &photons, &start);
  copy_lanes (&self->photons, &photons, sizeof photons, new);
  copy_lanes ((VgLanes *) &self->state, (const VgLanes *) &start, sizeof start, new);
}

/* Gives each free lane a pixel from index I on.  Returns the index after the last. */
static gsize
refill (Lanes *self, const VgLifetimeFit *fit, VgFitShape shape, const VgLifetimeCube *cube,
        gsize i, gsize end)
{
  gboolean all = !vg_any (self->busy);
  VgMask new = { 0 };

  for (int lane = 0; lane < VG_N_LANES; lane++)
    {
      while (i < end && cube->mask != NULL && !cube->mask[i])
        i++;
      if (self->busy[lane] || i == end)
        continue;
      self->tile.pixel[lane] = i++;
      self->passes[lane] = 0;
      new[lane] = self->busy[lane] = -1;
    }
  if (!vg_any (new))
    return i;
  vg_lifetime_tile_fill (&self->tile, cube, all ? NULL : &new, fit->first, fit->end);
  self->tile.there = self->busy;
  begin_lanes (self, fit, shape, &new);
  return i;
}

/* Finds the lanes whose fit ended with the last pass; returns their number. */
static int
settle (Lanes *self, const VgLifetimeFit *fit)
{
  int n = 0;

  for (int lane = 0; lane < VG_N_LANES; lane++)
    {
      if (!self->busy[lane] || self->ready[lane])
        n += self->ready[lane] != 0;
      else if (++self->passes[lane] >= fit->max_passes || self->state.done[lane])
        {
          self->ready[lane] = -1;
          n++;
        }
    }
  return n;
}

static void
fit_block (Lanes *self, const VgLifetimeFit *fit, const VgLifetimeCube *cube, gsize from, gsize end,
           VgLifetimeFitMaps *maps)
{
  VgFitShape shape = vg_lifetime_fit_shape (fit);
  VgLifetimePass pass = vg_lifetime_pass (fit);
  int p = vg_fit_n_params (shape), busy;
  VgFitResult result;
  VgFitBounds bounds;
  gsize i = from;

  vg_fit_bounds (fit, shape, &bounds);
  self->busy = self->ready = (VgMask){ 0 };
  memset (&self->sums, 0, sizeof self->sums);
  for (;;)
    {
      i = refill (self, fit, shape, cube, i, end);
      busy = 0;
      for (int lane = 0; lane < VG_N_LANES; lane++)
        busy += self->busy[lane] != 0;
      if (busy == 0)
        return;
      do
        {
          pass (fit, self->tile.samples, self->state.next, &self->sums);
          advance (&bounds, &self->sums, &self->state, p);
        }
      /* With one lifetime all lanes end after few passes. */
      while (settle (self, fit) < (i < end && fit->terms > 1 ? (busy + 1) / 2 : busy));
      finish (fit, shape, &bounds, &self->state, &self->tile, &self->photons, &result);
      for (int lane = 0; lane < VG_N_LANES; lane++)
        if (self->ready[lane])
          vg_lifetime_tile_store_lane (&self->tile, lane, result.plane, maps);
      self->busy &= ~self->ready;
      self->ready = (VgMask){ 0 };
    }
}

static void
fit_block_mono (VgLifetimeTile *tile, const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                gsize from, gsize end, VgLifetimeFitMaps *maps)
{
  VgFitResult result;

  for (gsize i = take (tile, cube, from, end); tile->n > 0; i = take (tile, cube, i, end))
    {
      vg_lifetime_tile_load (tile, cube, fit->first, fit->end);
      fit_mono (fit, tile, &result);
      vg_lifetime_tile_store (tile, result.plane, maps);
    }
}

void
vg_lifetime_fit_pixels (const VgLifetimeFit *self, const VgLifetimeCube *cube, int threads,
                        VgLifetimeFitMaps *maps)
{
  gboolean mono = vg_lifetime_fit_is_sufficient (self);
  gsize blocks = (cube->pixels + BLOCK - 1) / BLOCK;

#pragma omp parallel num_threads(threads > 0 ? threads : omp_get_max_threads())
  {
    Lanes *lanes = g_aligned_alloc0 (1, sizeof *lanes, 64);
    unsigned denormals = vg_denormals_flush ();

    lanes->tile.samples = g_aligned_alloc0 ((gsize) self->end, sizeof (VgLanes), 64);
#pragma omp for schedule(dynamic)
    for (gsize b = 0; b < blocks; b++)
      {
        gsize end = MIN ((b + 1) * BLOCK, cube->pixels);

        clear (maps, b * BLOCK, end);
        if (mono)
          fit_block_mono (&lanes->tile, self, cube, b * BLOCK, end, maps);
        else
          fit_block (lanes, self, cube, b * BLOCK, end, maps);
      }
    vg_denormals_restore (denormals);
    g_aligned_free (lanes->tile.samples);
    g_aligned_free (lanes);
  }
}
