/* SPDX-License-Identifier: MIT */
#include "kernels/contour/evolve/contour-scene.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/base/vg-error.h"
#include <math.h>
#include <string.h>
/* Objects and their tiles. */

#define SEED_RADII 0.7 /* radius of the disc that a seed starts as */
#define RING_RADII 0.6
#define TILE_RADII 5.0             /* side of a tile */
#define GROWTH 1.5                 /* of the side of an outgrown tile */
#define FAR_FROM_CONVERGENCE 0.02f /* radii a period */
#define MOST_RADII 20.0            /* side beyond which a tile does not grow */
enum { LEAST_TILE = 24, GRAIN = 8 };

/* Half-width of the iterated band about the contour: enough for the comparison
 * with the prior and for the contour's motion between two reinitialisations. */
static float
band_of (float radius, gboolean full)
{
  return full ? 32.0f : floorf (vg_contour_clamp (0.8f * radius, 6.0f, 24.0f));
}

static int
tile_side (float radius)
{
  int side = (int) ceil (TILE_RADII * radius);

  return MAX (LEAST_TILE, (side + GRAIN - 1) / GRAIN * GRAIN);
}

/* Weights that depend on a length are scaled with the radius, so that they act
 * alike at any magnification.  The settings are for a radius of 10 px. */
void
vg_contour_scene_set_weights (VgContourScene *self, const VgContourParams *params, float radius)
{
  float relative = radius / 10.0f;

  self->radius = radius;
  self->weights = (VgContourWeights){
    .lambda_in = params->lambda_in,
    .lambda_out = params->lambda_out,
    .beta_r = params->region_weight,
    .mu = params->curvature * relative,
    .beta_s = params->prior_weight / relative,
    .omega = params->overlap_penalty,
    .step = params->step_px,
    .dt_fixed = params->time_step,
    .fixed = params->step_rule == VG_CONTOUR_STEP_FIXED,
    .global_means = params->means == VG_CONTOUR_MEANS_GLOBAL,
    .use_prior = params->prior_weight > 0.0f,
    .radius = radius,
    .band = band_of (radius, self->full),
    .ring = (int) (RING_RADII * radius),
    .moved_least = params->tolerance_px,
    .warm = (int) ceilf (VG_CONTOUR_WARM_PX / params->step_px - 1e-3f),
    .cooling = (int) ceilf (VG_CONTOUR_COOLING_PX / params->step_px - 1e-3f),
    .most_age = self->most_age,
  };
  self->reinit_period = params->reinit_period;
}

void
vg_contour_object_wake (VgContourObject *self)
{
  self->state.still = 0;
  self->state.age = 0;
  self->state.moving = self->state.area > 0;
}

void
vg_contour_scene_wake (VgContourScene *self)
{
  for (guint i = 0; i < self->objects->len; i++)
    vg_contour_object_wake (vg_contour_scene_object (self, i));
}

void
vg_contour_scene_limit (VgContourScene *self, int iterations)
{
  self->most_age = self->weights.most_age = iterations;
}

static void
free_samples (VgContourObject *object)
{
  g_clear_pointer (&object->phi, g_free);
  g_clear_pointer (&object->h, g_free);
  g_clear_pointer (&object->mark, g_free);
}

void
vg_contour_object_free (gpointer data)
{
  VgContourObject *self = data;

  free_samples (self);
  g_free (self);
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
  self->u_out = vg_contour_mean (all * VG_CONTOUR_UNIT - in, n * VG_CONTOUR_UNIT - area,
                                 self->u_out);
}

VgContourScene *
vg_contour_scene_new (const guint16 *grey, int width, int height, float radius,
                      const VgContourParams *params, int threads, GError **error)
{
  VgContourScene *self = g_try_new0 (VgContourScene, 1); /* with the prior's tables */

  if (self == NULL)
    {
      vg_contour_no_memory (width, height, error);
      return NULL;
    }
  self->width = width;
  self->height = height;
  self->grey = grey;
  self->full = params->grid == VG_CONTOUR_GRID_FULL;
  self->threads = threads > 0 ? threads : (int) g_get_num_processors ();
  self->most_age = G_MAXINT;
  self->objects = g_ptr_array_new_with_free_func (vg_contour_object_free);
  self->dropped = g_ptr_array_new_with_free_func (vg_contour_object_free);
  self->history = g_array_new (FALSE, FALSE, sizeof (VgContourMoment));
  self->field = g_try_new0 (gint32, (gsize) width * (gsize) height);
  if (self->field == NULL || !vg_contour_prior_fill (&self->prior))
    {
      vg_contour_no_memory (width, height, error);
      vg_contour_scene_free (self);
      return NULL;
    }
  vg_contour_scene_set_weights (self, params, radius);
  vg_contour_scene_means (self);
  return self;
}

