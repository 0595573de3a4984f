/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/fit/lifetime-global.h"
#include "kernels/lifetime/fit/lifetime-fit-cpu.h"
#include "kernels/lifetime/fit/lifetime-fit-private.h"
#include <omp.h>
#include <stdlib.h>
/* Fits with shared lifetimes on the CPU: of the whole image, with the vectors of pixels
 * distributed over the cores, and of segments of neighbours, with the segments distributed. */

/* Pixels that share lifetimes: FIRST to FIRST + N. */
typedef struct
{
  const VgLifetimeFit *fit;
  const VgLifetimeCube *cube;
  gsize first, n;
  VgGlobalPixel *pixels; /* one for each vector */
  VgGlobalState state;
} Segment;

static gsize
vectors (gsize n)
{
  return (n + VG_N_LANES - 1) / VG_N_LANES;
}

static void
load (const Segment *self, gsize vector, VgLifetimeTile *tile)
{
  gsize first = self->first + vector * VG_N_LANES;

  tile->n = (int) MIN (VG_N_LANES, self->first + self->n - first);
  for (int i = 0; i < tile->n; i++)
    tile->pixel[i] = first + (gsize) i;
  vg_lifetime_tile_load (tile, self->cube, self->fit->first, self->fit->end);
  for (int i = 0; i < tile->n && self->cube->mask != NULL; i++)
    tile->there[i] = self->cube->mask[first + (gsize) i] ? -1 : 0;
}

VG_SIMD static void
begin (const VgLifetimeFit *fit, VgFitShape shape, const VgLifetimeTile *tile, VgGlobalPixel *pixel)
{
  vg_global_pixel_begin (fit, shape, vg_fit_photons (fit, tile->samples), tile->area, tile->there,
                         pixel);
}

VG_SIMD static void
eliminate (const VgLifetimeFit *fit, VgFitShape shape, const VgFitSums *sums, VgGlobalPixel *pixel,
           VgGlobalPart *part)
{
  vg_global_eliminate (fit, shape, sums, pixel, part);
}

VG_SIMD static void
add_flat (const VgLifetimeFit *fit, const VgLifetimeTile *tile, const VgGlobalPixel *pixel,
          VgGlobalPart *part)
{
  part->flat = vg_select (pixel->there,
                          vg_fit_flat (fit, tile->samples, vg_fit_photons (fit, tile->samples)),
                          part->flat);
}

VG_SIMD static void
move_all (VgFitShape shape, VgGlobalMove move, const double *step, VgGlobalPixel *pixels, gsize n)
{
  for (gsize v = 0; v < n; v++)
    vg_global_move (shape, move, step, &pixels[v]);
}

static void
add (VgGlobalSums *sums, const VgGlobalPart *part, int k)
{
  for (int i = 0; i < VG_N_LANES; i++)
    {
      sums->objective += part->objective[i];
      sums->flat += part->flat[i];
      sums->local += part->local[i];
      for (int m = 0; m < k; m++)
        sums->g[m] += part->g[m][i];
      for (int m = 0; m < k * (k + 1) / 2; m++)
        sums->h[m] += part->h[m][i];
    }
}

/* One pass over the vectors [A, B), with TILE as buffer for samples. */
static void
pass_vectors (Segment *self, gsize a, gsize b, gboolean first, VgLifetimeTile *tile,
              VgGlobalSums *total)
{
  VgFitShape shape = vg_lifetime_fit_shape (self->fit);
  VgLifetimePass pass = vg_lifetime_pass (self->fit);

  for (gsize v = a; v < b; v++)
    {
      VgGlobalPixel *pixel = &self->pixels[v];
      VgLanes x[VG_FIT_MAX_PARAMS];
      VgGlobalPart part;
      VgFitSums sums;

      load (self, v, tile);
      if (first)
        begin (self->fit, shape, tile, pixel);
      vg_global_parameters (shape, pixel, self->state.next, x);
      pass (self->fit, tile->samples, x, &sums);
      eliminate (self->fit, shape, &sums, pixel, &part);
      if (first)
        add_flat (self->fit, tile, pixel, &part);
      add (total, &part, shape.terms);
    }
}

