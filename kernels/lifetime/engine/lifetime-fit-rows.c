/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include "kernels/lifetime/engine/lifetime-state.h"
#include <math.h>
#include <string.h>
/* Fits in the CPU engine: rows of the current frame, binned over pixels, give planes of the
 * outputs. */

/* The rows [y0, y1) of one slice, counted through all slices. */
typedef struct
{
  VgLifetimeState *state;
  int y0, y1;
  VgLifetimeCube cube;
  guint8 *mask;
  /* NULL, or the number of binned pixels; the binned decays, bins of a pixel together. */
  float *area, *binned;
} Rows;

static gboolean
is_binned (const VgLifetimeState *self)
{
  return vg_lifetime_state_sums (self) != self->sums;
}

/* Returns FALSE if memory is short. */
static gboolean
take_rows (Rows *self, VgLifetimeState *state, int y0, int y1)
{
  gsize width = (gsize) state->width, bins = (gsize) state->info.bins,
        n = width * (gsize) (y1 - y0), size = vg_type_size (state->info.type);
  gsize slice = (gsize) (y0 / state->height), row = (gsize) (y0 % state->height);

  gboolean has_area = is_binned (state) || state->fitting.before.end > 0;

  *self = (Rows){ .state = state,
                  .y0 = y0,
                  .y1 = y1,
                  .mask = g_try_malloc (n),
                  .area = has_area ? g_try_new (float, n) : NULL };
  if (!is_binned (state))
    {
      const guint8 *samples = (const guint8 *) state->current->data +
                              (slice * bins * state->pixels + row * width) * size;

      self->cube = (VgLifetimeCube){ samples, state->info.type, state->pixels, 1,
                                     n,       self->mask,       self->area };
      return self->mask != NULL && (!has_area || self->area != NULL);
    }
  self->binned = g_try_malloc_n (n * bins, sizeof (float));
  self->cube = (VgLifetimeCube){ self->binned, VG_F32, 1, bins, n, self->mask, self->area };
  return self->mask != NULL && self->area != NULL && self->binned != NULL;
}

/* Sets which pixels of the rows [FROM, TO) are fitted, and their decays. */
static void
fill_rows (Rows *self, int from, int to)
{
  VgLifetimeState *state = self->state;
  const VgLifetimeFitting *fitting = &state->fitting;
  gsize width = (gsize) state->width, bins = (gsize) state->info.bins;

#pragma omp parallel for num_threads(state->threads)
  for (int y = from; y < to; y++)
    {
      gsize at = (gsize) (y - self->y0) * width;

      for (gsize x = 0; x < width; x++)
        self->mask[at + x] = vg_lifetime_status (vg_lifetime_state_sums (state), state->n,
                                                 (gsize) y * width + x,
                                                 &state->plan.finish) == VG_LIFETIME_FITTED;
      if (self->binned != NULL)
        vg_lifetime_histogram_row (state, y, self->binned + at * bins);
      if (fitting->before.end > 0)
        vg_lifetime_fit_offsets (&self->cube, at, at + width, &fitting->before, self->area);
      for (int x = 0; x < state->width && self->binned != NULL && fitting->before.end == 0; x++)
        self->area[at + (gsize) x] = (float) vg_lifetime_window_pixels (
            x, y % state->height, state->width, state->height, state->params.bin);
    }
}

static void
clear_rows (Rows *self)
{
  g_free (self->mask);
  g_free (self->area);
  g_free (self->binned);
}

/* The planes of the outputs, from pixel FIRST on. */
static VgLifetimeFitMaps
maps_from (VgLifetimeState *self, gsize first)
{
  guint32 finds = vg_lifetime_fit_finds (self->params.method);
  VgLifetimeFitMaps maps = { 0 };

  for (int i = 0; i < VG_LIFETIME_N_OUTPUTS; i++)
    if (finds & 1u << i)
      maps.plane[vg_lifetime_fit_plane_of (i)] = vg_lifetime_fit_plane (self, i) + first;
  return maps;
}

static void
no_values (VgLifetimeState *self, gsize first, gsize n)
{
  VgLifetimeFitMaps maps = maps_from (self, first);

  for (int k = 0; k < VG_LIFETIME_FIT_N_PLANES; k++)
    for (gsize i = 0; i < n && maps.plane[k] != NULL; i++)
      maps.plane[k][i] = VG_LIFETIME_NAN;
}

