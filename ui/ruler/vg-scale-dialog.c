/* SPDX-License-Identifier: MIT */
#include "ui/ruler/vg-scale-dialog.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/ruler/vg-scale-length.h"

enum { MICROMETRES = 1 }; /* index into vg_scale_units */

struct _VgScaleDialog
{
  GtkWindow parent_instance;
  GtkWidget *length, *unit, *note;
  double n_pixels;
};

G_DEFINE_FINAL_TYPE (VgScaleDialog, vg_scale_dialog, GTK_TYPE_WINDOW)

static double
read_pixel (VgScaleDialog *self, char **why)
{
  return vg_scale_read (gtk_editable_get_text (GTK_EDITABLE (self->length)),
                        gtk_drop_down_get_selected (GTK_DROP_DOWN (self->unit)), self->n_pixels,
                        why);
}

/* The size of a pixel that follows; what is wrong is said when it is to be used. */
static void
update (VgScaleDialog *self)
{
  g_autofree char *why = NULL, *text = NULL;
  double pixel_um = read_pixel (self, &why);

  if (pixel_um > 0)
    text = g_strdup_printf (_ ("A pixel is %.4g µm wide."), pixel_um);
  gtk_widget_remove_css_class (self->length, "error");
  gtk_widget_remove_css_class (self->note, "error");
  gtk_label_set_text (GTK_LABEL (self->note), text != NULL ? text : "");
}

static void
on_set (VgScaleDialog *self)
{
  g_autofree char *why = NULL;
  double pixel_um = read_pixel (self, &why);

  if (pixel_um > 0)
    {
      g_signal_emit_by_name (self, "chosen", pixel_um);
      gtk_window_destroy (GTK_WINDOW (self));
      return;
    }
  gtk_label_set_text (GTK_LABEL (self->note), why);
  gtk_widget_add_css_class (self->length, "error");
  gtk_widget_add_css_class (self->note, "error");
  gtk_widget_grab_focus (self->length);
}

static void
vg_scale_dialog_class_init (VgScaleDialogClass *class)
{
  vg_signal_new (G_TYPE_FROM_CLASS (class), "chosen", 1, G_TYPE_DOUBLE);
}

static void
vg_scale_dialog_init (VgScaleDialog *self)
{
  vg_dialog_set_title (GTK_WINDOW (self), _ ("Set Scale"));
  gtk_window_set_resizable (GTK_WINDOW (self), FALSE);
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
}

static GtkWidget *
build_buttons (VgScaleDialog *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12),
            *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel")),
            *set = gtk_button_new_with_mnemonic (_ ("_Set Scale"));

  gtk_widget_add_css_class (set, "suggested-action");
  gtk_widget_set_halign (buttons, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (buttons), cancel);
  gtk_box_append (GTK_BOX (buttons), set);
  vg_connect (cancel, "clicked", gtk_window_close, self);
  vg_connect (set, "clicked", on_set, self);
  gtk_window_set_default_widget (GTK_WINDOW (self), set);
  return buttons;
}

static void
build (VgScaleDialog *self, GtkWidget *box)
{
  g_autofree char *text = g_strdup_printf (_ ("The line is %.1f px long."), self->n_pixels);

  self->length = gtk_entry_new ();
  self->unit = vg_choice_new (vg_scale_units);
  self->note = vg_label_new ("", "caption");
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (self->note), PANGO_ELLIPSIZE_NONE);
  gtk_entry_set_activates_default (GTK_ENTRY (self->length), TRUE);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->unit), MICROMETRES);
  gtk_box_append (GTK_BOX (box), vg_label_new (text, "heading"));
  vg_box_add_line (box, _ ("True _length"), self->length, _ ("True length"), NULL);
  vg_box_add_line (box, _ ("_Unit"), self->unit, _ ("Unit of the length"), NULL);
  gtk_box_append (GTK_BOX (box), self->note);
  gtk_box_append (GTK_BOX (box), build_buttons (self));
  vg_connect (self->length, "changed", update, self);
  vg_connect (self->unit, "notify::selected", update, self);
}

GtkWidget *
vg_scale_dialog_new (GtkWindow *parent, double n_pixels)
{
  VgScaleDialog *self = g_object_new (VG_TYPE_SCALE_DIALOG, "transient-for", parent,
                                      "destroy-with-parent", TRUE, NULL);
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing",
                                 12, "margin-top", 18, "margin-bottom", 18, "margin-start", 18,
                                 "margin-end", 18, "width-request", 340, NULL);

  self->n_pixels = n_pixels;
  build (self, box);
  gtk_window_set_child (GTK_WINDOW (self), box);
  gtk_window_set_focus (GTK_WINDOW (self), self->length);
  return GTK_WIDGET (self);
}
