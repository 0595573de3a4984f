/* SPDX-License-Identifier: MIT */
#include "ui/transport/vg-slice-box.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { SLIDER_PX = 90 };

struct _VgSliceBox
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *slice;
};

G_DEFINE_FINAL_TYPE (VgSliceBox, vg_slice_box, VG_TYPE_BIN)

static void
on_slice (VgSliceBox *self)
{
  VgView view = *vg_session_get_view (self->session);

  view.slice = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->slice)) - 1;
  vg_session_set_view (self->session, &view);
}

void
vg_slice_box_update (VgSliceBox *self)
{
  double number = vg_session_get_view (self->session)->slice + 1, last;

  gtk_spin_button_get_range (GTK_SPIN_BUTTON (self->slice), NULL, &last);
  if (number <= last) /* else it is a slice of a volume whose result has not come yet */
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->slice), number);
}

void
vg_slice_box_set_slices (VgSliceBox *self, int slices)
{
  gtk_widget_set_visible (GTK_WIDGET (self), slices > 1);
  if (slices <= 1)
    return;
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->slice), 1, slices);
  vg_slice_box_update (self);
}

void
vg_slice_box_move (VgSliceBox *self, GtkSpinType direction)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self)))
    gtk_spin_button_spin (GTK_SPIN_BUTTON (self->slice), direction, 1);
}

static void
vg_slice_box_class_init (VgSliceBoxClass *class)
{
}

static void
vg_slice_box_init (VgSliceBox *self)
{
  GtkAdjustment *adjustment = gtk_adjustment_new (1, 1, 1, 1, 10, 0);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *name = gtk_label_new_with_mnemonic (_ ("Sl_ice")),
            *slider = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, adjustment),
            *mosaic = gtk_toggle_button_new (), *planes = gtk_toggle_button_new ();

  self->slice = gtk_spin_button_new (adjustment, 1, 0);
  gtk_spin_button_set_update_policy (GTK_SPIN_BUTTON (self->slice), GTK_UPDATE_IF_VALID);
  gtk_widget_add_css_class (self->slice, "vg-narrow");
  gtk_label_set_mnemonic_widget (GTK_LABEL (name), self->slice);
  gtk_scale_set_digits (GTK_SCALE (slider), 0);
  gtk_widget_set_size_request (slider, SLIDER_PX, -1);
  vg_widget_describe (slider, _ ("Slice of the volume"),
                      _ ("Slice to show (Shift+Page Up, Shift+Page Down)"));
  gtk_button_set_icon_name (GTK_BUTTON (mosaic), "vg-mosaic-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (mosaic), "win.mosaic");
  vg_widget_describe (mosaic, _ ("All slices"), _ ("All slices side by side (M)"));
  gtk_button_set_icon_name (GTK_BUTTON (planes), "vg-planes-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (planes), "win.planes");
  vg_widget_describe (planes, _ ("Three planes"),
                      _ ("Axial, coronal and sagittal planes with one crosshair (T)"));
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), slider);
  gtk_box_append (GTK_BOX (box), self->slice);
  gtk_box_append (GTK_BOX (box), mosaic);
  gtk_box_append (GTK_BOX (box), planes);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_slice_box_new (VgSession *session)
{
  VgSliceBox *self = g_object_new (VG_TYPE_SLICE_BOX, NULL);

  self->session = vg_hold (self, session);
  g_signal_connect_swapped (self->slice, "value-changed", G_CALLBACK (on_slice), self);
  return GTK_WIDGET (self);
}
