/* SPDX-License-Identifier: MIT */
/* Dragging writes straight into the session, so that the work follows; the
 * release commits. */
#include "ui/picture/vg-point-drawing.h"
#include "ui/common/vg-object.h"
#include <math.h>
#include <string.h>

struct _VgPointDrawing
{
  GObject parent_instance;

  VgSession *session;
  VgExtent extent;
  VgPointRow selected;
  gboolean dragging;
  /* of the dragged point: its place at the press, and from the pointer */
  VgPoint before, offset;
};

G_DEFINE_FINAL_TYPE (VgPointDrawing, vg_point_drawing, G_TYPE_OBJECT)

const VgParam *
vg_point_drawing_find (VgSession *session, VgPoints kind)
{
  const VgParamTable *table = &vg_session_get_operation (session)->params;

  for (guint i = 0; i < table->n_items; i++)
    if (table->items[i].kind == VG_PARAM_TABLE && table->items[i].table.points == kind)
      return &table->items[i];
  return NULL;
}

const VgTable *
vg_point_drawing_table (VgSession *session, const VgParam *param)
{
  return param == NULL
             ? NULL
             : *(VgTable *const *) ((const char *) vg_session_get_params (session) + param->offset);
}

static int
count_columns (const VgParam *param)
{
  int n = 0;

  while (param->table.columns[n].id != NULL)
    n++;
  return n;
}

static void
take (VgPointDrawing *self, const VgParam *param, const VgTable *table)
{
  g_autofree char *text = table->rows > 0 ? vg_table_format (table) : g_strdup ("");

  vg_session_set_text (self->session, param, text, NULL);
}

static void
commit (VgPointDrawing *self, const char *verb, const VgParam *param)
{
  g_autofree char *what = g_strdup_printf ("%s: %s", param->label, verb);

  vg_session_commit (self->session, what);
}

static void
select_row (VgPointDrawing *self, const VgParam *param, int row)
{
  if (self->selected.param == param && (param == NULL || self->selected.row == row))
    return;
  self->selected = (VgPointRow){ param, row };
  g_signal_emit_by_name (self, "changed");
}

/* Undo or the table's editor may have taken it away. */
VgPointRow
vg_point_drawing_get_selected (VgPointDrawing *self)
{
  const VgParam *param = self->selected.param;
  const VgParamTable *all = &vg_session_get_operation (self->session)->params;
  gboolean ours = param >= all->items && param < all->items + all->n_items;
  const VgTable *table = ours ? vg_point_drawing_table (self->session, param) : NULL;

  if (table == NULL || self->selected.row >= table->rows)
    self->selected = (VgPointRow){ NULL, 0 };
  return self->selected;
}

static VgPointRow
nearest (VgPointDrawing *self, VgPoint at, double reach)
{
  VgPointRow found = { NULL, 0 };
  double aspect = self->extent.aspect > 0 ? self->extent.aspect : 1, least = reach;

  for (VgPoints kind = VG_POINTS_SET; kind <= VG_POINTS_TAKEN_OUT; kind++)
    {
      const VgParam *param = vg_point_drawing_find (self->session, kind);
      const VgTable *table = vg_point_drawing_table (self->session, param);

      for (int row = 0; table != NULL && row < table->rows; row++)
        {
          const double *p = table->values + row * table->columns;
          double away = hypot (p[0] - at.x, (p[1] - at.y) * aspect);

          if (away > least)
            continue;
          least = away;
          found = (VgPointRow){ param, row };
        }
    }
  return found;
}

/* Sets the selected point. */
static void
move_to (VgPointDrawing *self, VgPoint at)
{
  VgPointRow row = vg_point_drawing_get_selected (self);
  VgTable *table;

  if (row.param == NULL)
    return;
  table = vg_table_copy (vg_point_drawing_table (self->session, row.param));
  table->values[row.row * table->columns] =
      round (CLAMP (at.x, self->extent.left, self->extent.right) * 10) / 10;
  table->values[row.row * table->columns + 1] = round (CLAMP (at.y, 0, self->extent.bottom) * 10) /
                                                10;
  take (self, row.param, table);
  vg_table_free (table);
}

static VgPoint
place_of (VgPointDrawing *self, VgPointRow row)
{
  const VgTable *table = vg_point_drawing_table (self->session, row.param);
  const double *p = table->values + row.row * table->columns;

  return (VgPoint){ p[0], p[1] };
}

gboolean
vg_point_drawing_press (VgPointDrawing *self, VgPoint at, double reach)
{
  VgPointRow row = nearest (self, at, reach);

  select_row (self, row.param, row.row);
  self->dragging = row.param != NULL;
  if (!self->dragging)
    return FALSE;
  self->before = place_of (self, row);
  self->offset = (VgPoint){ self->before.x - at.x, self->before.y - at.y };
  return TRUE;
}

void
vg_point_drawing_drag (VgPointDrawing *self, VgPoint at)
{
  if (self->dragging)
    move_to (self, (VgPoint){ at.x + self->offset.x, at.y + self->offset.y });
}

void
vg_point_drawing_release (VgPointDrawing *self, gboolean moved)
{
  VgPointRow row = vg_point_drawing_get_selected (self);

  if (self->dragging && moved && row.param != NULL)
    commit (self, "move", row.param);
  self->dragging = FALSE;
}

gboolean
vg_point_drawing_is_over (VgPointDrawing *self, VgPoint at, double reach)
{
  return nearest (self, at, reach).param != NULL;
}

