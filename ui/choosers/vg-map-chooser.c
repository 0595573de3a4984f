/* SPDX-License-Identifier: MIT */
#include "ui/choosers/vg-map-chooser.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

/* In the order of the list: index of the output (guint). */
static const char outputs_key[] = "vg-outputs";

static void
on_selected (GtkDropDown *self, GParamSpec *property, VgSession *session)
{
  GArray *outputs = g_object_get_data (G_OBJECT (self), outputs_key);
  guint i = gtk_drop_down_get_selected (self);
  VgView view = *vg_session_get_view (session);

  if (i >= outputs->len)
    return;
  view.output = (int) g_array_index (outputs, guint, i);
  vg_session_set_view (session, &view);
}

static void
fill (GtkDropDown *self, VgSession *session)
{
  const VgOperation *operation = vg_session_get_operation (session);
  const void *params = vg_session_get_params (session);
  GArray *outputs = g_object_get_data (G_OBJECT (self), outputs_key);
  g_autoptr (GStrvBuilder) labels = g_strv_builder_new ();
  g_auto (GStrv) texts = NULL;

  g_array_set_size (outputs, 0);
  for (guint i = 0; i < operation->n_outputs; i++)
    if (operation->outputs[i].kind != VG_OUTPUT_TEXT &&
        vg_operation_output_is_shown (operation, i, params))
      {
        g_autofree char *label = vg_name_with_unit (
            vg_translate (vg_operation_output_label (operation, i, params)),
            vg_operation_output_unit (operation, i, params));

        g_array_append_val (outputs, i);
        g_strv_builder_add (labels, label);
      }
  texts = g_strv_builder_end (labels);
  vg_drop_down_set_texts (GTK_WIDGET (self), (const char *const *) texts);
}

static void
follow (GtkDropDown *self, VgSession *session)
{
  GArray *outputs = g_object_get_data (G_OBJECT (self), outputs_key);
  const VgOutput *output = vg_session_get_output (session);
  int shown = vg_session_get_view (session)->output;

  g_signal_handlers_block_by_func (self, on_selected, session);
  fill (self, session);
  for (guint i = 0; i < outputs->len; i++)
    if ((int) g_array_index (outputs, guint, i) == shown)
      gtk_drop_down_set_selected (self, i);
  g_signal_handlers_unblock_by_func (self, on_selected, session);
  vg_widget_set_tooltip (GTK_WIDGET (self), output != NULL ? vg_translate (output->help) : NULL);
}

static void
on_changed (VgSession *session, guint flags, GtkDropDown *self)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_PARAMS | VG_CHANGED_VIEW))
    follow (self, session);
}

GtkWidget *
vg_map_chooser_new (VgSession *session, const char *name)
{
  GtkWidget *self = vg_drop_down_new (NULL);

  g_object_set_data_full (G_OBJECT (self), outputs_key, g_array_new (FALSE, FALSE, sizeof (guint)),
                          (GDestroyNotify) g_array_unref);
  vg_hold (self, session);
  vg_widget_describe (self, name, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ ("Page Up and Page Down in the image change it too"), -1);
  g_signal_connect (self, "notify::selected", G_CALLBACK (on_selected), session);
  g_signal_connect_object (session, "changed", G_CALLBACK (on_changed), self, 0);
  follow (GTK_DROP_DOWN (self), session);
  return self;
}
