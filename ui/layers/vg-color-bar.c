/* SPDX-License-Identifier: MIT */
/* Even in value (in decades on a log scale), so that gamma shows as colours
 * that crowd at one end. */
#include "ui/layers/vg-color-bar.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include <string.h>
#include "ui/common/vg-plot-axis.h"

struct _VgColorBar
{
  GtkWidget parent_instance;

  VgColoring coloring;      /* colormap NULL: nothing to show */
  int labels;               /* the numbers 1 to this; 0: all values */
  const char *const *names; /* of the numbers from 0 on, or NULL */
  char *unit;
  char *dimmed_by; /* what the picture is dimmed by, or NULL */
  double opacity;  /* over what is under it */
  GdkTexture *ramp;
};

G_DEFINE_FINAL_TYPE (VgColorBar, vg_color_bar, GTK_TYPE_WIDGET)

enum {
  PADDING = 8,
  BAR_WIDTH = 14,
  TICK = 4,
  MINOR = 2,
  GAP = 4,
  LABEL_WIDTH = 52,
  MIN_HEIGHT = 96,
  NATURAL_HEIGHT = 360
};

static const GdkRGBA ink = { 0.93, 0.93, 0.93, 1 };

static PangoLayout *
make_label (VgColorBar *self, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  g_autofree char *markup = g_markup_printf_escaped ("<small>%s</small>", text);

  pango_layout_set_markup (layout, markup, -1);
  pango_layout_set_width (layout, (LABEL_WIDTH + TICK + GAP + BAR_WIDTH) * PANGO_SCALE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
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

/* The values from the bar's lower end to its upper one; always a real range. */
static void
make_axis (VgColorBar *self, VgPlotAxis *axis, double top, double bottom)
{
  double low, high;

  if (self->labels > 0)
    {
      *axis = (VgPlotAxis){ 0.5, self->labels + 0.5, FALSE, bottom, top };
      return;
    }
  vg_coloring_limits (&self->coloring, &low, &high);
  if (self->coloring.log_scale)
    {
      low = exp (low);
      high = exp (high);
    }
  *axis = (VgPlotAxis){ MIN (low, high), MAX (low, high), self->coloring.log_scale, bottom, top };
  if (!(axis->max > axis->min))
    {
      double reach = axis->min != 0 ? fabs (axis->min) * 0.01 : 1;

      axis->min -= reach;
      axis->max += reach;
    }
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
make_ramp (VgColorBar *self, int rows)
{
  enum { N = BAR_WIDTH };
  guint8 *rgba = g_malloc_n ((gsize) rows, N * 4);
  float values[N], light[N];
  g_autoptr (GBytes) bytes = NULL;
  VgPlotAxis axis;

  make_axis (self, &axis, 0, rows);
  for (int i = 0; i < rows; i++)
    {
      for (int k = 0; k < N; k++)
        {
          double value = vg_plot_axis_to_value (&axis, i + 0.5);

          values[k] = (float) (self->labels > 0 ? round (value) : value);
          light[k] = k + 1;
        }
      vg_coloring_apply (&self->coloring, values, N, rgba + (gsize) i * N * 4);
      if (self->dimmed_by != NULL)
        vg_coloring_dim (rgba + (gsize) i * N * 4, light, N, 0, N);
      if (self->opacity < 1)
        lay_over (rgba + (gsize) i * N * 4, N, self->opacity);
    }
  bytes = g_bytes_new_take (rgba, (gsize) rows * N * 4);
  return gdk_memory_texture_new (N, rows, GDK_MEMORY_R8G8B8A8, bytes, N * 4);
}

static void
draw_bar (VgColorBar *self, GtkSnapshot *snapshot, const graphene_rect_t *bar)
{
  int rows = MAX ((int) (bar->size.height * gtk_widget_get_scale_factor (GTK_WIDGET (self))), 1);
  GskRoundedRect frame;

  if (self->ramp != NULL && gdk_texture_get_height (self->ramp) != rows)
    g_clear_object (&self->ramp);
  if (self->ramp == NULL)
    self->ramp = make_ramp (self, rows);
  gtk_snapshot_append_texture (snapshot, self->ramp, bar);
  gsk_rounded_rect_init_from_rect (&frame,
                                   &GRAPHENE_RECT_INIT (bar->origin.x - 1, bar->origin.y - 1,
                                                        bar->size.width + 2, bar->size.height + 2),
                                   0);
  gtk_snapshot_append_border (
      snapshot, &frame, (float[4]){ 1, 1, 1, 1 },
      (GdkRGBA[4]){ { 1, 1, 1, 0.35 }, { 1, 1, 1, 0.35 }, { 1, 1, 1, 0.35 }, { 1, 1, 1, 0.35 } });
}

/* Each number beside the middle of its colour. */
static guint
label_ticks (const VgColorBar *self, VgPlotTick *ticks)
{
  guint n = MIN ((guint) self->labels, VG_PLOT_MAX_TICKS);

  for (guint i = 0; i < n; i++)
    {
      ticks[i].value = i + 1;
      g_snprintf (ticks[i].label, sizeof ticks[i].label, "%u", i + 1);
    }
  return n;
}

static void
draw_ticks (VgColorBar *self, GtkSnapshot *snapshot, const graphene_rect_t *bar)
{
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];
  double x = bar->origin.x + bar->size.width + 1;
  double minor[VG_PLOT_MAX_MINOR];
  VgPlotAxis axis;
  guint n;

  make_axis (self, &axis, bar->origin.y, bar->origin.y + bar->size.height);
  n = self->labels > 0 ? 0 : vg_plot_axis_minor_ticks (&axis, minor);
  for (guint i = 0; i < n; i++)
    gtk_snapshot_append_color (
        snapshot, &ink,
        &GRAPHENE_RECT_INIT (x, floor (vg_plot_axis_to_pixel (&axis, minor[i])), MINOR, 1));
  n = self->labels > 0
          ? label_ticks (self, ticks)
          : vg_plot_axis_ticks (&axis, CLAMP ((int) (bar->size.height / 36), 2, 9), ticks);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (PangoLayout) layout = make_label (
          self, self->labels > 0 && self->names != NULL ? self->names[i + 1] : ticks[i].label);
      double y = vg_plot_axis_to_pixel (&axis, ticks[i].value);
      int height;

      pango_layout_get_pixel_size (layout, NULL, &height);
      gtk_snapshot_append_color (snapshot, &ink, &GRAPHENE_RECT_INIT (x, floor (y), TICK, 1));
      draw_label (snapshot, layout, x + TICK + GAP, y - 0.5 * height);
    }
}

static void
vg_color_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgColorBar *self = VG_COLOR_BAR (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  graphene_rect_t bar = GRAPHENE_RECT_INIT (PADDING + 1, PADDING + 6, BAR_WIDTH,
                                            height - 2 * PADDING - 12);
  GskRoundedRect panel;

  if (self->coloring.colormap == NULL)
    return;
  gsk_rounded_rect_init_from_rect (&panel, &GRAPHENE_RECT_INIT (0, 0, width, height), 6);
  gtk_snapshot_push_rounded_clip (snapshot, &panel);
  gtk_snapshot_append_color (snapshot, &(GdkRGBA){ 0.06, 0.06, 0.07, 0.72 }, &panel.bounds);
  if (self->unit[0] != '\0')
    {
      g_autoptr (PangoLayout) layout = make_label (self, self->unit);
      int text_height;

      pango_layout_get_pixel_size (layout, NULL, &text_height);
      draw_label (snapshot, layout, PADDING, PADDING - 2);
      bar.origin.y += text_height;
      bar.size.height -= text_height;
    }
  if (bar.size.height >= 16)
    {
      draw_bar (self, snapshot, &bar);
      draw_ticks (self, snapshot, &bar);
    }
  gtk_snapshot_pop (snapshot);
}

/* Of the widest name that is shown. */
static int
names_width (VgColorBar *self)
{
  int widest = 0, width;

  for (int i = 1; self->names != NULL && i <= self->labels; i++)
    {
      g_autoptr (PangoLayout) layout = make_label (self, self->names[i]);

      pango_layout_get_pixel_size (layout, &width, NULL);
      widest = MAX (widest, width);
    }
  return widest;
}

static void
vg_color_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = 2 * PADDING + BAR_WIDTH + TICK + GAP +
                          MAX (LABEL_WIDTH, names_width (VG_COLOR_BAR (widget)));
  else
    {
      *minimum = MIN_HEIGHT;
      *natural = NATURAL_HEIGHT;
    }
}

