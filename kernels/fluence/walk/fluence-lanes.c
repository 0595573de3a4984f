/* SPDX-License-Identifier: MIT */
#if defined(__GNUC__) && !defined(__clang__)
/* No value here is infinite or NaN.  With these options a minimum is one instruction, without which
 * the loops over lanes are not vectorised. */
#pragma GCC optimize("finite-math-only", "no-signed-zeros")
#endif
#include "kernels/fluence/walk/fluence-lanes.h"
#include "kernels/base/vg-simd.h"
#include <string.h>
/* The photon walk of a thread.
 *
 * It traces VG_FLUENCE_LANES photons at once.  One step of all photons is a few loops without
 * branches, which are vectorised.  Rare events (a boundary, roulette, the next photon) are handled
 * lane by lane. */

enum { PHOTONS_PER_CLAIM = 32 }; /* photons that a thread claims at once */

typedef VgFluenceLanes Lanes;
typedef VgFluenceWorker Worker;
typedef VgFluenceTask Task;

static inline void
add (const Task *self, gsize i, guint64 value)
{
  if (self->atomic)
    __atomic_fetch_add (&self->tally[i], value, __ATOMIC_RELAXED);
  else
    self->tally[i] += value;
}

/* ---- One step of all lanes ---- */

VG_SIMD static void
draw_all (Lanes *l)
{
  for (int i = 0; i < VG_FLUENCE_LANES; i++)
    {
      guint64 s = l->random[i];

      l->u1[i] = vg_fluence_draw (&s);
      l->u2[i] = vg_fluence_draw (&s);
      l->random[i] = s;
    }
}

/* Moves photons to their next collision and scatters them.  A photon that would leave its layer
 * stays and sets `hit`. */
VG_SIMD static void
move_all (Lanes *l, const VgFluenceMedium *medium)
{
  float inverse_dr = medium->inverse_dr, inverse_dz = medium->inverse_dz,
        bottom = (float) medium->nz;
  int nr = medium->nr, rows = medium->rows;

  for (int i = 0; i < VG_FLUENCE_LANES; i++)
    {
      float x = l->x[i], y = l->y[i], z = l->z[i], ux = l->ux[i], uy = l->uy[i], uz = l->uz[i];
      float s = vg_fluence_path (l->u1[i], l->step[i]), zn = z + s * uz, depth, v;
      int stays = (zn < 0.0f) | (zn > l->thickness[i]), row, high = l->row_last[i];
      float moves = (float) (1 - stays);

      s *= moves;
      x += s * ux;
      y += s * uy;
      z += s * uz;
      l->x[i] = x;
      l->y[i] = y;
      l->z[i] = z;
      l->time[i] += s * l->slowness[i];
      depth = z * inverse_dz + l->fraction[i];
      depth = fminf (depth, bottom);
      row = (int) depth + l->row_first[i];
      row = row < high ? row : high;
      l->cell[i] = vg_fluence_column (sqrtf (x * x + y * y) * inverse_dr, nr) * rows + row;
      /* angle 0 for one that stays */
      v = moves * vg_fluence_scatter (l->one_plus[i], l->twice[i], l->square[i], l->u2[i]);
      vg_fluence_turn (&ux, &uy, &uz, v, l->u2[i]);
      l->ux[i] = ux;
      l->uy[i] = uy;
      l->uz[i] = uz;
      l->hit[i] = stays;
    }
}

/* Absorbs and tallies weight of the photons that collided; the bits of u2 round it. */
VG_SIMD static void
absorb_all (Lanes *l)
{
  for (int i = 0; i < VG_FLUENCE_LANES; i++)
    {
      guint64 keep = (guint64) 0 - (guint64) (l->hit[i] == 0), w = l->weight[i];
      guint64 taken = (w * l->lost[i] + ((guint64) l->u2[i] << l->lost_shift[i])) >> 32 >>
                      l->lost_shift[i];

      l->score[i] = (w + (l->u2[i] >> (32 - VG_FLUENCE_TALLY_SHIFT))) >> VG_FLUENCE_TALLY_SHIFT &
                    keep;
      taken &= keep;
      l->weight[i] = w - taken;
      l->absorbed[i] += taken;
      l->attention[i] = (guint64) (w - taken < VG_FLUENCE_WEAK) | (guint64) (keep == 0);
    }
}

/* ---- One lane ---- */

