/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-param-row.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>
#include "ui/params/vg-file-editor.h"
#include "ui/params/vg-number-editor.h"
#include "ui/params/vg-param-line.h"
#include "ui/params/vg-region-editor.h"
#include "ui/params/vg-simple-editors.h"
#include "ui/params/vg-table-editor.h"
#include "ui/common/vg-widgets.h"

enum { PULSE_MS = 1200 }; /* as long as the style sheet says */

struct _VgParamRow
{
  VgBin parent_instance;
  VgSession *session;
  const VgParamTable *table; /* of the operation at birth: the session may move on */
  const VgParam *param;
  GtkWidget *box, *editor, *reset, *problem, *advice; /* reset: NULL for an action */
  guint pulse_id;
};

G_DEFINE_FINAL_TYPE (VgParamRow, vg_param_row, VG_TYPE_BIN)

/* "E_xposure" for 'x'; underscores of the label itself are doubled. */
static char *
with_mnemonic (const char *label, char mnemonic)
{
  GString *text = g_string_new (NULL);

  for (const char *c = label; *c; c++)
    {
      if (mnemonic && g_ascii_tolower (*c) == mnemonic)
        {
          g_string_append_c (text, '_');
          mnemonic = 0;
        }
      g_string_append_c (text, *c);
      if (*c == '_')
        g_string_append_c (text, '_');
    }
  return g_string_free (text, FALSE);
}

/* As the open data, or else the table, say. */
static gboolean
is_first (VgParamRow *self)
{
  return vg_param_equal (self->param, vg_session_get_params (self->session),
                         vg_session_get_given (self->session));
}

static void
on_reset (VgParamRow *self)
{
  g_autofree char *text = vg_param_format (self->param, vg_session_get_given (self->session));

  vg_session_commit_waiting (self->session);
  if (vg_session_set_text (self->session, self->param, text ? text : "", NULL))
    vg_session_commit (self->session, self->param->label);
}

static void
on_problem (VgParamRow *self, const char *text)
{
  /* The message names the parameter as the command line does; the row has its label. */
  g_autofree char *name = g_strconcat (self->param->id, ": ", NULL);
  g_autofree char *sentence = NULL;

  if (text != NULL && g_str_has_prefix (text, name))
    text += strlen (name);
  sentence = vg_sentence (text != NULL ? text : "");
  gtk_label_set_text (GTK_LABEL (self->problem), sentence);
  gtk_widget_set_visible (self->problem, text != NULL);
}

void
vg_param_row_set_figures (VgParamRow *self, double measured, const char *advice, double pixel_um)
{
  const char *text = advice != NULL ? vg_translate (advice) : "";

  if (VG_IS_NUMBER_EDITOR (self->editor))
    vg_number_editor_set_figures (VG_NUMBER_EDITOR (self->editor), measured, pixel_um);
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->advice)), text) != 0)
    gtk_label_set_text (GTK_LABEL (self->advice), text);
  gtk_widget_set_visible (self->advice, *text != '\0');
}

static GtkWidget *
words_new (const char *style)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "visible", FALSE,
                                   "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL);

  gtk_widget_add_css_class (label, style);
  gtk_widget_add_css_class (label, "caption");
  return label;
}

void
vg_param_row_sync (VgParamRow *self)
{
  gtk_widget_set_visible (
      GTK_WIDGET (self),
      vg_param_is_shown (self->table, self->param, vg_session_get_params (self->session)));
  if (self->reset != NULL)
    gtk_widget_set_visible (self->reset, !is_first (self));
  vg_editor_sync (VG_EDITOR (self->editor));
}

static void
vg_param_row_dispose (GObject *object)
{
  g_clear_handle_id (&VG_PARAM_ROW (object)->pulse_id, g_source_remove);
  G_OBJECT_CLASS (vg_param_row_parent_class)->dispose (object);
}

static void
vg_param_row_class_init (VgParamRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_param_row_dispose;
}

static void
vg_param_row_init (VgParamRow *self)
{
}

static GtkWidget *
name_new (VgParamRow *self, char mnemonic)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, NULL);
  g_autofree char *text = with_mnemonic (vg_translate (self->param->label), mnemonic);

  gtk_label_set_text_with_mnemonic (GTK_LABEL (label), text);
  vg_widget_set_tooltip (label, vg_translate (self->param->help));
  vg_label_set_target (label, vg_editor_get_focus (VG_EDITOR (self->editor)));
  return label;
}

