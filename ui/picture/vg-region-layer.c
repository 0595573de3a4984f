/* SPDX-License-Identifier: MIT */
/* Every region is a cairo node as small as the region: what did not change is
 * not painted again.  A dark halo under each line keeps it legible on any
 * colour map. */
#include "ui/picture/vg-region-layer.h"
#include "ui/layers/vg-label-places.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include <math.h>

struct _VgRegionLayer
{
  GtkWidget parent_instance;

  VgSession *session;
  VgRegionDrawing *drawing;
  VgViewTransform transform, tile; /* of the picture; of the tile that is being drawn on */
  int slice;
  VgMosaic mosaic;
  gboolean has_part;
  VgExtent part;  /* of a slide */
  GArray *labels; /* places of those that are drawn (graphene_rect_t) */
};

G_DEFINE_FINAL_TYPE (VgRegionLayer, vg_region_layer, GTK_TYPE_WIDGET)

enum { LINE_PX = 2, HALO_PX = 1 };
static const double handle_size = 7, smallest_handle = 4, margin = 8;

typedef struct
{
  const VgRegion *region;
  const guint8 *rgb;
  const char *name;        /* NULL: no label */
  gboolean selected, open; /* open: a polygon that is not closed yet */
  gboolean elsewhere;      /* in another slice */
} Shape;

static VgPoint
to_widget (VgRegionLayer *self, VgPoint at)
{
  VgPoint point;

  vg_view_transform_to_widget (&self->tile, at.x, at.y, &point.x, &point.y);
  return point;
}

/* Of the widget's points. */
static void
get_box (VgRegionLayer *self, VgPoint a, VgPoint b, VgPoint *low, VgPoint *high)
{
  a = to_widget (self, a);
  b = to_widget (self, b);
  *low = (VgPoint){ MIN (a.x, b.x), MIN (a.y, b.y) };
  *high = (VgPoint){ MAX (a.x, b.x), MAX (a.y, b.y) };
}

static void
get_shape_box (VgRegionLayer *self, const VgRegion *region, VgPoint *low, VgPoint *high)
{
  vg_region_shape_box (region, low, high);
  get_box (self, *low, *high, low, high);
}

static void
trace (VgRegionLayer *self, cairo_t *cr, const Shape *shape)
{
  const VgRegion *region = shape->region;
  VgPoint low, high;

  get_shape_box (self, region, &low, &high);
  cairo_new_path (cr);
  if (region->kind == VG_REGION_RECTANGLE)
    cairo_rectangle (cr, low.x, low.y, high.x - low.x, high.y - low.y);
  else if (region->kind == VG_REGION_ELLIPSE && high.x > low.x && high.y > low.y)
    {
      cairo_save (cr);
      cairo_translate (cr, 0.5 * (low.x + high.x), 0.5 * (low.y + high.y));
      cairo_scale (cr, 0.5 * (high.x - low.x), 0.5 * (high.y - low.y));
      cairo_arc (cr, 0, 0, 1, 0, 2 * G_PI);
      cairo_restore (cr);
    }
  else if (region->kind == VG_REGION_POLYGON)
    {
      for (int i = 0; i < region->n_points; i++)
        {
          VgPoint point = to_widget (self, (VgPoint){ region->x[i], region->y[i] });

          cairo_line_to (cr, point.x, point.y);
        }
      if (!shape->open)
        cairo_close_path (cr);
    }
}

static void
draw_handles (VgRegionLayer *self, cairo_t *cr, const Shape *shape)
{
  VgPoint handles[VG_REGION_MAX_POINTS];
  int n = vg_region_shape_handles (shape->region, handles);
  VgPoint low, high;
  double size;

  /* of a small region a third of its side: what lies in it stays in sight */
  get_shape_box (self, shape->region, &low, &high);
  size = CLAMP (round (MIN (high.x - low.x, high.y - low.y) / 3), smallest_handle, handle_size);
  for (int i = 0; i < n; i++)
    {
      VgPoint at = to_widget (self, handles[i]);
      double x = round (at.x - 0.5 * size) + 0.5, y = round (at.y - 0.5 * size) + 0.5;

      cairo_rectangle (cr, x, y, size - 1, size - 1);
      cairo_set_source_rgb (cr, 1, 1, 1);
      cairo_fill_preserve (cr);
      cairo_set_source_rgba (cr, 0, 0, 0, 0.8);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
    }
}

static void
draw_shape (VgRegionLayer *self, cairo_t *cr, const Shape *shape)
{
  static const double dashes[] = { 5, 4 };
  double r = shape->rgb[0] / 255., g = shape->rgb[1] / 255., b = shape->rgb[2] / 255.;

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  trace (self, cr, shape);
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_set_line_width (cr, LINE_PX + 2 * HALO_PX);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, r, g, b);
  cairo_set_line_width (cr, LINE_PX);
  if (shape->elsewhere)
    cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_stroke (cr);
  if (shape->selected)
    draw_handles (self, cr, shape);
}

