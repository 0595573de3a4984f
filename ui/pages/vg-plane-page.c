/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-plane-page.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/choosers/vg-file-chooser.h"
#include "ui/plot/vg-plot-export.h"
#include "ui/common/vg-widgets.h"
#include "render/vg-renderer.h"

#define LEAST_OUTSIDE 0.005

struct _VgPlanePage
{
  VgBin parent_instance;
  VgSession *session;
  const VgOperation *operation;
  const VgPlot *plot;
  const VgParam *param;     /* the table of ellipses, or NULL */
  VgSession *plane_session; /* of the view of the plane: its zoom and its colours */
  GtkWidget *box, *stack, *view, *layer, *add, *remove, *fit, *color, *outside, *caution;
  gboolean changing; /* the session changes by what is done here */
  /* the output that was shown before the one that colours pixels; -1: none */
  int before;
};

G_DEFINE_FINAL_TYPE (VgPlanePage, vg_plane_page, VG_TYPE_BIN)

static void
show_buttons (VgPlanePage *self)
{
  guint n;

  vg_plane_layer_get_ellipses (VG_PLANE_LAYER (self->layer), &n);
  gtk_widget_set_sensitive (self->fit, vg_session_get_view (self->plane_session)->zoom > 0);
  if (self->param == NULL)
    return;
  gtk_widget_set_sensitive (self->add, (int) n < self->param->table.max_rows);
  gtk_widget_set_sensitive (self->remove,
                            vg_plane_layer_get_selected (VG_PLANE_LAYER (self->layer)) >= 0);
}

/* ---- the session's table ---- */

static void
follow_session (VgPlanePage *self)
{
  g_autofree char *text = NULL;
  g_autofree VgEllipse *ellipses = NULL;
  VgTable *table;
  guint n = 0;

  if (self->param == NULL)
    return;
  text = vg_param_format (self->param, vg_session_get_params (self->session));
  table = *text ? vg_table_parse (text, 5, NULL) : NULL;
  ellipses = g_new0 (VgEllipse, table ? table->rows + 1 : 1);
  for (; table && n < (guint) table->rows; n++)
    {
      const double *row = table->values + 5 * n;
      ellipses[n] = (VgEllipse){ row[0], row[1], row[2], row[3], row[4] };
    }
  vg_plane_layer_set_ellipses (VG_PLANE_LAYER (self->layer), ellipses, n,
                               (guint) self->param->table.max_rows);
  g_clear_pointer (&table, vg_table_free);
  show_buttons (self);
}

/* To what the columns allow, at a precision that a person can set. */
static double
cell (const VgColumn *column, double value)
{
  return CLAMP (round (value * 1e4) / 1e4, column->min, column->max);
}

/* The output that colours pixels by their ellipse; -1: none. */
static int
selection_of (VgPlanePage *self)
{
  return self->plot->plane->selection
             ? vg_operation_find_output (self->operation, self->plot->plane->selection)
             : -1;
}

static void
show_output (VgPlanePage *self, int output)
{
  VgView view = *vg_session_get_view (self->session);

  if (output < 0)
    return;
  if (view.output != selection_of (self))
    self->before = view.output;
  view.output = output;
  if (output == selection_of (self)) /* a kept result may have no such pixels */
    {
      view.compare = VG_COMPARE_OFF;
      view.layout = VG_LAYOUT_SINGLE;
    }
  vg_session_set_view (self->session, &view);
}

/* There are pixels to colour when there is an ellipse. */
static void
show_color (VgPlanePage *self)
{
  int output = selection_of (self);
  gboolean changing = self->changing;

  if (self->color == NULL)
    return;
  self->changing = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->color),
                                vg_session_get_view (self->session)->output == output);
  self->changing = changing;
  gtk_widget_set_sensitive (self->color,
                            vg_operation_output_is_shown (self->operation, (guint) output,
                                                          vg_session_get_params (self->session)));
}

static void
on_color (VgPlanePage *self)
{
  if (self->changing)
    return;
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->color)))
    show_output (self, selection_of (self));
  else
    show_output (self, self->before >= 0 ? self->before : (int) self->operation->view.first_output);
}

static void
on_ellipses (VgPlanePage *self, gboolean done)
{
  guint n;
  const VgEllipse *ellipses = vg_plane_layer_get_ellipses (VG_PLANE_LAYER (self->layer), &n);
  VgTable *table = vg_table_new ((int) n, 5);
  g_autofree char *before = vg_param_format (self->param, vg_session_get_params (self->session));
  g_autofree char *text = NULL;

  for (guint i = 0; i < n; i++)
    {
      const double values[] = { ellipses[i].x, ellipses[i].y, ellipses[i].a, ellipses[i].b,
                                ellipses[i].angle };

      for (int k = 0; k < 5; k++)
        table->values[5 * i + (guint) k] = cell (&self->param->table.columns[k], values[k]);
    }
  text = n > 0 ? vg_table_format (table) : g_strdup ("");
  vg_table_free (table);
  self->changing = TRUE;
  vg_session_set_text (self->session, self->param, text, NULL);
  self->changing = FALSE;
  if (*before == '\0' && n > 0)
    show_output (self, selection_of (self));
  if (done)
    {
      vg_session_commit_waiting (self->session);
      vg_session_commit (self->session, self->param->label);
      follow_session (self);
    }
}

