/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-bin.h"

G_DEFINE_ABSTRACT_TYPE (VgBin, vg_bin, GTK_TYPE_WIDGET)

static void
vg_bin_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (vg_bin_parent_class)->dispose (object);
}

static void
vg_bin_class_init (VgBinClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_bin_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
vg_bin_init (VgBin *self)
{
}
