/* SPDX-License-Identifier: MIT */
#if defined (__GNUC__) && !defined (__clang__)
/* Nothing here is infinite or NaN: a smaller-of-two becomes one instruction,
 * without which the loops over lanes would not become SIMD code. */
#pragma GCC optimize ("finite-math-only", "no-signed-zeros")
#endif
#include "fluence-tally.h"
#include "vg-error.h"
#include "vg-memory.h"
#include "vg-simd.h"
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
/* The photon walk on the CPU.
 *
 * A thread carries LANES photons at once, each at its own place in its own
 * life.  One step of all is a few loops without branches, which become SIMD
 * code; what is rare (a boundary, roulette, the next photon) is done one by
 * one for the lanes that ask for it.  A photon's numbers come from its own
 * generator, so neither lane nor thread matters, and the tallies are whole
 * numbers: the result is the same bit for bit, however the work is cut. */

enum { LANES = 32, TAKE = 32 };

typedef struct
{
  float x[LANES], y[LANES], z[LANES], ux[LANES], uy[LANES], uz[LANES], time[LANES];
  float step[LANES], thickness[LANES], fraction[LANES], one_plus[LANES], twice[LANES], square[LANES], slowness[LANES];
  gint32 row_first[LANES], row_last[LANES];
  gint32 cell[LANES], hit[LANES];
  guint32 u1[LANES], u2[LANES];
  guint64 random[LANES], weight[LANES], lost[LANES], lost_shift[LANES], score[LANES];
  guint64 absorbed[LANES];     /* by this photon */
  guint64 attention[LANES];
  gint32 medium[LANES];        /* 1-based layer */
  gboolean alive[LANES];
  guint64 ends[LANES], end;    /* the step after which a photon is given up; the first of them, or earlier */
  guint64 steps;               /* so far */
} Lanes __attribute__ ((aligned (64)));

/* What a thread keeps from one call to the next. */
typedef struct
{
  Lanes lanes;
  guint64 first, end;          /* taken from the run's photons, not yet launched */
} Hand;

struct _VgFluenceWalk
{
  const VgFluenceMedium *medium;
  VgFluenceLayout layout;
  guint32 seed;
  gboolean score;
  int threads;
  guint64 **tallies;           /* of each thread but the first, or NULL: shared, added to atomically */
  Hand *hands;                 /* one per thread */
  guint64 next;                /* the first photon that no thread has taken */
  gboolean under_way;          /* photons are left from the last call */
};

/* A thread's share of a run. */
typedef struct
{
  VgFluenceWalk *walk;
  Hand *hand;
  Lanes *lanes;                /* the hand's */
  guint64 *tally;
  gboolean atomic;
  guint64 last;
} Share;

static inline void
add (const Share *self,
     gsize        i,
     guint64      value)
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
  for (int i = 0; i < LANES; i++)
    {
      guint64 s = l->random[i];

      l->u1[i] = vg_fluence_draw (&s);
      l->u2[i] = vg_fluence_draw (&s);
      l->random[i] = s;
    }
}

/* A photon that would leave its layer stays where it is and asks for
 * attention; the others move to their next collision and turn. */
VG_SIMD static void
move_all (Lanes                 *l,
          const VgFluenceMedium *medium)
{
  float inverse_dr = medium->inverse_dr, inverse_dz = medium->inverse_dz, bottom = (float) medium->nz;
  int nr = medium->nr, rows = medium->rows;

  for (int i = 0; i < LANES; i++)
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
      /* no angle, no turn: the direction of one that stays is kept */
      v = moves * vg_fluence_scatter (l->one_plus[i], l->twice[i], l->square[i], l->u2[i]);
      vg_fluence_turn (&ux, &uy, &uz, v, l->u2[i]);
      l->ux[i] = ux;
      l->uy[i] = uy;
      l->uz[i] = uz;
      l->hit[i] = stays;
    }
}

/* The weights of those that collided: the angles' bits round them. */
VG_SIMD static void
absorb_all (Lanes *l)
{
  for (int i = 0; i < LANES; i++)
    {
      guint64 keep = (guint64) 0 - (guint64) (l->hit[i] == 0), w = l->weight[i];
      guint64 taken = (w * l->lost[i] + ((guint64) l->u2[i] << l->lost_shift[i])) >> 32 >> l->lost_shift[i];

      l->score[i] = (w + (l->u2[i] >> (32 - VG_FLUENCE_TALLY_SHIFT))) >> VG_FLUENCE_TALLY_SHIFT & keep;
      taken &= keep;
      l->weight[i] = w - taken;
      l->absorbed[i] += taken;
      l->attention[i] = (guint64) (w - taken < VG_FLUENCE_WEAK) | (guint64) (keep == 0);
    }
}