static void
on_changed (VgPlanePage *self, guint flags)
{
  if (flags & VG_CHANGED_PARAMS && !self->changing &&
      !vg_plane_layer_is_dragging (VG_PLANE_LAYER (self->layer)) &&
      vg_session_get_operation (self->session) == self->operation)
    follow_session (self);
  if (vg_session_get_operation (self->session) == self->operation)
    show_color (self);
}

/* ---- saving ---- */

static void
draw (gpointer node, cairo_t *cr, int width, int height)
{
  gsk_render_node_draw (node, cr);
}

static void
on_saved (gpointer asker, GListModel *files)
{
  VgPlanePage *self = asker;
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = g_file_get_path (file), *text = NULL;
  g_autoptr (GskRenderNode) node = vg_plane_layer_render (VG_PLANE_LAYER (self->layer));
  g_autoptr (GError) error = NULL;

  if (path == NULL || node == NULL)
    return;
  if (vg_plot_export_drawing (draw, node, path, gtk_widget_get_width (self->view),
                              gtk_widget_get_height (self->view), &error))
    text = g_strdup_printf (_ ("Saved \"%s\""), path);
  g_signal_emit_by_name (self, "message", text == NULL, text != NULL ? text : error->message);
}

static void
on_save (VgPlanePage *self)
{
  g_autofree char *name = g_strdup_printf ("%s.png", self->plot->label);
  const VgFileQuestion question = { .title = _ ("Save the plot: .png, .svg or .pdf"),
                                    .accept = "_Save",
                                    .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                    .name = name };

  g_strdelimit (name, " /", '-');
  vg_file_chooser_ask (GTK_WIDGET (self), &question, on_saved);
}

/* ---- the widget ---- */

/* A single sample is visible against none, also on a logarithmic scale, where a third of the
 * colours or more are below it.  Pixels without data have the colour of the ground. */
static void
set_colors (VgPlanePage *self, const VgStatistics *statistics)
{
  VgDisplay display = *vg_session_get_display (self->plane_session);
  static const guint8 ground[3] = { 27, 27, 29 };

  memcpy (display.invalid_rgb, ground, sizeof ground);
  display.auto_limits = FALSE;
  display.high = isfinite (statistics->max) ? MAX (statistics->max, 2) : 1;
  display.low = display.log_scale ? 0.7 / sqrt (display.high) : 0;
  vg_session_set_display (self->plane_session, &display);
}

/* Offers to show the pixels that the plot does not show because they lie too far away. */
static void
show_outside (VgPlanePage *self)
{
  double outside = vg_plane_layer_get_outside (VG_PLANE_LAYER (self->layer));
  g_autofree char *text = g_strdup_printf (_ ("%.0f %% outside"), 100 * outside);

  if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (self->outside)), text) != 0)
    gtk_button_set_label (GTK_BUTTON (self->outside), text);
  gtk_widget_set_visible (self->outside, outside >= LEAST_OUTSIDE);
}

void
vg_plane_page_set (VgPlanePage *self, VgPlotPlane *plot)
{
  guint n = vg_session_get_n_regions (self->session);
  g_autofree VgPlotColor *colors = g_new (VgPlotColor, n + 1);

  for (guint i = 0; i < n; i++)
    {
      const guint8 *rgb = vg_session_get_region (self->session, i)->rgb;
      colors[i] = (VgPlotColor){ rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0 };
    }
  if (plot != NULL)
    set_colors (self, &plot->result->statistics);
  vg_plane_layer_set (VG_PLANE_LAYER (self->layer), plot, colors, n);
  show_outside (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), plot != NULL ? "plot" : "empty");
}

