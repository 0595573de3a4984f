/* SPDX-License-Identifier: MIT */
#include "ui/layers/vg-color-scale.h"
#include <math.h>

enum { TICK = 4, MINOR = 2, GAP = VG_COLOR_SCALE_GAP - TICK };

static const GdkRGBA ink = { 0.93, 0.93, 0.93, 1 };

static PangoLayout *
make_label (GtkWidget *widget, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, NULL);
  g_autofree char *markup = g_markup_printf_escaped ("<small>%s</small>", text);

  pango_layout_set_markup (layout, markup, -1);
  return layout;
}

static void
draw_label (GtkSnapshot *snapshot, PangoLayout *layout, double x, double y)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (round (x), round (y)));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
}

/* A row of N colours over what may be under the map: black at the left, white at the right. */
static void
lay_over (guint8 *rgba, int n, double opacity)
{
  for (int k = 0; k < n; k++)
    for (int c = 0; c < 3; c++)
      rgba[4 * k + c] = (guint8) lrint (opacity * rgba[4 * k + c] +
                                        (1 - opacity) * 255 * k / (n - 1));
}

/* Where the picture is dimmed, each row goes from black to its colour. */
static GdkTexture *
make_ramp (const VgColorBarContent *content, const VgPlotAxis *scale, int rows)
{
  enum { N = VG_COLOR_SCALE_WIDTH };
  guint8 *rgba = g_malloc_n ((gsize) rows, N * 4);
  float values[N], light[N];
  g_autoptr (GBytes) bytes = NULL;
  VgPlotAxis axis = *scale;

  axis.start = rows;
  axis.end = 0;
  for (int i = 0; i < rows; i++)
    {
      for (int k = 0; k < N; k++)
        {
          double value = vg_plot_axis_to_value (&axis, i + 0.5);

          values[k] = (float) value;
          light[k] = k + 1;
        }
      vg_coloring_apply (&content->coloring, values, N, rgba + (gsize) i * N * 4);
      if (content->dimmed_by != NULL)
        vg_coloring_dim (rgba + (gsize) i * N * 4, light, N, 0, N);
      if (content->opacity < 1)
        lay_over (rgba + (gsize) i * N * 4, N, content->opacity);
    }
  bytes = g_bytes_new_take (rgba, (gsize) rows * N * 4);
  return gdk_memory_texture_new (N, rows, GDK_MEMORY_R8G8B8A8, bytes, N * 4);
}

static void
draw_bar (GtkWidget *widget, GtkSnapshot *snapshot, const VgColorBarContent *content,
          const VgPlotAxis *axis, const graphene_rect_t *bar, GdkTexture **ramp)
{
  int rows = MAX ((int) (bar->size.height * gtk_widget_get_scale_factor (widget)), 1);
  GskRoundedRect frame;

  if (*ramp != NULL && gdk_texture_get_height (*ramp) != rows)
    g_clear_object (ramp);
  if (*ramp == NULL)
    *ramp = make_ramp (content, axis, rows);
  gtk_snapshot_append_texture (snapshot, *ramp, bar);
  gsk_rounded_rect_init_from_rect (&frame,
                                   &GRAPHENE_RECT_INIT (bar->origin.x - 1, bar->origin.y - 1,
                                                        bar->size.width + 2, bar->size.height + 2),
                                   0);
  gtk_snapshot_append_border (
      snapshot, &frame, (float[4]){ 1, 1, 1, 1 },
      (GdkRGBA[4]){ { 1, 1, 1, 0.35 }, { 1, 1, 1, 0.35 }, { 1, 1, 1, 0.35 }, { 1, 1, 1, 0.35 } });
}

/* A tick that the number at an end would cover is left out. */
static void
draw_ticks (GtkWidget *widget, GtkSnapshot *snapshot, const VgPlotAxis *axis,
            const graphene_rect_t *bar)
{
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];
  double x = bar->origin.x + bar->size.width + 1, bottom = bar->origin.y + bar->size.height;
  double minor[VG_PLOT_MAX_MINOR];
  guint n;

  n = vg_plot_axis_minor_ticks (axis, minor);
  for (guint i = 0; i < n; i++)
    gtk_snapshot_append_color (
        snapshot, &ink,
        &GRAPHENE_RECT_INIT (x, floor (vg_plot_axis_to_pixel (axis, minor[i])), MINOR, 1));
  n = vg_plot_axis_ticks (axis, CLAMP ((int) (bar->size.height / 36), 2, 9), ticks);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (PangoLayout) layout = make_label (widget, ticks[i].label);
      double y = vg_plot_axis_to_pixel (axis, ticks[i].value);
      int height;

      pango_layout_get_pixel_size (layout, NULL, &height);
      gtk_snapshot_append_color (snapshot, &ink, &GRAPHENE_RECT_INIT (x, floor (y), TICK, 1));
      if (y > bar->origin.y + MAX (VG_COLOR_SCALE_END, 0.5 * height) + 0.5 * height &&
          y < bottom - MAX (VG_COLOR_SCALE_END, 0.5 * height) - 0.5 * height)
        draw_label (snapshot, layout, x + TICK + GAP, y - 0.5 * height);
    }
}

void
vg_color_scale_measure_unit (GtkWidget *widget, const char *unit, int *width, int *height)
{
  g_autoptr (PangoLayout) layout = make_label (widget, unit);

  pango_layout_get_pixel_size (layout, width, height);
}

int
vg_color_scale_measure_number (GtkWidget *widget)
{
  g_autoptr (PangoLayout) layout = make_label (widget, "0.0000");
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return MAX (width + TICK, VG_COLOR_SCALE_LABEL);
}

void
vg_color_scale_draw (GtkWidget *widget, GtkSnapshot *snapshot, const VgColorBarContent *content,
                     const VgPlotAxis *axis, const graphene_rect_t *bar, GdkTexture **ramp)
{
  g_autoptr (PangoLayout) unit = make_label (widget, content->unit);
  double low, high;

  draw_label (snapshot, unit, bar->origin.x - 1, 6);
  if (bar->size.height < 16)
    return;
  draw_bar (widget, snapshot, content, axis, bar, ramp);
  vg_coloring_limits (&content->coloring, &low, &high);
  if (low != high) /* the map of one value has no scale, and its number stands at the ends */
    draw_ticks (widget, snapshot, axis, bar);
}