/* ---- One lane ---- */

static void
enter_layer (Lanes                 *l,
             int                    i,
             const VgFluenceMedium *medium,
             int                    number)
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

/* A lane without a photon: it stands still and scores nothing. */
static void
park (Lanes *l,
      int    i)
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
launch (Share *self,
        int    i)
{
  const VgFluenceMedium *medium = self->walk->medium;
  Hand *hand = self->hand;
  Lanes *l = self->lanes;
  guint32 spare[2];

  if (hand->first == hand->end)
    {
      hand->first = __atomic_fetch_add (&self->walk->next, TAKE, __ATOMIC_RELAXED);
      hand->end = MIN (hand->first + TAKE, self->last);
      if (hand->first >= self->last)
        {
          hand->first = hand->end;
          park (l, i);
          return;
        }
    }
  l->random[i] = vg_fluence_seed (self->walk->seed, hand->first++, spare);
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

/* Lane I's photon is gone: the next one. */
static void
finish (Share *self,
        int    i)
{
  const VgFluenceLayout *layout = &self->walk->layout;

  if (!self->walk->score)
    add (self, layout->totals + VG_FLUENCE_TOTAL_ABSORBED,
         vg_fluence_tally_sum (self->lanes->absorbed[i], vg_fluence_draw (&self->lanes->random[i])));
  launch (self, i);
}

static void
leave (Share   *self,
       int      i,
       gboolean up)
{
  const VgFluenceMedium *medium = self->walk->medium;
  const VgFluenceLayout *layout = &self->walk->layout;
  Lanes *l = self->lanes;
  guint32 weight = (guint32) l->weight[i], score = vg_fluence_tally (weight, vg_fluence_draw (&l->random[i]));
  guint32 square = vg_fluence_tally_square (weight);
  int column = vg_fluence_column (sqrtf (l->x[i] * l->x[i] + l->y[i] * l->y[i]) * medium->inverse_dr, medium->nr);
  int angle = vg_fluence_angle_bin (l->uz[i], medium->na);

  add (self, (up ? layout->reflected : layout->transmitted) + (gsize) column * (gsize) medium->na + (gsize) angle, score);
  add (self, (up ? layout->reflected_square : layout->transmitted_square)[0] + (gsize) column, square);
  add (self, (up ? layout->reflected_square : layout->transmitted_square)[1] + (gsize) angle, square);
  if (medium->gates > 0)
    {
      float gate = l->time[i] * medium->inverse_gate;

      add (self, layout->gates[!up] + (gsize) (gate < (float) medium->gates ? gate : (float) medium->gates), score);
    }
  finish (self, i);
}

/* To the boundary that the step would cross, and through it or back. */
static void
meet_boundary (Share *self,
               int    i)
{
  const VgFluenceMedium *medium = self->walk->medium;
  Lanes *l = self->lanes;
  gboolean up = l->uz[i] < 0.0f;
  int here = l->medium[i], there = up ? here - 1 : here + 1;
  float z = up ? 0.0f : l->thickness[i], distance = (z - l->z[i]) / l->uz[i];

  distance = distance > 0.0f ? distance : 0.0f;
  l->x[i] += distance * l->ux[i];
  l->y[i] += distance * l->uy[i];
  l->z[i] = z;
  l->time[i] += distance * l->slowness[i];
  if (!vg_fluence_pass (medium->layers[here].n, medium->layers[there].n, &l->ux[i], &l->uy[i], &l->uz[i], &l->random[i]))
    return;
  if (there == 0 || there == medium->n_layers + 1)
    leave (self, i, up);
  else
    {
      enter_layer (l, i, medium, there);
      l->z[i] = up ? l->thickness[i] : 0.0f;
    }
}

static void
play_roulette (Share *self,
               int    i)
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
  finish (self, i);
}

/* A photon that never ends, deep in matter that does not absorb, is given up,
 * after so many steps of its own that lanes and threads do not matter. */
static void
give_up (Share *self)
{
  Lanes *l = self->lanes;
  guint64 end = G_MAXUINT64;

  for (int i = 0; i < LANES; i++)
    {
      if (l->alive[i] && l->steps >= l->ends[i])
        {
          add (self, self->walk->layout.totals + VG_FLUENCE_TOTAL_LOST,
               vg_fluence_tally ((guint32) l->weight[i], vg_fluence_draw (&l->random[i])));
          finish (self, i);
        }
      if (l->alive[i])
        end = MIN (end, l->ends[i]);
    }
  l->end = end;
}

