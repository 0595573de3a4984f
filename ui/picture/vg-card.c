/* SPDX-License-Identifier: MIT */
#include "ui/picture/vg-card.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

/* A box that leaves what lies below it to the pointer, except under its buttons: the user goes on
 * drawing and clicking beside them. */
typedef GtkBox VgThrough;
typedef GtkBoxClass VgThroughClass;
static GType vg_through_get_type (void);
G_DEFINE_TYPE (VgThrough, vg_through, GTK_TYPE_BOX)

static gboolean
contains_nothing (GtkWidget *widget, double x, double y)
{
  return FALSE;
}

static void
vg_through_class_init (VgThroughClass *class)
{
  GTK_WIDGET_CLASS (class)->contains = contains_nothing;
}

static void
vg_through_init (VgThrough *self)
{
}

static GtkWidget *
through_new (GtkOrientation orientation, int spacing)
{
  return g_object_new (vg_through_get_type (), "orientation", orientation, "spacing", spacing,
                       NULL);
}

/* Lines of a card, which must leave room for the picture; the others are copied with them.  Width
 * of its note. */
enum { MOST_LINES = 7, NOTE_CHARS = 44 };

struct _VgCard
{
  VgBin parent_instance;
  GtkWidget *box, *title, *note, *grid, *more, *choices, *copy, *close;
  char *text;
};

G_DEFINE_FINAL_TYPE (VgCard, vg_card, VG_TYPE_BIN)

static void
on_copy (VgCard *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->text);
  g_signal_emit_by_name (self, "message", FALSE, _ ("The values are on the clipboard"));
}

static void
on_close (VgCard *self)
{
  g_signal_emit_by_name (self, "closed");
}

static void
on_choice (GtkWidget *button, VgCard *self)
{
  g_signal_emit_by_name (self, "chosen",
                         GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "vg-index")));
}

static GtkWidget *
cell_at (VgCard *self, int column, int row)
{
  GtkWidget *cell = gtk_grid_get_child_at (GTK_GRID (self->grid), column, row);

  if (cell != NULL)
    return cell;
  cell = g_object_new (GTK_TYPE_LABEL, "xalign", column == 0 ? 0.0 : 1.0, "hexpand", column == 0,
                       NULL);
  gtk_widget_add_css_class (cell, column == 0 ? "dim-label" : "numeric");
  gtk_grid_attach (GTK_GRID (self->grid), cell, column, row, 1, 1);
  return cell;
}

/* What is unchanged is left alone: the card is set several times a second. */
static void
set_text (GtkWidget *label, const char *text)
{
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (label), text);
}

void
vg_card_set (VgCard *self, const char *title, const char *note, GPtrArray *cells)
{
  int all = (int) cells->len / 2, rows = all > MOST_LINES + 1 ? MOST_LINES : all;
  g_autofree char *more = g_strdup_printf (_ ("and %d more"), all - rows);
  GString *text = g_string_new (title);

  set_text (self->title, title);
  set_text (self->note, note != NULL ? note : "");
  gtk_widget_set_visible (self->note, note != NULL);
  if (note != NULL)
    g_string_append_printf (text, "\n%s", note);
  while (gtk_grid_get_child_at (GTK_GRID (self->grid), 0, rows) != NULL)
    gtk_grid_remove_row (GTK_GRID (self->grid), rows);
  set_text (self->more, more);
  gtk_widget_set_visible (self->more, all > rows);
  for (int row = 0; row < all; row++)
    {
      const char *name = cells->pdata[2 * row], *value = cells->pdata[2 * row + 1];

      if (row < rows)
        {
          set_text (cell_at (self, 0, row), name);
          set_text (cell_at (self, 1, row), value);
        }
      g_string_append_printf (text, "\n%s\t%s", name, value);
    }
  if (g_strcmp0 (self->text, text->str) != 0)
    {
      g_autofree char *aloud = g_strdelimit (g_strdup (text->str), "\n\t", ' ');

      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      aloud, -1);
    }
  g_free (self->text);
  self->text = g_string_free (text, FALSE);
}

static gboolean
same_choices (VgCard *self, const char *const *texts)
{
  GtkWidget *row = gtk_widget_get_last_child (self->choices),
            *button = row != NULL ? gtk_widget_get_first_child (row) : NULL;

  for (; button != NULL && *texts != NULL; button = gtk_widget_get_next_sibling (button), texts++)
    if (!g_str_equal (gtk_button_get_label (GTK_BUTTON (button)), *texts))
      return FALSE;
  return row != NULL && button == NULL && *texts == NULL;
}