void
vg_contour_scene_free (VgContourScene *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->objects);
  g_ptr_array_unref (self->dropped);
  g_array_unref (self->history);
  g_free (self->field);
  g_free (self->work);
  g_free (self);
}

gsize
vg_contour_object_bytes (int width, int height, float radius, gboolean full)
{
  gsize side = (gsize) tile_side (radius), w = full ? (gsize) width : MIN (side, (gsize) width);
  gsize h = full ? (gsize) height : MIN (side, (gsize) height);

  return sizeof (VgContourObject) + w * h * (sizeof (float) + 2 * sizeof (guint16));
}

/* A tile of SIDE about a point, moved to lie inside the image. */
static VgContourBox
place_tile (const VgContourScene *self, double x, double y, int side)
{
  int w = self->full ? self->width : MIN (side, self->width),
      h = self->full ? self->height : MIN (side, self->height);

  return (VgContourBox){ CLAMP ((int) floor (x) - w / 2, 0, self->width - w),
                         CLAMP ((int) floor (y) - h / 2, 0, self->height - h), w, h };
}

gboolean
vg_contour_scene_reserve (VgContourScene *self, int width, int height)
{
  gsize room = MAX (self->work_room, 3 * ((gsize) height + 1) * (gsize) width);
  int threads = MAX (self->work_threads, (int) MIN (self->objects->len + self->dropped->len + 1,
                                                    (guint) self->threads));
  float *work;

  if (room == self->work_room && threads == self->work_threads)
    return TRUE;
  work = g_try_malloc_n ((gsize) threads * room, sizeof *work);
  if (work == NULL)
    return FALSE;
  g_free (self->work);
  self->work = work;
  self->work_room = room;
  self->work_threads = threads;
  return TRUE;
}

int
vg_contour_scene_threads (const VgContourScene *self)
{
  return MAX (MIN (self->work_threads, (int) self->objects->len), 1);
}

float *
vg_contour_scene_work (const VgContourScene *self, int *taken)
{
  int i;

#pragma omp atomic capture
  i = (*taken)++;
  return self->work != NULL ? self->work + (gsize) i * self->work_room : NULL;
}

static gboolean
allocate (VgContourObject *object, const VgContourBox *tile)
{
  gsize n = (gsize) tile->width * (gsize) tile->height;

  object->tile = *tile;
  object->phi = g_try_new (float, n);
  object->h = g_try_new0 (guint16, n);
  object->mark = g_try_new0 (guint16, n);
  if (object->phi != NULL && object->h != NULL && object->mark != NULL)
    return TRUE;
  free_samples (object);
  return FALSE;
}

VgContourObject *
vg_contour_object_new (const VgContourBox *tile)
{
  VgContourObject *self = g_new0 (VgContourObject, 1);

  if (allocate (self, tile))
    return self;
  vg_contour_object_free (self);
  return NULL;
}

static VgContourObject *
object_new (VgContourScene *self, double x, double y)
{
  VgContourBox tile = place_tile (self, x, y, tile_side (self->radius));
  VgContourObject *object = vg_contour_scene_reserve (self, tile.width, tile.height)
                                ? vg_contour_object_new (&tile)
                                : NULL;

  if (object == NULL)
    return NULL;
  object->seed_x = x;
  object->seed_y = y;
  object->id = ++self->next_id;
  /* until the means are known */
  object->state.u_in = object->state.u_out = self->u_out;
  return object;
}

