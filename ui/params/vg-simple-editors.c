/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-simple-editors.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

struct _VgSwitchEditor
{
  VgEditor parent_instance;
  GtkWidget *widget;
};

struct _VgChoiceEditor
{
  VgEditor parent_instance;
  GtkWidget *widget;
};

struct _VgActionEditor
{
  VgEditor parent_instance;
  GtkWidget *widget;
};

G_DEFINE_FINAL_TYPE (VgSwitchEditor, vg_switch_editor, VG_TYPE_EDITOR)
G_DEFINE_FINAL_TYPE (VgChoiceEditor, vg_choice_editor, VG_TYPE_EDITOR)
G_DEFINE_FINAL_TYPE (VgActionEditor, vg_action_editor, VG_TYPE_EDITOR)

static double
value_of (VgEditor *editor)
{
  return vg_param_get_number (vg_editor_get_param (editor), vg_editor_get_params (editor));
}

static void
describe (VgEditor *editor, GtkWidget *widget)
{
  vg_widget_describe (widget, vg_editor_get_name (editor),
                      vg_translate (vg_editor_get_param (editor)->help));
}

/* ---- switch ---- */

static void
on_switch (VgSwitchEditor *self)
{
  vg_editor_set_number (VG_EDITOR (self), gtk_switch_get_active (GTK_SWITCH (self->widget)), TRUE);
}

static void
vg_switch_editor_build (VgEditor *editor)
{
  VgSwitchEditor *self = VG_SWITCH_EDITOR (editor);

  self->widget = gtk_switch_new ();
  gtk_widget_set_valign (self->widget, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (self->widget, GTK_ALIGN_END);
  describe (editor, self->widget);
  g_signal_connect_swapped (self->widget, "notify::active", G_CALLBACK (on_switch), self);
  vg_editor_set_body (editor, self->widget);
}

static void
vg_switch_editor_sync (VgEditor *editor)
{
  gtk_switch_set_active (GTK_SWITCH (VG_SWITCH_EDITOR (editor)->widget), value_of (editor) != 0);
}

static void
vg_switch_editor_class_init (VgSwitchEditorClass *class)
{
  VG_EDITOR_CLASS (class)->build = vg_switch_editor_build;
  VG_EDITOR_CLASS (class)->sync = vg_switch_editor_sync;
}

static void
vg_switch_editor_init (VgSwitchEditor *self)
{
}

/* ---- drop-down ---- */

static void
on_choice (VgChoiceEditor *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->widget));

  if (selected != GTK_INVALID_LIST_POSITION)
    vg_editor_set_number (VG_EDITOR (self), selected, TRUE);
}

static void
vg_choice_editor_build (VgEditor *editor)
{
  VgChoiceEditor *self = VG_CHOICE_EDITOR (editor);
  const VgParam *param = vg_editor_get_param (editor);
  const char *const *choices = param->choice_labels ? param->choice_labels : param->choices;
  GtkStringList *texts = gtk_string_list_new (NULL);

  for (guint i = 0; choices[i] != NULL; i++)
    gtk_string_list_append (texts, vg_translate (choices[i]));
  self->widget = vg_drop_down_new (G_LIST_MODEL (texts));
  gtk_widget_set_hexpand (self->widget, TRUE);
  describe (editor, self->widget);
  g_signal_connect_swapped (self->widget, "notify::selected", G_CALLBACK (on_choice), self);
  vg_editor_set_body (editor, self->widget);
}

static void
vg_choice_editor_sync (VgEditor *editor)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (VG_CHOICE_EDITOR (editor)->widget),
                              (guint) value_of (editor));
}

/* That of the longest choice: the place of the control does not depend on what is chosen. */
static int
vg_choice_editor_least_width (VgEditor *editor)
{
  GtkWidget *widget = VG_CHOICE_EDITOR (editor)->widget;
  GListModel *choices = gtk_drop_down_get_model (GTK_DROP_DOWN (widget));
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (widget));
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, NULL);
  int natural, shown = 0, longest = 0;

  for (guint i = 0; i < g_list_model_get_n_items (choices); i++)
    {
      int width;

      pango_layout_set_text (layout, gtk_string_list_get_string (GTK_STRING_LIST (choices), i), -1);
      pango_layout_get_pixel_size (layout, &width, NULL);
      longest = MAX (longest, width);
      shown = i == selected ? width : shown;
    }
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural - shown + longest;
}

static void
vg_choice_editor_class_init (VgChoiceEditorClass *class)
{
  VG_EDITOR_CLASS (class)->least_width = vg_choice_editor_least_width;
  VG_EDITOR_CLASS (class)->build = vg_choice_editor_build;
  VG_EDITOR_CLASS (class)->sync = vg_choice_editor_sync;
}

static void
vg_choice_editor_init (VgChoiceEditor *self)
{
}

/* ---- button ---- */

static void
on_action (VgActionEditor *self)
{
  vg_editor_set_number (VG_EDITOR (self), value_of (VG_EDITOR (self)) + 1, TRUE);
}

static void
vg_action_editor_build (VgEditor *editor)
{
  VgActionEditor *self = VG_ACTION_EDITOR (editor);

  self->widget = gtk_button_new_with_label (vg_translate (vg_editor_get_param (editor)->label));
  gtk_widget_set_hexpand (self->widget, TRUE);
  describe (editor, self->widget);
  g_signal_connect_swapped (self->widget, "clicked", G_CALLBACK (on_action), self);
  vg_editor_set_body (editor, self->widget);
}

static void
vg_action_editor_sync (VgEditor *editor)
{
}

static void
vg_action_editor_class_init (VgActionEditorClass *class)
{
  VG_EDITOR_CLASS (class)->below = TRUE;
  VG_EDITOR_CLASS (class)->build = vg_action_editor_build;
  VG_EDITOR_CLASS (class)->sync = vg_action_editor_sync;
}

static void
vg_action_editor_init (VgActionEditor *self)
{
}