void
vg_card_set_choices (VgCard *self, const char *title, const char *const *texts)
{
  GtkWidget *child, *row;

  gtk_widget_set_visible (self->choices, texts != NULL && texts[0] != NULL);
  /* a button that is being clicked stays until other choices come */
  if (texts == NULL || texts[0] == NULL || same_choices (self, texts))
    return;
  while ((child = gtk_widget_get_first_child (self->choices)) != NULL)
    gtk_box_remove (GTK_BOX (self->choices), child);
  child = vg_label_new (title, "dim-label");
  gtk_widget_set_can_target (child, FALSE);
  gtk_box_append (GTK_BOX (self->choices), child);
  row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_halign (row, GTK_ALIGN_START);
  gtk_widget_add_css_class (row, "linked");
  gtk_box_append (GTK_BOX (self->choices), row);
  for (int i = 0; texts[i] != NULL; i++)
    {
      GtkWidget *button = gtk_button_new_with_label (texts[i]);
      g_autofree char *name = g_strdup_printf ("%s %s", title, texts[i]);

      g_object_set_data (G_OBJECT (button), "vg-index", GINT_TO_POINTER (i));
      vg_widget_describe (button, name, NULL);
      g_signal_connect (button, "clicked", G_CALLBACK (on_choice), self);
      gtk_box_append (GTK_BOX (row), button);
    }
}

void
vg_card_set_pinned (VgCard *self, gboolean pinned)
{
  gtk_widget_set_visible (self->copy, pinned);
  gtk_widget_set_visible (self->close, pinned);
}

static void
vg_card_finalize (GObject *object)
{
  g_free (VG_CARD (object)->text);
  G_OBJECT_CLASS (vg_card_parent_class)->finalize (object);
}

static void
vg_card_class_init (VgCardClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_card_finalize;
  GTK_WIDGET_CLASS (class)->contains = contains_nothing;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_GROUP);
  vg_signal_new (VG_TYPE_CARD, "closed", 0);
  vg_signal_new (VG_TYPE_CARD, "chosen", 1, G_TYPE_INT);
  vg_signal_new (VG_TYPE_CARD, "message", 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
}

static void
vg_card_init (VgCard *self)
{
  GtkWidget *head = through_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->box = through_new (GTK_ORIENTATION_VERTICAL, 2);
  self->title = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "hexpand", TRUE, NULL);
  self->note = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "max-width-chars",
                             NOTE_CHARS, NULL);
  self->more = vg_label_new ("", "dim-label");
  self->grid = g_object_new (GTK_TYPE_GRID, "column-spacing", 12, NULL);
  self->choices = through_new (GTK_ORIENTATION_VERTICAL, 2);
  self->copy = vg_icon_button_new ("edit-copy-symbolic", _ ("Copy the values"));
  self->close = vg_icon_button_new ("window-close-symbolic", _ ("Close the card (Escape)"));
  gtk_widget_add_css_class (self->note, "dim-label");
  gtk_widget_add_css_class (self->title, "heading");
  gtk_widget_add_css_class (self->box, "vg-reading");
  gtk_widget_add_css_class (self->box, "vg-compact");
  gtk_widget_set_can_target (self->title, FALSE);
  gtk_widget_set_can_target (self->note, FALSE);
  gtk_widget_set_can_target (self->grid, FALSE);
  gtk_widget_set_can_target (self->more, FALSE);
  gtk_widget_set_visible (self->choices, FALSE);
  gtk_box_append (GTK_BOX (head), self->title);
  gtk_box_append (GTK_BOX (head), self->copy);
  gtk_box_append (GTK_BOX (head), self->close);
  gtk_box_append (GTK_BOX (self->box), head);
  gtk_box_append (GTK_BOX (self->box), self->note);
  gtk_box_append (GTK_BOX (self->box), self->grid);
  gtk_box_append (GTK_BOX (self->box), self->more);
  gtk_box_append (GTK_BOX (self->box), self->choices);
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (on_copy), self);
  g_signal_connect_swapped (self->close, "clicked", G_CALLBACK (on_close), self);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  vg_widget_describe (GTK_WIDGET (self), _ ("Values"), NULL);
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_START);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_START);
}

GtkWidget *
vg_card_new (void)
{
  return g_object_new (VG_TYPE_CARD, NULL);
}
