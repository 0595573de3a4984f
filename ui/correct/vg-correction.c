/* SPDX-License-Identifier: MIT */
#include "ui/correct/vg-correction.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>

#define SAME_PX 1e-3  /* a seed that was set, as the table of objects has it */
#define STAYED_PX 2.0 /* an accepted object after a change elsewhere */

struct _VgCorrection
{
  GObject parent_instance;
  VgSession *session;
  GArray *objects;  /* of VgCorrectionObject, the most doubtful first */
  GArray *chosen;   /* of guint32 */
  GArray *accepted; /* of VgPoint: their seeds */
};

G_DEFINE_FINAL_TYPE (VgCorrection, vg_correction, G_TYPE_OBJECT)

/* ---- the points of the session ---- */

static const VgParam *
find_param (VgSession *session, VgPoints kind)
{
  const VgParamTable *table = &vg_session_get_operation (session)->params;

  for (guint i = 0; i < table->n_items; i++)
    if (table->items[i].kind == VG_PARAM_TABLE && table->items[i].table.points == kind)
      return &table->items[i];
  return NULL;
}

gboolean
vg_correction_is_possible (VgSession *session)
{
  return vg_session_get_operation (session)->objects != NULL &&
         find_param (session, VG_POINTS_SET) != NULL &&
         find_param (session, VG_POINTS_TAKEN_OUT) != NULL;
}

static VgTable **
table_in (gpointer params, const VgParam *param)
{
  return (VgTable **) ((char *) params + param->offset);
}

static gboolean
is_there (const GArray *points, double x, double y)
{
  for (guint i = 0; i < points->len; i++)
    {
      const VgPoint *p = &g_array_index (points, VgPoint, i);

      if (hypot (p->x - x, p->y - y) < SAME_PX)
        return TRUE;
    }
  return FALSE;
}

/* Removes the points of GONE that TABLE has from both. */
static void
keep_others (GArray *rows, const VgTable *table, GArray *gone)
{
  for (int i = 0; table != NULL && i < table->rows; i++)
    {
      VgPoint at = { table->values[i * table->columns], table->values[i * table->columns + 1] };

      if (!is_there (gone, at.x, at.y))
        {
          g_array_append_val (rows, at);
          continue;
        }
      for (guint k = gone->len; k-- > 0;)
        if (hypot (g_array_index (gone, VgPoint, k).x - at.x,
                   g_array_index (gone, VgPoint, k).y - at.y) < SAME_PX)
          g_array_remove_index (gone, k);
    }
}

static void
replace (VgTable **table, const GArray *rows)
{
  vg_table_free (*table);
  *table = rows->len > 0 ? vg_table_new ((int) rows->len, 2) : NULL;
  if (rows->len > 0)
    memcpy ((*table)->values, rows->data, rows->len * sizeof (VgPoint));
}

static gboolean
have_room (const VgParam *param, guint rows)
{
  return param->table.max_rows <= 0 || rows <= (guint) param->table.max_rows;
}

/* One step of undo: the seeds GONE go, the SEEDS come.  FALSE: the tables are full. */
static gboolean
edit (VgCorrection *self, GArray *gone, const VgPoint *seeds, guint n, const char *what)
{
  const VgParamTable *all = &vg_session_get_operation (self->session)->params;
  const VgParam *set = find_param (self->session, VG_POINTS_SET),
                *out = find_param (self->session, VG_POINTS_TAKEN_OUT);
  gpointer params = vg_params_copy (all, vg_session_get_params (self->session));
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (VgPoint)),
                     taken = g_array_new (FALSE, FALSE, sizeof (VgPoint)),
                     none = g_array_new (FALSE, FALSE, sizeof (VgPoint));
  gboolean edited = FALSE;

  keep_others (kept, *table_in (params, set), gone);
  keep_others (taken, *table_in (params, out), none);
  for (guint i = 0; i < n; i++)
    {
      VgPoint at = { round (seeds[i].x * 10) / 10, round (seeds[i].y * 10) / 10 };

      g_array_append_val (kept, at);
    }
  g_array_append_vals (taken, gone->data, gone->len);
  if (have_room (set, kept->len) && have_room (out, taken->len))
    {
      replace (table_in (params, set), kept);
      replace (table_in (params, out), taken);
      vg_session_commit_waiting (self->session);
      vg_session_set_params (self->session, params);
      vg_session_commit (self->session, what);
      edited = TRUE;
    }
  vg_params_free (all, params);
  return edited;
}

/* ---- objects ---- */

static const VgCorrectionObject *
find_object (VgCorrection *self, guint32 number)
{
  for (guint i = 0; i < self->objects->len; i++)
    if (g_array_index (self->objects, VgCorrectionObject, i).number == number)
      return &g_array_index (self->objects, VgCorrectionObject, i);
  return NULL;
}

/* The seeds of objects NUMBERS, of guint32. */
static GArray *
seeds_of (VgCorrection *self, const GArray *numbers)
{
  GArray *seeds = g_array_new (FALSE, FALSE, sizeof (VgPoint));

  for (guint i = 0; i < numbers->len; i++)
    {
      const VgCorrectionObject *object = find_object (self, g_array_index (numbers, guint32, i));

      if (object != NULL)
        g_array_append_val (seeds, object->seed);
    }
  return seeds;
}

