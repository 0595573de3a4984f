/* SPDX-License-Identifier: MIT */
/* The size can be changed when a format is chosen. */
#include "ui/export/vg-figure-choice.h"
#include "app/figure/vg-map-figure.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/export/vg-format-choice.h"

struct _VgFigureChoice
{
  GtkWidget parent_instance;
  GtkWidget *formats, *mm, *dpi;
};

G_DEFINE_FINAL_TYPE (VgFigureChoice, vg_figure_choice, GTK_TYPE_WIDGET)

static int
read_whole (GtkWidget *entry)
{
  return gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (entry));
}

void
vg_figure_choice_apply (VgFigureChoice *self, VgExportOptions *options)
{
  options->figures = vg_format_choice_get (VG_FORMAT_CHOICE (self->formats));
  options->figure_mm = options->figures != 0 ? read_whole (self->mm) : 0;
  options->figure_dpi = (options->figures & VG_FIGURE_PNG) != 0 ? read_whole (self->dpi) : 0;
}

static void
on_changed (VgFigureChoice *self)
{
  guint figures = vg_format_choice_get (VG_FORMAT_CHOICE (self->formats));

  gtk_widget_set_sensitive (self->mm, figures != 0);
  gtk_widget_set_sensitive (self->dpi, (figures & VG_FIGURE_PNG) != 0);
  g_signal_emit_by_name (self, "changed");
}

static void
vg_figure_choice_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (vg_figure_choice_parent_class)->dispose (object);
}

static void
vg_figure_choice_class_init (VgFigureChoiceClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_figure_choice_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "changed", 0);
}

/* A number with its UNIT behind it. */
static GtkWidget *
add_number (VgFigureChoice *self, double min, double max, double value, const char *unit,
            const char *name, const char *help)
{
  GtkWidget *entry = vg_number_entry_new (min, max, 5, TRUE);

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 4);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 5);
  gtk_widget_add_css_class (entry, "vg-narrow");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry), value);
  vg_widget_describe (entry, name, help);
  g_signal_connect_swapped (entry, "value-changed", G_CALLBACK (on_changed), self);
  gtk_widget_set_parent (entry, GTK_WIDGET (self));
  gtk_widget_set_parent (vg_label_new (unit, NULL), GTK_WIDGET (self));
  return entry;
}

static void
vg_figure_choice_init (VgFigureChoice *self)
{
  static const VgFormatItem items[] = {
    { VG_FIGURE_PNG, "PNG", N_ ("Figure as PNG"),
      N_ ("The map on the screen with colour bar, scale bar and regions, as an image") },
    { VG_FIGURE_SVG, "SVG", N_ ("Figure as SVG"),
      N_ ("The figure as text and lines that a drawing program can edit") },
    { VG_FIGURE_PDF, "PDF", N_ ("Figure as PDF"), N_ ("The figure for papers and printing") },
  };

  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              6);
  self->formats = vg_format_choice_new (items, G_N_ELEMENTS (items), 0);
  gtk_widget_set_hexpand (self->formats, TRUE);
  gtk_widget_set_parent (self->formats, GTK_WIDGET (self));
  self->mm = add_number (self, VG_FIGURE_LEAST_MM, VG_FIGURE_MOST_MM, VG_FIGURE_USUAL_MM, _ ("mm"),
                         _ ("Width of the figure, mm"),
                         _ ("A column of most journals is 85 mm wide, a page 180 mm"));
  self->dpi = add_number (self, VG_FIGURE_LEAST_DPI, VG_FIGURE_MOST_DPI, VG_FIGURE_USUAL_DPI,
                          _ ("dpi"), _ ("Dots per inch"),
                          _ ("Resolution of the PNG figure; printing needs 300 or more"));
  gtk_widget_set_sensitive (self->mm, FALSE);
  gtk_widget_set_sensitive (self->dpi, FALSE);
  g_signal_connect_swapped (self->formats, "changed", G_CALLBACK (on_changed), self);
}

GtkWidget *
vg_figure_choice_new (void)
{
  return g_object_new (VG_TYPE_FIGURE_CHOICE, NULL);
}
