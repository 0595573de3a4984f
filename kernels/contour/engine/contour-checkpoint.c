/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-checkpoint.h"
#include "kernels/contour/engine/contour-engine.h"
#include <math.h>
#include <string.h>

#define FORMAT "contours 3"
#define FORMAT_BEFORE "contours 2" /* without the objects' ages */
#define MOST_DISTANCE 1e6f         /* of a sample of phi */
#define MOST_ITERATIONS (G_GUINT64_CONSTANT (1) << 53)
/* Together with what was dropped and may come back their H is no more than the field holds. */
G_STATIC_ASSERT ((gint64) 2 * VG_CONTOUR_MAX_OBJECTS * VG_CONTOUR_UNIT <= G_MAXINT32);

typedef struct
{
  char format[16];
  char digest[72]; /* of settings and data, hexadecimal */
  guint32 n_objects, n_dropped, n_moments, n_wanted;
  guint32 next_id;
  float u_in, u_out;
  guint64 iteration;
  VgContourStanding standing;
} Head;

/* Followed by phi, H and mark of the tile. */
typedef struct
{
  VgContourBox tile;
  double seed_x, seed_y;
  guint32 id;
  gint32 loss;
  VgContourState state;
} Item;

/* The state in the older format, which has no age. */
typedef struct
{
  VgContourBox box;
  float u_in, u_out;
  VgContourPose pose;
  float shape[VG_CONTOUR_MODES];
  gint64 area;
  float moved_px;
  gint32 still, moving, outgrown;
  gint64 energy[VG_CONTOUR_TERMS];
} StateBefore;

typedef struct
{
  VgContourBox tile;
  double seed_x, seed_y;
  guint32 id;
  gint32 loss;
  StateBefore state;
} ItemBefore;

/* Whether the contours depend on PARAM.  Files have become seeds; a pace changes nothing of what is
 * seen at the end; and positivity is measured in contours. */
static gboolean
is_of_contours (const VgParam *param)
{
  return param->kind != VG_PARAM_FILE && param->kind != VG_PARAM_ACTION &&
         !g_str_equal (param->id, vg_contour_operation.view.step_param) &&
         !g_str_equal (param->id, "positivity") &&
         g_strcmp0 (param->shown_when.id, "positivity") != 0;
}

/* A hash of the settings, seeds and data: a checkpoint with another one belongs to another run. */
static char *
digest (const VgContourRun *run, gsize item)
{
  const VgParamTable *table = &vg_contour_operation.params;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const gsize shape[] = { sizeof (Head), item, (gsize) run->info.width, (gsize) run->info.height,
                          run->base->len };

  g_checksum_update (sum, (const guchar *) shape, sizeof shape);
  for (guint i = 0; i < table->n_items; i++)
    {
      g_autofree char *text = NULL;

      /* earlier checkpoints know nothing of artefacts, and are restored as they are */
      if (!is_of_contours (&table->items[i]) ||
          (run->params.artefacts && g_str_equal (table->items[i].id, "artefacts")))
        continue;
      text = vg_param_format (&table->items[i], &run->params);
      g_checksum_update (sum, (const guchar *) text, (gssize) strlen (text) + 1);
    }
  g_checksum_update (sum, (const guchar *) run->base->data,
                     (gssize) (run->base->len * sizeof (VgContourPoint)));
  g_checksum_update (sum, (const guchar *) run->grey,
                     (gssize) sizeof *run->grey * run->info.width * run->info.height);
  return g_strdup (g_checksum_get_string (sum));
}

/* ---- Writing ---- */

/* Copies DATA to *AT, which moves behind it. */
static void
append (guint8 **at, gconstpointer data, gsize size)
{
  if (size > 0)
    memcpy (*at, data, size);
  *at += size;
}