/* On the left of a rectangle, about the middle of another shape. */
static void
draw_label (VgRegionLayer *self, GtkSnapshot *snapshot, const Shape *shape)
{
  const graphene_rect_t view = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                                                   gtk_widget_get_height (GTK_WIDGET (self)));
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  g_autofree char *text = g_markup_printf_escaped ("<small><b>%s</b></small>", shape->name);
  graphene_rect_t box, place;
  GskRoundedRect pill;
  VgPoint low, high;
  int width, height;

  get_shape_box (self, shape->region, &low, &high);
  box = GRAPHENE_RECT_INIT (floor (low.x), floor (low.y), ceil (high.x) - floor (low.x),
                            ceil (high.y) - floor (low.y));
  pango_layout_set_markup (layout, text, -1);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (layout, MAX (160, (int) view.size.width / 4) * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, &width, &height);
  place = vg_label_places_take (self->labels, &view, &box,
                                shape->region->kind == VG_REGION_RECTANGLE
                                    ? box.origin.x
                                    : floor (0.5 * (low.x + high.x)) - width / 2 - 6,
                                width + 12, height + 4);
  gsk_rounded_rect_init_from_rect (&pill, &place, 4);
  gtk_snapshot_push_rounded_clip (snapshot, &pill);
  gtk_snapshot_append_color (snapshot, &(GdkRGBA){ 0, 0, 0, 0.6 }, &pill.bounds);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (place.origin.x + 6, place.origin.y + 2));
  /* brightened: a pure blue is not legible on black */
  gtk_snapshot_append_layout (snapshot, layout,
                              &(GdkRGBA){ 0.4 + 0.6 * shape->rgb[0] / 255,
                                          0.4 + 0.6 * shape->rgb[1] / 255,
                                          0.4 + 0.6 * shape->rgb[2] / 255, 1 });
  gtk_snapshot_restore (snapshot);
}

/* SHAPE without its label, or LABEL alone. */
static void
snapshot_shape (VgRegionLayer *self, GtkSnapshot *snapshot, const Shape *shape, gboolean label)
{
  graphene_rect_t view = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                                             gtk_widget_get_height (GTK_WIDGET (self)));
  graphene_rect_t bounds;
  VgPoint low, high;
  cairo_t *cr;

  get_shape_box (self, shape->region, &low, &high);
  bounds = GRAPHENE_RECT_INIT (floor (low.x - margin), floor (low.y - margin),
                               ceil (high.x - low.x + 2 * margin) + 1,
                               ceil (high.y - low.y + 2 * margin) + 1);
  if (!graphene_rect_intersection (&bounds, &view, &bounds))
    return;
  if (label)
    {
      if (shape->name != NULL)
        draw_label (self, snapshot, shape);
      return;
    }
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  draw_shape (self, cr, shape);
  cairo_destroy (cr);
}

/* FALSE: regions of this slice are not in the picture.  All tiles are turned alike. */
static gboolean
go_to_tile (VgRegionLayer *self, int slice)
{
  double x, y;

  if (self->mosaic.slices > 0 ? slice >= self->mosaic.slices : slice != self->slice)
    return FALSE;
  vg_mosaic_corner (&self->mosaic, slice, &x, &y);
  self->tile.origin_x = self->transform.origin_x + x * self->transform.zoom;
  self->tile.origin_y = self->transform.origin_y + y * self->transform.zoom_y;
  return TRUE;
}

/* About the slice that is at hand in a mosaic. */
static void
frame_tile (VgRegionLayer *self, GtkSnapshot *snapshot)
{
  static const GdkRGBA accent = { 0.38, 0.63, 0.95, 0.9 };
  VgPoint low, high;
  GskRoundedRect frame;

  get_box (self, (VgPoint){ 0, 0 }, (VgPoint){ self->mosaic.width, self->mosaic.height }, &low,
           &high);
  gsk_rounded_rect_init_from_rect (
      &frame, &GRAPHENE_RECT_INIT (low.x - 1, low.y - 1, high.x - low.x + 2, high.y - low.y + 2),
      0);
  gtk_snapshot_append_border (snapshot, &frame, (float[4]){ 1, 1, 1, 1 },
                              (GdkRGBA[4]){ accent, accent, accent, accent });
}