static void
enter_layer (Lanes *l, int i, const VgFluenceMedium *medium, int number)
{
  const VgFluenceLayer *layer = &medium->layers[number];

  l->medium[i] = number;
  l->step[i] = layer->step;
  l->thickness[i] = layer->thickness;
  l->fraction[i] = layer->fraction;
  l->one_plus[i] = layer->hg_one_plus;
  l->twice[i] = layer->hg_twice;
  l->square[i] = layer->hg_square;
  l->lost[i] = layer->lost;
  l->lost_shift[i] = layer->lost_shift;
  l->slowness[i] = layer->slowness;
  l->row_first[i] = layer->row_first;
  l->row_last[i] = layer->row_last;
}

/* Makes lane I one without a photon, which does not move and tallies nothing. */
static void
clear_lane (Lanes *l, int i)
{
  l->alive[i] = FALSE;
  l->step[i] = 0.0f;
  l->lost[i] = 0;
  l->weight[i] = VG_FLUENCE_UNIT;
  l->z[i] = l->x[i] = l->y[i] = l->ux[i] = l->uy[i] = 0.0f;
  l->uz[i] = l->thickness[i] = l->one_plus[i] = 1.0f;
  l->twice[i] = l->square[i] = l->fraction[i] = 0.0f;
  l->row_first[i] = l->row_last[i] = 0;
}

static void
launch (Task *self, int i)
{
  const VgFluenceMedium *medium = self->walk->medium;
  Worker *worker = self->worker;
  Lanes *l = self->lanes;
  guint32 spare[2];

  if (worker->first == worker->end)
    {
      worker->first = __atomic_fetch_add (&self->walk->next, PHOTONS_PER_CLAIM, __ATOMIC_RELAXED);
      worker->end = MIN (worker->first + PHOTONS_PER_CLAIM, self->last);
      if (worker->first >= self->last)
        {
          worker->first = worker->end;
          clear_lane (l, i);
          return;
        }
    }
  l->random[i] = vg_fluence_seed (self->walk->seed, worker->first++, spare);
  l->weight[i] = VG_FLUENCE_UNIT;
  l->absorbed[i] = 0;
  l->x[i] = medium->start_x;
  l->y[i] = 0.0f;
  l->z[i] = medium->start_z;
  l->ux[i] = l->uy[i] = 0.0f;
  l->uz[i] = 1.0f;
  l->time[i] = 0.0f;
  l->ends[i] = l->steps + medium->most_events;
  l->end = MIN (l->end, l->ends[i]);
  l->alive[i] = TRUE;
  if (medium->isotropic)
    vg_fluence_turn (&l->ux[i], &l->uy[i], &l->uz[i], vg_fluence_uniform (spare[0]), spare[1]);
  enter_layer (l, i, medium, medium->start_layer);
}

/* Ends the photon of lane I and launches the next. */
static void
end_photon (Task *self, int i)
{
  const VgFluenceLayout *layout = &self->walk->layout;

  if (!self->walk->score)
    add (
        self, layout->totals + VG_FLUENCE_TOTAL_ABSORBED,
        vg_fluence_tally_sum (self->lanes->absorbed[i], vg_fluence_draw (&self->lanes->random[i])));
  launch (self, i);
}

static void
score_exit (Task *self, int i, gboolean up)
{
  const VgFluenceMedium *medium = self->walk->medium;
  const VgFluenceLayout *layout = &self->walk->layout;
  Lanes *l = self->lanes;
  guint32 weight = (guint32) l->weight[i], u = vg_fluence_draw (&l->random[i]);
  guint32 score = vg_fluence_tally (weight, u), square = vg_fluence_tally_square (weight, u);
  int column = vg_fluence_column (
      sqrtf (l->x[i] * l->x[i] + l->y[i] * l->y[i]) * medium->inverse_dr, medium->nr);
  int angle = vg_fluence_angle_bin (l->uz[i], medium->na);

  add (self,
       (up ? layout->reflected : layout->transmitted) + (gsize) column * (gsize) medium->na +
           (gsize) angle,
       score);
  add (self, (up ? layout->reflected_square : layout->transmitted_square)[0] + (gsize) column,
       square);
  add (self, (up ? layout->reflected_square : layout->transmitted_square)[1] + (gsize) angle,
       square);
  if (medium->gates > 0)
    {
      float time = l->time[i] * medium->inverse_gate;
      gsize gate = (gsize) (time < (float) medium->gates ? time : (float) medium->gates);

      add (self, layout->gates[!up] + gate, score);
      add (self, layout->gates_square[!up] + gate, square);
    }
  end_photon (self, i);
}

