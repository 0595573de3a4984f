/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-past.h"
#include <string.h>

enum { MOST_PICTURES = 64, MOST_BYTES = 128 << 20 };

/* phi, H and mark of a tile; of as many pictures as have the same. */
typedef struct
{
  guint users;
  gsize n;
  float *phi;
  guint16 *h, *mark;
} Samples;

typedef struct
{
  VgContourObject object; /* without samples of its own */
  Samples *samples;       /* NULL: in the picture's store */
} Entry;

typedef struct
{
  VgContourParams params;    /* owns its tables */
  GArray *objects, *dropped; /* of Entry */
  GArray *history, *wanted;
  guint64 iteration;
  float u_in, u_out;
  VgContourStanding standing;
  VgContourStore *store; /* samples of `objects`, or NULL */
  /* iterations under its settings: few for those that a dragged slider passes by */
  guint64 stood;
} Picture;

struct _VgContourPast
{
  GPtrArray *pictures; /* of Picture, the oldest first */
  gsize bytes;         /* of all samples */
};

static gsize
samples_bytes (gsize n)
{
  return n * (sizeof (float) + 2 * sizeof (guint16));
}

/* ---- Samples ---- */

static Samples *
samples_new (const VgContourObject *object, gsize n)
{
  Samples *self = g_new0 (Samples, 1);

  self->users = 1;
  self->n = n;
  self->phi = g_try_new (float, n);
  self->h = g_try_new (guint16, n);
  self->mark = g_try_new (guint16, n);
  if (self->phi == NULL || self->h == NULL || self->mark == NULL)
    {
      g_free (self->phi);
      g_free (self->h);
      g_free (self->mark);
      g_free (self);
      return NULL;
    }
  memcpy (self->phi, object->phi, n * sizeof *self->phi);
  memcpy (self->h, object->h, n * sizeof *self->h);
  memcpy (self->mark, object->mark, n * sizeof *self->mark);
  return self;
}

static void
samples_drop (VgContourPast *past, Samples *self)
{
  if (self == NULL || --self->users > 0)
    return;
  past->bytes -= samples_bytes (self->n);
  g_free (self->phi);
  g_free (self->h);
  g_free (self->mark);
  g_free (self);
}

static gboolean
samples_are (const Samples *self, const VgContourObject *object, gsize n)
{
  return self->n == n && memcmp (self->phi, object->phi, n * sizeof *self->phi) == 0 &&
         memcmp (self->h, object->h, n * sizeof *self->h) == 0 &&
         memcmp (self->mark, object->mark, n * sizeof *self->mark) == 0;
}

/* ---- Pictures ---- */

static void
entries_free (VgContourPast *past, GArray *entries)
{
  for (guint i = 0; i < entries->len; i++)
    samples_drop (past, g_array_index (entries, Entry, i).samples);
  g_array_unref (entries);
}

static void
picture_free (VgContourPast *past, Picture *self)
{
  entries_free (past, self->objects);
  entries_free (past, self->dropped);
  if (self->store != NULL)
    {
      past->bytes -= samples_bytes (self->store->samples);
      self->store->free (self->store);
    }
  g_array_unref (self->history);
  g_array_unref (self->wanted);
  vg_table_free (self->params.added);
  vg_table_free (self->params.removed);
  g_free (self);
}

/* The samples of object ID in the newest picture, where entries are in the order of ids or nearly
 * so. */
static Samples *
find_samples (const VgContourPast *self, guint id)
{
  const Picture *last = self->pictures->len > 0 ? self->pictures->pdata[self->pictures->len - 1]
                                                : NULL;
  guint low = 0, high = last != NULL ? last->objects->len : 0;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (last->objects, Entry, middle).object.id < id)
        low = middle + 1;
      else
        high = middle;
    }
  return last != NULL && low < last->objects->len &&
                 g_array_index (last->objects, Entry, low).object.id == id
             ? g_array_index (last->objects, Entry, low).samples
             : NULL;
}

/* FALSE: no memory. */
static gboolean
take_entries (VgContourPast *self, GArray *entries, const GPtrArray *objects, gboolean stored)
{
  for (guint i = 0; i < objects->len; i++)
    {
      const VgContourObject *object = objects->pdata[i];
      gsize n = (gsize) object->tile.width * (gsize) object->tile.height;
      Entry entry = { *object, stored ? NULL : find_samples (self, object->id) };

      entry.object.phi = NULL;
      entry.object.h = entry.object.mark = NULL;
      if (stored)
        ;
      else if (entry.samples != NULL && samples_are (entry.samples, object, n))
        entry.samples->users++;
      else if ((entry.samples = samples_new (object, n)) != NULL)
        self->bytes += samples_bytes (n);
      else
        return FALSE;
      g_array_append_val (entries, entry);
    }
  return TRUE;
}

static GArray *
copy_array (const GArray *array)
{
  return g_array_copy ((GArray *) array);
}

static gboolean
same_table (const VgTable *a, const VgTable *b)
{
  return a == NULL || b == NULL ? a == b : vg_table_equal (a, b);
}

/* But for what contours do not depend on. */
static gboolean
are_same (const VgContourParams *p, const VgContourParams *q)
{
  VgContourParams a = *p, b = *q;

  a.seeds = b.seeds = a.truth = b.truth = NULL;
  a.added = b.added = a.removed = b.removed = NULL;
  a.iterations_shown = b.iterations_shown;
  return memcmp (&a, &b, sizeof a) == 0 && same_table (p->added, q->added) &&
         same_table (p->removed, q->removed);
}

