/* SPDX-License-Identifier: MIT */
#include "ui/transport/vg-mark-button.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { MOST_CHARS = 60, WIDE_CHARS = 24 };

struct _VgMarkButton
{
  VgBin parent_instance;
  GtkWidget *button, *popover, *text;
  double now_s, time_s; /* the present moment, and the one that was marked */
};

G_DEFINE_FINAL_TYPE (VgMarkButton, vg_mark_button, VG_TYPE_BIN)

static void
on_shown (VgMarkButton *self)
{
  self->time_s = self->now_s;
  gtk_editable_set_text (GTK_EDITABLE (self->text), "");
  gtk_widget_grab_focus (self->text);
}

static void
finish (VgMarkButton *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->text))));

  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
  g_signal_emit_by_name (self, "marked", self->time_s, text);
}

static void
on_closed (VgMarkButton *self)
{
  g_signal_emit_by_name (self, "closed");
}

void
vg_mark_button_set_time (VgMarkButton *self, double time_s)
{
  self->now_s = time_s;
}

void
vg_mark_button_ask (VgMarkButton *self)
{
  gtk_menu_button_popup (GTK_MENU_BUTTON (self->button));
}

static GtkWidget *
popover_new (VgMarkButton *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *mark = gtk_button_new_with_label (_ ("Set Mark")), *popover = gtk_popover_new ();

  self->text = gtk_entry_new ();
  gtk_entry_set_max_length (GTK_ENTRY (self->text), MOST_CHARS);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->text), WIDE_CHARS);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->text), _ ("What happened?"));
  vg_widget_describe (self->text, _ ("Text of the mark"), NULL);
  gtk_widget_add_css_class (mark, "suggested-action");
  gtk_box_append (GTK_BOX (box), self->text);
  gtk_box_append (GTK_BOX (box), mark);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  vg_connect (self->text, "activate", finish, self);
  vg_connect (mark, "clicked", finish, self);
  vg_connect (popover, "show", on_shown, self);
  vg_connect (popover, "closed", on_closed, self);
  return popover;
}

static void
vg_mark_button_class_init (VgMarkButtonClass *class)
{
  vg_signal_new (G_TYPE_FROM_CLASS (class), "marked", 2, G_TYPE_DOUBLE, G_TYPE_STRING);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "closed", 0);
}

static void
vg_mark_button_init (VgMarkButton *self)
{
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->button), "bookmark-new-symbolic");
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (self->button), GTK_ARROW_UP);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), popover_new (self));
  vg_widget_describe (self->button, _ ("Mark"),
                      _ ("Mark this moment in the time courses and in a recording (M; without "
                         "a text Ctrl+M)"));
  vg_widget_describe (gtk_widget_get_first_child (self->button), _ ("Mark"), NULL);
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
}

GtkWidget *
vg_mark_button_new (void)
{
  return g_object_new (VG_TYPE_MARK_BUTTON, NULL);
}
