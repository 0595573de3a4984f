/* SPDX-License-Identifier: MIT */
/* A drag is measured with the place and scale of the image at the press: an
 * operation may show another part of what it computes as the rows grow, and the
 * boundary would run away from a pointer that rests. */
#include "ui/picture/vg-stack-layer.h"
#include "ui/common/vg-object.h"
#include "ui/common/vg-row-color.h"
#include <math.h>

/* Where image points are, on the widget and in the plane's unit. */
typedef struct
{
  VgPlane plane; /* without its samples; width 0: there is no image */
  VgViewTransform transform;
} Geometry;

struct _VgStackLayer
{
  GtkWidget parent_instance;

  VgSession *session;
  Geometry now, at_press;
  void *before;               /* parameters at the press; NULL: nothing is dragged */
  const VgParamTable *params; /* their table */
  int held;                   /* the row whose lower boundary is dragged, from 0 */
  double offset;              /* of the boundary from the pointer */
  double least;               /* thickness that a drag may reach */
};

G_DEFINE_FINAL_TYPE (VgStackLayer, vg_stack_layer, GTK_TYPE_WIDGET)

enum { REACH = 4, STRIP = 5, EDGE = 2 };

/* ---- rows ---- */

typedef struct
{
  const VgParam *param;
  const VgTable *table;
  int column; /* of the thickness */
} Stack;

static int
find_column (const VgTableSpec *spec)
{
  for (int i = 0; spec->stack.column != NULL && spec->columns[i].id != NULL; i++)
    if (g_str_equal (spec->columns[i].id, spec->stack.column))
      return i;
  return -1;
}

/* FALSE: no rows lie in the image, or they are not shown. */
static gboolean
find_stack (VgStackLayer *self, Stack *stack)
{
  const VgParamTable *all = &vg_session_get_operation (self->session)->params;
  const char *params = vg_session_get_params (self->session);
  const VgPlane *plane = &self->now.plane;

  if (plane->width == 0 || !(self->now.transform.zoom > 0) || plane->pixel_size[1] == 0 ||
      !vg_session_get_view (self->session)->overlay)
    return FALSE;
  for (guint i = 0; i < all->n_items; i++)
    {
      const VgParam *param = &all->items[i];
      int column = param->kind == VG_PARAM_TABLE ? find_column (&param->table) : -1;

      if (column < 0 || !g_str_equal (param->table.columns[column].unit, plane->unit))
        continue;
      *stack = (Stack){ param, *(VgTable *const *) (params + param->offset), column };
      return stack->table != NULL && vg_param_is_shown (all, param, params);
    }
  return FALSE;
}

static double
thickness (const Stack *stack, int row)
{
  return stack->table->values[row * stack->table->columns + stack->column];
}

/* Where a row begins, or ends that is above it. */
static double
top_of (const Stack *stack, int row)
{
  double top = 0;

  for (int i = 0; i < row; i++)
    top += thickness (stack, i);
  return top;
}

/* ---- positions ---- */

static double
position_at (const Geometry *geometry, VgPoint at)
{
  double x, y;

  vg_view_transform_to_image (&geometry->transform, at.x, at.y, &x, &y);
  return vg_plane_position (&geometry->plane, 1, y);
}

/* In the plane's unit, of a pixel of the widget. */
static double
unit_per_pixel (const Geometry *geometry)
{
  const VgViewTransform *transform = &geometry->transform;

  return fabs (geometry->plane.pixel_size[1]) * transform->scale /
         (transform->swapped ? transform->zoom : transform->zoom_y);
}

static gboolean
is_in_image (const Geometry *geometry, VgPoint at)
{
  VgExtent extent = vg_extent_of_plane (&geometry->plane);
  double x, y;

  vg_view_transform_to_image (&geometry->transform, at.x, at.y, &x, &y);
  return x >= extent.left && x < extent.right && y >= 0 && y < extent.bottom;
}