/* Prepares the fit of a frame with its settings. */
static void
set_up (VgLifetimeState *self)
{
  vg_lifetime_decay (self, NULL, self->decay);
  self->have_decay = TRUE;
  vg_lifetime_fitting_make (&self->fitting, &self->params, &self->plan, self->decay,
                            (double) self->n);
}

/* Fits rows of one slice, each pixel alone or in segments. */
static gboolean
fit_some (VgLifetimeState *self, int y0, int y1)
{
  const VgLifetimeFitting *fitting = &self->fitting;
  VgLifetimeFitMaps maps = maps_from (self, (gsize) y0 * (gsize) self->width);
  gboolean ok;
  Rows rows;

  ok = take_rows (&rows, self, y0, y1);
  if (ok)
    fill_rows (&rows, y0, y1);
  if (ok && fitting->sharing == VG_LIFETIME_SHARE_NONE)
    vg_lifetime_fit_pixels (&fitting->fit, &rows.cube, self->threads, &maps);
  else if (ok)
    vg_lifetime_global_segments (&fitting->fit, &rows.cube, (gsize) self->width, self->threads,
                                 &maps);
  clear_rows (&rows);
  return ok;
}

/* ---- Global fits of a slice ---- */

struct _VgLifetimeWhole
{
  Rows rows;
  int filled; /* rows that have been loaded */
  VgLifetimeGlobal *global;
};

void
vg_lifetime_fit_stop (VgLifetimeState *self)
{
  if (self->whole == NULL)
    return;
  vg_lifetime_global_free (self->whole->global);
  clear_rows (&self->whole->rows);
  g_clear_pointer (&self->whole, g_free);
}

double
vg_lifetime_fit_progress (const VgLifetimeState *self)
{
  return self->whole == NULL || self->whole->global == NULL
             ? 0
             : vg_lifetime_global_progress (self->whole->global);
}

/* Works for some milliseconds on the slice whose first row is Y0; *DONE: the fit has ended.
 * Returns FALSE if memory is short. */
static gboolean
fit_whole (VgLifetimeState *self, int y0, int rows, gboolean *done)
{
  int end = y0 + self->height;
  VgLifetimeSliceFit *whole = self->whole;

  *done = FALSE;
  if (whole == NULL)
    {
      self->whole = whole = g_new0 (VgLifetimeSliceFit, 1);
      whole->filled = y0;
      return take_rows (&whole->rows, self, y0, end);
    }
  if (whole->filled < end)
    {
      int to = MIN (whole->filled + rows, end);

      fill_rows (&whole->rows, whole->filled, to);
      whole->filled = to;
      return TRUE;
    }
  if (whole->global == NULL)
    {
      VgLifetimeFitMaps maps = maps_from (self, (gsize) y0 * (gsize) self->width);

      whole->global = vg_lifetime_global_new (&self->fitting.fit, &whole->rows.cube, &maps);
      return whole->global != NULL;
    }
  *done = vg_lifetime_global_step (whole->global, self->threads);
  return TRUE;
}

/* A global fit of a slice takes many calls. */
int
vg_lifetime_fit_rows (VgLifetimeState *self, int y0, int y1)
{
  const VgLifetimeFitting *fitting = &self->fitting;
  int end = (y0 / self->height + 1) * self->height;
  gboolean whole, done = TRUE, ok = FALSE;

  if (y0 == 0 && self->whole == NULL)
    set_up (self);
  whole = fitting->sharing == VG_LIFETIME_SHARE_IMAGE;
  end = whole ? end : MIN (y1, end);
  if (fitting->error == NULL)
    ok = whole ? fit_whole (self, y0, y1 - y0, &done) : fit_some (self, y0, end);
  if (ok && !done)
    return y0;
  vg_lifetime_fit_stop (self);
  if (!ok)
    no_values (self, (gsize) y0 * (gsize) self->width, (gsize) (end - y0) * (gsize) self->width);
  return end;
}

void
vg_lifetime_fit_values (const VgLifetimeState *self, gsize i, float *outputs)
{
  guint32 finds = vg_lifetime_fit_finds (self->params.method);

  for (int k = 0; k < VG_LIFETIME_N_OUTPUTS; k++)
    outputs[k] = finds & 1u << k ? vg_lifetime_fit_plane (self, k)[i] : VG_LIFETIME_NAN;
}
