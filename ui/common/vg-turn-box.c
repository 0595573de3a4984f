/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-turn-box.h"

struct _VgTurnBox
{
  GtkWidget parent_instance;
  GtkWidget *main, *side;
};

G_DEFINE_FINAL_TYPE (VgTurnBox, vg_turn_box, GTK_TYPE_WIDGET)

typedef struct
{
  int minimum, natural;
} Size;

static Size
measure (GtkWidget *child, GtkOrientation orientation, int for_size)
{
  Size size = { 0, 0 };

  if (gtk_widget_should_layout (child))
    gtk_widget_measure (child, orientation, for_size, &size.minimum, &size.natural, NULL, NULL);
  return size;
}

/* The main child would have little more than its minimum. */
static gboolean
is_narrow (VgTurnBox *self, int width)
{
  return width < measure (self->side, GTK_ORIENTATION_HORIZONTAL, -1).natural +
                     3 * measure (self->main, GTK_ORIENTATION_HORIZONTAL, -1).minimum / 2;
}

static GtkSizeRequestMode
vg_turn_box_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
vg_turn_box_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                     int *natural, int *minimum_baseline, int *natural_baseline)
{
  VgTurnBox *self = VG_TURN_BOX (widget);
  gboolean across = orientation == GTK_ORIENTATION_HORIZONTAL,
           narrow = !across && for_size >= 0 && is_narrow (self, for_size);
  Size main = measure (self->main, orientation, -1),
       side = measure (self->side, orientation, narrow ? for_size : -1);

  /* above the main child the other one gives way */
  *minimum = narrow ? main.minimum : MAX (main.minimum, side.minimum);
  *natural = narrow || across ? main.natural + side.natural : MAX (main.natural, side.natural);
}

static void
vg_turn_box_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  VgTurnBox *self = VG_TURN_BOX (widget);
  GtkAllocation main = { 0, 0, width, height }, side = main;

  gtk_widget_set_child_visible (self->side, TRUE);
  if (is_narrow (self, width) && gtk_widget_should_layout (self->side))
    {
      Size size = measure (self->side, GTK_ORIENTATION_VERTICAL, width);
      int rest = height - measure (self->main, GTK_ORIENTATION_VERTICAL, width).minimum;

      side.height = MAX (size.minimum, MIN (size.natural, 2 * height / 5));
      if (side.height > rest)
        side.height = rest >= size.minimum ? rest : 0;
      gtk_widget_set_child_visible (self->side, side.height > 0);
      main.y = side.height;
      main.height -= side.height;
    }
  else
    {
      side.width = measure (self->side, GTK_ORIENTATION_HORIZONTAL, -1).natural;
      side.x = main.width -= side.width;
    }
  if (gtk_widget_should_layout (self->side) && gtk_widget_get_child_visible (self->side))
    gtk_widget_size_allocate (self->side, &side, -1);
  gtk_widget_size_allocate (self->main, &main, -1);
}

static void
vg_turn_box_dispose (GObject *object)
{
  VgTurnBox *self = VG_TURN_BOX (object);

  g_clear_pointer (&self->main, gtk_widget_unparent);
  g_clear_pointer (&self->side, gtk_widget_unparent);
  G_OBJECT_CLASS (vg_turn_box_parent_class)->dispose (object);
}

static void
vg_turn_box_class_init (VgTurnBoxClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_turn_box_dispose;
  GTK_WIDGET_CLASS (class)->get_request_mode = vg_turn_box_get_request_mode;
  GTK_WIDGET_CLASS (class)->measure = vg_turn_box_measure;
  GTK_WIDGET_CLASS (class)->size_allocate = vg_turn_box_size_allocate;
}

static void
vg_turn_box_init (VgTurnBox *self)
{
}

GtkWidget *
vg_turn_box_new (GtkWidget *main, GtkWidget *side)
{
  VgTurnBox *self = g_object_new (VG_TYPE_TURN_BOX, NULL);

  self->main = main;
  self->side = side;
  gtk_widget_set_parent (main, GTK_WIDGET (self));
  gtk_widget_set_parent (side, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
