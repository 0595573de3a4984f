/* SPDX-License-Identifier: MIT */
/* The help pane, and which document it shows. */
#include "ui/help/vg-help-pane.h"
#include "ui/params/vg-param-row.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/tour/vg-tour.h"
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

/* The window of shortcuts has some hundred widgets, so it is built only when it is asked for; GTK
 * would build the resource gtk/help-overlay.ui at every start. */
void
vg_window_show_shortcuts (VgWindow *self)
{
  GtkApplicationWindow *window = GTK_APPLICATION_WINDOW (self);

  if (gtk_application_window_get_help_overlay (window) == NULL)
    {
      g_autoptr (GtkBuilder)
          builder = gtk_builder_new_from_resource ("/org/vivograph/Vivograph/shortcuts.ui");

      gtk_application_window_set_help_overlay (
          window, GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay")));
    }
  gtk_window_present (GTK_WINDOW (gtk_application_window_get_help_overlay (window)));
}

/* ---- tour ---- */

static void
on_tour_closed (VgWindow *self)
{
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (vg_viewer_get_image (self->viewer)));
}

static GtkWidget *
make_tour (VgWindow *self)
{
  GtkWidget *tour = vg_tour_new (self->box);
  const struct
  {
    GtkWidget *target;
    const char *title, *text;
  } steps[] = {
    { GTK_WIDGET (self->viewer), _ ("The Map"),
      _ ("The map changes as soon as you change a setting. Scroll to zoom, drag to move, and click "
         "a pixel to see its values.") },
    { self->toolbar, _ ("Regions and Maps"),
      _ ("Choose which map is shown, draw regions, measure with the ruler, and keep a result to "
         "compare it with others.") },
    { self->side, _ ("Settings"),
      _ ("Move a slider and watch the map. Every change can be undone with Ctrl+Z. The page "
         "Display has the colours, the page Results the values.") },
    { self->charts, _ ("Plots"),
      _ ("Plots show the curve of the chosen pixel or region, and values over time. F8 hides "
         "them.") },
    { self->transport, _ ("Run"),
      _ ("Pause and resume the computation, and step through frames and slices. The space bar "
         "pauses it too, if the image has the keyboard focus.") },
    { self->help.finder, _ ("Find Anything"),
      _ ("Ctrl+K finds every setting, map and action. F1 explains the setting that has the "
         "keyboard focus. Open your own files with Ctrl+O.") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    vg_tour_add (VG_TOUR (tour), steps[i].target, steps[i].title, steps[i].text);
  vg_connect (tour, "closed", on_tour_closed, self);
  return tour;
}

void
vg_window_take_tour (VgWindow *self)
{
  static const char key[] = "vg-tour";
  GtkWidget *tour = g_object_get_data (G_OBJECT (self), key);

  if (tour == NULL)
    g_object_set_data (G_OBJECT (self), key, tour = make_tour (self)); /* the box keeps it */
  vg_tour_start (VG_TOUR (tour));
}

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  VgWindow *self = data;

  if (!vg_window_has_image (self))
    return G_SOURCE_CONTINUE;
  vg_window_take_tour (self);
  return G_SOURCE_REMOVE;
}

void
vg_window_offer_tour (VgWindow *self)
{
  if (g_getenv ("VIVOGRAPH_NO_TOUR") != NULL ||
      vg_settings_get_int (self->settings, "tour", 0, 0, 1) != 0)
    return;
  vg_settings_set_int (self->settings, "tour", 1);
  gtk_widget_add_tick_callback (GTK_WIDGET (self->viewer), on_frame, self, NULL);
}
