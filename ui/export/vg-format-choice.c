/* SPDX-License-Identifier: MIT */
#include "ui/export/vg-format-choice.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

struct _VgFormatChoice
{
  GtkWidget parent_instance;
  guint formats;
};

G_DEFINE_FINAL_TYPE (VgFormatChoice, vg_format_choice, GTK_TYPE_WIDGET)

static void
on_toggled (GtkCheckButton *check, VgFormatChoice *self)
{
  guint format = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), "vg-format"));

  if (gtk_check_button_get_active (check))
    self->formats |= format;
  else
    self->formats &= ~format;
  g_signal_emit_by_name (self, "changed");
}

guint
vg_format_choice_get (VgFormatChoice *self)
{
  return self->formats;
}

static void
vg_format_choice_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (vg_format_choice_parent_class)->dispose (object);
}

static void
vg_format_choice_class_init (VgFormatChoiceClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_format_choice_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "changed", 0);
}

static void
vg_format_choice_init (VgFormatChoice *self)
{
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              18);
}

GtkWidget *
vg_format_choice_new (const VgFormatItem *items, guint n, guint formats)
{
  VgFormatChoice *self = g_object_new (VG_TYPE_FORMAT_CHOICE, NULL);

  self->formats = formats;
  for (guint i = 0; i < n; i++)
    {
      GtkWidget *check = gtk_check_button_new_with_label (items[i].name);

      gtk_check_button_set_active (GTK_CHECK_BUTTON (check), (formats & items[i].format) != 0);
      vg_widget_describe (check,
                          items[i].described != NULL ? _ (items[i].described) : items[i].name,
                          _ (items[i].help));
      g_object_set_data (G_OBJECT (check), "vg-format", GUINT_TO_POINTER (items[i].format));
      g_signal_connect (check, "toggled", G_CALLBACK (on_toggled), self);
      gtk_widget_set_parent (check, GTK_WIDGET (self));
    }
  return GTK_WIDGET (self);
}
