/* SPDX-License-Identifier: MIT */
#include "kernels/contour/evolve/contour-field.h"
#include <string.h>
/* What objects leave in the shared field, and what a period leaves behind. */

enum { LANES = 16 }; /* pixels that are brought up to date together, because most do not change */

VG_SCALAR void
update_pixels (gint32 *restrict field, const float *restrict phi, guint16 *restrict h, int n,
               int shared)
{
  gint32 change[LANES], any = 0;

#pragma omp simd reduction(| : any)
  for (int x = 0; x < n; x++)
    {
      change[x] = vg_contour_heaviside (phi[x]) - (gint32) h[x];
      any |= change[x];
    }
  if (any == 0)
    return;
  for (int x = 0; x < n; x++)
    h[x] = (guint16) (h[x] + change[x]);
  if (!shared)
    for (int x = 0; x < n; x++)
      field[x] += change[x];
  else
    for (int x = 0; x < n; x++)
      if (change[x] != 0)
        __atomic_fetch_add (&field[x], change[x], __ATOMIC_RELAXED);
}

VG_SIMD static void
update_row (gint32 *restrict field, const float *restrict phi, guint16 *restrict h, int n,
            int shared)
{
  if (n < LANES)
    update_pixels (field, phi, h, n, shared);
  else
    for (int x = 0; x < n; x += LANES)
      {
        const int at = MIN (x, n - LANES); /* the last end with the row; some are up to date */

        update_pixels (field + at, phi + at, h + at, LANES, shared);
      }
}

void
vg_contour_update_field (VgContourScene *self, VgContourObject *object, const VgContourBox *box,
                         gboolean shared)
{
  for (int y = box->y; y < box->y + box->height; y++)
    {
      gsize i = vg_contour_at (object, box->x, y);

      update_row (self->field + vg_contour_in_image (self, object, box->x, y), object->phi + i,
                  object->h + i, box->width, shared);
    }
}

void
vg_contour_end_period (const VgContourScene *self, VgContourObject *object, const VgContourBox *box)
{
  VgContourState *state = &object->state;
  gint64 moved = 0, area = 0;

  for (int y = box->y; y < box->y + box->height; y++)
    for (int x = box->x; x < box->x + box->width; x++)
      {
        gsize i = vg_contour_at (object, x, y);
        gint32 difference = (gint32) object->h[i] - (gint32) object->mark[i];

        moved += ABS (difference);
        area += object->h[i];
        object->mark[i] = object->h[i];
      }
  state->area = area;
  state->moved_px = vg_contour_moved (moved, area);
  state->still = state->moved_px < self->weights.moved_least ? state->still + 1 : 0;
  if (area == 0 || state->still >= VG_CONTOUR_STILL)
    state->moving = FALSE;
}

/* Of a pixel of the tile; the edge is continued. */
static void
add_energy (const VgContourScene *self, const VgContourObject *object, int x, int y, float apart,
            gint64 *sums)
{
  const VgContourState *state = &object->state;
  gsize i = vg_contour_at (object, x, y), k = vg_contour_in_image (self, object, x, y);
  const guint16 *h = object->h + i;
  int stride = object->tile.width, w = x > 0 ? -1 : 0, e = x + 1 < stride ? 1 : 0,
      n = y > 0 ? -stride : 0, s = y + 1 < object->tile.height ? stride : 0;
  gint32 terms[VG_CONTOUR_TERMS];

  vg_contour_energy (&self->weights, h[0], h[w], h[e], h[n], h[s],
                     (float) self->grey[k] * (1.0f / VG_CONTOUR_UNIT_F),
                     (float) (self->field[k] - (gint32) h[0]) * (1.0f / VG_CONTOUR_UNIT_F),
                     state->u_in, state->u_out, apart, terms);
  for (int t = 0; t < VG_CONTOUR_TERMS; t++)
    sums[t] += terms[t];
}

void
vg_contour_measure_energy (const VgContourScene *self, VgContourObject *object)
{
  const VgContourPrior *prior = &self->prior;
  VgContourState *state = &object->state;
  const float band = self->weights.band, a = state->shape[0], b = state->shape[1];
  const float inverse_scale = self->weights.use_prior ? 1.0f / state->pose.scale : 0.0f;
  float shape[VG_CONTOUR_TEMPLATE];

  if (self->weights.use_prior)
    {
#pragma omp simd
      for (int i = 0; i < VG_CONTOUR_TEMPLATE; i++)
        shape[i] = prior->mean[i] + a * prior->modes[0][i] + b * prior->modes[1][i];
    }
  memset (state->energy, 0, sizeof state->energy);
  for (int y = 0; y < state->box.height; y++)
    for (int x = 0; x < state->box.width; x++)
      {
        float phi = object->phi[vg_contour_at (object, state->box.x + x, state->box.y + y)],
              psi = phi;

        if (self->weights.use_prior)
          psi = vg_contour_clamp (
              vg_contour_prior (shape, &state->pose, inverse_scale, (float) x, (float) y), -band,
              band);
        add_energy (self, object, state->box.x + x, state->box.y + y, phi - psi, state->energy);
      }
  for (int t = 0; t < VG_CONTOUR_TERMS; t++)
    state->energy[t] = vg_contour_energy_of (t, state->energy[t], &state->pose);
}

void
vg_contour_note_period (VgContourScene *self, guint64 iteration)
{
  VgContourMoment moment = { .iteration = iteration,
                             .moving = vg_contour_scene_count_moving (self) };

  for (int t = 0; t < VG_CONTOUR_TERMS; t++)
    {
      gint64 energy = 0;

      for (guint i = 0; i < self->objects->len; i++)
        energy += vg_contour_scene_object (self, i)->state.energy[t];
      moment.energy[t] = (double) energy / VG_CONTOUR_UNIT;
    }
  g_array_append_val (self->history, moment);
}
