/* SPDX-License-Identifier: MIT */
#include "ui/receive/vg-receive.h"
#include "io/dicom/receive/vg-dicom-receiver.h"
#include "io/dicom/receive/vg-dicom-series.h"
#include "io/source/vg-source.h"
#include "ui/common/vg-object.h"
#include "ui/common/vg-widgets.h"
#include "ui/words/vg-translation.h"

enum {
  LOOK_MS = 500,
  REST_US = 700000,    /* without an image, until the time points are counted */
  STEADY_US = 3000000, /* between two counts while images come without a rest */
  MOST_BUSY = 3,       /* counting takes at most a quarter of the time */
  LEAST = 3,           /* time points of a series */
  MARGIN_PX = 18,
  WIDTH_PX = 480,
  WIDE_CHARS = 48,
  ADDRESS_CHARS = 38
};

/* What is offered at first: the port that is registered for DICOM. */
#define ADDRESS "dicom-listen://11112/~/dicom-received"

struct _VgReceive
{
  GObject parent_instance;
  VgDicomReceiver *receiver; /* NULL: nothing is received */
  char *used;                /* the address at which it was received last */
  GtkWidget *status;
  guint tick_id; /* while something is received; 0: none */
  guint said;
  /* the counting of time points */
  GCancellable *counting; /* NULL: none is under way */
  guint64 counted;        /* images that had come when they were counted last */
  char *path;             /* of an image of the series that was counted last; NULL: none was */
  gint64 volumes;         /* that it had */
  char *opened;           /* `path` when it was opened last in this reception; NULL: it was not */
  gboolean due;           /* "arrived" has not been answered */
  gint64 begin_us, after_us; /* of the counting; before which the next one does not begin */
  /* of the dialog; NULL: it is not shown */
  GtkWidget *dialog, *address, *button, *state, *problem;
};

G_DEFINE_FINAL_TYPE (VgReceive, vg_receive, G_TYPE_OBJECT)

/* ---- time points ---- */

/* A series and its time points. */
typedef struct
{
  char *folder, *path;
  GHashTable *names; /* of the files that were received */
} Count;

static void
count_free (gpointer data)
{
  Count *self = data;

  g_free (self->folder);
  g_free (self->path);
  g_hash_table_unref (self->names);
  g_free (self);
}

static void
count_volumes (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Count *count = data;
  char *path = vg_dicom_find_series (count->folder, count->names, count->path, NULL);
  g_autoptr (VgSource) source = path != NULL ? vg_source_open (path, NULL, NULL) : NULL;

  g_free (count->path);
  count->path = path;
  g_task_return_int (task, source != NULL ? source->info.frames : 0);
}

static void
on_counted (GObject *object, GAsyncResult *result, gpointer data)
{
  VgReceive *self = VG_RECEIVE (object);
  const Count *count = g_task_get_task_data (G_TASK (result));
  gint64 now_us = g_get_monotonic_time (), n = g_task_propagate_int (G_TASK (result), NULL);

  if (g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result))))
    return;
  g_clear_object (&self->counting);
  self->after_us = now_us + MOST_BUSY * (now_us - self->begin_us);
  if (count->path == NULL)
    return; /* it cannot be read at present */
  if (g_strcmp0 (count->path, self->path) != 0)
    self->volumes = 0; /* another series */
  g_free (self->path);
  self->path = g_strdup (count->path);
  if (n < LEAST || n <= self->volumes)
    return;
  self->volumes = n;
  self->due = TRUE;
}

/* Counts the time points if images have come since the last time: when none comes for a moment,
 * and now and then while they come. */
static void
look_at_series (VgReceive *self, const VgDicomReceived *state)
{
  gint64 now_us = g_get_monotonic_time ();
  guint64 come = state->stored + state->repeated;
  g_autoptr (GTask) task = NULL;
  Count *count;

  if (self->counting != NULL || come == self->counted || now_us < self->after_us ||
      (now_us - state->last_us < REST_US && now_us - self->begin_us < STEADY_US))
    return;
  self->counted = come;
  self->begin_us = now_us;
  self->counting = g_cancellable_new ();
  count = g_new0 (Count, 1);
  count->folder = g_strdup (vg_dicom_receiver_get_folder (self->receiver));
  count->path = g_strdup (self->path);
  count->names = vg_dicom_receiver_list (self->receiver);
  task = g_task_new (self, self->counting, on_counted, NULL);
  g_task_set_task_data (task, count, count_free);
  g_task_run_in_thread (task, count_volumes);
}