VgContourObject *
vg_contour_scene_add_seed (VgContourScene *self, double x, double y, const gint32 *labels,
                           gint32 label)
{
  VgContourObject *object = object_new (self, x, y);

  if (object == NULL)
    return NULL;
  /* pixel (i, j) is a sample at (i + 1/2, j + 1/2) */
  for (int j = 0; j < object->tile.height; j++)
    for (int i = 0; i < object->tile.width; i++)
      object->phi[j * object->tile.width + i] =
          labels == NULL
              ? (float) (SEED_RADII * self->radius -
                         hypot (object->tile.x + i + 0.5 - x, object->tile.y + j + 0.5 - y))
          : labels[(gsize) (object->tile.y + j) * (gsize) self->width +
                   (gsize) (object->tile.x + i)] == label
              ? 1.0f
              : -1.0f;
  g_ptr_array_add (self->objects, object);
  return object;
}

/* Adds SIGN times the object's H to the field. */
static void
add_to_field (VgContourScene *self, const VgContourObject *object, int sign)
{
  for (int y = 0; y < object->tile.height; y++)
    for (int x = 0; x < object->tile.width; x++)
      self->field[(gsize) (object->tile.y + y) * (gsize) self->width +
                  (gsize) (object->tile.x + x)] +=
          sign * object->h[(gsize) y * (gsize) object->tile.width + (gsize) x];
}

gboolean
vg_contour_scene_set_tile (VgContourScene *self, VgContourObject *object, const VgContourBox *tile)
{
  VgContourObject placed = *object;

  if (!vg_contour_scene_reserve (self, tile->width, tile->height) || !allocate (&placed, tile))
    return FALSE;
  add_to_field (self, object, -1);
  free_samples (object);
  *object = placed;
  return TRUE;
}

static VgContourObject *
steal (VgContourScene *self, guint index)
{
  add_to_field (self, vg_contour_scene_object (self, index), -1);
  return g_ptr_array_steal_index (self->objects, index);
}

void
vg_contour_scene_remove (VgContourScene *self, guint index)
{
  vg_contour_object_free (steal (self, index));
}

void
vg_contour_scene_drop (VgContourScene *self, guint index)
{
  g_ptr_array_add (self->dropped, steal (self, index));
}

void
vg_contour_scene_restore_dropped (VgContourScene *self)
{
  while (self->dropped->len > 0)
    {
      VgContourObject *object = g_ptr_array_steal_index_fast (self->dropped,
                                                              self->dropped->len - 1);
      guint place = self->objects->len;

      while (place > 0 && vg_contour_scene_object (self, place - 1)->id > object->id)
        place--;
      g_ptr_array_insert (self->objects, (int) place, object);
      add_to_field (self, object, 1);
    }
}

void
vg_contour_scene_set (VgContourScene *self, GPtrArray *objects, GPtrArray *dropped)
{
  g_ptr_array_unref (self->objects);
  g_ptr_array_unref (self->dropped);
  self->objects = objects;
  self->dropped = dropped;
  memset (self->field, 0, (gsize) self->width * (gsize) self->height * sizeof *self->field);
  for (guint i = 0; i < objects->len; i++)
    add_to_field (self, vg_contour_scene_object (self, i), 1);
}

VgContourObject *
vg_contour_object_copy (const VgContourObject *like, const float *phi, const guint16 *h,
                        const guint16 *mark)
{
  gsize n = (gsize) like->tile.width * (gsize) like->tile.height;
  VgContourObject *object = g_memdup2 (like, sizeof *like);

  if (!allocate (object, &like->tile))
    {
      vg_contour_object_free (object);
      return NULL;
    }
  memcpy (object->phi, phi, n * sizeof *phi);
  memcpy (object->h, h, n * sizeof *h);
  memcpy (object->mark, mark, n * sizeof *mark);
  return object;
}

/* TILE: a larger one about the box of an object that reaches the edge of its own, which it
 * contains; FALSE: there is none. */
static gboolean
larger_tile (const VgContourScene *self, const VgContourObject *object, VgContourBox *tile)
{
  const VgContourBox *old = &object->tile, *box = &object->state.box;
  int most = (int) ceil (MOST_RADII * self->radius),
      side = (int) (GROWTH * MAX (old->width, old->height)), right, bottom;

  if (!object->state.outgrown || object->state.area == 0 || object->state.age >= self->most_age)
    return FALSE;
  *tile = place_tile (self, old->x + box->x + box->width / 2, old->y + box->y + box->height / 2,
                      MIN (side, most));
  right = MAX (tile->x + tile->width, old->x + old->width);
  bottom = MAX (tile->y + tile->height, old->y + old->height);
  tile->x = MIN (tile->x, old->x);
  tile->y = MIN (tile->y, old->y);
  tile->width = right - tile->x;
  tile->height = bottom - tile->y;
  return tile->width > old->width || tile->height > old->height;
}