static void
append_objects (guint8 **bytes, const GPtrArray *objects)
{
  for (guint i = 0; i < objects->len; i++)
    {
      const VgContourObject *object = objects->pdata[i];
      gsize n = (gsize) object->tile.width * (gsize) object->tile.height;
      Item item;

      memset (&item, 0, sizeof item);
      item.tile = object->tile;
      item.seed_x = object->seed_x;
      item.seed_y = object->seed_y;
      item.id = object->id;
      item.loss = object->loss;
      item.state = object->state;
      append (bytes, &item, sizeof item);
      append (bytes, object->phi, n * sizeof *object->phi);
      append (bytes, object->h, n * sizeof *object->h);
      append (bytes, object->mark, n * sizeof *object->mark);
    }
}

static guint64
objects_bytes (const GPtrArray *objects)
{
  guint64 bytes = 0;

  for (guint i = 0; i < objects->len; i++)
    {
      const VgContourBox *tile = &((const VgContourObject *) objects->pdata[i])->tile;

      bytes += sizeof (Item) + (guint64) tile->width * (guint64) tile->height * 8;
    }
  return bytes;
}

GBytes *
vg_contour_checkpoint_new (gpointer data)
{
  VgContourRun *run = data;
  const VgContourScene *scene = run->scene;
  const guint64 size = sizeof (Head) + scene->history->len * sizeof (VgContourMoment) +
                       run->wanted->len * sizeof (VgContourPoint) + objects_bytes (scene->objects) +
                       objects_bytes (scene->dropped);
  /* a session holds at most 1 GiB */
  guint8 *bytes = size > G_MAXINT / 2 ? NULL : g_try_malloc (size), *at = bytes;
  g_autofree char *is = NULL;
  Head head;

  if (bytes == NULL || !vg_contour_run_fetch (run, NULL))
    {
      g_free (bytes);
      return NULL;
    }
  is = digest (run, sizeof (Item));
  memset (&head, 0, sizeof head);
  g_strlcpy (head.format, FORMAT, sizeof head.format);
  g_strlcpy (head.digest, is, sizeof head.digest);
  head.n_objects = scene->objects->len;
  head.n_dropped = scene->dropped->len;
  head.n_moments = scene->history->len;
  head.n_wanted = run->wanted->len;
  head.next_id = scene->next_id;
  head.u_in = scene->u_in;
  head.u_out = scene->u_out;
  head.iteration = scene->iteration;
  head.standing = run->standing;
  append (&at, &head, sizeof head);
  append (&at, scene->history->data, scene->history->len * sizeof (VgContourMoment));
  append (&at, run->wanted->data, run->wanted->len * sizeof (VgContourPoint));
  append_objects (&at, scene->objects);
  append_objects (&at, scene->dropped);
  return g_bytes_new_take (bytes, size);
}

/* ---- Reading ---- */

typedef struct
{
  const guint8 *at;
  gsize left;
  gboolean before; /* of the format before */
  gint64 age;      /* that objects of that format have */
} Reader;

static gboolean
take (Reader *self, gpointer to, gsize size)
{
  if (size > self->left)
    return FALSE;
  if (size > 0)
    memcpy (to, self->at, size);
  self->at += size;
  self->left -= size;
  return TRUE;
}

static gboolean
take_item (Reader *self, Item *item)
{
  ItemBefore old;
  const StateBefore *state = &old.state;

  if (!self->before)
    return take (self, item, sizeof *item);
  if (!take (self, &old, sizeof old))
    return FALSE;
  *item = (Item){ .tile = old.tile,
                  .seed_x = old.seed_x,
                  .seed_y = old.seed_y,
                  .id = old.id,
                  .loss = old.loss,
                  .state = { .box = state->box,
                             .u_in = state->u_in,
                             .u_out = state->u_out,
                             .pose = state->pose,
                             .area = state->area,
                             .moved_px = state->moved_px,
                             .still = state->still,
                             .moving = state->moving,
                             .outgrown = state->outgrown,
                             .age = self->age } };
  memcpy (item->state.shape, state->shape, sizeof state->shape);
  memcpy (item->state.energy, state->energy, sizeof state->energy);
  return TRUE;
}

