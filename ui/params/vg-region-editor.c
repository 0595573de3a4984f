/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-region-editor.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

struct _VgRegionEditor
{
  VgEditor parent_instance;
  GtkWidget *entry, *take, *clear;
};

G_DEFINE_FINAL_TYPE (VgRegionEditor, vg_region_editor, VG_TYPE_EDITOR)

static int
selected_region (VgSession *session)
{
  guint n = vg_session_get_n_regions (session);

  for (guint i = 0; i < n; i++)
    if (vg_session_get_region (session, i)->selected || n == 1)
      return (int) i;
  return -1;
}

static void
on_take (VgEditor *editor)
{
  VgSession *session = vg_editor_get_session (editor);
  int selected = selected_region (session);

  if (selected < 0)
    return;
  vg_session_commit_waiting (session);
  vg_session_use_region (session, vg_editor_get_param (editor), (guint) selected);
  vg_session_commit (session, vg_editor_get_param (editor)->label);
}

void
vg_region_editor_sync_button (GtkWidget *button, VgEditor *editor)
{
  gboolean any = selected_region (vg_editor_get_session (editor)) >= 0;

  gtk_widget_set_sensitive (button, any);
  vg_widget_set_tooltip (button, any ? _ ("Use the selected region; the setting follows it")
                                     : _ ("Draw a region on the image first"));
}

GtkWidget *
vg_region_editor_button (VgEditor *editor)
{
  GtkWidget *button = vg_icon_button_new ("vg-rectangle-symbolic", _ ("Use the selected region"));

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_take), editor);
  return button;
}

static void
on_clear (VgRegionEditor *self)
{
  vg_editor_set_text (VG_EDITOR (self), "");
}

static void
on_typed (VgRegionEditor *self)
{
  vg_editor_set_text (VG_EDITOR (self), gtk_editable_get_text (GTK_EDITABLE (self->entry)));
}

static void
on_focus_left (GtkEventControllerFocus *focus, VgRegionEditor *self)
{
  on_typed (self);
}

static void
vg_region_editor_build (VgEditor *editor)
{
  VgRegionEditor *self = VG_REGION_EDITOR (editor);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), "rect:X,Y,W,H");
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 12);
  vg_widget_describe (self->entry, vg_editor_get_name (editor),
                      vg_translate (vg_editor_get_param (editor)->help));
  self->clear = vg_icon_button_new ("edit-clear-symbolic", _ ("No region"));
  gtk_box_append (GTK_BOX (box), self->entry);
  self->take = vg_region_editor_button (editor);
  gtk_box_append (GTK_BOX (box), self->take);
  gtk_box_append (GTK_BOX (box), self->clear);
  gtk_widget_add_controller (self->entry, focus);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_typed), self);
  g_signal_connect (focus, "leave", G_CALLBACK (on_focus_left), self);
  g_signal_connect_swapped (self->clear, "clicked", G_CALLBACK (on_clear), self);
  vg_editor_set_body (editor, box);
  vg_editor_set_focus (editor, self->entry);
}

static void
vg_region_editor_sync (VgEditor *editor)
{
  VgRegionEditor *self = VG_REGION_EDITOR (editor);
  g_autofree char *text = vg_param_format (vg_editor_get_param (editor),
                                           vg_editor_get_params (editor));

  if (!gtk_widget_has_focus (self->entry))
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text ? text : "");
  vg_region_editor_sync_button (self->take, editor);
  gtk_widget_set_sensitive (self->clear, text && *text);
}

static void
vg_region_editor_class_init (VgRegionEditorClass *class)
{
  VG_EDITOR_CLASS (class)->below = TRUE;
  VG_EDITOR_CLASS (class)->build = vg_region_editor_build;
  VG_EDITOR_CLASS (class)->sync = vg_region_editor_sync;
}

static void
vg_region_editor_init (VgRegionEditor *self)
{
}