gboolean
vg_contour_scene_wants_to_grow (const VgContourScene *self)
{
  gboolean any = FALSE;
  VgContourBox tile;

  for (guint i = 0; i < self->objects->len && !any; i++)
    any = larger_tile (self, vg_contour_scene_object (self, i), &tile);
  return any;
}

/* Puts the object into a larger tile about its box, in which it moves on, also if the edge of the
 * old one had stopped it; FALSE: no memory. */
static gboolean
grow (VgContourScene *self, VgContourObject *object, gboolean *grown)
{
  const VgContourBox *old = &object->tile;
  VgContourObject larger = *object;
  VgContourBox tile;
  int dx, dy;

  if (!larger_tile (self, object, &tile))
    return TRUE;
  dx = old->x - tile.x;
  dy = old->y - tile.y;
  if (!vg_contour_scene_reserve (self, tile.width, tile.height) || !allocate (&larger, &tile))
    return FALSE;
  for (int y = 0; y < tile.height; y++)
    for (int x = 0; x < tile.width; x++)
      {
        gsize to = (gsize) y * (gsize) tile.width + (gsize) x,
              from = (gsize) (y - dy) * (gsize) old->width + (gsize) (x - dx);
        gboolean known = x >= dx && y >= dy && x - dx < old->width && y - dy < old->height;

        larger.phi[to] = known ? object->phi[from] : -self->weights.band;
        larger.h[to] = known ? object->h[from] : 0;
        larger.mark[to] = known ? object->mark[from] : 0;
      }
  larger.state.box.x += dx;
  larger.state.box.y += dy;
  larger.state.outgrown = FALSE;
  larger.state.still = 0;
  larger.state.moving = TRUE;
  free_samples (object);
  *object = larger;
  return *grown = TRUE;
}

gboolean
vg_contour_scene_grow (VgContourScene *self, gboolean *grown, GError **error)
{
  gboolean any = FALSE, good = TRUE;

  for (guint i = 0; i < self->objects->len && good; i++)
    good = grow (self, vg_contour_scene_object (self, i), &any);
  if (grown != NULL)
    *grown = any;
  if (!good)
    g_set_error (
        error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
        "there is not enough memory for larger tiles of %u nuclei; choose a smaller region",
        self->objects->len);
  return good;
}

gboolean
vg_contour_scene_is_moving (const VgContourScene *self, const VgContourObject *object)
{
  return vg_contour_is_moving (&self->weights, object->state.moving, object->state.age);
}

static guint
count (const VgContourScene *self,
       gboolean (*has) (const VgContourScene *, const VgContourObject *))
{
  guint n = 0;

  for (guint i = 0; i < self->objects->len; i++)
    n += has (self, vg_contour_scene_object (self, i)) != 0;
  return n;
}

guint
vg_contour_scene_count_moving (const VgContourScene *self)
{
  return count (self, vg_contour_scene_is_moving);
}

gboolean
vg_contour_scene_is_cut_off (const VgContourScene *self, const VgContourObject *object)
{
  return object->state.moving && !vg_contour_scene_is_moving (self, object);
}

guint
vg_contour_scene_count_cut_off (const VgContourScene *self)
{
  return count (self, vg_contour_scene_is_cut_off);
}

gboolean
vg_contour_scene_is_far (const VgContourScene *self, const VgContourObject *object)
{
  return vg_contour_scene_is_cut_off (self, object) &&
         object->state.moved_px >
             MAX (FAR_FROM_CONVERGENCE * self->radius, self->weights.moved_least);
}

guint
vg_contour_scene_count_far (const VgContourScene *self)
{
  return count (self, vg_contour_scene_is_far);
}

int
vg_contour_scene_iterations_left (const VgContourScene *self)
{
  gint64 left = 0;

  for (guint i = 0; i < self->objects->len; i++)
    if (vg_contour_scene_is_moving (self, vg_contour_scene_object (self, i)))
      left = MAX (left, self->weights.most_age - vg_contour_scene_object (self, i)->state.age);
  return (int) left;
}
