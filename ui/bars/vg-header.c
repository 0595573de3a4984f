/* SPDX-License-Identifier: MIT */
#include "ui/bars/vg-header.h"
#include "kernels/core/vg-operation.h"
#include "ui/common/vg-either.h"
#include "ui/common/vg-recent.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { LEAST_SOURCE_PX = 165 };

struct _VgHeader
{
  GtkBuilder *builder; /* owns the widgets */
  GtkWidget *record, *undo, *redo, *source;
  GtkWidget *view; /* the menu of views; NULL: there is one view only */
  GMenu *recent;
  gulong recent_id;
};

static GtkWidget *
switcher_new (void)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);
  GtkWidget *switcher = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (switcher, "linked");
  gtk_widget_set_halign (switcher, GTK_ALIGN_CENTER);
  for (guint i = 0; i < n; i++)
    {
      GtkWidget *button = gtk_toggle_button_new_with_label (vg_translate (operations[i]->title));
      g_autofree char *help = g_strdup_printf (_ ("%s (Alt+%u)"),
                                               vg_translate (operations[i]->summary), i + 1);

      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.operation");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", operations[i]->id);
      vg_widget_set_tooltip (button, help);
      gtk_box_append (GTK_BOX (switcher), button);
    }
  return switcher;
}

/* The same as a menu. */
static GtkWidget *
view_menu_new (void)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (vg_translate (operations[i]->title), NULL);

      g_menu_item_set_action_and_target (item, "win.operation", "s", operations[i]->id);
      g_menu_append_item (menu, item);
    }
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  return button;
}

static GtkWidget *
title_new (VgHeader *self)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);
  GtkWidget *title;

  if (n > 1)
    {
      self->view = view_menu_new ();
      return vg_either_new (switcher_new (), self->view);
    }
  title = vg_label_new (vg_translate (operations[0]->title), "title");
  vg_widget_set_tooltip (title, vg_translate (operations[0]->summary));
  return title;
}

static void
fill_recent (VgHeader *self)
{
  g_auto (GStrv) paths = vg_recent_list ();

  g_menu_remove_all (self->recent);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *base = g_path_get_basename (paths[i]);
      g_auto (GStrv) parts = g_strsplit (base, "_", -1);
      g_autofree char *name = g_strjoinv ("__", parts); /* one underscore would mark a mnemonic */
      g_autoptr (GMenuItem) item = g_menu_item_new (name, NULL);

      g_menu_item_set_action_and_target (item, "win.open-path", "s", paths[i]);
      g_menu_append_item (self->recent, item);
    }
}

VgHeader *
vg_header_new (void)
{
  VgHeader *self = g_new0 (VgHeader, 1);

  self->builder = gtk_builder_new_from_resource ("/org/vivograph/Vivograph/vg-header.ui");
  self->record = GTK_WIDGET (gtk_builder_get_object (self->builder, "record"));
  self->undo = GTK_WIDGET (gtk_builder_get_object (self->builder, "undo"));
  self->redo = GTK_WIDGET (gtk_builder_get_object (self->builder, "redo"));
  self->recent = G_MENU (gtk_builder_get_object (self->builder, "recent_section"));
  /* with large text the label is shortened, so that the header fits on the screen */
  self->source = g_object_new (GTK_TYPE_LABEL, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, "width-request",
                               LEAST_SOURCE_PX, "max-width-chars", 28, "xalign", 0.0, NULL);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (vg_header_get_widget (self)), self->source);
  gtk_header_bar_set_title_widget (GTK_HEADER_BAR (vg_header_get_widget (self)), title_new (self));
  fill_recent (self);
  self->recent_id = g_signal_connect_swapped (gtk_recent_manager_get_default (), "changed",
                                              G_CALLBACK (fill_recent), self);
  return self;
}

void
vg_header_free (VgHeader *self)
{
  g_signal_handler_disconnect (gtk_recent_manager_get_default (), self->recent_id);
  g_object_unref (self->builder);
  g_free (self);
}

GtkWidget *
vg_header_get_widget (VgHeader *self)
{
  return GTK_WIDGET (gtk_builder_get_object (self->builder, "header"));
}

void
vg_header_set_view (VgHeader *self, const char *title)
{
  g_autofree char *name = g_strdup_printf (_ ("View: %s"), title);

  if (self->view == NULL ||
      g_strcmp0 (gtk_menu_button_get_label (GTK_MENU_BUTTON (self->view)), title) == 0)
    return;
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->view), title);
  vg_widget_describe (self->view, name, NULL);
}

/* VERB is translated, STEP is not. */
static void
set_step (GtkWidget *button, const char *verb, const char *step, const char *keys)
{
  g_autofree char *text = step ? g_strdup_printf ("%s: %s (%s)", verb, vg_translate (step), keys)
                               : g_strdup_printf ("%s (%s)", verb, keys);

  vg_widget_set_tooltip (button, text);
}

void
vg_header_set_steps (VgHeader *self, const char *undo, const char *redo)
{
  set_step (self->undo, _ ("Undo"), undo, "Ctrl+Z");
  set_step (self->redo, _ ("Redo"), redo, "Shift+Ctrl+Z");
}

void
vg_header_set_source (VgHeader *self, const char *name, const char *whole)
{
  gtk_label_set_text (GTK_LABEL (self->source), name);
  vg_widget_set_tooltip (self->source, whole);
}

const char *
vg_header_get_source (VgHeader *self)
{
  return gtk_label_get_text (GTK_LABEL (self->source));
}

void
vg_header_set_can_record (VgHeader *self, gboolean can_record)
{
  gtk_widget_set_visible (self->record, can_record);
}