static Picture *
find (const VgContourPast *self, const VgContourParams *params)
{
  for (guint i = self->pictures->len; i-- > 0;)
    if (are_same (&((const Picture *) self->pictures->pdata[i])->params, params))
      return self->pictures->pdata[i];
  return NULL;
}

static void
drop (VgContourPast *self, guint i)
{
  picture_free (self, g_ptr_array_steal_index (self->pictures, i));
}

/* Of all but the newest the one whose settings stood least; of several the oldest. */
static void
drop_least (VgContourPast *self)
{
  Picture *const *pictures = (Picture *const *) self->pictures->pdata;
  guint least = 0;

  for (guint i = 1; i + 1 < self->pictures->len; i++)
    least = pictures[i]->stood < pictures[least]->stood ? i : least;
  drop (self, least);
}

/* ---- Keeping and going back ---- */

VgContourPast *
vg_contour_past_new (void)
{
  VgContourPast *self = g_new0 (VgContourPast, 1);

  self->pictures = g_ptr_array_new ();
  return self;
}

void
vg_contour_past_free (VgContourPast *self)
{
  if (self == NULL)
    return;
  while (self->pictures->len > 0)
    drop (self, self->pictures->len - 1);
  g_ptr_array_unref (self->pictures);
  g_free (self);
}

void
vg_contour_past_keep (VgContourPast *self, VgContourRun *run, const VgContourParams *params)
{
  const VgContourScene *scene = run->scene;
  Picture *picture = g_new0 (Picture, 1), *old = find (self, params);
  gboolean good;

  picture->params = *params;
  picture->params.added = vg_table_copy (params->added);
  picture->params.removed = vg_table_copy (params->removed);
  picture->objects = g_array_new (FALSE, FALSE, sizeof (Entry));
  picture->dropped = g_array_new (FALSE, FALSE, sizeof (Entry));
  picture->history = copy_array (scene->history);
  picture->wanted = copy_array (run->wanted);
  picture->iteration = scene->iteration;
  picture->standing = run->standing;
  picture->stood = scene->iteration - run->taken_at;
  picture->u_in = scene->u_in;
  picture->u_out = scene->u_out;
  picture->store = g_steal_pointer (&run->store);
  if (picture->store != NULL)
    self->bytes += samples_bytes (picture->store->samples);
  good = take_entries (self, picture->objects, scene->objects, picture->store != NULL) &&
         take_entries (self, picture->dropped, scene->dropped, FALSE);
  if (old != NULL)
    {
      g_ptr_array_remove (self->pictures, old);
      picture_free (self, old);
    }
  g_ptr_array_add (self->pictures, picture);
  if (!good)
    drop (self, self->pictures->len - 1);
  while (self->bytes > MOST_BYTES || self->pictures->len > MOST_PICTURES)
    drop_least (self);
}

gboolean
vg_contour_past_has (const VgContourPast *self, const VgContourParams *params)
{
  return find (self, params) != NULL;
}

/* Objects of their own from ENTRIES, with samples of STORE if there is one; NULL: no memory. */
static GPtrArray *
thaw (const GArray *entries, VgContourStore *store)
{
  g_autoptr (GPtrArray) objects = g_ptr_array_new_with_free_func (vg_contour_object_free);
  g_autofree guint8 *block = store != NULL ? store->fetch (store) : NULL;
  const float *phi = (const float *) (gconstpointer) block;
  const guint16 *h = store != NULL ? (const guint16 *) (gconstpointer) (phi + store->samples)
                                   : NULL;
  gsize at = 0;

  if (store != NULL && block == NULL)
    return NULL;
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);
      const Samples *own = entry->samples;
      VgContourObject *object = own != NULL
                                    ? vg_contour_object_copy (&entry->object, own->phi, own->h,
                                                              own->mark)
                                    : vg_contour_object_copy (&entry->object, phi + at, h + at,
                                                              h + store->samples + at);

      if (object == NULL)
        return NULL;
      g_ptr_array_add (objects, object);
      at += (gsize) object->tile.width * (gsize) (object->tile.height + 1);
    }
  return g_steal_pointer (&objects);
}

static void
swap_arrays (GArray **own, const GArray *kept)
{
  g_array_unref (*own);
  *own = copy_array (kept);
}

gboolean
vg_contour_past_back (const VgContourPast *self, VgContourRun *run, const VgContourParams *params)
{
  const Picture *picture = find (self, params);
  g_autoptr (GPtrArray) objects = picture == NULL ? NULL : thaw (picture->objects, picture->store);
  g_autoptr (GPtrArray) dropped = objects == NULL ? NULL : thaw (picture->dropped, NULL);

  if (dropped == NULL)
    return FALSE;
  vg_contour_scene_set (run->scene, g_steal_pointer (&objects), g_steal_pointer (&dropped));
  swap_arrays (&run->scene->history, picture->history);
  swap_arrays (&run->wanted, picture->wanted);
  run->scene->iteration = picture->iteration;
  run->scene->u_in = picture->u_in;
  run->scene->u_out = picture->u_out;
  run->standing = picture->standing;
  return TRUE;
}