/* COUNT items of SIZE; NULL: there are not so many. */
static GArray *
take_array (Reader *self, guint count, guint size)
{
  GArray *array;

  if ((guint64) count * size > self->left)
    return NULL;
  array = g_array_sized_new (FALSE, FALSE, size, count);
  g_array_set_size (array, count);
  take (self, array->data, (gsize) count * size);
  return array;
}

static gboolean
is_box (const VgContourBox *box, int width, int height, int least)
{
  return box->x >= 0 && box->y >= 0 && box->width >= least && box->height >= least &&
         box->width <= width && box->height <= height && box->x <= width - box->width &&
         box->y <= height - box->height;
}

/* Checks ranges, so that no counter overflows later. */
static gboolean
is_head (const Head *head)
{
  const VgContourStanding *standing = &head->standing;

  return head->next_id < G_MAXUINT32 && fabsf (head->u_in) <= MOST_DISTANCE &&
         fabsf (head->u_out) <= MOST_DISTANCE && head->n_objects <= VG_CONTOUR_MAX_OBJECTS &&
         head->n_dropped <= VG_CONTOUR_MAX_OBJECTS && head->iteration <= MOST_ITERATIONS &&
         standing->first_iteration <= MOST_ITERATIONS &&
         standing->last_iteration <= MOST_ITERATIONS &&
         (standing->finished || (standing->first_iteration <= head->iteration &&
                                 head->iteration <= standing->last_iteration));
}

/* SAMPLES: of the tile. */
static gboolean
is_state (const VgContourState *state, gint64 samples)
{
  gboolean good = state->area >= 0 && state->area <= samples * VG_CONTOUR_UNIT &&
                  state->still >= 0 && state->still <= G_MAXINT32 / 2 && state->age >= 0 &&
                  state->age <= (gint64) MOST_ITERATIONS;

  for (guint i = 0; i < G_N_ELEMENTS (state->energy); i++)
    good = good && state->energy[i] >= -(gint64) MOST_ITERATIONS &&
           state->energy[i] <= (gint64) MOST_ITERATIONS;
  return good;
}

static gboolean
is_item (const Item *item, const VgContourScene *scene, guint last_id)
{
  const VgContourState *state = &item->state;
  const float numbers[] = { state->u_in,      state->u_out,      state->pose.x,
                            state->pose.y,    state->pose.scale, state->pose.cosine,
                            state->pose.sine, state->pose.held,  state->moved_px,
                            state->shape[0],  state->shape[1] };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!(fabsf (numbers[i]) <= MOST_DISTANCE))
      return FALSE;
  return is_box (&item->tile, scene->width, scene->height, 1) &&
         is_state (state, (gint64) item->tile.width * item->tile.height) &&
         is_box (&state->box, item->tile.width, item->tile.height, 0) &&
         (state->box.width > 0) == (state->box.height > 0) &&
         (!scene->full ||
          (item->tile.width == scene->width && item->tile.height == scene->height)) &&
         state->pose.scale >= 0.0f && item->seed_x >= 0.0 && item->seed_y >= 0.0 &&
         item->seed_x < scene->width && item->seed_y < scene->height && item->id <= last_id;
}

static gboolean
take_samples (Reader *self, VgContourObject *object, gsize n)
{
  gboolean good = take (self, object->phi, n * sizeof *object->phi) &&
                  take (self, object->h, n * sizeof *object->h) &&
                  take (self, object->mark, n * sizeof *object->mark);

  for (gsize i = 0; i < n && good; i++)
    good = fabsf (object->phi[i]) <= MOST_DISTANCE && object->h[i] <= VG_CONTOUR_UNIT &&
           object->mark[i] <= VG_CONTOUR_UNIT;
  return good;
}