/* Moves the photon to the boundary that its step crosses, and refracts or reflects it. */
static void
cross_boundary (Task *self, int i)
{
  const VgFluenceMedium *medium = self->walk->medium;
  Lanes *l = self->lanes;
  gboolean up = l->uz[i] < 0.0f;
  int layer = l->medium[i], next = up ? layer - 1 : layer + 1;
  float z = up ? 0.0f : l->thickness[i], distance = (z - l->z[i]) / l->uz[i];

  distance = distance > 0.0f ? distance : 0.0f;
  l->x[i] += distance * l->ux[i];
  l->y[i] += distance * l->uy[i];
  l->z[i] = z;
  l->time[i] += distance * l->slowness[i];
  if (!vg_fluence_pass (medium->layers[layer].n, medium->layers[next].n, &l->ux[i], &l->uy[i],
                        &l->uz[i], &l->random[i]))
    return;
  if (next == 0 || next == medium->n_layers + 1)
    score_exit (self, i, up);
  else
    {
      enter_layer (l, i, medium, next);
      l->z[i] = up ? l->thickness[i] : 0.0f;
    }
}

static void
roulette (Task *self, int i)
{
  const VgFluenceLayout *layout = &self->walk->layout;
  Lanes *l = self->lanes;
  guint64 weight = l->weight[i];

  if (weight > 0 && vg_fluence_draw (&l->random[i]) < VG_FLUENCE_LUCKY)
    {
      add (self, layout->totals + VG_FLUENCE_TOTAL_ROULETTE, (guint64) 0 - 9 * weight);
      l->weight[i] = 10 * weight;
      return;
    }
  add (self, layout->totals + VG_FLUENCE_TOTAL_ROULETTE, weight);
  end_photon (self, i);
}

/* Discards photons after `most_events` steps, as without absorption they may never end.  Each
 * photon has its own count, so the result does not depend on lanes and threads. */
static void
discard (Task *self)
{
  Lanes *l = self->lanes;
  guint64 end = G_MAXUINT64;

  for (int i = 0; i < VG_FLUENCE_LANES; i++)
    {
      if (l->alive[i] && l->steps >= l->ends[i])
        {
          add (self, self->walk->layout.totals + VG_FLUENCE_TOTAL_LOST,
               vg_fluence_tally ((guint32) l->weight[i], vg_fluence_draw (&l->random[i])));
          end_photon (self, i);
        }
      if (l->alive[i])
        end = MIN (end, l->ends[i]);
    }
  l->end = end;
}

/* Handles boundaries and roulette; FALSE if no lane has a photon. */
static gboolean
handle_events (Task *self)
{
  Lanes *l = self->lanes;
  gboolean any = FALSE;

  for (int i = 0; i < VG_FLUENCE_LANES; i++)
    {
      if (l->alive[i] && l->hit[i] != 0)
        cross_boundary (self, i);
      else if (l->alive[i] && l->weight[i] < VG_FLUENCE_WEAK)
        roulette (self, i);
      any |= l->alive[i];
    }
  return any;
}

static void
score_all (Task *self)
{
  const Lanes *l = self->lanes;

  if (self->atomic)
    {
      for (int i = 0; i < VG_FLUENCE_LANES; i++)
        if (l->alive[i])
          add (self, (gsize) (guint32) l->cell[i], l->score[i]);
      return;
    }
  for (int i = 0; i < VG_FLUENCE_LANES; i++)
    self->tally[(guint32) l->cell[i]] += l->alive[i] ? l->score[i] : 0;
}

void
vg_fluence_lanes_trace (VgFluenceTask *self, gint64 deadline)
{
  const guint32 stretch = 4096;
  Lanes *l = self->lanes;

  for (;;)
    {
      gboolean pause = ++l->steps % stretch == 0;
      guint64 attention = 0;

      draw_all (l);
      move_all (l, self->walk->medium);
      absorb_all (l);
      if (self->walk->score)
        score_all (self);
      for (int i = 0; i < VG_FLUENCE_LANES; i++)
        attention |= l->attention[i];
      if ((attention != 0 || pause) && !handle_events (self))
        break;
      if (l->steps >= l->end)
        discard (self);
      if (pause && deadline != 0 && g_get_monotonic_time () >= deadline)
        break;
    }
}

void
vg_fluence_lanes_start (VgFluenceTask *self)
{
  Lanes *l = self->lanes;

  memset (self->worker, 0, sizeof *self->worker);
  l->end = G_MAXUINT64;
  for (int i = 0; i < VG_FLUENCE_LANES; i++)
    launch (self, i);
}

guint64
vg_fluence_lanes_alive (const VgFluenceLanes *self)
{
  guint64 n = 0;

  for (int i = 0; i < VG_FLUENCE_LANES; i++)
    n += self->alive[i] != 0;
  return n;
}
