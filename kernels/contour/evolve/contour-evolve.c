/* SPDX-License-Identifier: MIT */
#include "kernels/contour/evolve/contour-field.h"
#include <string.h>
/* An iteration on the CPU.  All objects read the field of the iteration before
 * (Jacobi), so their order and the number of threads change nothing. */

enum {
  SEGMENT = 64, /* pixels of a row that are worked on at once */
  RUN = 96,     /* pixels whose sums fit in 32 bits */
};

/* Buffers of one thread. */
typedef struct
{
  float *work; /* 3 per pixel of the largest box and a row: force; feet */
  float shape[VG_CONTOUR_TEMPLATE];
} Buffers;

/* ---- Sums over the box ---- */

typedef struct
{
  gint32 area, x, xx, in, out_area, out;
} Partial;

VG_SIMD static Partial
sum_segment (const float *restrict phi, const guint16 *restrict h, const guint16 *restrict grey,
             const gint32 *restrict field, int n)
{
  gint32 area = 0, sx = 0, sxx = 0, in = 0, out_area = 0, out = 0;

#pragma omp simd reduction(+ : area, sx, sxx, in, out_area, out)
  for (int x = 0; x < n; x++)
    {
      gint32 w = h[x], g = grey[x], rest = VG_CONTOUR_UNIT - field[x];
      gint32 o = phi[x] < -1.0f && rest > 0 ? rest : 0;

      area += w;
      sx += w * x;
      sxx += w * x * x;
      in += w * g;
      out_area += o;
      out += o * g;
    }
  return (Partial){ area, sx, sxx, in, out_area, out };
}

/* Above and below the box, where H is 0 and phi below -1, only the background counts. */
VG_SIMD static Partial
sum_background (const guint16 *restrict grey, const gint32 *restrict field, int n)
{
  gint32 out_area = 0, out = 0;

#pragma omp simd reduction(+ : out_area, out)
  for (int x = 0; x < n; x++)
    {
      gint32 rest = VG_CONTOUR_UNIT - field[x], o = rest > 0 ? rest : 0;

      out_area += o;
      out += o * grey[x];
    }
  return (Partial){ .out_area = out_area, .out = out };
}

/* Moments about the corner of the box, from sums about the ring's. */
static void
shift_sums (VgContourSums *sums, gint64 dx, gint64 dy)
{
  sums->xx += (dx * sums->area - 2 * sums->x) * dx;
  sums->yy += (dy * sums->area - 2 * sums->y) * dy;
  sums->xy += dx * dy * sums->area - dx * sums->y - dy * sums->x;
  sums->x -= dx * sums->area;
  sums->y -= dy * sums->area;
}

static VgContourSums
sum_box (const VgContourScene *self, const VgContourObject *object)
{
  const VgContourBox ring = vg_contour_ring (&object->state.box, self->weights.ring,
                                             object->tile.width, object->tile.height);
  const VgContourBox *box = &ring, *own = &object->state.box;
  VgContourSums sums = { 0 };

  for (int y = 0; y < box->height; y++)
    for (int x = 0; x < box->width; x += RUN)
      {
        const int n = MIN (RUN, box->width - x), ty = box->y + y;
        const gsize i = vg_contour_at (object, box->x + x, ty),
                    k = vg_contour_in_image (self, object, box->x + x, ty);
        const Partial part = ty >= own->y && ty < own->y + own->height
                                 ? sum_segment (object->phi + i, object->h + i, self->grey + k,
                                                self->field + k, n)
                                 : sum_background (self->grey + k, self->field + k, n);
        gint64 first = part.x + (gint64) part.area * x;

        sums.area += part.area;
        sums.x += first;
        sums.y += (gint64) part.area * y;
        sums.xx += part.xx + 2 * (gint64) part.x * x + (gint64) part.area * x * x;
        sums.xy += first * y;
        sums.yy += (gint64) part.area * y * y;
        sums.in += part.in;
        sums.out_area += part.out_area;
        sums.out += part.out;
      }
  shift_sums (&sums, object->state.box.x - ring.x, object->state.box.y - ring.y);
  return sums;
}

/* ---- The prior ---- */

/* Vectors fetch scattered floats no faster than single loads do, on some processors
 * much slower.  So where to look is computed in vectors, the values are
 * fetched one by one into rows, and vectors go on from there. */
typedef struct
{
  gint32 at[SEGMENT], right[SEGMENT], down[SEGMENT];
  float tx[SEGMENT], ty[SEGMENT], beyond[SEGMENT];
  float top[2 * SEGMENT], bottom[2 * SEGMENT];
} Looks;