/* FALSE when no lane has a photon left. */
static gboolean
attend (Share *self)
{
  Lanes *l = self->lanes;
  gboolean any = FALSE;

  for (int i = 0; i < LANES; i++)
    {
      if (l->alive[i] && l->hit[i] != 0)
        meet_boundary (self, i);
      else if (l->alive[i] && l->weight[i] < VG_FLUENCE_WEAK)
        play_roulette (self, i);
      any |= l->alive[i];
    }
  return any;
}

static void
score_all (Share *self)
{
  const Lanes *l = self->lanes;

  if (self->atomic)
    {
      for (int i = 0; i < LANES; i++)
        if (l->alive[i])
          add (self, (gsize) (guint32) l->cell[i], l->score[i]);
      return;
    }
  for (int i = 0; i < LANES; i++)
    self->tally[(guint32) l->cell[i]] += l->alive[i] ? l->score[i] : 0;
}

/* Until the last photon has ended, or DEADLINE (0: none) has passed. */
static void
trace (Share *self,
       gint64 deadline)
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
      for (int i = 0; i < LANES; i++)
        attention |= l->attention[i];
      if ((attention != 0 || pause) && !attend (self))
        break;
      if (l->steps >= l->end)
        give_up (self);
      if (pause && deadline != 0 && g_get_monotonic_time () >= deadline)
        break;
    }
}

static guint64
count_alive (const Lanes *lanes)
{
  guint64 n = 0;

  for (int i = 0; i < LANES; i++)
    n += lanes->alive[i] != 0;
  return n;
}

/* ---- All threads ---- */

VgFluenceWalk *
vg_fluence_walk_new (const VgFluenceMedium *medium,
                     guint32                seed,
                     gboolean               score,
                     int                    threads,
                     GError               **error)
{
  VgFluenceWalk *self = g_new0 (VgFluenceWalk, 1);

  self->medium = medium;
  self->layout = vg_fluence_layout (medium->cells, medium->columns, medium->na, medium->gates);
  self->seed = seed;
  self->score = score;
#ifdef _OPENMP
  self->threads = threads > 0 ? threads : omp_get_max_threads ();
#else
  self->threads = 1;
#endif
  self->hands = g_aligned_alloc0 ((gsize) self->threads, sizeof (Hand), 64);
  if (self->layout.size > VG_FLUENCE_PRIVATE_CELLS || self->threads == 1)
    return self;
  self->tallies = g_new0 (guint64 *, self->threads);
  for (int t = 1; t < self->threads; t++)
    {
      self->tallies[t] = g_try_new0 (guint64, self->layout.size);
      if (self->tallies[t] != NULL)
        continue;
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "no memory for the tallies of %d threads; take fewer bins or fewer threads", self->threads);
      vg_fluence_walk_free (self);
      return NULL;
    }
  return self;
}

void
vg_fluence_walk_free (VgFluenceWalk *self)
{
  if (self == NULL)
    return;
  for (int t = 1; self->tallies != NULL && t < self->threads; t++)
    g_free (self->tallies[t]);
  g_free (self->tallies);
  g_aligned_free (self->hands);
  g_free (self);
}

/* Thread T's share of the work. */
static void
trace_hand (VgFluenceWalk *self,
            int            t,
            guint64        last,
            gint64         deadline,
            guint64       *tally)
{
  Hand *hand = &self->hands[t];
  Share share = { .walk = self, .hand = hand, .lanes = &hand->lanes,
                  .tally = t > 0 && self->tallies != NULL ? self->tallies[t] : tally,
                  .atomic = self->tallies == NULL && self->threads > 1, .last = last };

  if (!self->under_way)
    {
      memset (hand, 0, sizeof *hand);
      hand->lanes.end = G_MAXUINT64;
      for (int i = 0; i < LANES; i++)
        launch (&share, i);
    }
  if (count_alive (share.lanes) > 0)
    trace (&share, deadline);
}

guint64
vg_fluence_walk_run (VgFluenceWalk *self,
                     guint64        first,
                     guint64        last,
                     gint64         deadline,
                     guint64       *tally)
{
  guint64 left;

  if (!self->under_way)
    self->next = first;
#pragma omp parallel for num_threads(self->threads) schedule(static, 1)
  for (int t = 0; t < self->threads; t++)
    trace_hand (self, t, last, deadline, tally);
  for (int t = 1; self->tallies != NULL && t < self->threads; t++)
    {
      guint64 *other = self->tallies[t];

#pragma omp parallel for num_threads(self->threads)
      for (gsize i = 0; i < self->layout.size; i++)
        {
          tally[i] += other[i];
          other[i] = 0;
        }
    }
  left = last - MIN (self->next, last);
  for (int t = 0; t < self->threads; t++)
    left += count_alive (&self->hands[t].lanes) + self->hands[t].end - self->hands[t].first;
  self->under_way = left > 0;
  return left;
}
