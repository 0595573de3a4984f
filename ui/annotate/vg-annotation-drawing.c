/* SPDX-License-Identifier: MIT */
/* The same shapes as in figures (vg-map-figure-annotations.c). */
#include "ui/annotate/vg-annotation-drawing.h"
#include <math.h>

#define SEAM 0.05 /* width of the dark line about an arrow, in sizes */
#define PAD 0.2   /* room about the words, in sizes */

enum { REACH = 8, HANDLE = 4, LEAST = 1, MOST = 1000 };

static void
to_widget (const VgAnnotationPlace *self, const VgAnnotation *annotation, int i, double at[2])
{
  vg_view_transform_to_widget (self->transform, annotation->x[i], annotation->y[i], &at[0], &at[1]);
}

double
vg_annotation_place_size (const VgAnnotationPlace *self, double size)
{
  double zero[2], one[2];

  vg_view_transform_to_widget (self->transform, 0, 0, &zero[0], &zero[1]);
  vg_view_transform_to_widget (self->transform, 0, 1, &one[0], &one[1]);
  return CLAMP (size * hypot (one[0] - zero[0], one[1] - zero[1]), LEAST, MOST);
}

static PangoLayout *
layout_new (const VgAnnotationPlace *self, const VgAnnotation *words, double size)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (self->widget, words->text);
  PangoFontDescription *font = pango_font_description_from_string ("Sans");

  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  return layout;
}

/* The box of the words. */
static graphene_rect_t
measure (const VgAnnotationPlace *self, const VgAnnotation *words, double size, PangoLayout *layout)
{
  double at[2];
  int width;

  to_widget (self, words, 0, at);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return GRAPHENE_RECT_INIT ((float) at[0], (float) at[1], (float) (width + 2 * PAD * size),
                             (float) ((1.1 + 2 * PAD) * size));
}

/* From X, Y to the line from A to B. */
static double
distance (const double a[2], const double b[2], double x, double y)
{
  double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  double t = length > 0 ? CLAMP (((x - a[0]) * dx + (y - a[1]) * dy) / length, 0, 1) : 0;

  return hypot (a[0] + t * dx - x, a[1] + t * dy - y);
}

VgAnnotationGrip
vg_annotation_place_find (const VgAnnotationPlace *self, const VgAnnotation *annotation, double x,
                          double y)
{
  double size = vg_annotation_place_size (self, annotation->size), tail[2], tip[2];

  if (annotation->kind == VG_ANNOTATION_TEXT)
    {
      g_autoptr (PangoLayout) layout = layout_new (self, annotation, size);
      graphene_rect_t box = measure (self, annotation, size, layout);

      return graphene_rect_contains_point (&box, &GRAPHENE_POINT_INIT ((float) x, (float) y))
                 ? VG_GRIP_WHOLE
                 : VG_GRIP_NONE;
    }
  to_widget (self, annotation, 0, tail);
  to_widget (self, annotation, 1, tip);
  if (hypot (tip[0] - x, tip[1] - y) <= REACH)
    return VG_GRIP_TIP;
  if (hypot (tail[0] - x, tail[1] - y) <= REACH)
    return VG_GRIP_TAIL;
  return distance (tail, tip, x, y) <= REACH ? VG_GRIP_WHOLE : VG_GRIP_NONE;
}

static void
draw_words (const VgAnnotationPlace *self, GtkSnapshot *snapshot, const VgAnnotation *words,
            const GdkRGBA *color, gboolean selected)
{
  double size = vg_annotation_place_size (self, words->size);
  g_autoptr (PangoLayout) layout = layout_new (self, words, size);
  graphene_rect_t box = measure (self, words, size, layout);
  float baseline = (float) pango_layout_get_baseline (layout) / PANGO_SCALE;
  GskRoundedRect frame;

  gtk_snapshot_append_color (snapshot, &(GdkRGBA){ 0, 0, 0, 0.5f }, &box);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot, &GRAPHENE_POINT_INIT (box.origin.x + (float) (PAD * size),
                                      box.origin.y + (float) ((0.9 + PAD) * size) - baseline));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
  if (!selected)
    return;
  gsk_rounded_rect_init_from_rect (&frame, &box, 0);
  gtk_snapshot_append_border (snapshot, &frame, (float[4]){ 1, 1, 1, 1 },
                              (GdkRGBA[4]){ *color, *color, *color, *color });
}

static void
draw_arrow (const VgAnnotationPlace *self, GtkSnapshot *snapshot, const VgAnnotation *arrow,
            const GdkRGBA *color, gboolean selected)
{
  double size = vg_annotation_place_size (self, arrow->size), ends[2][2],
         points[2 * VG_ANNOTATION_POINTS], room = size + HANDLE + 2;
  graphene_rect_t view = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (self->widget),
                                             (float) gtk_widget_get_height (self->widget)),
                  box;
  cairo_t *cr;

  to_widget (self, arrow, 0, ends[0]);
  to_widget (self, arrow, 1, ends[1]);
  box = GRAPHENE_RECT_INIT ((float) (MIN (ends[0][0], ends[1][0]) - room),
                            (float) (MIN (ends[0][1], ends[1][1]) - room),
                            (float) (fabs (ends[1][0] - ends[0][0]) + 2 * room),
                            (float) (fabs (ends[1][1] - ends[0][1]) + 2 * room));
  if (!graphene_rect_intersection (&box, &view, &box))
    return;
  vg_annotation_outline (ends[0], ends[1], size, points);
  cr = gtk_snapshot_append_cairo (snapshot, &box);
  for (int i = 0; i < VG_ANNOTATION_POINTS; i++)
    cairo_line_to (cr, points[2 * i], points[2 * i + 1]);
  cairo_close_path (cr);
  gdk_cairo_set_source_rgba (cr, color);
  cairo_fill_preserve (cr);
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_set_line_width (cr, SEAM * size);
  cairo_stroke (cr);
  for (int i = 0; i < 2 && selected; i++)
    {
      cairo_arc (cr, ends[i][0], ends[i][1], HANDLE, 0, 2 * G_PI);
      cairo_set_source_rgb (cr, 1, 1, 1);
      cairo_fill_preserve (cr);
      cairo_set_source_rgb (cr, 0, 0, 0);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
    }
  cairo_destroy (cr);
}

void
vg_annotation_place_draw (const VgAnnotationPlace *self, GtkSnapshot *snapshot,
                          const VgAnnotation *annotation, gboolean selected)
{
  const GdkRGBA color = { annotation->rgb[0] / 255.0f, annotation->rgb[1] / 255.0f,
                          annotation->rgb[2] / 255.0f, 1 };

  if (annotation->kind == VG_ANNOTATION_TEXT)
    draw_words (self, snapshot, annotation, &color, selected);
  else
    draw_arrow (self, snapshot, annotation, &color, selected);
}