static int
by_doubt (gconstpointer a, gconstpointer b)
{
  const VgCorrectionObject *p = a, *q = b;
  double first = isnan (p->doubt) ? -1 : p->doubt, second = isnan (q->doubt) ? -1 : q->doubt;

  return first != second ? (first < second) - (first > second)
                         : (p->number > q->number) - (p->number < q->number);
}

void
vg_correction_set_objects (VgCorrection *self, GArray *objects)
{
  g_array_unref (self->objects);
  self->objects = g_array_ref (objects);
  g_array_sort (self->objects, by_doubt);
}

guint
vg_correction_count_chosen (VgCorrection *self)
{
  return self->chosen->len;
}

void
vg_correction_choose_none (VgCorrection *self)
{
  g_array_set_size (self->chosen, 0);
}

static void
choose_enclosed (VgCorrection *self, const VgPoint *line, guint n)
{
  for (guint i = 0; i < self->objects->len; i++)
    {
      const VgCorrectionObject *object = &g_array_index (self->objects, VgCorrectionObject, i);

      if (vg_stroke_encloses (line, n, object->middle))
        g_array_append_val (self->chosen, object->number);
    }
}

VgStrokeKind
vg_correction_stroke (VgCorrection *self, const VgPoint *line, guint n, VgStrokeProbe probe,
                      gpointer data)
{
  VgStroke stroke;
  VgStrokeKind kind;
  g_autoptr (GArray) gone = NULL;

  vg_correction_choose_none (self);
  if (!vg_correction_is_possible (self->session))
    return VG_STROKE_NOTHING;
  vg_stroke_init (&stroke, line, n, probe, data);
  gone = seeds_of (self, stroke.objects);
  kind = stroke.kind;
  if (kind == VG_STROKE_LASSO)
    choose_enclosed (self, line, n);
  else if (gone->len < stroke.objects->len) /* the objects are of another result */
    kind = VG_STROKE_NOTHING;
  else if ((kind == VG_STROKE_SPLIT && !edit (self, gone, stroke.seeds, 2, _ ("Split"))) ||
           (kind == VG_STROKE_MERGE && !edit (self, gone, stroke.seeds, 1, _ ("Merge"))))
    kind = VG_STROKE_NOTHING;
  vg_stroke_clear (&stroke);
  return kind;
}

gboolean
vg_correction_remove_chosen (VgCorrection *self)
{
  g_autoptr (GArray) gone = seeds_of (self, self->chosen);

  vg_correction_choose_none (self);
  return gone->len > 0 && edit (self, gone, NULL, 0, _ ("Remove"));
}

/* ---- doubt ---- */

static gboolean
is_accepted (VgCorrection *self, const VgCorrectionObject *object)
{
  for (guint i = 0; i < self->accepted->len; i++)
    {
      const VgPoint *p = &g_array_index (self->accepted, VgPoint, i);

      if (hypot (p->x - object->seed.x, p->y - object->seed.y) < STAYED_PX)
        return TRUE;
    }
  return FALSE;
}

gboolean
vg_correction_accept (VgCorrection *self, guint32 number)
{
  g_autoptr (GArray) seeds = NULL;

  if (self->chosen->len == 0 && number > 0)
    g_array_append_val (self->chosen, number);
  seeds = seeds_of (self, self->chosen);
  vg_correction_choose_none (self);
  g_array_append_vals (self->accepted, seeds->data, seeds->len);
  return seeds->len > 0;
}

guint32
vg_correction_find_next (VgCorrection *self, guint32 number, int step)
{
  const int n = (int) self->objects->len;
  int at = step > 0 ? -1 : n;

  for (int i = 0; i < n; i++)
    if (g_array_index (self->objects, VgCorrectionObject, i).number == number && number > 0)
      at = i;
  for (int i = 0; i < n; i++)
    {
      const VgCorrectionObject *object;

      at = (at + step + n) % n;
      object = &g_array_index (self->objects, VgCorrectionObject, at);
      if (!is_accepted (self, object))
        return object->number;
    }
  return 0;
}

/* ---- life ---- */

static void
vg_correction_dispose (GObject *object)
{
  VgCorrection *self = VG_CORRECTION (object);

  g_clear_object (&self->session);
  g_clear_pointer (&self->objects, g_array_unref);
  g_clear_pointer (&self->chosen, g_array_unref);
  g_clear_pointer (&self->accepted, g_array_unref);
  G_OBJECT_CLASS (vg_correction_parent_class)->dispose (object);
}

static void
vg_correction_class_init (VgCorrectionClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_correction_dispose;
}

static void
vg_correction_init (VgCorrection *self)
{
  self->objects = g_array_new (FALSE, FALSE, sizeof (VgCorrectionObject));
  self->chosen = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->accepted = g_array_new (FALSE, FALSE, sizeof (VgPoint));
}

VgCorrection *
vg_correction_new (VgSession *session)
{
  VgCorrection *self = g_object_new (VG_TYPE_CORRECTION, NULL);

  self->session = g_object_ref (session);
  return self;
}
