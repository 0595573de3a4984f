/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-preset-factory.h"
#include "ui/common/vg-widgets.h"

/* In the list a preset stands with its source below. */
static void
on_bind_preset (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const VgParam *param = data;
  guint i = gtk_list_item_get_position (item);
  const char *name = gtk_string_object_get_string (gtk_list_item_get_item (item));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *title = vg_label_new (name, NULL);

  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_NONE);
  gtk_box_append (GTK_BOX (box), title);
  if (i > 0)
    {
      GtkWidget *source = vg_label_new (param->table.presets[i - 1].source, "caption");

      gtk_widget_add_css_class (source, "dim-label");
      gtk_label_set_ellipsize (GTK_LABEL (source), PANGO_ELLIPSIZE_NONE);
      gtk_label_set_wrap (GTK_LABEL (source), TRUE);
      /* the list is as wide as its labels must be */
      gtk_label_set_width_chars (GTK_LABEL (source), 34);
      gtk_label_set_max_width_chars (GTK_LABEL (source), 44);
      gtk_box_append (GTK_BOX (box), source);
    }
  gtk_list_item_set_child (item, box);
}

GtkListItemFactory *
vg_preset_factory_new (const VgParam *param)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "bind", G_CALLBACK (on_bind_preset), (gpointer) param);
  return factory;
}