/* TABLE with one row more, at X, Y; other columns as their defaults. */
static VgTable *
longer (const VgParam *param, const VgTable *table, VgPoint at)
{
  int columns = count_columns (param), rows = table != NULL ? table->rows : 0;
  VgTable *copy = vg_table_new (rows + 1, columns);

  if (rows > 0)
    memcpy (copy->values, table->values, (gsize) rows * (gsize) columns * sizeof (double));
  for (int i = 2; i < columns; i++)
    copy->values[rows * columns + i] = param->table.columns[i].def;
  copy->values[rows * columns] = at.x;
  copy->values[rows * columns + 1] = at.y;
  return copy;
}

static gboolean
append (VgPointDrawing *self, const VgParam *param, VgPoint at)
{
  const VgTable *table = vg_point_drawing_table (self->session, param);
  VgTable *copy;

  if (table != NULL && table->rows >= (param->table.max_rows > 0 ? param->table.max_rows : 1000))
    return FALSE;
  copy = longer (param, table, at);
  take (self, param, copy);
  select_row (self, param, copy->rows - 1);
  vg_table_free (copy);
  return TRUE;
}

static void
remove_row (VgPointDrawing *self, VgPointRow row)
{
  VgTable *table = vg_table_copy (vg_point_drawing_table (self->session, row.param));
  gsize columns = (gsize) table->columns, after = (gsize) (table->rows - row.row - 1);

  memmove (table->values + (gsize) row.row * columns,
           table->values + ((gsize) row.row + 1) * columns, after * columns * sizeof (double));
  table->rows--;
  take (self, row.param, table);
  vg_table_free (table);
  select_row (self, NULL, 0);
}

gboolean
vg_point_drawing_add (VgPointDrawing *self, VgPoint at)
{
  const VgParam *param = vg_point_drawing_find (self->session, VG_POINTS_SET);

  if (param == NULL || at.x < self->extent.left || at.x >= self->extent.right || at.y < 0 ||
      at.y >= self->extent.bottom ||
      !append (self, param, (VgPoint){ round (at.x * 10) / 10, round (at.y * 10) / 10 }))
    return FALSE;
  commit (self, "add", param);
  return TRUE;
}

gboolean
vg_point_drawing_cancel (VgPointDrawing *self)
{
  gboolean any = vg_point_drawing_get_selected (self).param != NULL;

  if (self->dragging)
    move_to (self, self->before);
  self->dragging = FALSE;
  select_row (self, NULL, 0);
  return any;
}

gboolean
vg_point_drawing_remove (VgPointDrawing *self)
{
  VgPointRow row = vg_point_drawing_get_selected (self);

  if (row.param == NULL || self->dragging)
    return FALSE;
  remove_row (self, row);
  commit (self, "remove", row.param);
  return TRUE;
}

gboolean
vg_point_drawing_nudge (VgPointDrawing *self, double dx, double dy)
{
  VgPointRow row = vg_point_drawing_get_selected (self);
  VgPoint at;

  if (row.param == NULL)
    return FALSE;
  at = place_of (self, row);
  move_to (self, (VgPoint){ at.x + dx, at.y + dy });
  commit (self, "move", row.param);
  return TRUE;
}

gboolean
vg_point_drawing_select_next (VgPointDrawing *self, int step)
{
  const VgParam *param = vg_point_drawing_find (self->session, VG_POINTS_SET);
  const VgTable *table = vg_point_drawing_table (self->session, param);
  VgPointRow row = vg_point_drawing_get_selected (self);
  int n = table != NULL ? table->rows : 0;

  if (n == 0)
    return FALSE;
  select_row (self, param, row.param != param ? (step > 0 ? 0 : n - 1) : (row.row + step + n) % n);
  return TRUE;
}

gboolean
vg_point_drawing_take_out (VgPointDrawing *self, VgPoint at)
{
  const VgParam *set = vg_point_drawing_find (self->session, VG_POINTS_SET),
                *out = vg_point_drawing_find (self->session, VG_POINTS_TAKEN_OUT);
  const VgTable *table = vg_point_drawing_table (self->session, set);

  for (int row = 0; table != NULL && row < table->rows; row++)
    if (hypot (table->values[row * table->columns] - at.x,
               table->values[row * table->columns + 1] - at.y) < 1e-3)
      {
        remove_row (self, (VgPointRow){ set, row });
        commit (self, "remove", set);
        return TRUE;
      }
  if (out == NULL || !append (self, out, at))
    return FALSE;
  select_row (self, NULL, 0);
  commit (self, "add", out);
  return TRUE;
}

void
vg_point_drawing_set_extent (VgPointDrawing *self, const VgExtent *extent)
{
  self->extent = *extent;
}

static void
vg_point_drawing_dispose (GObject *object)
{
  g_clear_object (&VG_POINT_DRAWING (object)->session);
  G_OBJECT_CLASS (vg_point_drawing_parent_class)->dispose (object);
}

static void
vg_point_drawing_class_init (VgPointDrawingClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_point_drawing_dispose;
  vg_signal_new (VG_TYPE_POINT_DRAWING, "changed", 0);
}

static void
vg_point_drawing_init (VgPointDrawing *self)
{
}

VgPointDrawing *
vg_point_drawing_new (VgSession *session)
{
  VgPointDrawing *self = g_object_new (VG_TYPE_POINT_DRAWING, NULL);

  self->session = g_object_ref (session);
  return self;
}
