/* SPDX-License-Identifier: MIT */
#include "ui/transport/vg-transport.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { GAP_PX = 12, RUN_CHARS = 5 };

struct _VgTransport
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *grid, *start, *run, *icon, *name, *work, *frames, *past, *slices, *mark;
};

G_DEFINE_FINAL_TYPE (VgTransport, vg_transport, VG_TYPE_BIN)

/* A data set is computed as a whole, and its frames have a line of their own; those of a stream
 * stand beside Run. */
static void
arrange (VgTransport *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (self->grid);
  GtkGridLayoutChild *frames = GTK_GRID_LAYOUT_CHILD (
      gtk_layout_manager_get_layout_child (layout, self->frames));
  gboolean shown = gtk_widget_get_visible (self->frames) || gtk_widget_get_visible (self->past),
           below = vg_session_get_operation (self->session)->input.kind == VG_INPUT_DATASET;

  gtk_grid_layout_child_set_row (frames, below ? 1 : 0);
  gtk_grid_layout_child_set_column (frames, below ? 0 : 1);
  gtk_grid_layout_child_set_column_span (frames, below ? 3 : 1);
  gtk_widget_set_hexpand (self->start, below || !shown);
  gtk_widget_set_visible (self->mark,
                          vg_session_get_operation (self->session)->input.kind == VG_INPUT_STREAM);
}

static void
on_changed (VgTransport *self, guint flags)
{
  if (flags & VG_CHANGED_OPERATION)
    arrange (self);
}

static void
vg_transport_class_init (VgTransportClass *class)
{
}

static GtkWidget *
run_new (VgTransport *self)
{
  GtkWidget *run = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->icon = gtk_image_new ();
  self->name = gtk_label_new (NULL);
  gtk_label_set_width_chars (GTK_LABEL (self->name), RUN_CHARS);
  gtk_box_append (GTK_BOX (box), self->icon);
  gtk_box_append (GTK_BOX (box), self->name);
  gtk_button_set_child (GTK_BUTTON (run), box);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (run), "win.play-pause");
  gtk_widget_set_valign (run, GTK_ALIGN_CENTER);
  return run;
}

static void
vg_transport_init (VgTransport *self)
{
  self->grid = gtk_grid_new ();
  self->start = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, GAP_PX);
  self->run = run_new (self);
  gtk_box_append (GTK_BOX (self->start), self->run);
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), GAP_PX);
  gtk_widget_add_css_class (self->grid, "vg-bar");
  gtk_widget_set_parent (self->grid, GTK_WIDGET (self));
}

GtkWidget *
vg_transport_new (VgSession *session)
{
  VgTransport *self = g_object_new (VG_TYPE_TRANSPORT, NULL);
  GtkGrid *grid = GTK_GRID (self->grid);

  self->session = vg_hold (self, session);
  self->work = vg_work_bar_new (session);
  self->frames = vg_frame_bar_new (session);
  self->past = vg_past_bar_new ();
  self->slices = vg_slice_box_new (session);
  self->mark = vg_mark_button_new ();
  gtk_widget_set_hexpand (self->work, TRUE);
  gtk_widget_set_hexpand (self->frames, TRUE);
  gtk_widget_set_hexpand (self->past, TRUE);
  gtk_box_append (GTK_BOX (self->start), vg_frame_bar_get_live (VG_FRAME_BAR (self->frames)));
  gtk_box_append (GTK_BOX (self->start), self->work);
  gtk_grid_attach (grid, self->start, 0, 0, 1, 1);
  gtk_grid_attach (grid, self->frames, 1, 0, 1, 1);
  gtk_grid_attach (grid, self->past, 1, 0, 1, 1);
  gtk_grid_attach (grid, self->slices, 2, 0, 1, 1);
  gtk_grid_attach (grid, self->mark, 3, 0, 1, 1);
  g_signal_connect_swapped (self->frames, "notify::visible", G_CALLBACK (arrange), self);
  g_signal_connect_swapped (self->past, "notify::visible", G_CALLBACK (arrange), self);
  vg_connect (session, "changed", on_changed, self);
  vg_transport_set_running (self, FALSE, FALSE, NULL);
  arrange (self);
  return GTK_WIDGET (self);
}

void
vg_transport_set_running (VgTransport *self, gboolean running, gboolean suggested, const char *help)
{
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), running ? "media-playback-pause-symbolic"
                                                                : "media-playback-start-symbolic");
  gtk_label_set_text (GTK_LABEL (self->name), running ? _ ("Pause") : C_ ("button", "Run"));
  vg_widget_describe (self->run, running ? _ ("Pause") : C_ ("button", "Run"), help);
  if (suggested)
    gtk_widget_add_css_class (self->run, "suggested-action");
  else
    gtk_widget_remove_css_class (self->run, "suggested-action");
}

GtkWidget *
vg_transport_get_frames (VgTransport *self)
{
  return self->frames;
}

VgWorkBar *
vg_transport_get_work (VgTransport *self)
{
  return VG_WORK_BAR (self->work);
}

VgPastBar *
vg_transport_get_past (VgTransport *self)
{
  return VG_PAST_BAR (self->past);
}

VgMarkButton *
vg_transport_get_mark (VgTransport *self)
{
  return VG_MARK_BUTTON (self->mark);
}

VgSliceBox *
vg_transport_get_slices (VgTransport *self)
{
  return VG_SLICE_BOX (self->slices);
}
