/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-row-ground.h"
#include "ui/common/vg-row-color.h"

enum { SWATCH = 6 };

static void
draw_swatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer row)
{
  GdkRGBA color = vg_row_color (GPOINTER_TO_INT (row));

  gdk_cairo_set_source_rgba (cr, &color);
  cairo_paint (cr);
}

GtkWidget *
vg_row_ground_new (GtkGrid *grid, int row, int line, int columns)
{
  GtkWidget *self = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *swatch = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), SWATCH);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch, GINT_TO_POINTER (row),
                                  NULL);
  gtk_grid_attach (grid, self, 0, line, columns, 2);
  gtk_grid_attach (grid, swatch, 0, line, 1, 2);
  return self;
}

void
vg_row_ground_set_chosen (GtkWidget *self, gboolean chosen)
{
  if (chosen)
    gtk_widget_add_css_class (self, "vg-selected");
  else
    gtk_widget_remove_css_class (self, "vg-selected");
}

static gboolean
scroll_to (gpointer self)
{
  GtkWidget *pane = gtk_widget_get_ancestor (self, GTK_TYPE_SCROLLED_WINDOW);
  GtkPolicyType policy = GTK_POLICY_NEVER;
  GtkAdjustment *adjustment;
  graphene_rect_t place;

  for (; pane != NULL;
       pane = gtk_widget_get_ancestor (gtk_widget_get_parent (pane), GTK_TYPE_SCROLLED_WINDOW))
    {
      gtk_scrolled_window_get_policy (GTK_SCROLLED_WINDOW (pane), NULL, &policy);
      if (policy != GTK_POLICY_NEVER)
        break;
    }
  if (pane == NULL || !gtk_widget_compute_bounds (self, pane, &place))
    return G_SOURCE_REMOVE;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (pane));
  place.origin.y += (float) gtk_adjustment_get_value (adjustment);
  gtk_adjustment_clamp_page (adjustment, place.origin.y, place.origin.y + place.size.height);
  return G_SOURCE_REMOVE;
}

/* A row that was added just now has a place once all is laid out. */
void
vg_row_ground_scroll_to (GtkWidget *self)
{
  g_idle_add_full (G_PRIORITY_LOW, scroll_to, g_object_ref (self), g_object_unref);
}
