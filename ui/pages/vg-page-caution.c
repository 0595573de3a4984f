/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-page-caution.h"
#include <string.h>
#include "app/compute/vg-named-param.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/params/vg-remedy-label.h"

enum { N_BUTTONS = 2 };

struct _VgPageCaution
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *box, *label, *buttons[N_BUTTONS];
  VgRemedy remedies[N_BUTTONS]; /* of the buttons */
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

/* The next setting that *REST names, other than BUT; moves *REST behind it. */
static VgRemedy
take_named (VgPageCaution *self, const char **rest, const VgParam *but)
{
  const VgParam *param;

  do
    {
      param = vg_named_param (&vg_session_get_operation (self->session)->params,
                              vg_session_get_params (self->session), *rest);
      *rest = param != NULL ? skip_label (*rest, param) : "";
    }
  while (param != NULL && param == but);
  return (VgRemedy){ .param = param };
}

void
vg_page_caution_set (VgPageCaution *self, const VgMetric *metric)
{
  const char *rest = metric != NULL ? metric->advice : NULL; /* which names settings in English */
  const char *text = vg_translate (rest);
  VgRemedy known;

  gtk_widget_set_visible (GTK_WIDGET (self), rest != NULL);
  if (rest == NULL)
    return;
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (self->label), text);
  known = vg_remedy_for (self->session, metric);
  for (int i = 0; i < N_BUTTONS; i++)
    {
      VgRemedy remedy = i == 0 && known.known
                            ? known
                            : take_named (self, &rest, known.known ? known.param : NULL);
      g_autofree char *label = vg_remedy_label (&remedy);

      gtk_widget_set_visible (self->buttons[i], label != NULL);
      if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (self->buttons[i])), label) != 0)
        gtk_button_set_label (GTK_BUTTON (self->buttons[i]), label != NULL ? label : "");
      self->remedies[i] = remedy;
    }
}

static void
on_clicked (VgPageCaution *self, GtkWidget *button)
{
  for (int i = 0; i < N_BUTTONS; i++)
    if (button == self->buttons[i] && self->remedies[i].param != NULL &&
        !vg_remedy_apply (&self->remedies[i], self->session))
      g_signal_emit_by_name (self, "setting", self->remedies[i].param->id);
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
  self->label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "lines", 5, "ellipsize",
                              PANGO_ELLIPSIZE_END, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT,
                              NULL);
  vg_label_show_whole (self->label);
  gtk_widget_add_css_class (self->box, "vg-banner");
  gtk_widget_add_css_class (self->box, "warning");
  gtk_widget_add_css_class (row, "vg-compact");
  gtk_box_append (GTK_BOX (self->box), self->label);
  for (int i = 0; i < N_BUTTONS; i++)
    {
      self->buttons[i] = vg_wrapping_button_new ();
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