/* The row, from 0, whose lower boundary is nearest to AT; -1: none is near. */
static int
edge_at (VgStackLayer *self, const Stack *stack, VgPoint at)
{
  double here = position_at (&self->now, at), depth = 0,
         least = REACH * unit_per_pixel (&self->now);
  int found = -1;

  for (int row = 0; is_in_image (&self->now, at) && row < stack->table->rows; row++)
    {
      depth += thickness (stack, row);
      if (fabs (depth - here) > least ||
          thickness (stack, row) >= stack->param->table.stack.endless)
        continue;
      least = fabs (depth - here);
      found = row;
    }
  return found;
}

gboolean
vg_stack_layer_is_over (VgStackLayer *self, VgPoint at)
{
  Stack stack;

  return find_stack (self, &stack) && edge_at (self, &stack, at) >= 0;
}

/* ---- the chosen row ---- */

static void
choose (VgStackLayer *self, int row)
{
  VgView view = *vg_session_get_view (self->session);

  view.row = row;
  vg_session_set_view (self->session, &view);
}

void
vg_stack_layer_choose_at (VgStackLayer *self, VgPoint at)
{
  double here = position_at (&self->now, at), end = 0;
  Stack stack;
  int chosen = 0;

  if (!find_stack (self, &stack))
    return;
  for (int row = 0; chosen == 0 && row < stack.table->rows; row++)
    {
      end += thickness (&stack, row);
      if (here < end && is_in_image (&self->now, at))
        chosen = row + 1;
    }
  choose (self, chosen);
}

/* ---- dragging ---- */

static void
let_go (VgStackLayer *self)
{
  if (self->before != NULL)
    vg_params_free (self->params, self->before);
  self->before = NULL;
}

gboolean
vg_stack_layer_press (VgStackLayer *self, VgPoint at)
{
  Stack stack;

  if (!find_stack (self, &stack) || (self->held = edge_at (self, &stack, at)) < 0)
    return FALSE;
  vg_session_commit_waiting (self->session);
  self->at_press = self->now;
  let_go (self);
  self->params = &vg_session_get_operation (self->session)->params;
  self->before = vg_params_copy (self->params, vg_session_get_params (self->session));
  self->offset = top_of (&stack, self->held + 1) - position_at (&self->now, at);
  /* of the map one sample, unless it was thinner before */
  self->least = MAX (stack.param->table.columns[stack.column].min,
                     MIN (thickness (&stack, self->held), fabs (self->now.plane.pixel_size[1])));
  return TRUE;
}

/* As few digits as tell the places of two pixels from each other. */
static double
round_to_pixel (double value, double pixel)
{
  double digits = pow (10, -floor (log10 (pixel)));

  return round (value * digits) / digits;
}

void
vg_stack_layer_drag (VgStackLayer *self, VgPoint at)
{
  double position = position_at (&self->at_press, at) + self->offset, value;
  g_autofree char *text = NULL;
  VgTable *table;
  Stack stack;

  if (self->before == NULL || !find_stack (self, &stack) || self->held >= stack.table->rows)
    return;
  choose (self, self->held + 1);
  value = round_to_pixel (position - top_of (&stack, self->held), unit_per_pixel (&self->at_press));
  value = CLAMP (value, self->least, stack.param->table.columns[stack.column].max);
  if (value >= stack.param->table.stack.endless)
    return;
  table = vg_table_copy (stack.table);
  table->values[self->held * table->columns + stack.column] = value;
  text = vg_table_format (table);
  vg_table_free (table);
  vg_session_set_text (self->session, stack.param, text, NULL);
}

void
vg_stack_layer_release (VgStackLayer *self)
{
  Stack stack;

  if (self->before != NULL && find_stack (self, &stack))
    vg_session_commit (self->session, stack.param->label);
  let_go (self);
}

