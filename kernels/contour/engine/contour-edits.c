/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-edits.h"
#include <string.h>

enum { MOST_SNAPSHOTS = 64, MOST_BYTES = 128 << 20 };

/* phi, H and mark of a tile, shared by the snapshots in which they are equal. */
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
  Samples *samples;       /* NULL: in the snapshot's store */
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
  /* iterations with these settings: few while a slider is dragged */
  guint64 stood;
} Snapshot;

struct _VgContourEdits
{
  GPtrArray *snapshots; /* of Snapshot, the oldest first */
  gsize bytes;          /* of all samples */
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
samples_drop (VgContourEdits *edits, Samples *self)
{
  if (self == NULL || --self->users > 0)
    return;
  edits->bytes -= samples_bytes (self->n);
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

/* ---- Snapshots ---- */

static void
entries_free (VgContourEdits *edits, GArray *entries)
{
  for (guint i = 0; i < entries->len; i++)
    samples_drop (edits, g_array_index (entries, Entry, i).samples);
  g_array_unref (entries);
}

static void
snapshot_free (VgContourEdits *edits, Snapshot *self)
{
  entries_free (edits, self->objects);
  entries_free (edits, self->dropped);
  if (self->store != NULL)
    {
      edits->bytes -= samples_bytes (self->store->samples);
      self->store->free (self->store);
    }
  g_array_unref (self->history);
  g_array_unref (self->wanted);
  vg_table_free (self->params.added);
  vg_table_free (self->params.removed);
  g_free (self);
}

/* The samples of object ID in the newest snapshot, by bisection: entries are in the order of ids,
 * with few exceptions, whose samples are copied again. */
static Samples *
find_samples (const VgContourEdits *self, guint id)
{
  const Snapshot *last = self->snapshots->len > 0 ? self->snapshots->pdata[self->snapshots->len - 1]
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
take_entries (VgContourEdits *self, GArray *entries, const GPtrArray *objects, gboolean stored)
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

/* TRUE if P and Q give the same contours. */
static gboolean
are_same (const VgContourParams *p, const VgContourParams *q)
{
  VgContourParams a = *p, b = *q;

  a.seeds = b.seeds = a.truth = b.truth = NULL;
  a.added = b.added = a.removed = b.removed = NULL;
  a.iterations_shown = b.iterations_shown;
  return memcmp (&a, &b, sizeof a) == 0 && vg_table_equal (p->added, q->added) &&
         vg_table_equal (p->removed, q->removed);
}

static Snapshot *
find (const VgContourEdits *self, const VgContourParams *params)
{
  for (guint i = self->snapshots->len; i-- > 0;)
    if (are_same (&((const Snapshot *) self->snapshots->pdata[i])->params, params))
      return self->snapshots->pdata[i];
  return NULL;
}

static void
drop (VgContourEdits *self, guint i)
{
  snapshot_free (self, g_ptr_array_steal_index (self->snapshots, i));
}

/* Drops the snapshot with the fewest iterations, the oldest of these, but not the newest one. */
static void
drop_least (VgContourEdits *self)
{
  Snapshot *const *snapshots = (Snapshot *const *) self->snapshots->pdata;
  guint least = 0;

  for (guint i = 1; i + 1 < self->snapshots->len; i++)
    least = snapshots[i]->stood < snapshots[least]->stood ? i : least;
  drop (self, least);
}

/* ---- Save and restore ---- */

VgContourEdits *
vg_contour_edits_new (void)
{
  VgContourEdits *self = g_new0 (VgContourEdits, 1);

  self->snapshots = g_ptr_array_new ();
  return self;
}

void
vg_contour_edits_free (VgContourEdits *self)
{
  if (self == NULL)
    return;
  while (self->snapshots->len > 0)
    drop (self, self->snapshots->len - 1);
  g_ptr_array_unref (self->snapshots);
  g_free (self);
}

void
vg_contour_edits_save (VgContourEdits *self, VgContourRun *run, const VgContourParams *params)
{
  const VgContourScene *scene = run->scene;
  Snapshot *snapshot = g_new0 (Snapshot, 1), *old = find (self, params);
  gboolean good;

  snapshot->params = *params;
  snapshot->params.added = vg_table_copy (params->added);
  snapshot->params.removed = vg_table_copy (params->removed);
  snapshot->objects = g_array_new (FALSE, FALSE, sizeof (Entry));
  snapshot->dropped = g_array_new (FALSE, FALSE, sizeof (Entry));
  snapshot->history = copy_array (scene->history);
  snapshot->wanted = copy_array (run->wanted);
  snapshot->iteration = scene->iteration;
  snapshot->standing = run->standing;
  snapshot->stood = scene->iteration - run->params_iteration;
  snapshot->u_in = scene->u_in;
  snapshot->u_out = scene->u_out;
  snapshot->store = g_steal_pointer (&run->store);
  if (snapshot->store != NULL)
    self->bytes += samples_bytes (snapshot->store->samples);
  good = take_entries (self, snapshot->objects, scene->objects, snapshot->store != NULL) &&
         take_entries (self, snapshot->dropped, scene->dropped, FALSE);
  if (old != NULL)
    {
      g_ptr_array_remove (self->snapshots, old);
      snapshot_free (self, old);
    }
  g_ptr_array_add (self->snapshots, snapshot);
  if (!good)
    drop (self, self->snapshots->len - 1);
  while (self->bytes > MOST_BYTES || self->snapshots->len > MOST_SNAPSHOTS)
    drop_least (self);
}

gboolean
vg_contour_edits_has (const VgContourEdits *self, const VgContourParams *params)
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
replace_array (GArray **own, const GArray *saved)
{
  g_array_unref (*own);
  *own = copy_array (saved);
}

gboolean
vg_contour_edits_restore (const VgContourEdits *self, VgContourRun *run,
                          const VgContourParams *params)
{
  const Snapshot *snapshot = find (self, params);
  g_autoptr (GPtrArray) objects = snapshot == NULL ? NULL
                                                   : thaw (snapshot->objects, snapshot->store);
  g_autoptr (GPtrArray) dropped = objects == NULL ? NULL : thaw (snapshot->dropped, NULL);

  if (dropped == NULL)
    return FALSE;
  vg_contour_scene_set (run->scene, g_steal_pointer (&objects), g_steal_pointer (&dropped));
  replace_array (&run->scene->history, snapshot->history);
  replace_array (&run->wanted, snapshot->wanted);
  run->scene->iteration = snapshot->iteration;
  run->scene->u_in = snapshot->u_in;
  run->scene->u_out = snapshot->u_out;
  run->standing = snapshot->standing;
  return TRUE;
}