static void
merge (VgGlobalSums *to, const VgGlobalSums *from)
{
  to->objective += from->objective;
  to->flat += from->flat;
  to->local += from->local;
  for (int i = 0; i < 3; i++)
    to->g[i] += from->g[i];
  for (int i = 0; i < 6; i++)
    to->h[i] += from->h[i];
}

static double
count (const Segment *self)
{
  double n = 0;

  for (gsize v = 0; v < vectors (self->n); v++)
    for (int i = 0; i < VG_N_LANES; i++)
      n += self->pixels[v].there[i] != 0;
  return n;
}

/* The number of levels that an image of this size has, at most LEVELS. */
static void
solve (Segment *self, VgLifetimeTile *tile)
{
  VgFitShape shape = vg_lifetime_fit_shape (self->fit);
  gsize n = vectors (self->n);

  vg_global_begin (self->fit, &self->state);
  for (int i = 0; i < self->fit->max_passes && !self->state.done; i++)
    {
      VgGlobalSums sums = { 0 };

      pass_vectors (self, 0, n, i == 0, tile, &sums);
      move_all (shape,
                vg_global_advance (self->fit, self->fit->terms, &sums, count (self), &self->state),
                self->state.step, self->pixels, n);
    }
}

VG_SIMD static void
set_shared (const VgLifetimeFit *fit, const VgGlobalState *state, VgFitResult *result)
{
  vg_global_set_shared (fit, fit->terms, state, result);
}

/* Fits the amplitudes of vectors [A, B) at the lifetimes found. */
static void
finish_vectors (const Segment *self, gsize a, gsize b, VgLifetimeTile *tile,
                VgLifetimeFitMaps *maps)
{
  VgLifetimeFit fit = *self->fit;
  VgFitShape shape = vg_lifetime_fit_shape (&fit);

  for (int i = 0; i < fit.terms; i++)
    fit.fixed[i] = TRUE;
  for (gsize v = a; v < b; v++)
    {
      VgLanes x[VG_FIT_MAX_PARAMS];
      VgFitResult result;

      load (self, v, tile);
      vg_global_parameters (shape, &self->pixels[v], self->state.x, x);
      vg_lifetime_fit_tile (&fit, tile, x, &result);
      set_shared (self->fit, &self->state, &result);
      vg_lifetime_tile_store (tile, result.plane, maps);
    }
}

static VgLifetimeTile
tile_new (const VgLifetimeFit *fit)
{
  return (VgLifetimeTile){ .samples = g_aligned_alloc ((gsize) fit->end, sizeof (VgLanes), 64) };
}

void
vg_lifetime_global_segments (const VgLifetimeFit *self, const VgLifetimeCube *cube, gsize width,
                             int threads, VgLifetimeFitMaps *maps)
{
  gsize each = vg_lifetime_segments (width), rows = cube->pixels / width;

#pragma omp parallel num_threads(threads > 0 ? threads : omp_get_max_threads())
  {
    VgLifetimeTile tile = tile_new (self);
    VgGlobalPixel *pixels = g_aligned_alloc (vectors (VG_GLOBAL_SEGMENT), sizeof *pixels, 64);
    unsigned denormals = vg_denormals_flush ();

#pragma omp for schedule(dynamic)
    for (gsize i = 0; i < rows * each; i++)
      {
        Segment segment = { .fit = self, .cube = cube, .pixels = pixels };

        segment.first = i / each * width + vg_lifetime_segment_start (width, i % each);
        segment.n = i / each * width + vg_lifetime_segment_start (width, i % each + 1) -
                    segment.first;
        solve (&segment, &tile);
        finish_vectors (&segment, 0, vectors (segment.n), &tile, maps);
      }
    vg_denormals_restore (denormals);
    g_aligned_free (pixels);
    g_aligned_free (tile.samples);
  }
}

/* ---- The whole image ---- */

/* Sums are added over fixed groups of vectors, so that neither the number of threads nor the
 * length of steps changes a bit of the result. */
enum { CHUNK = 16, STEP_CHUNKS = 4 };

/* The number of passes is unknown: each pass counts as this fraction of the remainder. */
static const double pass_share = 0.15;