/* NULL: broken, or no memory. */
static GPtrArray *
take_objects (Reader *self, VgContourScene *scene, guint count, guint last_id)
{
  g_autoptr (GPtrArray) objects = g_ptr_array_new_with_free_func (vg_contour_object_free);
  Item item;

  for (guint i = 0; i < count; i++)
    {
      VgContourObject *object;
      gsize n;

      if (!take_item (self, &item) || !is_item (&item, scene, last_id))
        return NULL;
      n = (gsize) item.tile.width * (gsize) item.tile.height;
      if (n > self->left / (sizeof (float) + 2 * sizeof (guint16)))
        return NULL;
      object = vg_contour_object_new (&item.tile);
      if (object == NULL || !vg_contour_scene_reserve (scene, item.tile.width, item.tile.height))
        {
          g_clear_pointer (&object, vg_contour_object_free);
          return NULL;
        }
      object->seed_x = item.seed_x;
      object->seed_y = item.seed_y;
      object->id = item.id;
      object->loss = item.loss;
      object->state = item.state;
      g_ptr_array_add (objects, object);
      if (!take_samples (self, object, n))
        return NULL;
      if (item.state.box.width == 0) /* else a step would fit a shape to a box without pixels */
        memset (object->h, 0, n * sizeof *object->h);
    }
  return g_steal_pointer (&objects);
}

static gboolean
are_inside (const GArray *points, const VgContourScene *scene)
{
  for (guint i = 0; points != NULL && i < points->len; i++)
    {
      const VgContourPoint *p = &g_array_index (points, VgContourPoint, i);

      if (!(p->x >= 0.0 && p->y >= 0.0 && p->x < scene->width && p->y < scene->height))
        return FALSE;
    }
  return points != NULL && points->len <= VG_CONTOUR_MAX_OBJECTS;
}

static void
swap_array (GArray **own, GArray **other)
{
  GArray *previous = *own;

  *own = *other;
  *other = previous;
}

gboolean
vg_contour_checkpoint_restore (VgContourRun *run, GBytes *checkpoint)
{
  VgContourScene *scene = run->scene;
  Reader reader = { .at = g_bytes_get_data (checkpoint, NULL),
                    .left = g_bytes_get_size (checkpoint) };
  g_autoptr (GPtrArray) objects = NULL, dropped = NULL;
  g_autoptr (GArray) history = NULL, wanted = NULL;
  g_autofree char *is = NULL;
  Head head;

  if (!take (&reader, &head, sizeof head) || !is_head (&head))
    return FALSE;
  reader.before = strncmp (head.format, FORMAT_BEFORE, sizeof head.format) == 0;
  is = digest (run, reader.before ? sizeof (ItemBefore) : sizeof (Item));
  if ((!reader.before && strncmp (head.format, FORMAT, sizeof head.format) != 0) ||
      strncmp (head.digest, is, sizeof head.digest) != 0)
    return FALSE;
  /* they all were to end where the run was */
  if (reader.before)
    reader.age = MAX (
        run->params.iterations -
            (gint64) (head.standing.finished ? 0 : head.standing.last_iteration - head.iteration),
        0);
  history = take_array (&reader, head.n_moments, sizeof (VgContourMoment));
  wanted = history == NULL ? NULL : take_array (&reader, head.n_wanted, sizeof (VgContourPoint));
  if (!are_inside (wanted, scene))
    return FALSE;
  objects = take_objects (&reader, scene, head.n_objects, head.next_id);
  dropped = objects == NULL ? NULL : take_objects (&reader, scene, head.n_dropped, head.next_id);
  if (dropped == NULL || reader.left > 0)
    return FALSE;
  vg_contour_scene_set (scene, g_steal_pointer (&objects), g_steal_pointer (&dropped));
  swap_array (&scene->history, &history);
  swap_array (&run->wanted, &wanted);
  scene->iteration = head.iteration;
  scene->next_id = head.next_id;
  scene->u_in = head.u_in;
  scene->u_out = head.u_out;
  run->standing = head.standing;
  return TRUE;
}