/* What N nodes from FIRST on add to the modes' coefficients. */
VG_SIMD static void
project (const VgContourPrior *prior, const VgContourPose *given, const float *phi, int stride,
         const VgContourBox *box, float band, int first, int n, gint32 *sums)
{
  const VgContourPose pose = *given;
  const float limit = band / pose.scale;
  const int width = box->width, height = box->height;
  const float *u = prior->u + first, *v = prior->v + first, *mean = prior->used_mean + first;
  const float *first_mode = prior->weighted[0] + first, *second_mode = prior->weighted[1] + first;
  gint32 a = 0, b = 0;
  Looks looks;

#pragma omp simd
  for (int k = 0; k < n; k++)
    {
      float x, y;

      vg_contour_place (&pose, u[k], v[k], &x, &y);
      looks.at[k] = vg_contour_corner (stride, width, height, x, y, &looks.right[k], &looks.down[k],
                                       &looks.tx[k], &looks.ty[k], &looks.beyond[k]);
    }
  for (int k = 0; k < n; k++)
    {
      const float *p = phi + looks.at[k], *q = p + looks.down[k];

      looks.top[2 * k] = p[0];
      looks.top[2 * k + 1] = p[looks.right[k]];
      looks.bottom[2 * k] = q[0];
      looks.bottom[2 * k + 1] = q[looks.right[k]];
    }
#pragma omp simd reduction(+ : a, b)
  for (int k = 0; k < n; k++)
    {
      float value = vg_contour_blend (looks.top[2 * k], looks.top[2 * k + 1], looks.bottom[2 * k],
                                      looks.bottom[2 * k + 1], looks.tx[k], looks.ty[k]);
      float middle = vg_contour_clamp (mean[k], -limit, limit);

      value = vg_contour_continue (value, looks.beyond[k], band);
      a += vg_contour_projection (value, pose.scale, middle, first_mode[k]);
      b += vg_contour_projection (value, pose.scale, middle, second_mode[k]);
    }
  sums[0] += a;
  sums[1] += b;
}

VG_SIMD static void
add_modes (const VgContourPrior *prior, float a, float b, float *restrict shape)
{
#pragma omp simd
  for (int i = 0; i < VG_CONTOUR_TEMPLATE; i++)
    shape[i] = prior->mean[i] + a * prior->modes[0][i] + b * prior->modes[1][i];
}

/* Fits the modes' coefficients to phi at the pose, then adds the modes up. */
static void
fit_prior (const VgContourScene *self, VgContourObject *object, const VgContourSums *sums,
           float *shape)
{
  const VgContourPrior *prior = &self->prior;
  VgContourState *state = &object->state;
  const float *phi = object->phi + vg_contour_at (object, state->box.x, state->box.y);
  gint32 projections[VG_CONTOUR_MODES] = { 0 };

  state->pose = vg_contour_pose (sums, self->weights.radius, object->tile.x + state->box.x,
                                 object->tile.y + state->box.y, self->width, self->height);
  for (int k = 0; k < prior->n_used; k += SEGMENT)
    project (prior, &state->pose, phi, object->tile.width, &state->box, self->weights.band, k,
             MIN (SEGMENT, prior->n_used - k), projections);
  for (int mode = 0; mode < VG_CONTOUR_MODES; mode++)
    state->shape[mode] = vg_contour_coefficient (projections[mode], prior->limit[mode]);
  add_modes (prior, state->shape[0], state->shape[1], shape);
}

/* ---- The force ---- */

VG_SIMD static float
force_row (float *restrict force, const float *restrict up, const float *restrict row,
           const float *restrict down, const guint16 *restrict h, const guint16 *restrict grey,
           const gint32 *restrict field, const VgContourWeights *given, float u_in, float u_out,
           int n)
{
  const VgContourWeights weights = *given;
  float fastest = 0.0f;

#pragma omp simd reduction(max : fastest)
  for (int x = 0; x < n; x++)
    {
      float phi = row[x], f = (float) grey[x] * (1.0f / VG_CONTOUR_UNIT_F);
      float others = (float) (field[x] - (gint32) h[x]) * (1.0f / VG_CONTOUR_UNIT_F);
      float kappa = vg_contour_curvature (up[x - 1], up[x], up[x + 1], row[x - 1], phi, row[x + 1],
                                          down[x - 1], down[x], down[x + 1]);
      float F = vg_contour_force (&weights, phi, kappa, f, others, u_in, u_out), speed = fabsf (F);

      force[x] = F;
      speed = fabsf (phi) < VG_CONTOUR_FRONT ? speed : 0.0f;
      fastest = fastest > speed ? fastest : speed;
    }
  return fastest;
}