/* ---- state ---- */

/* Where the program listens, owned. */
static char *
describe_place (VgReceive *self)
{
  g_autofree char *sentence = vg_dicom_receiver_describe (self->receiver);

  return vg_sentence (vg_translate (sentence));
}

/* What has been received, owned. */
static char *
describe (const VgDicomReceived *state)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (state->stored + state->repeated + state->refused + state->broken == 0)
    return g_strdup (_ ("Waiting for DICOM images"));
  g_string_printf (text,
                   ngettext ("%u image received", "%u images received", (gulong) state->stored),
                   (guint) state->stored);
  if (state->repeated > 0)
    g_string_append_printf (text, _ (", %u already in the folder"), (guint) state->repeated);
  if (state->refused > 0)
    g_string_append_printf (text, _ (", %u refused"), (guint) state->refused);
  if (state->broken > 0)
    g_string_append_printf (text,
                            ngettext (", %u connection interrupted", ", %u connections interrupted",
                                      (gulong) state->broken),
                            (guint) state->broken);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
update (gpointer data)
{
  VgReceive *self = data;
  VgDicomReceived state = { 0 };
  g_autofree char *text = NULL, *place = NULL;

  if (self->receiver != NULL)
    {
      vg_dicom_receiver_get_state (self->receiver, &state);
      place = describe_place (self);
      text = describe (&state);
      look_at_series (self, &state);
      if (self->due)
        g_signal_emit_by_name (self, "arrived", self->path, self->opened);
    }
  gtk_widget_set_visible (self->status, text != NULL);
  gtk_label_set_text (GTK_LABEL (self->status), text != NULL ? text : "");
  if (self->dialog != NULL)
    {
      g_autofree char *both = text != NULL ? g_strconcat (place, ".\n", text, NULL) : g_strdup ("");

      gtk_label_set_text (GTK_LABEL (self->state), both);
      gtk_widget_set_visible (self->state, text != NULL);
      gtk_button_set_label (GTK_BUTTON (self->button),
                            self->receiver != NULL ? _ ("Stop Receiving") : _ ("Receive"));
      gtk_editable_set_editable (GTK_EDITABLE (self->address), self->receiver == NULL);
    }
  for (; self->said < state.said; self->said++)
    {
      g_autofree char *sentence = vg_sentence (vg_translate (state.sentences[self->said]));

      g_signal_emit_by_name (self, "event", sentence);
    }
  if (self->receiver != NULL)
    return G_SOURCE_CONTINUE;
  self->tick_id = 0;
  return G_SOURCE_REMOVE;
}

static void
stop (VgReceive *self)
{
  g_clear_handle_id (&self->tick_id, g_source_remove);
  g_cancellable_cancel (self->counting);
  g_clear_object (&self->counting);
  g_clear_pointer (&self->receiver, vg_dicom_receiver_free);
  self->counted = 0;
  self->volumes = self->after_us = 0;
  self->said = 0;
  self->due = FALSE;
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->opened, g_free);
}

gboolean
vg_receive_start (VgReceive *self, const char *address, GError **error)
{
  char *used;

  if (!vg_dicom_receiver_check_address (address, error))
    return FALSE;
  used = g_strdup (address);
  stop (self);
  g_free (self->used);
  self->used = used;
  self->receiver = vg_dicom_receiver_new (used, error);
  self->begin_us = g_get_monotonic_time ();
  if (self->receiver != NULL)
    self->tick_id = g_timeout_add (LOOK_MS, update, self);
  update (self);
  return self->receiver != NULL;
}