/* Dark and light, as in the slide's overview; never too small to be found. */
static void
frame_part (VgRegionLayer *self, GtkSnapshot *snapshot)
{
  static const GdkRGBA dark = { 0, 0, 0, 0.8 }, light = { 1, 0.85, 0.1, 1 };
  VgPoint low, high;

  vg_view_transform_to_widget (&self->transform, self->part.left, self->part.top, &low.x, &low.y);
  vg_view_transform_to_widget (&self->transform, self->part.right, self->part.bottom, &high.x,
                               &high.y);
  for (int around = 3; around > 1; around--)
    {
      double x = low.x - around, y = low.y - around;
      double width = MAX (high.x - low.x + 2 * around, 6),
             height = MAX (high.y - low.y + 2 * around, 6);
      float thick = around == 3 ? 3 : 1;
      const GdkRGBA *color = around == 3 ? &dark : &light;
      GskRoundedRect frame;

      gsk_rounded_rect_init_from_rect (&frame, &GRAPHENE_RECT_INIT (x, y, width, height), 0);
      gtk_snapshot_append_border (snapshot, &frame, (float[4]){ thick, thick, thick, thick },
                                  (GdkRGBA[4]){ *color, *color, *color, *color });
    }
}

static void
vg_region_layer_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const guint8 draft_rgb[3] = { 255, 255, 255 };
  VgRegionLayer *self = VG_REGION_LAYER (widget);
  const VgRegion *draft = vg_region_drawing_get_draft (self->drawing);
  guint n = vg_session_get_n_regions (self->session);

  if (!(self->transform.zoom > 0))
    return;
  g_array_set_size (self->labels, 0);
  if (self->has_part)
    frame_part (self, snapshot);
  /* all shapes, then all labels, so that no outline crosses a label; the selected one on top */
  for (int pass = 0; pass < 4; pass++)
    for (guint i = 0; i < n; i++)
      {
        const VgNamedRegion *named = vg_session_get_region (self->session, i);
        g_autofree char *slice = NULL;
        gboolean everywhere = FALSE;

        if (!!named->selected != pass % 2 || named->region.kind == VG_REGION_NONE)
          continue;
        if (!go_to_tile (self, named->region.slice))
          {
            const VgParam *param = vg_session_find_region_param (self->session, i);

            /* where the value of a setting is, is shown in all slices */
            if (param == NULL)
              continue;
            go_to_tile (self, self->slice);
            everywhere = param->file.or_region == VG_FILE_REGION_COLUMN;
            slice = everywhere ? g_strdup_printf (_ ("%s (all slices)"), named->name)
                               : g_strdup_printf (_ ("%s, slice %d"), named->name,
                                                  named->region.slice + 1);
          }
        snapshot_shape (self, snapshot,
                        &(Shape){ .region = &named->region,
                                  .rgb = named->rgb,
                                  .name = slice != NULL ? slice : named->name,
                                  .selected = named->selected && (slice == NULL || everywhere),
                                  .elsewhere = slice != NULL && !everywhere },
                        pass >= 2);
      }
  go_to_tile (self, self->slice);
  if (self->mosaic.slices > 0)
    frame_tile (self, snapshot);
  if (draft != NULL)
    snapshot_shape (self, snapshot,
                    &(Shape){ .region = draft,
                              .rgb = draft_rgb,
                              .selected = draft->kind == VG_REGION_POLYGON,
                              .open = draft->kind == VG_REGION_POLYGON },
                    FALSE);
}

static void
vg_region_layer_dispose (GObject *object)
{
  VgRegionLayer *self = VG_REGION_LAYER (object);

  g_clear_object (&self->session);
  g_clear_object (&self->drawing);
  g_clear_pointer (&self->labels, g_array_unref);
  G_OBJECT_CLASS (vg_region_layer_parent_class)->dispose (object);
}

static void
vg_region_layer_class_init (VgRegionLayerClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_region_layer_dispose;
  GTK_WIDGET_CLASS (class)->snapshot = vg_region_layer_snapshot;
}

static void
vg_region_layer_init (VgRegionLayer *self)
{
  self->labels = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));
  gtk_widget_add_css_class (GTK_WIDGET (self), "vg-regions");
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
vg_region_layer_new (VgSession *session, VgRegionDrawing *drawing)
{
  VgRegionLayer *self = g_object_new (VG_TYPE_REGION_LAYER, NULL);

  self->session = g_object_ref (session);
  self->drawing = g_object_ref (drawing);
  vg_connect (drawing, "changed", gtk_widget_queue_draw, self);
  return GTK_WIDGET (self);
}

void
vg_region_layer_set_transform (VgRegionLayer *self, const VgViewTransform *transform,
                               const VgViewTransform *tile, int slice, const VgMosaic *mosaic)
{
  self->transform = *transform;
  self->tile = *tile;
  self->slice = slice;
  self->mosaic = *mosaic;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_region_layer_set_part (VgRegionLayer *self, const VgExtent *part)
{
  self->has_part = part != NULL;
  if (part != NULL)
    self->part = *part;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