static GtkWidget *
reset_new (VgParamRow *self)
{
  g_autofree char *name = g_strdup_printf (_ ("Reset %s"), vg_translate (self->param->label));
  GtkWidget *reset = vg_icon_button_new ("vg-reset-symbolic", name);

  gtk_widget_add_css_class (reset, "vg-reset");
  gtk_widget_set_valign (reset, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (reset, FALSE);
  g_signal_connect_swapped (reset, "clicked", G_CALLBACK (on_reset), self);
  return reset;
}

static GtkWidget *
mean_new (VgParamRow *self)
{
  g_autofree char *name = g_strdup_printf (
      _ ("Set %s to the mean of the selected region over the last second, or over the last 25 "
         "frames if their times are unknown"),
      vg_translate (self->param->label));
  GtkWidget *button = vg_icon_button_new ("vg-rectangle-symbolic", name);

  gtk_widget_add_css_class (button, "vg-compact");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.take-mean");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", self->param->id);
  return button;
}

/* Name and editor; the reset button is in a number's entry, and before any other editor. */
static GtkWidget *
line_new (VgParamRow *self, char mnemonic)
{
  GtkWidget *focus = vg_editor_get_focus (VG_EDITOR (self->editor));

  if (self->param->kind == VG_PARAM_ACTION)
    return vg_param_line_new (NULL, NULL, self->editor);
  self->reset = reset_new (self);
  if (GTK_IS_SPIN_BUTTON (focus))
    vg_number_entry_add (focus, self->reset);
  if (self->param->slider.mean_of != NULL)
    vg_number_entry_add (focus, mean_new (self));
  return vg_param_line_new (name_new (self, mnemonic),
                            GTK_IS_SPIN_BUTTON (focus) ? NULL : self->reset, self->editor);
}

const VgParam *
vg_param_row_get_param (VgParamRow *self)
{
  return self->param;
}

static gboolean
end_pulse (gpointer data)
{
  VG_PARAM_ROW (data)->pulse_id = 0;
  gtk_widget_remove_css_class (data, "vg-pulse");
  return G_SOURCE_REMOVE;
}

void
vg_param_row_point_out (VgParamRow *self)
{
  g_clear_handle_id (&self->pulse_id, g_source_remove);
  self->pulse_id = g_timeout_add (PULSE_MS, end_pulse, self);
  gtk_widget_add_css_class (GTK_WIDGET (self), "vg-pulse");
  gtk_widget_grab_focus (vg_editor_get_focus (VG_EDITOR (self->editor)));
}

static GType
editor_type_for (const VgParam *param)
{
  switch (param->kind)
    {
    case VG_PARAM_BOOL:
      return VG_TYPE_SWITCH_EDITOR;
    case VG_PARAM_CHOICE:
      return VG_TYPE_CHOICE_EDITOR;
    case VG_PARAM_ACTION:
      return VG_TYPE_ACTION_EDITOR;
    case VG_PARAM_FILE:
      return VG_TYPE_FILE_EDITOR;
    case VG_PARAM_REGION:
      return VG_TYPE_REGION_EDITOR;
    case VG_PARAM_TABLE:
      return VG_TYPE_TABLE_EDITOR;
    case VG_PARAM_INT:
    case VG_PARAM_FLOAT:
    case VG_PARAM_DOUBLE:
      return VG_TYPE_NUMBER_EDITOR;
    }
  g_return_val_if_reached (VG_TYPE_NUMBER_EDITOR);
}

GtkWidget *
vg_param_row_new (VgSession *session, const VgParam *param, char mnemonic)
{
  VgParamRow *self = g_object_new (VG_TYPE_PARAM_ROW, NULL);

  self->session = vg_hold (self, session);
  self->table = &vg_session_get_operation (session)->params;
  self->param = param;
  self->editor = vg_editor_new (editor_type_for (param), session, param);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  self->problem = words_new ("error");
  self->advice = words_new ("warning");
  gtk_box_append (GTK_BOX (self->box), line_new (self, mnemonic));
  gtk_box_append (GTK_BOX (self->box), self->problem);
  gtk_box_append (GTK_BOX (self->box), self->advice);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "vg-row");
  g_signal_connect_swapped (self->editor, "problem", G_CALLBACK (on_problem), self);
  return GTK_WIDGET (self);
}