/* A pixel at the left or right edge of the tile: the edge is continued. */
static float
force_edge (float *force, const float *up, const float *row, const float *down, guint16 h,
            guint16 grey, gint32 field, const VgContourWeights *weights, float u_in, float u_out,
            int l, int r)
{
  float phi = row[0], f = (float) grey * (1.0f / VG_CONTOUR_UNIT_F);
  float others = (float) (field - (gint32) h) * (1.0f / VG_CONTOUR_UNIT_F);
  float kappa = vg_contour_curvature (up[l], up[0], up[r], row[l], phi, row[r], down[l], down[0],
                                      down[r]);

  *force = vg_contour_force (weights, phi, kappa, f, others, u_in, u_out);
  return fabsf (phi) < VG_CONTOUR_FRONT ? fabsf (*force) : 0.0f;
}

static float
compute_force (const VgContourScene *self, const VgContourObject *object, float *force)
{
  const VgContourState *state = &object->state;
  const VgContourBox *box = &state->box;
  float fastest = 0.0f;

  for (int y = 0; y < box->height; y++)
    {
      int ty = box->y + y, first = box->x == 0, last = box->x + box->width == object->tile.width;
      gsize i = vg_contour_at (object, box->x, ty),
            k = vg_contour_in_image (self, object, box->x, ty);
      const float *row = object->phi + i, *up = ty > 0 ? row - object->tile.width : row;
      const float *down = ty + 1 < object->tile.height ? row + object->tile.width : row;
      float *out = force + (gsize) y * (gsize) box->width;
      int n = box->width, right = n - 1;

      if (n - first - last > 0)
        fastest = vg_contour_max (fastest,
                                  force_row (out + first, up + first, row + first, down + first,
                                             object->h + i + first, self->grey + k + first,
                                             self->field + k + first, &self->weights, state->u_in,
                                             state->u_out, n - first - last));
      if (first)
        fastest = vg_contour_max (
            fastest, force_edge (out, up, row, down, object->h[i], self->grey[k], self->field[k],
                                 &self->weights, state->u_in, state->u_out, 0, n > 1));
      if (last && (!first || n > 1))
        fastest = vg_contour_max (
            fastest, force_edge (out + right, up + right, row + right, down + right,
                                 object->h[i + (gsize) right], self->grey[k + (gsize) right],
                                 self->field[k + (gsize) right], &self->weights, state->u_in,
                                 state->u_out, -1, 0));
    }
  return fastest;
}

/* ---- The step ---- */

/* N pixels of row Y from X0 on. */
VG_SIMD static void
advance_row (float *restrict phi, const float *restrict force, const float *restrict shape,
             const VgContourPose *given, const VgContourWeights *weights, float dt, int x0, int y,
             int n)
{
  const VgContourPose pose = *given;
  const float inverse_scale = 1.0f / pose.scale, pull = 2.0f * weights->beta_s * pose.held * dt,
              share = 1.0f / (1.0f + pull), band = weights->band;
  Looks looks;

#pragma omp simd
  for (int x = 0; x < n; x++)
    looks.at[x] = vg_contour_node (&pose, inverse_scale, (float) (x0 + x), (float) y, &looks.tx[x],
                                   &looks.ty[x], &looks.beyond[x]);
  for (int x = 0; x < n; x++) /* two neighbours are one load */
    {
      memcpy (looks.top + 2 * x, shape + looks.at[x], 2 * sizeof *shape);
      memcpy (looks.bottom + 2 * x, shape + looks.at[x] + VG_CONTOUR_NODES, 2 * sizeof *shape);
    }
#pragma omp simd
  for (int x = 0; x < n; x++)
    {
      float value = vg_contour_blend (looks.top[2 * x], looks.top[2 * x + 1], looks.bottom[2 * x],
                                      looks.bottom[2 * x + 1], looks.tx[x], looks.ty[x]);
      float psi = vg_contour_clamp (pose.scale * (value - looks.beyond[x]), -band, band);

      phi[x] = vg_contour_advance (phi[x], force[x], psi, dt, pull, share);
    }
}

VG_SIMD static void
advance_row_free (float *restrict phi, const float *restrict force, float dt, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    phi[x] = phi[x] + dt * force[x];
}

static void
advance (const VgContourScene *self, VgContourObject *object, const Buffers *buffers, float fastest)
{
  const VgContourState *state = &object->state;
  float dt = vg_contour_time_step (&self->weights, fastest, state->age);

  for (int y = 0; y < state->box.height; y++)
    {
      float *phi = object->phi + vg_contour_at (object, state->box.x, state->box.y + y);
      const float *force = buffers->work + (gsize) y * (gsize) state->box.width;

      if (self->weights.use_prior)
        for (int x = 0; x < state->box.width; x += SEGMENT)
          advance_row (phi + x, force + x, buffers->shape, &state->pose, &self->weights, dt, x, y,
                       MIN (SEGMENT, state->box.width - x));
      else
        advance_row_free (phi, force, dt, state->box.width);
    }
}