struct _VgLifetimeGlobal
{
  VgLifetimeFit fit;
  VgLifetimeCube cube;
  VgLifetimeFitMaps maps;
  Segment image;
  int pass;
  gboolean finishing;
  VgGlobalMove move;     /* how pixels move before the pass */
  gsize chunk, n_chunks; /* the next group; their number */
  VgGlobalSums *sums;    /* of each group */
};

gsize
vg_lifetime_global_bytes (gsize pixels)
{
  gsize n = MAX (vectors (pixels), 1);

  return n * sizeof (VgGlobalPixel) + (n + CHUNK - 1) / CHUNK * sizeof (VgGlobalSums);
}

VgLifetimeGlobal *
vg_lifetime_global_new (const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                        const VgLifetimeFitMaps *maps)
{
  VgLifetimeGlobal *self = g_new0 (VgLifetimeGlobal, 1);
  gsize n = MAX (vectors (cube->pixels), 1);

  self->fit = *fit;
  self->cube = *cube;
  self->maps = *maps;
  self->n_chunks = (n + CHUNK - 1) / CHUNK;
  self->sums = g_try_new (VgGlobalSums, self->n_chunks);
  self->image = (Segment){ .fit = &self->fit, .cube = &self->cube, .n = cube->pixels };
  self->image.pixels = n > G_MAXSIZE / sizeof *self->image.pixels
                           ? NULL
                           : aligned_alloc (64, n * sizeof *self->image.pixels);
  vg_global_begin (fit, &self->image.state);
  if (self->sums != NULL && self->image.pixels != NULL)
    return self;
  vg_lifetime_global_free (self);
  return NULL;
}

void
vg_lifetime_global_free (VgLifetimeGlobal *self)
{
  if (self == NULL)
    return;
  free (self->image.pixels);
  g_free (self->sums);
  g_free (self);
}

static void
do_chunk (VgLifetimeGlobal *self, gsize chunk, VgLifetimeTile *tile)
{
  gsize a = chunk * CHUNK, b = MIN (a + CHUNK, vectors (self->image.n));

  if (self->pass > 0)
    move_all (vg_lifetime_fit_shape (&self->fit), self->move, self->image.state.step,
              self->image.pixels + a, b - a);
  if (self->finishing)
    {
      finish_vectors (&self->image, a, b, tile, &self->maps);
      return;
    }
  self->sums[chunk] = (VgGlobalSums){ 0 };
  pass_vectors (&self->image, a, b, self->pass == 0, tile, &self->sums[chunk]);
}

/* Runs after the last group of a pass. */
static void
end_pass (VgLifetimeGlobal *self)
{
  VgGlobalSums sums = { 0 };

  for (gsize i = 0; i < self->n_chunks; i++)
    merge (&sums, &self->sums[i]);
  self->move = vg_global_advance (&self->fit, self->fit.terms, &sums, count (&self->image),
                                  &self->image.state);
  self->pass++;
  self->finishing = self->image.state.done || self->pass >= self->fit.max_passes;
  self->chunk = 0;
}

gboolean
vg_lifetime_global_step (VgLifetimeGlobal *self, int threads)
{
  int team = threads > 0 ? threads : omp_get_max_threads ();
  gsize end = MIN (self->chunk + (gsize) team * STEP_CHUNKS, self->n_chunks);

#pragma omp parallel num_threads(team)
  {
    VgLifetimeTile tile = tile_new (&self->fit);
    unsigned denormals = vg_denormals_flush ();

#pragma omp for schedule(dynamic)
    for (gsize i = self->chunk; i < end; i++)
      do_chunk (self, i, &tile);
    vg_denormals_restore (denormals);
    g_aligned_free (tile.samples);
  }
  self->chunk = end;
  if (end < self->n_chunks)
    return FALSE;
  if (self->finishing)
    return TRUE;
  end_pass (self);
  return FALSE;
}

double
vg_lifetime_global_progress (const VgLifetimeGlobal *self)
{
  double part = (double) self->chunk / (double) self->n_chunks,
         passes = 1 - pow (1 - pass_share, self->pass + (self->finishing ? 0 : part));

  return self->finishing ? passes + (1 - passes) * part : passes;
}
