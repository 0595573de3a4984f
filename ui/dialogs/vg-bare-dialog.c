/* SPDX-License-Identifier: MIT */
/* The first guess is a usual size of cameras that divides the file. */
#include "ui/dialogs/vg-bare-dialog.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-object.h"

struct _VgBareDialog
{
  GtkWindow parent_instance;
  GtkWidget *width, *height, *type, *order, *offset, *count, *open;
  gint64 size;
};

G_DEFINE_FINAL_TYPE (VgBareDialog, vg_bare_dialog, GTK_TYPE_WINDOW)

static const struct
{
  const char *id, *label;
  int bytes;
} types[] = {
  { "u16", N_ ("16-bit whole numbers"), 2 },
  { "u8", N_ ("8-bit whole numbers"), 1 },
  { "u32", N_ ("32-bit whole numbers"), 4 },
  { "f32", N_ ("32-bit float"), 4 },
};
static const char *const orders[] = { N_ ("little-endian"), N_ ("big-endian"), NULL };
static const int usual[][2] = { { 512, 512 },   { 1024, 1024 }, { 2048, 2048 },
                                { 640, 480 },   { 1280, 1024 }, { 1392, 1040 },
                                { 1920, 1200 }, { 256, 256 },   { 128, 128 } };

static void
guess (VgBareDialog *self)
{
  for (guint type = 0; type < 2; type++)
    for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
      if (self->size % ((gint64) usual[i][0] * usual[i][1] * types[type].bytes) == 0)
        {
          gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->width), usual[i][0]);
          gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->height), usual[i][1]);
          gtk_drop_down_set_selected (GTK_DROP_DOWN (self->type), type);
          return;
        }
}

/* How many frames that makes; none can't be opened. */
static void
update (VgBareDialog *self)
{
  guint type = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->type));
  gint64 frame = (gint64) gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->width)) *
                 (gint64) gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->height)) *
                 types[MIN (type, G_N_ELEMENTS (types) - 1)].bytes;
  gint64 rest = self->size - (gint64) gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->offset)),
         n = frame > 0 && rest > 0 ? rest / frame : 0;
  g_autofree char *text = NULL;

  if (n == 0)
    text = g_strdup_printf (_ ("The file has %ld bytes, less than one such frame."),
                            (long) self->size);
  else if (rest % frame == 0)
    text = g_strdup_printf (ngettext ("%ld frame, and no bytes are left over.",
                                      "%ld frames, and no bytes are left over.", (gulong) n),
                            (long) n);
  else
    text = g_strdup_printf (ngettext ("%ld frame, and %ld bytes are left over.",
                                      "%ld frames, and %ld bytes are left over.", (gulong) n),
                            (long) n, (long) (rest % frame));
  gtk_label_set_text (GTK_LABEL (self->count), text);
  gtk_widget_set_sensitive (self->open, n > 0);
  gtk_widget_set_sensitive (self->order, types[MIN (type, G_N_ELEMENTS (types) - 1)].bytes > 1);
}

static void
on_open (VgBareDialog *self)
{
  gint64 offset = (gint64) gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->offset));
  guint type = MIN (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->type)),
                    G_N_ELEMENTS (types) - 1);
  const char *order = types[type].bytes == 1                                          ? ""
                      : gtk_drop_down_get_selected (GTK_DROP_DOWN (self->order)) == 1 ? "be"
                                                                                      : "le";
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (
      text, "%dx%d:%s%s", gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->width)),
      gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->height)), types[type].id, order);
  if (offset > 0)
    g_string_append_printf (text, "@%" G_GINT64_FORMAT, offset);
  g_signal_emit_by_name (self, "chosen", text->str);
  gtk_window_destroy (GTK_WINDOW (self));
}

static GtkWidget *
number (VgBareDialog *self, double min, double max)
{
  GtkWidget *entry = vg_number_entry_new (min, max, 1, TRUE);

  g_signal_connect_swapped (entry, "value-changed", G_CALLBACK (update), self);
  return entry;
}

static void
build (VgBareDialog *self, GtkWidget *box)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12),
            *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    gtk_string_list_append (names, _ (types[i].label));
  self->width = number (self, 1, 65535);
  self->height = number (self, 1, 65535);
  self->offset = number (self, 0, 1e12);
  self->type = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&names)), NULL);
  self->order = vg_choice_new (orders);
  self->count = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, NULL);
  self->open = gtk_button_new_with_mnemonic (_ ("_Open"));
  vg_widget_describe (self->open, _ ("Open raw frames"), NULL);
  gtk_widget_add_css_class (self->open, "suggested-action");
  gtk_widget_add_css_class (self->count, "dim-label");
  g_signal_connect_swapped (self->type, "notify::selected", G_CALLBACK (update), self);
  vg_box_add_line (box, _ ("_Width"), self->width, _ ("Width, px"), NULL);
  vg_box_add_line (box, _ ("_Height"), self->height, _ ("Height, px"), NULL);
  vg_box_add_line (box, _ ("_Samples"), self->type, _ ("Type of the samples"), NULL);
  vg_box_add_line (box, _ ("_Byte order"), self->order, _ ("Byte order"),
                   _ ("Little-endian: the lowest byte first, as on most computers"));
  vg_box_add_line (box, _ ("Bytes before the _first"), self->offset,
                   _ ("Bytes before the first frame"), NULL);
  gtk_box_append (GTK_BOX (box), self->count);
  gtk_widget_set_halign (buttons, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (buttons), cancel);
  gtk_box_append (GTK_BOX (buttons), self->open);
  gtk_box_append (GTK_BOX (box), buttons);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_close), self);
  g_signal_connect_swapped (self->open, "clicked", G_CALLBACK (on_open), self);
  gtk_window_set_default_widget (GTK_WINDOW (self), self->open);
}

static void
vg_bare_dialog_class_init (VgBareDialogClass *class)
{
  vg_signal_new (G_TYPE_FROM_CLASS (class), "chosen", 1, G_TYPE_STRING);
}

static void
vg_bare_dialog_init (VgBareDialog *self)
{
  vg_dialog_set_title (GTK_WINDOW (self), _ ("Raw Frames"));
  gtk_window_set_resizable (GTK_WINDOW (self), FALSE);
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
}

GtkWidget *
vg_bare_dialog_new (GtkWindow *parent, const char *name, gint64 size)
{
  VgBareDialog *self = g_object_new (VG_TYPE_BARE_DIALOG, "transient-for", parent,
                                     "destroy-with-parent", TRUE, NULL);
  g_autofree char *text = g_strdup_printf (_ ("\"%s\" does not give the size of its frames."),
                                           name);
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing",
                                 12, "margin-top", 18, "margin-bottom", 18, "margin-start", 18,
                                 "margin-end", 18, "width-request", 340, NULL);

  self->size = size;
  gtk_box_append (GTK_BOX (box), g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "wrap",
                                               TRUE, "max-width-chars", 40, NULL));
  build (self, box);
  gtk_window_set_child (GTK_WINDOW (self), box);
  guess (self);
  update (self);
  return GTK_WIDGET (self);
}
