/* SPDX-License-Identifier: MIT */
#include "lifetime-fit-settings.h"
#include "lifetime-methods.h"
#include <math.h>
#include <string.h>
/* The fits as methods of the CPU engine: rows of the present frame, binned as the
 * settings say, become planes of the outputs. */

/* Rows of one slice, [y0, y1) counted through all slices. */
typedef struct
{
  VgLifetimeState *state;
  int y0, y1;
  VgLifetimeCube cube;
  guint8 *mask;
  float *area, *binned;             /* their histograms, pixel by pixel, when pixels are binned */
} Rows;

static gboolean
is_binned (const VgLifetimeState *self)
{
  return vg_lifetime_state_sums (self) != self->sums;
}

/* FALSE: no memory. */
static gboolean
take_rows (Rows *self, VgLifetimeState *state, int y0, int y1)
{
  gsize width = (gsize) state->width, bins = (gsize) state->info.bins, n = width * (gsize) (y1 - y0), size = vg_type_size (state->info.type);
  gsize slice = (gsize) (y0 / state->height), row = (gsize) (y0 % state->height), base = (gsize) y0 * width;

  *self = (Rows) { .state = state, .y0 = y0, .y1 = y1, .mask = g_malloc (n) };
  for (gsize i = 0; i < n; i++)
    self->mask[i] = vg_lifetime_status (vg_lifetime_state_sums (state), state->n, base + i, &state->plan.finish) == VG_LIFETIME_FITTED;
  if (!is_binned (state))
    {
      const guint8 *samples = (const guint8 *) state->current->data + (slice * bins * state->pixels + row * width) * size;

      self->cube = (VgLifetimeCube) { samples, state->info.type, state->pixels, 1, n, self->mask, NULL };
      return TRUE;
    }
  self->area = g_new (float, n);
  self->binned = g_try_malloc_n (n * bins, sizeof (float));
  if (self->binned == NULL)
    return FALSE;
#pragma omp parallel for num_threads(state->threads)
  for (int y = y0; y < y1; y++)
    {
      vg_lifetime_histogram_row (state, y, self->binned + (gsize) (y - y0) * width * bins);
      for (int x = 0; x < state->width; x++)
        self->area[(gsize) (y - y0) * width + (gsize) x]
            = (float) vg_lifetime_window_pixels (x, y % state->height, state->width, state->height, state->params.bin);
    }
  self->cube = (VgLifetimeCube) { self->binned, VG_F32, 1, bins, n, self->mask, self->area };
  return TRUE;
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

/* Once for a frame and its settings. */
static void
set_up (VgLifetimeState *self)
{
  vg_lifetime_decay (self, NULL, self->decay);
  self->have_decay = TRUE;
  vg_lifetime_fitting_make (&self->fitting, &self->params, &self->plan, self->decay, (double) self->n);
}

static gboolean
fit_slice (VgLifetimeState *self, const VgLifetimeFitting *fitting, int y0, int y1)
{
  VgLifetimeFitMaps maps = maps_from (self, (gsize) y0 * (gsize) self->width);
  gboolean ok;
  Rows rows;

  ok = take_rows (&rows, self, y0, y1);
  if (ok && fitting->sharing == VG_LIFETIME_SHARE_NONE)
    vg_lifetime_fit_pixels (&fitting->fit, &rows.cube, self->threads, &maps);
  else if (ok && fitting->sharing == VG_LIFETIME_SHARE_SEGMENT)
    vg_lifetime_global_segments (&fitting->fit, &rows.cube, (gsize) self->width, self->threads, &maps);
  else if (ok)
    ok = vg_lifetime_global_image (&fitting->fit, &rows.cube, self->threads, &maps);
  clear_rows (&rows);
  return ok;
}

/* What the whole of a slice shares is found when its last row is asked for. */
static void
fit_rows (VgLifetimeState *self, int y0, int y1)
{
  const VgLifetimeFitting *fitting = &self->fitting;
  gboolean whole;

  if (y0 == 0)
    set_up (self);
  whole = fitting->error == NULL && fitting->sharing == VG_LIFETIME_SHARE_IMAGE;

  for (int y = y0, end; y < y1; y = end)
    {
      int slice = y / self->height * self->height, from = whole ? slice : y;

      end = MIN (y1, slice + self->height);
      if (whole && end < slice + self->height)
        continue;
      if (fitting->error != NULL || !fit_slice (self, fitting, from, end))
        no_values (self, (gsize) from * (gsize) self->width, (gsize) (end - from) * (gsize) self->width);
    }
}

static gboolean
curve (const VgLifetimeState *self, gsize i, double *counts)
{
  guint32 finds = vg_lifetime_fit_finds (self->params.method);
  float outputs[VG_LIFETIME_N_OUTPUTS];

  for (int k = 0; k < VG_LIFETIME_N_OUTPUTS; k++)
    outputs[k] = finds & 1u << k ? vg_lifetime_fit_plane (self, k)[i] : VG_LIFETIME_NAN;
  return vg_lifetime_fitting_curve (&self->fitting, outputs, counts);
}

const VgLifetimeFitter vg_lifetime_fit_one = { VG_LIFETIME_FINDS_ONE, fit_rows, curve };
const VgLifetimeFitter vg_lifetime_fit_two = { VG_LIFETIME_FINDS_TWO, fit_rows, curve };
const VgLifetimeFitter vg_lifetime_fit_three = { VG_LIFETIME_FINDS_THREE, fit_rows, curve };
const VgLifetimeFitter vg_lifetime_fit_stretched = { VG_LIFETIME_FINDS_STRETCHED, fit_rows, curve };
