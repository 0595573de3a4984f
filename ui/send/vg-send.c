/* SPDX-License-Identifier: MIT */
#include "ui/send/vg-send.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { LOOK_MS = 500, MARGIN_PX = 18, WIDTH_PX = 480, WIDE_CHARS = 48 };

/* What is offered at first. */
#define ADDRESS "igtl-listen://18944"

struct _VgSend
{
  GObject parent_instance;
  VgSender *sender; /* NULL: nothing is sent */
  GtkWidget *status;
  guint tick_id; /* while something is sent; 0: none */
  /* of the dialog; NULL: it is not shown */
  GtkWidget *dialog, *address, *button, *state, *problem;
};

G_DEFINE_FINAL_TYPE (VgSend, vg_send, G_TYPE_OBJECT)

/* What the sender does, owned. */
static char *
describe (VgSend *self)
{
  VgSenderStatus status;

  vg_sender_get_status (self->sender, &status);
  if (status.peers == 0)
    return vg_sentence (status.sentence);
  return g_strdup_printf (
      ngettext ("Sending to %u program: %u maps sent, %u replaced by newer ones",
                "Sending to %u programs: %u maps sent, %u replaced by newer ones", status.peers),
      status.peers, (guint) status.sent, (guint) status.superseded);
}

static gboolean
update (gpointer data)
{
  VgSend *self = data;
  g_autofree char *text = self->sender != NULL ? describe (self) : NULL;

  gtk_widget_set_visible (self->status, text != NULL);
  gtk_label_set_text (GTK_LABEL (self->status), text != NULL ? text : "");
  if (self->dialog != NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->state), text != NULL ? text : "");
      gtk_widget_set_visible (self->state, text != NULL);
      gtk_button_set_label (GTK_BUTTON (self->button),
                            self->sender != NULL ? _ ("Stop Sending") : _ ("Send"));
      gtk_editable_set_editable (GTK_EDITABLE (self->address), self->sender == NULL);
    }
  if (self->sender != NULL)
    return G_SOURCE_CONTINUE;
  self->tick_id = 0;
  return G_SOURCE_REMOVE;
}

static void
start_or_stop (VgSend *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->tick_id, g_source_remove);
  if (self->sender != NULL)
    g_clear_pointer (&self->sender, vg_sender_unref);
  else
    self->sender = vg_sender_new (gtk_editable_get_text (GTK_EDITABLE (self->address)), FALSE,
                                  &error);
  gtk_widget_set_visible (self->problem, error != NULL);
  if (error != NULL)
    {
      g_autofree char *text = vg_sentence (error->message);

      gtk_label_set_text (GTK_LABEL (self->problem), text);
    }
  if (self->sender != NULL)
    self->tick_id = g_timeout_add (LOOK_MS, update, self);
  update (self);
  g_signal_emit_by_name (self, "changed");
}

static GtkWidget *
text_new (const char *text, const char *css_class)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "wrap", TRUE,
                                   "max-width-chars", WIDE_CHARS, NULL);

  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
on_closed (VgSend *self)
{
  self->dialog = NULL;
}

static void
fill_dialog (VgSend *self, GtkWidget *box)
{
  self->address = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (self->address), ADDRESS);
  gtk_entry_set_activates_default (GTK_ENTRY (self->address), TRUE);
  self->problem = text_new ("", "error");
  gtk_widget_set_visible (self->problem, FALSE);
  self->state = text_new ("", "dim-label");
  self->button = gtk_button_new_with_label ("");
  gtk_widget_add_css_class (self->button, "suggested-action");
  gtk_widget_set_halign (self->button, GTK_ALIGN_END);
  gtk_box_append (
      GTK_BOX (box),
      text_new (_ ("Sends the map that is shown, the means of the regions and the settings to "
                   "programs with OpenIGTLink, such as 3D Slicer."),
                NULL));
  vg_box_add_line (box, _ ("_Address"), self->address, _ ("Address to send to"),
                   _ ("igtl-listen://PORT lets programs on this computer connect; "
                      "igtl://HOST:PORT connects to a program"));
  gtk_box_append (GTK_BOX (box),
                  text_new (_ ("Only programs on this computer can connect to "
                               "igtl-listen://PORT. For other computers write "
                               "igtl-listen://0.0.0.0:PORT: everybody in the network can then "
                               "see the maps."),
                            "dim-label"));
  gtk_box_append (GTK_BOX (box), self->problem);
  gtk_box_append (GTK_BOX (box), self->state);
  gtk_box_append (GTK_BOX (box), self->button);
}

void
vg_send_show_dialog (VgSend *self, GtkWindow *parent)
{
  GtkWidget *box;

  if (self->dialog != NULL)
    {
      gtk_window_present (GTK_WINDOW (self->dialog));
      return;
    }
  box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 12,
                      "margin-top", MARGIN_PX, "margin-bottom", MARGIN_PX, "margin-start",
                      MARGIN_PX, "margin-end", MARGIN_PX, NULL);
  self->dialog = g_object_new (GTK_TYPE_WINDOW, "transient-for", parent, "destroy-with-parent",
                               TRUE, "default-width", WIDTH_PX, "child", box, NULL);
  vg_dialog_set_title (GTK_WINDOW (self->dialog), _ ("Send Maps"));
  fill_dialog (self, box);
  gtk_window_set_default_widget (GTK_WINDOW (self->dialog), self->button);
  vg_connect (self->button, "clicked", start_or_stop, self);
  vg_connect (self->dialog, "destroy", on_closed, self);
  update (self);
  gtk_window_present (GTK_WINDOW (self->dialog));
}

VgSender *
vg_send_get_sender (VgSend *self)
{
  return self->sender;
}

GtkWidget *
vg_send_get_status (VgSend *self)
{
  return self->status;
}

static void
vg_send_finalize (GObject *object)
{
  VgSend *self = VG_SEND (object);

  g_clear_handle_id (&self->tick_id, g_source_remove);
  g_clear_pointer (&self->sender, vg_sender_unref);
  g_clear_object (&self->status);
  G_OBJECT_CLASS (vg_send_parent_class)->finalize (object);
}

static void
vg_send_class_init (VgSendClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_send_finalize;
  vg_signal_new (VG_TYPE_SEND, "changed", 0);
}

static void
vg_send_init (VgSend *self)
{
  self->status = g_object_ref_sink (vg_label_new ("", "dim-label"));
  gtk_label_set_ellipsize (GTK_LABEL (self->status), PANGO_ELLIPSIZE_END);
  gtk_widget_set_visible (self->status, FALSE);
}

VgSend *
vg_send_new (void)
{
  return g_object_new (VG_TYPE_SEND, NULL);
}