static void
start_or_stop (VgReceive *self)
{
  g_autoptr (GError) error = NULL;

  if (self->receiver == NULL)
    vg_receive_start (self, gtk_editable_get_text (GTK_EDITABLE (self->address)), &error);
  else
    {
      stop (self);
      update (self);
    }
  gtk_widget_set_visible (self->problem, error != NULL);
  if (error != NULL)
    {
      g_autofree char *text = vg_sentence (vg_translate (error->message));

      gtk_label_set_text (GTK_LABEL (self->problem), text);
    }
}

/* ---- the dialog ---- */

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
on_closed (VgReceive *self)
{
  self->dialog = NULL;
}

static void
fill_dialog (VgReceive *self, GtkWidget *box)
{
  self->address = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (self->address), self->used);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->address), ADDRESS_CHARS);
  gtk_entry_set_activates_default (GTK_ENTRY (self->address), TRUE);
  self->problem = text_new ("", "error");
  gtk_widget_set_visible (self->problem, FALSE);
  self->state = text_new ("", "dim-label");
  self->button = gtk_button_new_with_label ("");
  gtk_widget_add_css_class (self->button, "suggested-action");
  gtk_widget_set_halign (self->button, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (box),
                  text_new (_ ("Vivograph receives MR and CT images that a scanner or an archive "
                               "(PACS) sends by DICOM (C-STORE). The series is shown while it "
                               "arrives."),
                            NULL));
  vg_box_add_line (box, _ ("_Address"), self->address, _ ("Address for receiving"),
                   _ ("dicom-listen://PORT/FOLDER: PORT is the port on which Vivograph listens, "
                      "FOLDER the folder in which images are stored"));
  gtk_box_append (GTK_BOX (box),
                  text_new (_ ("Only programs on this computer can send to "
                               "dicom-listen://PORT/FOLDER. For a scanner, write "
                               "dicom-listen://0.0.0.0:PORT/FOLDER. Then anyone on the network can "
                               "send images. Any AE title is accepted."),
                            "dim-label"));
  gtk_box_append (GTK_BOX (box), self->problem);
  gtk_box_append (GTK_BOX (box), self->state);
  gtk_box_append (GTK_BOX (box), self->button);
}

void
vg_receive_show_dialog (VgReceive *self, GtkWindow *parent)
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
  vg_dialog_set_title (GTK_WINDOW (self->dialog), _ ("Receive DICOM Images"));
  fill_dialog (self, box);
  gtk_window_set_default_widget (GTK_WINDOW (self->dialog), self->button);
  vg_connect (self->button, "clicked", start_or_stop, self);
  vg_connect (self->dialog, "destroy", on_closed, self);
  update (self);
  gtk_window_present (GTK_WINDOW (self->dialog));
}

void
vg_receive_note_opened (VgReceive *self)
{
  self->due = FALSE;
  g_free (self->opened);
  self->opened = g_strdup (self->path);
}

GtkWidget *
vg_receive_get_status (VgReceive *self)
{
  return self->status;
}

static void
vg_receive_finalize (GObject *object)
{
  VgReceive *self = VG_RECEIVE (object);

  stop (self);
  g_free (self->used);
  g_clear_object (&self->status);
  G_OBJECT_CLASS (vg_receive_parent_class)->finalize (object);
}

static void
vg_receive_class_init (VgReceiveClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_receive_finalize;
  vg_signal_new (VG_TYPE_RECEIVE, "arrived", 2, G_TYPE_STRING, G_TYPE_STRING);
  vg_signal_new (VG_TYPE_RECEIVE, "event", 1, G_TYPE_STRING);
}

static void
vg_receive_init (VgReceive *self)
{
  self->used = g_strdup (ADDRESS);
  self->status = g_object_ref_sink (vg_label_new ("", "dim-label"));
  gtk_label_set_ellipsize (GTK_LABEL (self->status), PANGO_ELLIPSIZE_END);
  gtk_widget_set_visible (self->status, FALSE);
}

VgReceive *
vg_receive_new (void)
{
  return g_object_new (VG_TYPE_RECEIVE, NULL);
}
