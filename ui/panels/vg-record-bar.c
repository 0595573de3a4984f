/* SPDX-License-Identifier: MIT */
#include "ui/panels/vg-record-bar.h"
#include "ui/common/vg-translation.h"
#include "ui/common/vg-widgets.h"

struct _VgRecordBar
{
  GtkWidget parent_instance;
  GtkWidget *box, *label;
};

G_DEFINE_FINAL_TYPE (VgRecordBar, vg_record_bar, GTK_TYPE_WIDGET)

void
vg_record_bar_set (VgRecordBar *self, const VgRecording *now)
{
  g_autofree char *line = now ? vg_recording_to_line (now) : NULL;
  gboolean missing = now && now->missed + now->dropped > 0;

  g_return_if_fail (VG_IS_RECORD_BAR (self));
  gtk_widget_set_visible (GTK_WIDGET (self), now != NULL);
  if (!line || g_str_equal (line, gtk_label_get_text (GTK_LABEL (self->label))))
    return;
  gtk_label_set_text (GTK_LABEL (self->label), line);
  if (missing)
    gtk_widget_add_css_class (self->label, "warning");
  else
    gtk_widget_remove_css_class (self->label, "warning");
}

static void
vg_record_bar_dispose (GObject *object)
{
  g_clear_pointer (&VG_RECORD_BAR (object)->box, gtk_widget_unparent);
  G_OBJECT_CLASS (vg_record_bar_parent_class)->dispose (object);
}

static void
vg_record_bar_class_init (VgRecordBarClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_record_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
vg_record_bar_init (VgRecordBar *self)
{
  GtkWidget *dot = gtk_image_new_from_icon_name ("media-record-symbolic"),
            *stop = gtk_button_new_with_label (_ ("Stop Recording"));

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class (self->box, "vg-status");
  gtk_widget_add_css_class (dot, "vg-live");
  self->label = vg_label_new (NULL, "numeric");
  gtk_widget_set_hexpand (self->label, TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (stop), "win.record");
  vg_widget_set_tooltip (
      stop, _ ("Stop, write the frames received so far and complete the file (Ctrl+R)"));
  gtk_box_append (GTK_BOX (self->box), dot);
  gtk_box_append (GTK_BOX (self->box), self->label);
  gtk_box_append (GTK_BOX (self->box), stop);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_record_bar_new (void)
{
  return g_object_new (VG_TYPE_RECORD_BAR, NULL);
}
