/* SPDX-License-Identifier: MIT */
/* The help pane, and which document it shows. */
#include "ui/help/vg-help-pane.h"
#include "ui/params/vg-param-row.h"
#include "ui/window/vg-window-private.h"

/* The setting whose control has the keyboard; NULL: none. */
static const VgParam *
find_focused (VgWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self)),
            *row = focus != NULL ? gtk_widget_get_ancestor (focus, VG_TYPE_PARAM_ROW) : NULL;

  return row != NULL ? vg_param_row_get_param (VG_PARAM_ROW (row)) : NULL;
}

void
vg_window_show_document (VgWindow *self, const char *page)
{
  vg_help_pane_show (VG_HELP_PANE (self->help.pane), page);
}

void
vg_window_show_help (VgWindow *self)
{
  const char *view = vg_session_get_operation (self->session)->id;
  const VgParam *param = find_focused (self);
  g_autofree char *page = param != NULL ? g_strdup_printf ("operations/%s.md#%s", view, param->id)
                                        : g_strdup_printf ("%s.md", view);

  if (param == NULL && gtk_widget_get_visible (self->help.pane))
    vg_help_pane_close (VG_HELP_PANE (self->help.pane));
  else
    vg_window_show_document (self, page);
}

static void
on_shown (GtkWidget *pane, GParamSpec *property, VgPanes *panes)
{
  int width = 0;

  if (gtk_widget_get_visible (pane))
    gtk_widget_measure (pane, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  vg_panes_set_beside (panes, width);
}

GtkWidget *
vg_window_add_help (VgWindow *self, GtkWidget *panes)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0),
            *frame = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0); /* hidden in theatre mode */

  self->help.pane = vg_help_pane_new ();
  g_signal_connect_object (self->help.pane, "notify::visible", G_CALLBACK (on_shown), panes, 0);
  gtk_box_append (GTK_BOX (frame), self->help.pane);
  gtk_widget_set_hexpand (panes, TRUE);
  gtk_widget_set_hexpand (frame, FALSE); /* not what the search entry in it wants */
  gtk_box_append (GTK_BOX (box), panes);
  gtk_box_append (GTK_BOX (box), frame);
  return box;
}
