/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-param-row.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"

struct _VgParamRow
{
  VgBin parent_instance;
  VgSession *session;
  const VgParamTable *table; /* of the operation at birth: the session may move on */
  const VgParam *param;
  GtkWidget *box, *editor, *reset, *hint, *problem, *advice;
  double measured, pixel_um; /* what 0 came to, NaN: not known; 0: not known */
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
  return self->param->kind == VG_PARAM_ACTION ||
         vg_param_equal (self->param, vg_session_get_params (self->session),
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
  gtk_label_set_text (GTK_LABEL (self->problem), text ? text : "");
  gtk_widget_set_visible (self->problem, text != NULL);
}

/* What a number of pixels is in micrometres, and what 0 came to. */
static void
show_hint (VgParamRow *self)
{
  double value = vg_param_get_number (self->param, vg_session_get_params (self->session));
  gboolean automatic = self->param->auto_metric != NULL && value == 0,
           pixels = g_strcmp0 (self->param->unit, "px") == 0 && self->pixel_um > 0;
  g_autofree char *number = NULL, *um = NULL, *text = NULL;

  if (automatic)
    value = self->measured;
  number = vg_format_number (value);
  um = pixels && isfinite (value) && value > 0
           ? g_strdup_printf ("%.3g \302\265m", value * self->pixel_um)
           : NULL;
  if (automatic && isfinite (value))
    text = g_strdup_printf (_ ("automatic (%s%s%s%s%s)"), number, self->param->unit ? " " : "",
                            self->param->unit ? self->param->unit : "", um ? ", " : "",
                            um ? um : "");
  else
    text = g_strdup (automatic ? "automatic" : um ? um : "");
  gtk_label_set_text (GTK_LABEL (self->hint), text);
  /* where there can be one its line stays, so that nothing moves under the pointer */
  gtk_widget_set_visible (self->hint, self->param->auto_metric != NULL || pixels);
}

/* What the result says of the setting itself. */
static void
show_advice (VgParamRow *self, const VgMetric *number)
{
  const char *text = number != NULL && number->advice != NULL ? number->advice : "";

  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->advice)), text) != 0)
    gtk_label_set_text (GTK_LABEL (self->advice), text);
  gtk_widget_set_visible (self->advice, *text != '\0');
}

void
vg_param_row_set_figures (VgParamRow *self, const VgMetrics *metrics, double pixel_um)
{
  const char *id = self->param->auto_metric;
  const VgMetric *number = id != NULL && metrics != NULL ? vg_metrics_find (metrics, id) : NULL;

  self->measured = number != NULL ? number->value : NAN;
  self->pixel_um = pixel_um;
  show_hint (self);
  show_advice (self, metrics != NULL ? vg_metrics_find (metrics, self->param->id) : NULL);
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
  gboolean changed = !is_first (self);

  gtk_widget_set_visible (
      GTK_WIDGET (self),
      vg_param_is_shown (self->table, self->param, vg_session_get_params (self->session)));
  /* Keeps its place, so that nothing moves under the pointer. */
  gtk_widget_set_opacity (self->reset, changed ? 1 : 0);
  gtk_widget_set_sensitive (self->reset, changed);
  vg_editor_sync (VG_EDITOR (self->editor));
  show_hint (self);
}

static void
vg_param_row_class_init (VgParamRowClass *class)
{
}

static void
vg_param_row_init (VgParamRow *self)
{
}

static GtkWidget *
header_new (VgParamRow *self, char mnemonic)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *label = vg_label_new (NULL, NULL);
  GtkWidget *compact = vg_editor_get_compact (VG_EDITOR (self->editor)),
            *focus = vg_editor_get_focus (VG_EDITOR (self->editor));
  g_autofree char *text = with_mnemonic (vg_translate (self->param->label), mnemonic);
  g_autofree char *reset_name = g_strdup_printf (_ ("Reset %s"), vg_translate (self->param->label));

  gtk_label_set_text_with_mnemonic (GTK_LABEL (label), text);
  gtk_widget_set_hexpand (label, TRUE);
  vg_widget_set_tooltip (label, vg_translate (self->param->help));
  if (focus)
    vg_label_set_target (label, focus);
  gtk_box_append (GTK_BOX (header), label);
  if (compact)
    gtk_box_append (GTK_BOX (header), compact);
  self->reset = vg_icon_button_new ("edit-undo-symbolic", reset_name);
  gtk_widget_add_css_class (self->reset, "vg-reset");
  gtk_widget_set_valign (self->reset, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (on_reset), self);
  gtk_box_append (GTK_BOX (header), self->reset);
  return header;
}

const VgParam *
vg_param_row_get_param (VgParamRow *self)
{
  return self->param;
}

void
vg_param_row_focus (VgParamRow *self)
{
  GtkWidget *focus = vg_editor_get_focus (VG_EDITOR (self->editor));

  gtk_widget_grab_focus (focus ? focus : self->editor);
}

GtkWidget *
vg_param_row_new (VgSession *session, const VgParam *param, char mnemonic)
{
  VgParamRow *self = g_object_new (VG_TYPE_PARAM_ROW, NULL);
  GtkWidget *header;

  self->session = vg_hold (self, session);
  self->table = &vg_session_get_operation (session)->params;
  self->param = param;
  self->measured = NAN;
  self->editor = vg_editor_new (session, param);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  header = header_new (self, mnemonic);
  gtk_widget_set_visible (header, param->kind != VG_PARAM_ACTION);
  self->problem = words_new ("error");
  self->advice = words_new ("warning");
  gtk_box_append (GTK_BOX (self->box), header);
  self->hint = vg_label_new (NULL, "dim-label");
  gtk_widget_add_css_class (self->hint, "caption");
  gtk_box_append (GTK_BOX (self->box), self->editor);
  gtk_box_append (GTK_BOX (self->box), self->hint);
  gtk_box_append (GTK_BOX (self->box), self->problem);
  gtk_box_append (GTK_BOX (self->box), self->advice);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "vg-row");
  g_signal_connect_swapped (self->editor, "problem", G_CALLBACK (on_problem), self);
  return GTK_WIDGET (self);
}
