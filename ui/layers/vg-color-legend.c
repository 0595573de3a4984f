/* SPDX-License-Identifier: MIT */
#include "ui/layers/vg-color-legend.h"
#include <math.h>
#include "ui/words/vg-translation.h"

enum { SWATCH = 14, GAP = 8, ROW = 6 };

static const GdkRGBA ink = { 0.93, 0.93, 0.93, 1 }, dim = { 0.72, 0.72, 0.74, 1 };

static PangoLayout *
make_layout (GtkWidget *widget, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, NULL);
  g_autofree char *markup = g_markup_printf_escaped ("<small>%s</small>", text);

  pango_layout_set_markup (layout, markup, -1);
  return layout;
}

static char *
name_of (const VgColorBarContent *content, int label)
{
  return content->names != NULL ? g_strdup (vg_translate (content->names[label]))
                                : g_strdup_printf ("%d", label);
}

/* "12 %", and what is there but rounds to nothing as such. */
static char *
share_of (const VgColorBarContent *content, int label)
{
  double percent = 100 * content->shares[label];

  return percent > 0 && percent < 0.5 ? g_strdup ("< 1 %") : g_strdup_printf ("%.0f %%", percent);
}

static void
measure_text (GtkWidget *widget, const char *text, int *width, int *height)
{
  g_autoptr (PangoLayout) layout = make_layout (widget, text);
  int own_width, own_height;

  pango_layout_get_pixel_size (layout, &own_width, &own_height);
  *width = MAX (*width, own_width);
  *height = MAX (*height, own_height);
}

/* The widest name and share, and a row's height. */
static void
measure_columns (GtkWidget *widget, const VgColorBarContent *content, int *name, int *share,
                 int *row)
{
  *name = *share = 0;
  *row = SWATCH;
  for (int i = 1; i <= content->labels; i++)
    {
      g_autofree char *text = name_of (content, i), *percent = share_of (content, i);

      measure_text (widget, text, name, row);
      measure_text (widget, percent, share, row);
    }
  *row += ROW;
}

void
vg_color_legend_measure (GtkWidget *widget, const VgColorBarContent *content, int *width,
                         int *height)
{
  int name, share, row;

  measure_columns (widget, content, &name, &share, &row);
  *width = SWATCH + GAP + name + GAP + share;
  *height = content->labels * row;
}

static void
draw_text (GtkWidget *widget, GtkSnapshot *snapshot, const char *text, const GdkRGBA *color,
           double x, double middle)
{
  g_autoptr (PangoLayout) layout = make_layout (widget, text);
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, round (middle - 0.5 * height)));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

void
vg_color_legend_draw (GtkWidget *widget, GtkSnapshot *snapshot, const VgColorBarContent *content)
{
  int name, share, row;

  measure_columns (widget, content, &name, &share, &row);
  for (int i = 1; i <= content->labels; i++)
    {
      g_autofree char *text = name_of (content, i), *percent = share_of (content, i);
      double middle = (i - 0.5) * row;
      float label = i;
      guint8 rgba[4];

      vg_coloring_apply (&content->coloring, &label, 1, rgba);
      gtk_snapshot_append_color (
          snapshot, &(GdkRGBA){ rgba[0] / 255.f, rgba[1] / 255.f, rgba[2] / 255.f, 1 },
          &GRAPHENE_RECT_INIT (0, round (middle - 0.5 * SWATCH), SWATCH, SWATCH));
      draw_text (widget, snapshot, text, &ink, SWATCH + GAP, middle);
      draw_text (widget, snapshot, percent, &dim, SWATCH + GAP + name + GAP, middle);
    }
}

char *
vg_color_legend_describe (const VgColorBarContent *content)
{
  g_autoptr (GString) text = g_string_new (_ ("Legend"));

  for (int i = 1; i <= content->labels; i++)
    {
      g_autofree char *name = name_of (content, i), *percent = share_of (content, i);

      g_string_append_printf (text, "%s %s %s", i == 1 ? ":" : ",", name, percent);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