static void
vg_color_bar_dispose (GObject *object)
{
  VgColorBar *self = VG_COLOR_BAR (object);

  g_clear_object (&self->ramp);
  g_clear_pointer (&self->unit, g_free);
  g_clear_pointer (&self->dimmed_by, g_free);
  G_OBJECT_CLASS (vg_color_bar_parent_class)->dispose (object);
}

static void
vg_color_bar_class_init (VgColorBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = vg_color_bar_dispose;
  widget_class->snapshot = vg_color_bar_snapshot;
  widget_class->measure = vg_color_bar_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
vg_color_bar_init (VgColorBar *self)
{
  self->unit = g_strdup ("");
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_color_bar_new (void)
{
  return g_object_new (VG_TYPE_COLOR_BAR, NULL);
}

static gboolean
coloring_equal (const VgColoring *a, const VgColoring *b)
{
  return a->colormap == b->colormap && a->low == b->low && a->high == b->high &&
         a->gamma == b->gamma && a->log_scale == b->log_scale;
}

void
vg_color_bar_set (VgColorBar *self, const VgColoring *coloring, int labels,
                  const char *const *names, const char *unit, const char *dimmed_by, double opacity)
{
  g_autofree char *name = NULL;

  if (coloring_equal (&self->coloring, coloring) && self->labels == labels &&
      self->names == names && strcmp (self->unit, unit) == 0 &&
      g_strcmp0 (self->dimmed_by, dimmed_by) == 0 && self->opacity == opacity)
    return;
  self->coloring = *coloring;
  if (self->names != names || (names != NULL && self->labels != labels))
    gtk_widget_queue_resize (GTK_WIDGET (self));
  self->labels = labels;
  self->names = names;
  self->opacity = opacity;
  g_free (self->unit);
  self->unit = g_strdup (unit);
  g_free (self->dimmed_by);
  self->dimmed_by = g_strdup (dimmed_by);
  g_clear_object (&self->ramp);
  name = g_strdup_printf (_ ("Colour bar, %.4g to %.4g %s%s%s"), labels > 0 ? 1 : coloring->low,
                          labels > 0 ? labels : coloring->high, unit,
                          dimmed_by ? ", dimmed by " : "", dimmed_by ? dimmed_by : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
