/* SPDX-License-Identifier: MIT */
#include "ui/camera/vg-camera-dialog.h"
#include "io/live/vg-live.h"
#include "ui/camera/vg-camera-list.h"
#include "ui/camera/vg-live-kinds.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum {
  INTERVAL_MS = 2000,
  MARGIN_PX = 18,
  WIDTH_PX = 480,
  LIST_PX = 150,
  WIDE_CHARS = 48,
  ADDRESS_CHARS = 42
};

struct _VgCameraDialog
{
  GtkWindow parent_instance;
  VgCameraList *cameras;
  char *present; /* the device that is open, chosen at first; or NULL */
  GtkWidget *list, *looking, *missing, *address, *problem, *open;
};

G_DEFINE_FINAL_TYPE (VgCameraDialog, vg_camera_dialog, GTK_TYPE_WINDOW)

static const char ADDRESS[] = "vg-address", NAME[] = "vg-name";

/* What *Open* opens, owned by the widgets: what was typed, else the chosen row; NULL: nothing. */
static const char *
get_address (VgCameraDialog *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->address));
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));

  if (*text != '\0')
    return text;
  return row != NULL ? g_object_get_data (G_OBJECT (row), ADDRESS) : NULL;
}

static void
update (VgCameraDialog *self)
{
  const char *address = get_address (self);
  gboolean typed = *gtk_editable_get_text (GTK_EDITABLE (self->address)) != '\0';

  gtk_widget_set_sensitive (self->open, address != NULL && vg_live_is_address (address));
  gtk_widget_set_visible (self->problem, typed && !vg_live_is_address (address));
}

static void
choose (VgCameraDialog *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  g_autofree char *address = g_strdup (get_address (self)), *name = NULL;

  if (row != NULL && *gtk_editable_get_text (GTK_EDITABLE (self->address)) == '\0')
    name = g_strdup (g_object_get_data (G_OBJECT (row), NAME));
  if (address == NULL || !vg_live_is_address (address))
    return;
  g_object_ref (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit_by_name (self, "chosen", address, name);
  gtk_window_destroy (GTK_WINDOW (self));
  g_object_unref (self);
}

/* A row is chosen in place of what was typed. */
static void
on_selected (VgCameraDialog *self)
{
  if (gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list)) != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->address), "");
  update (self);
}

/* ---- the list ---- */

static GtkWidget *
row_new (const VgCameraEntry *entry)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2),
            *name = vg_label_new (entry->description, "heading"),
            *address = vg_label_new (entry->address, "dim-label");

  g_object_set (name, "wrap", TRUE, "ellipsize", PANGO_ELLIPSIZE_NONE, NULL);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), address);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), ADDRESS, g_strdup (entry->address), g_free);
  g_object_set_data_full (G_OBJECT (row), NAME, g_strdup (entry->description), g_free);
  vg_widget_describe (row, entry->description, NULL);
  return row;
}

/* Why the devices of a kind cannot be listed. */
static void
show_missing (VgCameraDialog *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < vg_camera_list_get_n (self->cameras); i++)
    {
      const VgCameraEntry *entry = vg_camera_list_get (self->cameras, i);

      if (entry->missing)
        {
          g_string_append (text, text->len > 0 ? "\n" : "");
          g_string_append_printf (text, _ ("%s devices cannot be listed: %s."), entry->address,
                                  entry->description);
        }
    }
  gtk_label_set_text (GTK_LABEL (self->missing), text->str);
  gtk_widget_set_visible (self->missing, text->len > 0);
}

static void
fill (VgCameraDialog *self)
{
  GtkListBox *list = GTK_LIST_BOX (self->list);
  GtkListBoxRow *selected = gtk_list_box_get_selected_row (list);
  g_autofree char *before = selected != NULL
                                ? g_strdup (g_object_get_data (G_OBJECT (selected), ADDRESS))
                                : g_steal_pointer (&self->present);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (list, row);
  for (guint i = 0; i < vg_camera_list_get_n (self->cameras); i++)
    {
      const VgCameraEntry *entry = vg_camera_list_get (self->cameras, i);

      if (entry->missing)
        continue;
      row = row_new (entry);
      gtk_list_box_append (list, row);
      if (g_strcmp0 (before, entry->address) == 0)
        gtk_list_box_select_row (list, GTK_LIST_BOX_ROW (row));
    }
  row = gtk_widget_get_first_child (self->list);
  if (row != NULL && gtk_widget_get_next_sibling (row) == NULL)
    gtk_list_box_select_row (list, GTK_LIST_BOX_ROW (row)); /* the only one */
  gtk_label_set_text (GTK_LABEL (self->looking),
                      _ ("Cameras that are connected now appear in the list by themselves."));
  show_missing (self);
  update (self);
}

/* ---- the dialog ---- */

static GtkWidget *
text_new (const char *css_class)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "max-width-chars",
                                   WIDE_CHARS, NULL);

  gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
