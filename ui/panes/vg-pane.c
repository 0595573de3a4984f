/* SPDX-License-Identifier: MIT */
#include "ui/panes/vg-pane.h"
#include "ui/common/vg-widgets.h"

enum { DRAWN_OUT_PX = 24 };

static int
minimum (GtkWidget *widget, GtkOrientation orientation)
{
  int size;

  gtk_widget_measure (widget, orientation, -1, &size, NULL, NULL, NULL);
  return size;
}

static int
length_of (GtkWidget *widget, GtkOrientation orientation)
{
  return orientation == GTK_ORIENTATION_HORIZONTAL ? gtk_widget_get_width (widget)
                                                   : gtk_widget_get_height (widget);
}

GtkOrientation
vg_pane_get_orientation (const VgPane *self)
{
  return gtk_orientable_get_orientation (GTK_ORIENTABLE (self->paned));
}

/* A hidden widget measures nothing. */
int
vg_pane_get_least (VgPane *self, GtkOrientation orientation)
{
  if (gtk_widget_get_visible (self->child))
    self->least[orientation] = minimum (self->child, orientation);
  return self->least[orientation];
}

int
vg_pane_get_handle (const VgPane *self, GtkWidget *start)
{
  GtkOrientation orientation = vg_pane_get_orientation (self);

  return gtk_widget_get_visible (self->place)
             ? minimum (self->paned, orientation) - minimum (start, orientation)
             : 0;
}

/* ---- its size ---- */

gboolean
vg_pane_note_size (VgPane *self, gboolean shown, int *wanted)
{
  GtkOrientation orientation = vg_pane_get_orientation (self);
  int now = length_of (self->place, orientation);
  gboolean moved = self->moved;

  self->moved = self->moving;
  if (!moved || self->room == 0 || now == self->set ||
      length_of (self->paned, orientation) != self->room)
    return FALSE;
  self->target = self->set = now;
  if (!shown && now < DRAWN_OUT_PX)
    return FALSE;
  *wanted = MAX (now, self->least[orientation]);
  return TRUE;
}

void
vg_pane_set_size (VgPane *self, int target, GtkWidget *all, const GtkAllocation *allocation)
{
  GtkOrientation orientation = vg_pane_get_orientation (self);
  GtkPaned *paned = GTK_PANED (self->paned);
  int room = length_of (self->paned, orientation);

  if ((self->room == room && self->target == target) || !gtk_widget_get_visible (self->place))
    return;
  /* the first position that is set moves by a pixel, as a GtkPaned keeps that of before as a share
   */
  for (int i = 0; i < 2 && length_of (self->place, orientation) != target; i++)
    {
      gtk_paned_set_position (paned, gtk_paned_get_position (paned) +
                                         length_of (self->place, orientation) - target);
      gtk_widget_size_allocate (all, allocation, -1);
    }
  self->room = room;
  self->target = target;
  self->set = length_of (self->place, orientation);
}

void
vg_pane_allocate (VgPane *self, GtkWidget *parent)
{
  graphene_rect_t place;
  int width, height;

  if (!gtk_widget_compute_bounds (self->place, parent, &place))
    place = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  width = MAX ((int) place.size.width, vg_pane_get_least (self, GTK_ORIENTATION_HORIZONTAL));
  height = MAX ((int) place.size.height, vg_pane_get_least (self, GTK_ORIENTATION_VERTICAL));
  gtk_widget_size_allocate (self->child,
                            &(GtkAllocation){ (int) (place.origin.x + place.size.width) - width,
                                              (int) (place.origin.y + place.size.height) - height,
                                              width, height },
                            -1);
}

/* ---- the handle ---- */

static void
on_pressed (GtkGestureClick *click, int n, double x, double y, VgPane *self)
{
  GtkOrientation orientation = vg_pane_get_orientation (self);
  double along = orientation == GTK_ORIENTATION_HORIZONTAL ? x : y;

  if (n == 2 && gtk_widget_get_visible (self->place) &&
      along >= gtk_paned_get_position (GTK_PANED (self->paned)) &&
      along <= length_of (self->paned, orientation) - length_of (self->place, orientation))
    self->toggle (self->owner);
}

static void
on_drag_begin (VgPane *self)
{
  self->moving = self->moved = TRUE;
}

static void
on_drag_end (VgPane *self)
{
  self->moving = FALSE;
}

/* By keys. */
static gboolean
on_move (GtkPaned *paned, GtkScrollType scroll, VgPane *self)
{
  self->moved = TRUE;
  return FALSE;
}

/* CLICK is heard although the GtkPaned takes what is pressed on its handle. */
static void
join_drag (VgPane *self, GtkGesture *click)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (self->paned);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (G_OBJECT_TYPE (controller) == GTK_TYPE_GESTURE_DRAG)
        {
          gtk_gesture_group (GTK_GESTURE (controller), click);
          g_signal_connect_swapped (controller, "drag-begin", G_CALLBACK (on_drag_begin), self);
          g_signal_connect_swapped (controller, "drag-end", G_CALLBACK (on_drag_end), self);
          return;
        }
    }
}

void
vg_pane_init (VgPane *self, const char *name, void (*toggle) (gpointer owner), gpointer owner)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->toggle = toggle;
  self->owner = owner;
  self->paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  self->place = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  g_object_set (self->paned, "end-child", self->place, "resize-end-child", FALSE,
                "shrink-start-child", FALSE, "wide-handle", TRUE, NULL);
  vg_widget_describe (self->paned, name, NULL);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (self->paned, GTK_EVENT_CONTROLLER (click));
  join_drag (self, click);
  g_signal_connect (self->paned, "move-handle", G_CALLBACK (on_move), self);
}
