/* SPDX-License-Identifier: MIT */
#include "contour-field.h"
/* What objects leave in the shared field, and what a period leaves behind. */

VG_SIMD static gint32
heaviside_row (gint32 *restrict now, const float *restrict phi, const guint16 *restrict h, int n)
{
  gint32 any = 0;

#pragma omp simd reduction(| : any)
  for (int x = 0; x < n; x++)
    {
      gint32 v = vg_contour_heaviside (phi[x]);

      now[x] = v - (gint32) h[x];
      any |= now[x];
    }
  return any;
}

static void
add_row (gint32 *field, guint16 *h, const gint32 *difference, int n, gboolean shared)
{
  for (int x = 0; x < n; x++)
    if (difference[x] != 0)
      {
        h[x] = (guint16) (h[x] + difference[x]);
        if (shared)
          __atomic_fetch_add (&field[x], difference[x], __ATOMIC_RELAXED);
        else
          field[x] += difference[x];
      }
}

void
vg_contour_publish (VgContourScene *self, VgContourObject *object, const VgContourBox *box, gboolean shared)
{
  gint32 difference[256];

  for (int y = box->y; y < box->y + box->height; y++)
    for (int x = 0; x < box->width; x += (int) G_N_ELEMENTS (difference))
      {
        int n = MIN ((int) G_N_ELEMENTS (difference), box->width - x);
        gsize i = vg_contour_at (object, box->x + x, y);

        if (heaviside_row (difference, object->phi + i, object->h + i, n) != 0)
          add_row (self->field + vg_contour_in_picture (self, object, box->x + x, y), object->h + i, difference, n, shared);
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

void
vg_contour_measure_energy (const VgContourScene *self, VgContourObject *object)
{
  VgContourState *state = &object->state;

  state->energy = 0;
  for (int y = 0; y < state->box.height; y++)
    for (int x = 0; x < state->box.width; x++)
      {
        gsize i = vg_contour_at (object, state->box.x + x, state->box.y + y), k = vg_contour_in_picture (self, object, state->box.x + x, state->box.y + y);

        state->energy += vg_contour_energy (&self->weights, object->h[i], (float) self->grey[k] * (1.0f / VG_CONTOUR_UNIT_F),
                                            (float) (self->field[k] - (gint32) object->h[i]) * (1.0f / VG_CONTOUR_UNIT_F),
                                            state->u_in, state->u_out);
      }
}

void
vg_contour_note_period (VgContourScene *self, guint64 iteration)
{
  VgContourMoment moment = { iteration, 0.0, vg_contour_scene_moving (self) };
  gint64 energy = 0;

  for (guint i = 0; i < self->objects->len; i++)
    energy += vg_contour_scene_object (self, i)->state.energy;
  moment.energy = (double) energy / VG_CONTOUR_UNIT;
  g_array_append_val (self->history, moment);
}

void
vg_contour_scene_means (VgContourScene *self)
{
  gint64 area = 0, in = 0, all = 0, n = (gint64) self->width * self->height;

#pragma omp parallel for num_threads(self->threads) reduction(+ : area, in, all) schedule(static)
  for (gint64 i = 0; i < n; i++)
    {
      gint64 u = MIN (self->field[i], VG_CONTOUR_UNIT), g = self->grey[i];

      area += u;
      in += u * g;
      all += g;
    }
  self->u_in = vg_contour_mean (in, area, self->u_in);
  self->u_out = vg_contour_mean (all * VG_CONTOUR_UNIT - in, n * VG_CONTOUR_UNIT - area, self->u_out);
}
