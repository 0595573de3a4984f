/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-page-caution.h"
#include <string.h>
#include "app/compute/vg-named-param.h"
#include "ui/common/vg-widgets.h"

enum { N_BUTTONS = 2 };

struct _VgPageCaution
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *box, *label, *buttons[N_BUTTONS];
  const VgParam *params[N_BUTTONS]; /* that the buttons lead to; NULL: none */
};

G_DEFINE_FINAL_TYPE (VgPageCaution, vg_page_caution, VG_TYPE_BIN)

/* What follows the label of PARAM in TEXT. */
static const char *
skip_label (const char *text, const VgParam *param)
{
  gsize length = strlen (param->label);

  while (*text != '\0' && g_ascii_strncasecmp (text, param->label, length) != 0)
    text++;
  return text + MIN (length, strlen (text));
}

void
vg_page_caution_set (VgPageCaution *self, const char *text)
{
  const char *rest = text;

  gtk_widget_set_visible (GTK_WIDGET (self), text != NULL);
  if (text == NULL)
    return;
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (self->label), text);
  for (int i = 0; i < N_BUTTONS; i++)
    {
      const VgParam *param = rest ? vg_named_param (
                                        &vg_session_get_operation (self->session)->params,
                                        vg_session_get_params (self->session), rest)
                                  : NULL;

      gtk_widget_set_visible (self->buttons[i], param != NULL);
      rest = param ? skip_label (rest, param) : NULL;
      if (param != NULL && param != self->params[i])
        gtk_button_set_label (GTK_BUTTON (self->buttons[i]), param->label);
      self->params[i] = param;
    }
}

static void
on_clicked (VgPageCaution *self, GtkWidget *button)
{
  for (int i = 0; i < N_BUTTONS; i++)
    if (button == self->buttons[i] && self->params[i] != NULL)
      g_signal_emit_by_name (self, "setting", self->params[i]->id);
}

static void
vg_page_caution_class_init (VgPageCautionClass *class)
{
  vg_signal_new (VG_TYPE_PAGE_CAUTION, "setting", 1, G_TYPE_STRING);
}

static void
vg_page_caution_init (VgPageCaution *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  /* without ellipsize GTK 4.8 asks for the width at which the text fits the height of the plots */
  self->label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "lines", 3, "ellipsize",
                              PANGO_ELLIPSIZE_END, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT,
                              NULL);
  vg_label_tell_whole (self->label);
  gtk_widget_add_css_class (self->box, "vg-banner");
  gtk_widget_add_css_class (self->box, "warning");
  gtk_widget_add_css_class (row, "vg-compact");
  gtk_box_append (GTK_BOX (self->box), self->label);
  for (int i = 0; i < N_BUTTONS; i++)
    {
      self->buttons[i] = gtk_button_new_with_label ("");
      g_signal_connect_swapped (self->buttons[i], "clicked", G_CALLBACK (on_clicked), self);
      gtk_box_append (GTK_BOX (row), self->buttons[i]);
    }
  gtk_box_append (GTK_BOX (self->box), row);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_page_caution_new (VgSession *session)
{
  VgPageCaution *self = g_object_new (VG_TYPE_PAGE_CAUTION, NULL);

  self->session = vg_hold (self, session);
  return GTK_WIDGET (self);
}
