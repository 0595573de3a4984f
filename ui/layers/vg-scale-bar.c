/* SPDX-License-Identifier: MIT */
/* The longest 1, 2 or 5 times a power of ten that fits. */
#include "ui/layers/vg-scale-bar.h"
#include "app/figure/vg-ticks.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>

struct _VgScaleBar
{
  GtkWidget parent_instance;

  double pixels_per_unit;
  char *unit;
  double length; /* in unit */
};

G_DEFINE_FINAL_TYPE (VgScaleBar, vg_scale_bar, GTK_TYPE_WIDGET)

enum { PADDING = 8, LONGEST = 140, HEIGHT = 40, LINE = 4 };

static void
vg_scale_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const GdkRGBA ink = { 0.95, 0.95, 0.95, 1 };
  VgScaleBar *self = VG_SCALE_BAR (widget);
  g_autoptr (PangoLayout) layout = NULL;
  g_autofree char *text = NULL, *length = NULL;
  double pixels = round (self->length * self->pixels_per_unit);
  double y = gtk_widget_get_height (widget) - PADDING - LINE;
  GskRoundedRect panel;
  int text_width, text_height;

  if (!(self->pixels_per_unit > 0))
    return;
  length = vg_ticks_describe_length (self->length, self->unit);
  text = g_markup_printf_escaped ("<small>%s</small>", length);
  layout = gtk_widget_create_pango_layout (widget, NULL);
  pango_layout_set_markup (layout, text, -1);
  pango_layout_get_pixel_size (layout, &text_width, &text_height);

  gsk_rounded_rect_init_from_rect (&panel,
                                   &GRAPHENE_RECT_INIT (0, 0,
                                                        MAX (pixels, text_width) + 2 * PADDING,
                                                        gtk_widget_get_height (widget)),
                                   6);
  gtk_snapshot_push_rounded_clip (snapshot, &panel);
  gtk_snapshot_append_color (snapshot, &(GdkRGBA){ 0.06, 0.06, 0.07, 0.72 }, &panel.bounds);
  gtk_snapshot_append_color (
      snapshot, &ink,
      &GRAPHENE_RECT_INIT (round (0.5 * (panel.bounds.size.width - pixels)), y, pixels, LINE));
  gtk_snapshot_translate (
      snapshot, &GRAPHENE_POINT_INIT (round (0.5 * (panel.bounds.size.width - text_width)),
                                      y - text_height - 3));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_pop (snapshot);
}

static void
vg_scale_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, "0");
  int text_height;

  pango_layout_get_pixel_size (layout, NULL, &text_height);
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL
                            ? LONGEST + 2 * PADDING
                            : MAX (HEIGHT, text_height + LINE + PADDING + 6);
}

static void
vg_scale_bar_dispose (GObject *object)
{
  g_clear_pointer (&VG_SCALE_BAR (object)->unit, g_free);
  G_OBJECT_CLASS (vg_scale_bar_parent_class)->dispose (object);
}

static void
vg_scale_bar_class_init (VgScaleBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = vg_scale_bar_dispose;
  widget_class->snapshot = vg_scale_bar_snapshot;
  widget_class->measure = vg_scale_bar_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
vg_scale_bar_init (VgScaleBar *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "vg-scale-bar");
  self->unit = g_strdup ("");
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_scale_bar_new (void)
{
  return g_object_new (VG_TYPE_SCALE_BAR, NULL);
}

void
vg_scale_bar_set (VgScaleBar *self, double pixels_per_unit, const char *unit)
{
  g_autofree char *name = NULL, *length = NULL;

  if (self->pixels_per_unit == pixels_per_unit && strcmp (self->unit, unit) == 0)
    return;
  self->pixels_per_unit = pixels_per_unit;
  g_free (self->unit);
  self->unit = g_strdup (unit);
  self->length = pixels_per_unit > 0 ? vg_ticks_round_down (LONGEST / pixels_per_unit) : 0;
  length = vg_ticks_describe_length (self->length, unit);
  name = g_strdup_printf (_ ("Scale bar, %s"), length);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