/* One row, of icons, so that the plot has the column. */
static GtkWidget *
make_buttons (VgPlanePage *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0),
            *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *save = vg_icon_button_new ("document-save-symbolic", _ ("Save image")), *near;

  gtk_widget_add_css_class (row, "vg-bar");
  gtk_widget_add_css_class (row, "vg-compact");
  if (self->param)
    {
      self->add = vg_icon_button_new ("list-add-symbolic", _ ("Add Cursor"));
      vg_widget_describe (self->add, _ ("Add Cursor"),
                          _ ("Draw an ellipse where most pixels are, or double-click in the plot "
                             "to draw one there"));
      self->remove = vg_icon_button_new ("list-remove-symbolic", _ ("Remove Cursor"));
      vg_widget_describe (self->remove, _ ("Remove Cursor"), _ ("Remove the selected ellipse"));
      gtk_box_append (GTK_BOX (row), self->add);
      gtk_box_append (GTK_BOX (row), self->remove);
      g_signal_connect_swapped (self->add, "clicked", G_CALLBACK (vg_plane_layer_add), self->layer);
      g_signal_connect_swapped (self->remove, "clicked",
                                G_CALLBACK (vg_plane_layer_remove_selected), self->layer);
    }
  if (self->param && selection_of (self) >= 0)
    {
      self->color = gtk_toggle_button_new_with_label (_ ("Colour Pixels"));
      vg_widget_describe (
          self->color, _ ("Colour Pixels"),
          _ ("Colour each pixel by the ellipse that contains it, or show the previous map again"));
      gtk_box_append (GTK_BOX (row), self->color);
      g_signal_connect_swapped (self->color, "toggled", G_CALLBACK (on_color), self);
    }
  self->fit = vg_icon_button_new ("zoom-fit-best-symbolic", _ ("Show the whole plot"));
  near = vg_icon_button_new ("zoom-in-symbolic", _ ("Zoom to the pixels"));
  gtk_widget_set_hexpand (space, TRUE);
  self->outside = gtk_button_new ();
  gtk_widget_set_visible (self->outside, FALSE);
  vg_widget_set_tooltip (self->outside, _ ("Show the pixels outside this plot too"));
  g_signal_connect_swapped (self->outside, "clicked", G_CALLBACK (vg_plane_layer_zoom_all),
                            self->layer);
  gtk_box_append (GTK_BOX (row), space);
  gtk_box_append (GTK_BOX (row), near);
  gtk_box_append (GTK_BOX (row), self->fit);
  gtk_box_append (GTK_BOX (row), save);
  g_signal_connect_swapped (near, "clicked", G_CALLBACK (vg_plane_layer_zoom_data), self->layer);
  g_signal_connect_swapped (self->fit, "clicked", G_CALLBACK (vg_image_view_zoom_fit), self->view);
  g_signal_connect_swapped (save, "clicked", G_CALLBACK (on_save), self);
  return row;
}

VgPageCaution *
vg_plane_page_get_caution (VgPlanePage *self)
{
  return VG_PAGE_CAUTION (self->caution);
}

static void
vg_plane_page_class_init (VgPlanePageClass *class)
{
  vg_signal_new (VG_TYPE_PLANE_PAGE, "message", 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
}

static void
vg_plane_page_init (VgPlanePage *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/* The view of the plane, which has a session of its own. */
static void
add_view (VgPlanePage *self)
{
  g_autofree char *name = g_strdup_printf (_ ("%s plot"), vg_translate (self->plot->label));
  VgView view;

  self->plane_session = vg_session_new (self->operation);
  view = *vg_session_get_view (self->plane_session);
  view.output = vg_operation_find_output (self->operation, self->plot->plane->output);
  view.smooth = view.overlay = FALSE;
  view.axes = view.proportions = TRUE;
  vg_session_set_view (self->plane_session, &view);
  self->view = vg_image_view_new (self->plane_session, VG_DISPLAY_AUTO);
  self->layer = vg_plane_layer_new (VG_IMAGE_VIEW (self->view));
  gtk_widget_set_size_request (self->view, 200, 200);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack),
                       vg_label_new (_ ("Nothing to plot yet."), "dim-label"), "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), self->view, "plot");
  vg_connect (self->layer, "ellipses-changed", on_ellipses, self);
  vg_connect (self->layer, "selected", show_buttons, self);
  vg_connect (self->plane_session, "changed", show_buttons, self);
}

GtkWidget *
vg_plane_page_new (VgSession *session, guint plot)
{
  VgPlanePage *self = g_object_new (VG_TYPE_PLANE_PAGE, NULL);
  const VgOperation *operation = vg_session_get_operation (session);

  self->session = vg_hold (self, session);
  self->operation = operation;
  self->plot = &operation->plots[plot];
  self->param = self->plot->plane->ellipses
                    ? vg_params_find (&operation->params, self->plot->plane->ellipses)
                    : NULL;
  self->caution = vg_page_caution_new (session);
  gtk_box_append (GTK_BOX (self->box), self->caution);
  add_view (self);
  gtk_box_append (GTK_BOX (self->box), make_buttons (self));
  /* on a line of its own: among the buttons it would make the page wider, and the image smaller */
  gtk_widget_set_halign (self->outside, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (self->box), self->outside);
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->stack);
  vg_connect (session, "changed", on_changed, self);
  self->before = -1;
  follow_session (self);
  show_buttons (self);
  show_color (self);
  return GTK_WIDGET (self);
}
