/* SPDX-License-Identifier: MIT */
#include "ui/panels/vg-side-pane.h"
#include "ui/words/vg-translation.h"
#include "ui/panels/vg-display-panel.h"
#include "ui/panels/vg-read-options-panel.h"
#include "ui/panels/vg-results-panel.h"
#include "ui/params/vg-param-panel.h"

enum { MIN_WIDTH_PX = 300, MARGIN_PX = 6 };
#define STALE_OPACITY 0.5

struct _VgSidePane
{
  GtkBox parent_instance;
  VgSession *session;
  GtkWidget *stack, *params, *results, *read_options;
  GtkWidget *display_page, *display; /* NULL: the page has not been shown yet */
  VgResult *result;                  /* for `display`; NULL: it has been told, or there is none */
};

G_DEFINE_FINAL_TYPE (VgSidePane, vg_side_pane, GTK_TYPE_BOX)

GtkWidget *
vg_side_pane_get_read_options (VgSidePane *self)
{
  return self->read_options;
}

GtkWidget *
vg_side_pane_get_results (VgSidePane *self)
{
  return self->results;
}

void
vg_side_pane_put_first (VgSidePane *self, GtkWidget *widget)
{
  vg_param_panel_put_first (VG_PARAM_PANEL (self->params), widget);
}

void
vg_side_pane_set_display (VgSidePane *self, VgResult *result)
{
  if (self->display != NULL)
    {
      vg_display_panel_set_result (VG_DISPLAY_PANEL (self->display), result);
      return;
    }
  g_clear_pointer (&self->result, vg_result_unref);
  self->result = result != NULL ? vg_result_ref (result) : NULL;
}

/* The many controls of the page Display are made when it is shown, not before the first image. */
static void
on_page (VgSidePane *self)
{
  if (self->display != NULL ||
      gtk_stack_get_visible_child (GTK_STACK (self->stack)) != self->display_page)
    return;
  self->display = vg_display_panel_new (self->session);
  gtk_widget_set_vexpand (self->display, TRUE);
  gtk_box_append (GTK_BOX (self->display_page), self->display);
  vg_display_panel_set_result (VG_DISPLAY_PANEL (self->display), self->result);
  g_clear_pointer (&self->result, vg_result_unref);
}

void
vg_side_pane_set_kept (VgSidePane *self, VgReference *kept)
{
  vg_results_panel_set_kept (VG_RESULTS_PANEL (self->results), kept);
}

void
vg_side_pane_set_metrics (VgSidePane *self, const VgMetrics *metrics, const VgKeyNumber *number)
{
  vg_results_panel_set_number (VG_RESULTS_PANEL (self->results), number);
  vg_results_panel_set (VG_RESULTS_PANEL (self->results), metrics);
}

void
vg_side_pane_set_figures (VgSidePane *self, const VgMetrics *metrics, const VgImageInfo *info)
{
  vg_param_panel_set_figures (VG_PARAM_PANEL (self->params), metrics, info);
}

void
vg_side_pane_set_stale (VgSidePane *self, gboolean stale)
{
  gtk_widget_set_opacity (self->results, stale ? STALE_OPACITY : 1);
}

gboolean
vg_side_pane_is_stale (VgSidePane *self)
{
  return gtk_widget_get_opacity (self->results) < 1;
}

void
vg_side_pane_go_to (VgSidePane *self, const VgParam *param)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "settings");
  vg_param_panel_go_to (VG_PARAM_PANEL (self->params), param);
}

void
vg_side_pane_show_page (VgSidePane *self, const char *name)
{
  GtkWidget *page = gtk_stack_get_child_by_name (GTK_STACK (self->stack), name);

  if (page == NULL)
    return;
  gtk_stack_set_visible_child (GTK_STACK (self->stack), page);
  gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD);
}

void
vg_side_pane_show_results (VgSidePane *self)
{
  vg_side_pane_show_page (self, "results");
}

static void
vg_side_pane_dispose (GObject *object)
{
  g_clear_pointer (&VG_SIDE_PANE (object)->result, vg_result_unref);
  G_OBJECT_CLASS (vg_side_pane_parent_class)->dispose (object);
}

static void
vg_side_pane_class_init (VgSidePaneClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_side_pane_dispose;
}

static void
vg_side_pane_init (VgSidePane *self)
{
  GtkWidget *switcher = gtk_stack_switcher_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_size_request (GTK_WIDGET (self), MIN_WIDTH_PX, -1);
  gtk_widget_add_css_class (GTK_WIDGET (self), "vg-side");
  self->stack = gtk_stack_new ();
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (self->stack));
  gtk_widget_set_halign (switcher, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (switcher, MARGIN_PX);
  gtk_widget_set_margin_bottom (switcher, MARGIN_PX);
  gtk_box_append (GTK_BOX (self), switcher);
  gtk_box_append (GTK_BOX (self), self->stack);
}

GtkWidget *
vg_side_pane_new (VgSession *session)
{
  VgSidePane *self = g_object_new (VG_TYPE_SIDE_PANE, NULL);
  GtkStack *stack = GTK_STACK (self->stack);

  self->params = vg_param_panel_new (session);
  self->session = vg_hold (self, session);
  self->display_page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->results = vg_results_panel_new (session, _ ("Results"));
  g_signal_connect_swapped (self->results, "go-to", G_CALLBACK (vg_side_pane_go_to), self);
  self->read_options = vg_read_options_panel_new ();
  vg_param_panel_put_first (VG_PARAM_PANEL (self->params), self->read_options);
  gtk_stack_add_titled (stack, self->params, "settings", _ ("Settings"));
  gtk_stack_add_titled (stack, self->display_page, "display", _ ("Display"));
  gtk_stack_add_titled (stack, self->results, "results", _ ("Results"));
  g_signal_connect_swapped (stack, "notify::visible-child", G_CALLBACK (on_page), self);
  return GTK_WIDGET (self);
}
