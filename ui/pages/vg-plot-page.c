/* SPDX-License-Identifier: MIT */
/* The buttons around a plot. */
#include "ui/pages/vg-plot-page.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/choosers/vg-file-chooser.h"
#include "ui/plot/vg-plot-export.h"
#include "ui/panels/vg-results-panel.h"
#include "ui/common/vg-turn-box.h"
#include "ui/common/vg-widgets.h"

/* METRICS_PX: at least, for three of them */
enum { METRICS_WIDTH_PX = 270, METRICS_PX = 72 };

struct _VgPlotPage
{
  VgBin parent_instance;
  GtkWidget *box, *side, *plot, *note, *metrics, *reset;
  gboolean has_choices;
  char *name;
};

G_DEFINE_FINAL_TYPE (VgPlotPage, vg_plot_page, VG_TYPE_BIN)

static void
on_copy (VgPlotPage *self)
{
  const VgCurves *curves = vg_plot_view_get_curves (VG_PLOT_VIEW (self->plot));
  g_autofree char *metrics = curves && curves->metrics ? vg_metrics_to_csv (curves->metrics) : NULL;
  g_autofree char *values = curves ? vg_curves_to_csv (curves) : NULL;
  g_autofree char *csv = metrics ? g_strconcat (metrics, "\n", values, NULL)
                                 : g_steal_pointer (&values);

  if (csv)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), csv);
  g_signal_emit_by_name (self, "message", csv == NULL,
                         csv ? _ ("The plot's numbers were copied")
                             : _ ("The plot is empty, so there is nothing to copy"));
}

static void
on_saved (gpointer asker, GListModel *files)
{
  VgPlotPage *self = asker;
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL;

  if (path)
    {
      gboolean saved = vg_plot_export (vg_plot_view_get_scene (VG_PLOT_VIEW (self->plot)), path,
                                       MAX (gtk_widget_get_width (self->plot), 480),
                                       MAX (gtk_widget_get_height (self->plot), 300), &error);
      g_autofree char *text = saved ? g_strdup_printf (_ ("Saved \"%s\""), path)
                                    : g_strdup (error->message);
      g_signal_emit_by_name (self, "message", !saved, text);
    }
}

static void
on_save (VgPlotPage *self)
{
  g_autofree char *name = g_strdup_printf ("%s.csv", self->name);
  const VgFileQuestion question = { .title = _ ("Save the plot: .csv, .png, .svg or .pdf"),
                                    .accept = "_Save",
                                    .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                    .name = name };

  g_strdelimit (name, " /", '-');
  vg_file_chooser_ask (GTK_WIDGET (self), &question, on_saved);
}

static void
on_zoom_changed (VgPlotPage *self)
{
  gtk_widget_set_sensitive (self->reset, vg_plot_view_is_zoomed (VG_PLOT_VIEW (self->plot)));
}

/* One over the other, beside the plot. */
static GtkWidget *
add_buttons (VgPlotPage *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *copy = vg_icon_button_new ("edit-copy-symbolic", _ ("Copy the numbers"));
  GtkWidget *save = vg_icon_button_new ("document-save-symbolic", _ ("Save numbers or image"));

  self->reset = vg_icon_button_new ("zoom-fit-best-symbolic", _ ("Show the whole plot"));
  gtk_widget_set_valign (row, GTK_ALIGN_END);
  gtk_widget_add_css_class (row, "vg-plot-buttons");
  gtk_widget_add_css_class (row, "vg-compact");
  gtk_widget_set_sensitive (self->reset, FALSE);
  gtk_box_append (GTK_BOX (row), self->reset);
  gtk_box_append (GTK_BOX (row), copy);
  gtk_box_append (GTK_BOX (row), save);
  g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (vg_plot_view_reset_zoom),
                            self->plot);
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (on_copy), self);
  g_signal_connect_swapped (save, "clicked", G_CALLBACK (on_save), self);
  g_signal_connect_swapped (self->plot, "zoom-changed", G_CALLBACK (on_zoom_changed), self);
  return row;
}

static void
show_side (VgPlotPage *self)
{
  gtk_widget_set_visible (self->side, self->has_choices || gtk_widget_get_visible (self->metrics));
}

void
vg_plot_page_set_curves (VgPlotPage *self, VgCurves *curves)
{
  const VgMetrics *metrics = curves ? curves->metrics : NULL;

  vg_results_panel_set (VG_RESULTS_PANEL (self->metrics), metrics);
  gtk_widget_set_visible (self->metrics, metrics != NULL && metrics->items->len > 0);
  show_side (self);
  vg_plot_view_set_curves (VG_PLOT_VIEW (self->plot), curves, NULL, 0);
}

void
vg_plot_page_add (VgPlotPage *self, GtkWidget *widget)
{
  gtk_box_prepend (GTK_BOX (self->side), widget);
  gtk_widget_add_css_class (self->side, "vg-bar");
  self->has_choices = TRUE;
  show_side (self);
}

void
vg_plot_page_add_head (VgPlotPage *self, GtkWidget *widget)
{
  gtk_box_prepend (GTK_BOX (self->box), widget);
}

void
vg_plot_page_set_note (VgPlotPage *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->note), text ? text : "");
  gtk_widget_set_visible (self->note, text != NULL);
}

VgPlotView *
vg_plot_page_get_plot (VgPlotPage *self)
{
  return VG_PLOT_VIEW (self->plot);
}

static void
vg_plot_page_finalize (GObject *object)
{
  VgPlotPage *self = VG_PLOT_PAGE (object);

  g_clear_pointer (&self->name, g_free);
  G_OBJECT_CLASS (vg_plot_page_parent_class)->finalize (object);
}

static void
vg_plot_page_class_init (VgPlotPageClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_plot_page_finalize;
  vg_signal_new (VG_TYPE_PLOT_PAGE, "message", 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
}

static void
vg_plot_page_init (VgPlotPage *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  self->note = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "visible", FALSE, NULL);
  gtk_widget_add_css_class (self->note, "dim-label");
  gtk_widget_add_css_class (self->note, "vg-plot-note");
  gtk_widget_add_css_class (self->side, "vg-compact");
  gtk_widget_set_visible (self->side, FALSE);
  gtk_box_append (GTK_BOX (self->box), self->note);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
vg_plot_page_new (const char *name, const char *empty_text, gboolean titled)
{
  VgPlotPage *self = g_object_new (VG_TYPE_PLOT_PAGE, NULL);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *turned;

  self->name = g_strdup (name);
  self->plot = vg_plot_view_new (name, empty_text);
  vg_plot_view_set_titled (VG_PLOT_VIEW (self->plot), titled);
  self->metrics = vg_results_panel_new (NULL, name);
  gtk_widget_set_size_request (self->metrics, METRICS_WIDTH_PX, METRICS_PX);
  gtk_widget_set_vexpand (self->metrics, TRUE);
  gtk_widget_set_visible (self->metrics, FALSE);
  gtk_box_append (GTK_BOX (self->side), self->metrics);
  gtk_box_append (GTK_BOX (row), self->plot);
  gtk_box_append (GTK_BOX (row), add_buttons (self));
  turned = vg_turn_box_new (row, self->side);
  gtk_widget_set_vexpand (turned, TRUE);
  gtk_box_append (GTK_BOX (self->box), turned);
  return GTK_WIDGET (self);
}