gboolean
vg_stack_layer_cancel (VgStackLayer *self)
{
  gboolean dragged = self->before != NULL;

  if (dragged)
    vg_session_set_params (self->session, self->before);
  let_go (self);
  choose (self, 0);
  return dragged;
}

/* ---- drawing ---- */

/* The part of the widget between two positions. */
static graphene_rect_t
band_between (const Geometry *geometry, double top, double bottom)
{
  const VgPlane *plane = &geometry->plane;
  VgExtent extent = vg_extent_of_plane (plane);
  double from = CLAMP (vg_plane_image_point (plane, 1, top), 0, extent.bottom),
         to = CLAMP (vg_plane_image_point (plane, 1, bottom), 0, extent.bottom), x0, y0, x1, y1;
  graphene_rect_t band;

  vg_view_transform_to_widget (&geometry->transform, extent.left, from, &x0, &y0);
  vg_view_transform_to_widget (&geometry->transform, extent.right, to, &x1, &y1);
  graphene_rect_init (&band, round (x0), round (y0), round (x1) - round (x0),
                      round (y1) - round (y0));
  graphene_rect_normalize (&band);
  return band;
}

static void
draw_row (GtkSnapshot *snapshot, const graphene_rect_t *band, int row, gboolean chosen)
{
  GdkRGBA color = vg_row_color (row), tint = color;

  tint.alpha = 0.12f;
  if (band->size.height > 0)
    gtk_snapshot_append_color (
        snapshot, &color,
        &GRAPHENE_RECT_INIT (band->origin.x, band->origin.y, STRIP, band->size.height));
  if (!chosen)
    return;
  gtk_snapshot_append_color (snapshot, &tint, band);
  for (int end = 0; end < 2; end++)
    gtk_snapshot_append_color (snapshot, &color,
                               &GRAPHENE_RECT_INIT (band->origin.x,
                                                    band->origin.y + end * band->size.height - 1,
                                                    band->size.width, EDGE));
}

static void
vg_stack_layer_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgStackLayer *self = VG_STACK_LAYER (widget);
  int chosen = vg_session_get_view (self->session)->row;
  double top = 0;
  Stack stack;

  if (!find_stack (self, &stack))
    return;
  for (int row = 0; row < stack.table->rows; row++)
    {
      double bottom = top + thickness (&stack, row);
      graphene_rect_t band = band_between (&self->now, top, bottom);

      if (band.size.height > 0 || row + 1 == chosen)
        draw_row (snapshot, &band, row, row + 1 == chosen);
      top = bottom;
    }
}

/* ---- the widget ---- */

void
vg_stack_layer_set_plane (VgStackLayer *self, const VgPlane *plane,
                          const VgViewTransform *transform)
{
  self->now = (Geometry){ .transform = *transform };
  if (plane != NULL)
    self->now.plane = *plane;
  self->now.plane.data = NULL;
  self->now.plane.stream = NULL;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_changed (VgStackLayer *self, guint flags)
{
  if (flags & VG_CHANGED_OPERATION)
    let_go (self);
  if (flags & (VG_CHANGED_PARAMS | VG_CHANGED_VIEW))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
vg_stack_layer_dispose (GObject *object)
{
  let_go (VG_STACK_LAYER (object));
  g_clear_object (&VG_STACK_LAYER (object)->session);
  G_OBJECT_CLASS (vg_stack_layer_parent_class)->dispose (object);
}

static void
vg_stack_layer_class_init (VgStackLayerClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_stack_layer_dispose;
  GTK_WIDGET_CLASS (class)->snapshot = vg_stack_layer_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
vg_stack_layer_init (VgStackLayer *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
vg_stack_layer_new (VgSession *session)
{
  VgStackLayer *self = g_object_new (VG_TYPE_STACK_LAYER, NULL);

  self->session = g_object_ref (session);
  vg_connect (session, "changed", on_changed, self);
  return GTK_WIDGET (self);
}
