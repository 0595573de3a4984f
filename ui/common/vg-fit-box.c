/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-fit-box.h"

enum { REST_PX = 96 }; /* less of a text tells nothing */

struct _VgFitBox
{
  GtkWidget parent_instance;
  GtkWidget *rest; /* NULL: none */
  int spacing, most;
};

G_DEFINE_FINAL_TYPE (VgFitBox, vg_fit_box, GTK_TYPE_WIDGET)

static int
natural_width (GtkWidget *child)
{
  int width;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  return width;
}

static void
vg_fit_box_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = 0; /* the width is what others leave */
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    {
      int size;

      gtk_widget_measure (child, orientation, -1, NULL, &size, NULL, NULL);
      *natural = MAX (*natural, size);
    }
  *minimum = *natural;
}

/* Shows those that fit in full beside LEFT px, the first of them first; returns what they leave. */
static int
choose_shown (VgFitBox *self, int left)
{
  int n = 0;
  gboolean full = FALSE;

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child;
       child = gtk_widget_get_next_sibling (child))
    {
      int natural;

      if (child == self->rest)
        continue;
      natural = natural_width (child);
      full = full || natural > left || n >= self->most;
      gtk_widget_set_child_visible (child, !full);
      n += !full;
      left -= full ? 0 : natural + self->spacing;
    }
  return left;
}

static void
vg_fit_box_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  VgFitBox *self = VG_FIT_BOX (widget);
  int left = choose_shown (self, width), x = self->rest != NULL ? MAX (left, 0) : 0;

  if (self->rest != NULL)
    {
      gboolean fits = left >= MIN (REST_PX, natural_width (self->rest));

      gtk_widget_set_child_visible (self->rest, fits);
      if (fits)
        gtk_widget_size_allocate (self->rest, &(GtkAllocation){ 0, 0, left, height }, -1);
      x += self->spacing;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    {
      int natural = natural_width (child);

      if (child == self->rest || !gtk_widget_get_child_visible (child))
        continue;
      gtk_widget_size_allocate (child, &(GtkAllocation){ x, 0, natural, height }, -1);
      x += natural + self->spacing;
    }
}

static void
vg_fit_box_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (vg_fit_box_parent_class)->dispose (object);
}

static void
vg_fit_box_class_init (VgFitBoxClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_fit_box_dispose;
  GTK_WIDGET_CLASS (class)->measure = vg_fit_box_measure;
  GTK_WIDGET_CLASS (class)->size_allocate = vg_fit_box_size_allocate;
}

static void
vg_fit_box_init (VgFitBox *self)
{
}

GtkWidget *
vg_fit_box_new (int spacing, int most)
{
  VgFitBox *self = g_object_new (VG_TYPE_FIT_BOX, NULL);

  self->spacing = spacing;
  self->most = most;
  return GTK_WIDGET (self);
}

void
vg_fit_box_set_rest (VgFitBox *self, GtkWidget *child)
{
  gtk_widget_insert_after (child, GTK_WIDGET (self), NULL);
  self->rest = child;
}

void
vg_fit_box_append (VgFitBox *self, GtkWidget *child)
{
  gtk_widget_set_parent (child, GTK_WIDGET (self));
}