list_new (VgCameraDialog *self)
{
  GtkWidget *scrolled;

  self->list = gtk_list_box_new ();
  gtk_list_box_set_activate_on_single_click (GTK_LIST_BOX (self->list), FALSE);
  gtk_widget_add_css_class (self->list, "rich-list");
  vg_widget_describe (self->list, _ ("Cameras"), NULL);
  scrolled = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_NEVER,
                           "min-content-height", LIST_PX, "vexpand", TRUE, "has-frame", TRUE,
                           "child", self->list, NULL);
  vg_connect (self->list, "row-selected", on_selected, self);
  vg_connect (self->list, "row-activated", choose, self);
  return scrolled;
}

/* What can be typed as an address. */
static GtkWidget *
kinds_new (void)
{
  GtkWidget *grid = g_object_new (GTK_TYPE_GRID, "column-spacing", 12, NULL);
  guint n;
  const VgLiveKind *kinds = vg_live_kinds (&n);

  for (guint i = 0; i < n; i++)
    {
      GtkWidget *form = vg_label_new (kinds[i].form, "monospace"),
                *what = vg_label_new (_ (kinds[i].what), "dim-label");

      gtk_widget_set_valign (form, GTK_ALIGN_START);
      g_object_set (what, "wrap", TRUE, "xalign", 0.0, "ellipsize", PANGO_ELLIPSIZE_NONE, NULL);
      gtk_grid_attach (GTK_GRID (grid), form, 0, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), what, 1, (int) i, 1, 1);
    }
  return grid;
}

static GtkWidget *
buttons_new (VgCameraDialog *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12),
            *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel")),
            *help = gtk_button_new_with_mnemonic (_ ("_Help"));

  self->open = gtk_button_new_with_mnemonic (_ ("_Open"));
  vg_widget_describe (self->open, _ ("Open Camera"), NULL);
  gtk_widget_add_css_class (self->open, "suggested-action");
  gtk_widget_set_halign (buttons, GTK_ALIGN_END);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (help), "win.document");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (help), "s", "live.md");
  gtk_box_append (GTK_BOX (buttons), help);
  gtk_box_append (GTK_BOX (buttons), cancel);
  gtk_box_append (GTK_BOX (buttons), self->open);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_close), self);
  g_signal_connect_swapped (self->open, "clicked", G_CALLBACK (choose), self);
  return buttons;
}

static void
vg_camera_dialog_dispose (GObject *object)
{
  VgCameraDialog *self = VG_CAMERA_DIALOG (object);

  if (self->cameras != NULL)
    vg_camera_list_stop (self->cameras);
  g_clear_object (&self->cameras);
  g_clear_pointer (&self->present, g_free);
  G_OBJECT_CLASS (vg_camera_dialog_parent_class)->dispose (object);
}

static void
vg_camera_dialog_class_init (VgCameraDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_camera_dialog_dispose;
  vg_signal_new (G_TYPE_FROM_CLASS (class), "chosen", 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
vg_camera_dialog_init (VgCameraDialog *self)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing",
                                 12, "margin-top", MARGIN_PX, "margin-bottom", MARGIN_PX,
                                 "margin-start", MARGIN_PX, "margin-end", MARGIN_PX, NULL);

  vg_dialog_set_title (GTK_WINDOW (self), _ ("Open Camera"));
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH_PX, -1);
  self->looking = text_new ("dim-label");
  gtk_label_set_text (GTK_LABEL (self->looking), _ ("Looking for cameras…"));
  self->missing = text_new ("dim-label");
  gtk_widget_set_visible (self->missing, FALSE);
  self->address = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->address), ADDRESS_CHARS);
  gtk_entry_set_activates_default (GTK_ENTRY (self->address), TRUE);
  self->problem = text_new ("error");
  gtk_label_set_text (GTK_LABEL (self->problem), _ ("Enter an address in one of these forms."));
  gtk_box_append (GTK_BOX (box), list_new (self));
  gtk_box_append (GTK_BOX (box), self->looking);
  gtk_box_append (GTK_BOX (box), self->missing);
  vg_box_add_line (box, _ ("_Address"), self->address, _ ("Address"),
                   _ ("Address of a source that is not in the list"));
  gtk_box_append (GTK_BOX (box), kinds_new ());
  gtk_box_append (GTK_BOX (box), self->problem);
  gtk_box_append (GTK_BOX (box), buttons_new (self));
  vg_connect (self->address, "changed", update, self);
  gtk_window_set_default_widget (GTK_WINDOW (self), self->open);
  gtk_window_set_child (GTK_WINDOW (self), box);
  update (self);
}

GtkWidget *
vg_camera_dialog_new (GtkWindow *parent, const char *present)
{
  VgCameraDialog *self = g_object_new (VG_TYPE_CAMERA_DIALOG, "transient-for", parent,
                                       "destroy-with-parent", TRUE, NULL);

  gtk_widget_insert_action_group (GTK_WIDGET (self), "win", G_ACTION_GROUP (parent));
  if (present != NULL && vg_live_is_address (present))
    self->present = vg_live_address_device (present);
  self->cameras = vg_camera_list_new (vg_live_list, INTERVAL_MS);
  vg_connect (self->cameras, "changed", fill, self);
  return GTK_WIDGET (self);
}
