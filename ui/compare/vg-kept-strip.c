/* SPDX-License-Identifier: MIT */
#include "ui/compare/vg-kept-strip.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/compare/vg-kept.h"

enum { NAME_CHARS = 24 };

typedef struct
{
  VgKeptStrip *strip;
  GtkWidget *box, *toggle, *picture, *label;
} Item;

struct _VgKeptStrip
{
  GtkBox parent_instance;
  Item items[VG_KEPT_MOST];
  int n, chosen;
};

G_DEFINE_FINAL_TYPE (VgKeptStrip, vg_kept_strip, GTK_TYPE_BOX)

/* Nothing else deselects the chosen one. */
static void
on_toggled (GtkToggleButton *toggle, Item *item)
{
  VgKeptStrip *self = item->strip;
  int i = (int) (item - self->items);

  if (gtk_toggle_button_get_active (toggle) && i != self->chosen)
    {
      self->chosen = i;
      g_signal_emit_by_name (self, "chosen", i);
    }
}

static void
on_remove (GtkButton *button, Item *item)
{
  g_signal_emit_by_name (item->strip, "removed", (int) (item - item->strip->items));
}

static void
make_item (VgKeptStrip *self, int i)
{
  Item *item = &self->items[i];
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *remove = vg_icon_button_new ("window-close-symbolic", _ ("Discard the kept result"));

  item->strip = self;
  item->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  item->toggle = gtk_toggle_button_new ();
  item->picture = gtk_picture_new ();
  item->label = vg_label_new ("", "caption");
  gtk_label_set_max_width_chars (GTK_LABEL (item->label), NAME_CHARS);
  gtk_widget_set_size_request (item->picture, VG_KEPT_PICTURE_WIDTH, VG_KEPT_PICTURE_HEIGHT);
  gtk_picture_set_alternative_text (GTK_PICTURE (item->picture), _ ("Kept map"));
  gtk_box_append (GTK_BOX (content), item->picture);
  gtk_box_append (GTK_BOX (content), item->label);
  gtk_button_set_child (GTK_BUTTON (item->toggle), content);
  gtk_widget_add_css_class (item->toggle, "flat");
  if (i > 0)
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (item->toggle),
                                 GTK_TOGGLE_BUTTON (self->items[0].toggle));
  gtk_widget_set_valign (remove, GTK_ALIGN_CENTER);
  g_signal_connect (item->toggle, "toggled", G_CALLBACK (on_toggled), item);
  g_signal_connect (remove, "clicked", G_CALLBACK (on_remove), item);
  gtk_box_append (GTK_BOX (item->box), item->toggle);
  gtk_box_append (GTK_BOX (item->box), remove);
  gtk_widget_set_visible (item->box, FALSE);
  gtk_box_append (GTK_BOX (self), item->box);
}

void
vg_kept_strip_set (VgKeptStrip *self, int n, int chosen)
{
  if (self->n == n && self->chosen == chosen)
    return;
  self->n = n;
  self->chosen = chosen;
  for (int i = 0; i < VG_KEPT_MOST; i++)
    gtk_widget_set_visible (self->items[i].box, i < n);
  if (chosen < n)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->items[chosen].toggle), TRUE);
}

void
vg_kept_strip_set_item (VgKeptStrip *self, int i, const char *name, const char *help,
                        GdkPaintable *picture)
{
  Item *item = &self->items[i];

  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (item->label)), name) != 0)
    {
      gtk_label_set_text (GTK_LABEL (item->label), name);
      vg_widget_describe (item->toggle, name, NULL);
    }
  vg_widget_set_tooltip (item->toggle, help);
  gtk_picture_set_paintable (GTK_PICTURE (item->picture), picture);
}

static void
vg_kept_strip_class_init (VgKeptStripClass *class)
{
  vg_signal_new (VG_TYPE_KEPT_STRIP, "chosen", 1, G_TYPE_INT);
  vg_signal_new (VG_TYPE_KEPT_STRIP, "removed", 1, G_TYPE_INT);
}

static void
vg_kept_strip_init (VgKeptStrip *self)
{
  gtk_box_set_spacing (GTK_BOX (self), 6);
  for (int i = 0; i < VG_KEPT_MOST; i++)
    make_item (self, i);
}

GtkWidget *
vg_kept_strip_new (void)
{
  return g_object_new (VG_TYPE_KEPT_STRIP, NULL);
}