/* One object's part, with the field as it is; *CHANGED: where H is to be brought up to date. */
static void
iterate_object (const VgContourScene *self, VgContourObject *object, Buffers *buffers,
                gboolean reinit, VgContourBox *changed)
{
  VgContourState *state = &object->state;
  VgContourSums sums = sum_box (self, object);

  *changed = state->box;
  state->age++;
  state->area = sums.area;
  if (sums.area == 0) /* nothing is left to move */
    {
      state->moving = FALSE;
      return;
    }
  state->u_in = self->weights.global_means ? self->u_in
                                           : vg_contour_mean (sums.in, sums.area, state->u_in);
  state->u_out = self->weights.global_means
                     ? self->u_out
                     : vg_contour_mean (sums.out, sums.out_area, state->u_out);
  if (self->weights.use_prior)
    fit_prior (self, object, &sums, buffers->shape);
  advance (self, object, buffers, compute_force (self, object, buffers->work));
  if (reinit)
    *changed = vg_contour_reinitialise (object, self->weights.band, self->full, self->width,
                                        self->height, buffers->work);
}

static void
refresh (VgContourScene *self, VgContourObject *object, gboolean shared, float *work)
{
  VgContourBox box;

  object->state.box = (VgContourBox){ 0, 0, object->tile.width, object->tile.height };
  box = vg_contour_reinitialise (object, self->weights.band, self->full, self->width, self->height,
                                 work);
  vg_contour_update_field (self, object, &box, shared);
  vg_contour_end_period (self, object, &box);
  object->state.still = 0;
  object->state.moving = object->state.area > 0;
}

void
vg_contour_scene_refresh (VgContourScene *self, VgContourObject *object)
{
  refresh (self, object, FALSE, self->work);
}

VgContourObject *
vg_contour_scene_add (VgContourScene *self, double x, double y)
{
  VgContourObject *object = vg_contour_scene_add_seed (self, x, y, NULL, 0);

  if (object != NULL)
    vg_contour_scene_refresh (self, object);
  return object;
}

void
vg_contour_scene_refresh_shared (VgContourScene *self, VgContourObject *object, float *work)
{
  refresh (self, object, TRUE, work);
}

void
vg_contour_scene_measure (const VgContourScene *self, VgContourObject *object)
{
  VgContourSums sums = sum_box (self, object);

  object->state.area = sums.area;
  object->state.u_in = vg_contour_mean (sums.in, sums.area, object->state.u_in);
  object->state.u_out = vg_contour_mean (sums.out, sums.out_area, object->state.u_out);
}

void
vg_contour_scene_refresh_all (VgContourScene *self)
{
  int threads = vg_contour_scene_threads (self), taken = 0;

#pragma omp parallel num_threads(threads)
  {
    float *work = vg_contour_scene_work (self, &taken);

#pragma omp for schedule(dynamic)
    for (guint i = 0; i < self->objects->len; i++)
      refresh (self, vg_contour_scene_object (self, i), threads > 1, work);
  }
}

void
vg_contour_scene_iterate (VgContourScene *self, int n)
{
  int count = (int) self->objects->len, threads = vg_contour_scene_threads (self), taken = 0;
  const guint64 start = self->iteration;

#pragma omp parallel num_threads(threads)
  {
    Buffers *buffers = g_new (Buffers, 1);

    buffers->work = vg_contour_scene_work (self, &taken);
    for (int k = 0; k < n; k++)
      {
        gboolean reinit = (start + (guint64) k + 1) % (guint64) self->reinit_period == 0;

#pragma omp for schedule(dynamic)
        for (int i = 0; i < count; i++)
          {
            VgContourObject *object = vg_contour_scene_object (self, (guint) i);

            object->changed.width = object->changed.height = 0;
            if (vg_contour_is_moving (&self->weights, object->state.moving, object->state.age))
              iterate_object (self, object, buffers, reinit, &object->changed);
          }
#pragma omp for schedule(dynamic)
        for (int i = 0; i < count; i++)
          {
            VgContourObject *object = vg_contour_scene_object (self, (guint) i);

            if (object->changed.width <= 0)
              continue;
            vg_contour_update_field (self, object, &object->changed, threads > 1);
            if (reinit)
              vg_contour_end_period (self, object, &object->changed);
          }
        if (reinit && !self->without_energy)
          {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < count; i++)
              if (vg_contour_scene_object (self, (guint) i)->changed.width > 0)
                vg_contour_measure_energy (self, vg_contour_scene_object (self, (guint) i));
#pragma omp single
            vg_contour_note_period (self, start + (guint64) k + 1);
          }
        if (self->weights.global_means)
          {
#pragma omp single
            vg_contour_scene_means (self);
          }
      }
    g_free (buffers);
  }
  self->iteration += (guint64) n;
}
