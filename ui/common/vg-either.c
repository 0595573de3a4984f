/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-either.h"

struct _VgEither
{
  GtkWidget parent_instance;
  GtkWidget *wide, *narrow;
};

G_DEFINE_FINAL_TYPE (VgEither, vg_either, GTK_TYPE_WIDGET)

static void
vg_either_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                   int *natural, int *minimum_baseline, int *natural_baseline)
{
  VgEither *self = VG_EITHER (widget);
  int least;

  gtk_widget_measure (self->wide, orientation, -1, minimum, natural, NULL, NULL);
  gtk_widget_measure (self->narrow, orientation, -1, &least, NULL, NULL, NULL);
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN (*minimum, least)
                                                       : MAX (*minimum, least);
  *natural = MAX (*natural, *minimum);
}

static void
vg_either_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  VgEither *self = VG_EITHER (widget);
  int needed;

  gtk_widget_measure (self->wide, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &needed, NULL, NULL);
  gtk_widget_set_child_visible (self->wide, width >= needed);
  gtk_widget_set_child_visible (self->narrow, width < needed);
  gtk_widget_size_allocate (width >= needed ? self->wide : self->narrow,
                            &(GtkAllocation){ 0, 0, width, height }, -1);
}

static void
vg_either_dispose (GObject *object)
{
  VgEither *self = VG_EITHER (object);

  g_clear_pointer (&self->wide, gtk_widget_unparent);
  g_clear_pointer (&self->narrow, gtk_widget_unparent);
  G_OBJECT_CLASS (vg_either_parent_class)->dispose (object);
}

static void
vg_either_class_init (VgEitherClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_either_dispose;
  GTK_WIDGET_CLASS (class)->measure = vg_either_measure;
  GTK_WIDGET_CLASS (class)->size_allocate = vg_either_size_allocate;
}

static void
vg_either_init (VgEither *self)
{
}

GtkWidget *
vg_either_new (GtkWidget *wide, GtkWidget *narrow)
{
  VgEither *self = g_object_new (VG_TYPE_EITHER, NULL);

  self->wide = wide;
  self->narrow = narrow;
  gtk_widget_set_parent (wide, GTK_WIDGET (self));
  gtk_widget_set_parent (narrow, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
