/* SPDX-License-Identifier: MIT */
/* The stack of layers, zoom and pan, the probe, and the widget; what is shown,
 * and how, is in vg-image-scene.c. */
#include "ui/picture/vg-image-view-private.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>
#include "ui/layers/vg-axes-layer.h"
#include "ui/layers/vg-color-bar.h"
#include "ui/layers/vg-outline-legend.h"
#include "app/compute/vg-steady-limits.h"
#include "app/session/vg-display.h"
#include "ui/picture/vg-picture.h"
#include "ui/picture/vg-point-layer.h"
#include "ui/picture/vg-region-layer.h"
#include "ui/picture/vg-stack-layer.h"
#include "ui/annotate/vg-annotation-layer.h"
#include "ui/correct/vg-stroke-layer.h"
#include "ui/ruler/vg-ruler-layer.h"
#include "ui/layers/vg-scale-bar.h"
#include "ui/layers/vg-tint-layer.h"
#include "ui/common/vg-object.h"

G_DEFINE_FINAL_TYPE (VgImageView, vg_image_view, GTK_TYPE_WIDGET)

enum { GAP = 6, SCALE_BAR_GAP = 12 };

static void
on_session_changed (VgImageView *self, guint flags)
{
  if (flags & (VG_CHANGED_INPUTS | VG_CHANGED_OPERATION))
    self->has_chosen = FALSE;
  if (flags & (VG_CHANGED_VIEW | VG_CHANGED_OPERATION))
    {
      vg_image_scene_update (self);
      vg_image_scene_update_bar (self);
      vg_image_scene_queue_bars (self);
      vg_image_view_queue_probe (self);
      if (gtk_widget_has_visible_focus (GTK_WIDGET (self)))
        gtk_widget_queue_draw (GTK_WIDGET (self));
    }
  if (flags & VG_CHANGED_OPERATION &&
      (vg_image_view_get_tool (self) == VG_TOOL_POINT ||
       vg_image_view_get_tool (self) == VG_TOOL_CORRECT) &&
      vg_point_drawing_find (self->session, VG_POINTS_SET) == NULL)
    vg_image_view_set_tool (self, VG_TOOL_PAN);
  if (flags & (VG_CHANGED_REGIONS | VG_CHANGED_OPERATION))
    gtk_widget_queue_draw (self->regions);
}

/* --- zoom and pan --- */

gboolean
vg_image_view_take_out (VgImageView *self, double x, double y)
{
  return vg_point_drawing_take_out (self->points, (VgPoint){ x, y });
}

/* --- results --- */

void
vg_image_view_set_cuda (VgImageView *self, const VgCuda *cuda)
{
  self->beside->cuda = cuda;
  vg_picture_set_cuda (VG_PICTURE (self->picture), cuda);
}

void
vg_image_view_set_tool (VgImageView *self, VgTool tool)
{
  if (vg_region_drawing_get_tool (self->drawing) == tool)
    return;
  vg_region_drawing_set_tool (self->drawing, tool);
  vg_point_drawing_cancel (self->points);
  vg_point_layer_set_active (VG_POINT_LAYER (self->point_layer), tool == VG_TOOL_POINT);
  vg_ruler_layer_set_active (VG_RULER_LAYER (self->ruler), tool == VG_TOOL_RULER);
  vg_stroke_layer_set_active (VG_STROKE_LAYER (self->strokes), tool == VG_TOOL_CORRECT);
  vg_annotation_layer_set_active (VG_ANNOTATION_LAYER (self->annotations), tool >= VG_TOOL_ARROW,
                                  tool == VG_TOOL_TEXT ? VG_ANNOTATION_TEXT : VG_ANNOTATION_ARROW);
  g_signal_emit_by_name (self, "tool-changed");
}

GtkWidget *
vg_image_view_get_ruler (VgImageView *self)
{
  return self->ruler;
}

GtkWidget *
vg_image_view_get_strokes (VgImageView *self)
{
  return self->strokes;
}

GtkWidget *
vg_image_view_get_tint (VgImageView *self)
{
  return self->tint;
}

VgTool
vg_image_view_get_tool (VgImageView *self)
{
  return vg_region_drawing_get_tool (self->drawing);
}

void
vg_image_view_cancel (VgImageView *self)
{
  vg_region_drawing_cancel (self->drawing);
  vg_point_drawing_cancel (self->points);
}

const char *
vg_image_view_get_path_description (VgImageView *self)
{
  return vg_picture_get_description (VG_PICTURE (self->picture));
}

double
vg_image_view_get_fps (VgImageView *self)
{
  return vg_picture_get_fps (VG_PICTURE (self->picture));
}

double
vg_image_view_get_aspect (VgImageView *self)
{
  const VgExtent *extent = &self->extent;
  double height = (extent->bottom - extent->top) * (extent->aspect > 0 ? extent->aspect : 1);

  /* the tiles of a mosaic are laid out to suit the picture */
  return vg_image_view_has_picture (self) && self->scene.mosaic.slices == 0 && height > 0
             ? (extent->right - extent->left) / height
             : 0;
}

void
vg_image_view_get_margins (VgImageView *self, int *across, int *down)
{
  *across = self->viewport.margin_left + self->beside->bar;
  /* kept results move nothing else in the window */
  *down = self->viewport.margin_top + self->viewport.margin_bottom - vg_image_panes_get_foot (self);
}

GskRenderNode *
vg_image_view_render (VgImageView *self, int scale)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  GtkWidget *const layers[] = { self->picture,   self->tint,        self->axes,
                                self->regions,   self->point_layer, self->ruler,
                                self->strokes,   self->annotations, self->scale_bar,
                                self->color_bar, self->legend,      self->layer };

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return NULL;
  gtk_snapshot_scale (snapshot, (float) scale, (float) scale);
  vg_color_bar_set_plain (VG_COLOR_BAR (self->color_bar), TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    if (layers[i] != NULL && gtk_widget_get_child_visible (layers[i]))
      gtk_widget_snapshot_child (GTK_WIDGET (self), layers[i], snapshot);
  vg_color_bar_set_plain (VG_COLOR_BAR (self->color_bar), FALSE);
  return gtk_snapshot_to_node (snapshot);
}

GdkTexture *
vg_image_view_capture (VgImageView *self, GError **error)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self)),
      width = gtk_widget_get_width (GTK_WIDGET (self)),
      height = gtk_widget_get_height (GTK_WIDGET (self));
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (self));
  g_autoptr (GskRenderNode) node = vg_image_view_render (self, scale);

  if (node == NULL || width < 1 || height < 1)
    {
      g_set_error_literal (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED,
                           "the image is not on the screen; show its window first");
      return NULL;
    }
  return gsk_renderer_render_texture (gtk_native_get_renderer (native), node,
                                      &GRAPHENE_RECT_INIT (0, 0, width * scale, height * scale));
}

void
vg_image_view_set_layer (VgImageView *self, GtkWidget *layer)
{
  self->layer = layer;
  gtk_widget_set_parent (layer, GTK_WIDGET (self));
}

/* --- the widget --- */

/* The legend of outlines, above the scale bar, which is SCALE_HEIGHT high. */
static void
allocate_legend (VgImageView *self, const GtkAllocation *cell, int scale_height)
{
  int width, height, y;

  gtk_widget_measure (self->legend, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (self->legend, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  y = cell->y + cell->height - self->viewport.margin_bottom - scale_height - height -
      2 * SCALE_BAR_GAP;
  gtk_widget_set_child_visible (self->legend, y >= cell->y && width <= cell->width / 2);
  gtk_widget_size_allocate (
      self->legend,
      &(GtkAllocation){ cell->x + self->viewport.margin_left + SCALE_BAR_GAP, y, width, height },
      -1);
}

/* Colour bar and scale bar: the first at the right of all cells. */
static void
allocate_bars (VgImageView *self, const GtkRequisition *bar, const GtkAllocation *cell)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)),
      height = gtk_widget_get_height (GTK_WIDGET (self)), scale_width, scale_height,
      bar_height = MIN (bar->height, height - 2 * GAP), left = cell->x,
      bottom = cell->y + cell->height - self->free_bottom;

  gtk_widget_measure (self->scale_bar, GTK_ORIENTATION_HORIZONTAL, -1, &scale_width, NULL, NULL,
                      NULL);
  gtk_widget_measure (self->scale_bar, GTK_ORIENTATION_VERTICAL, -1, &scale_height, NULL, NULL,
                      NULL);
  gtk_widget_size_allocate (self->color_bar,
                            &(GtkAllocation){ width - bar->width - GAP, (height - bar_height) / 2,
                                              bar->width, bar_height },
                            -1);
  if (vg_image_panes_count (self) > 1 && self->transform.zoom > 0) /* in its own picture */
    {
      double x, y;

      vg_view_transform_to_widget (&self->transform, self->extent.left, self->extent.bottom, &x,
                                   &y);
      left += CLAMP ((int) x, 0, MAX (cell->width - scale_width, 0));
      bottom = MIN (bottom, cell->y + MAX ((int) y, scale_height));
    }
  gtk_widget_size_allocate (self->scale_bar,
                            &(GtkAllocation){ left + SCALE_BAR_GAP,
                                              bottom - scale_height - SCALE_BAR_GAP, scale_width,
                                              scale_height },
                            -1);
  if (gtk_widget_get_visible (self->legend))
    allocate_legend (self, cell, scale_height + self->free_bottom);
}

static void
vg_image_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  VgImageView *self = VG_IMAGE_VIEW (widget);
  GtkWidget *const layers[] = { self->tint,    self->axes,        self->stack,
                                self->regions, self->point_layer, self->ruler,
                                self->strokes, self->annotations, self->layer };
  GtkRequisition bar;
  GtkAllocation cell;
  VgPoint corner;
  gboolean bars = vg_image_view_has_bars (self);

  gtk_widget_measure (self->color_bar, GTK_ORIENTATION_HORIZONTAL, -1, &bar.width, NULL, NULL,
                      NULL);
  gtk_widget_measure (self->color_bar, GTK_ORIENTATION_VERTICAL, -1, NULL, &bar.height, NULL, NULL);
  /* a slide without a map has no colour bar */
  vg_image_panes_set_viewport (self, bars && self->result != NULL &&
                                             gtk_widget_get_visible (self->color_bar)
                                         ? bar.width + 2 * GAP
                                         : 0);
  corner = vg_image_panes_corner (self, -1);
  cell = (GtkAllocation){ (int) corner.x, (int) corner.y, self->viewport.width,
                          self->viewport.height };
  gtk_widget_set_child_visible (self->color_bar, bars && self->result != NULL);
  /* unless there are axes: vg_image_marks_set_margins() */
  gtk_widget_set_child_visible (self->scale_bar, bars);
  gtk_widget_set_child_visible (self->legend, bars);

  gtk_widget_size_allocate (self->picture, &(GtkAllocation){ 0, 0, width, height }, -1);
  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    if (layers[i] != NULL)
      gtk_widget_size_allocate (layers[i], &cell, -1);
  vg_image_scene_update (self);
  if (bars)
    allocate_bars (self, &bar, &cell);
  vg_image_panes_allocate (self);
}

static void
vg_image_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = 120;
  *natural = VG_IMAGE_VIEW (widget)->layer != NULL ? 240 : 512; /* a plot has others beside it */
}

/* Where the keyboard is looking, when it has the focus and no pointer is here. */
static void
draw_focus (VgImageView *self, GtkSnapshot *snapshot)
{
  static const GdkRGBA accent = { 0.38, 0.63, 0.95, 0.9 };
  int width = gtk_widget_get_width (GTK_WIDGET (self)),
      height = gtk_widget_get_height (GTK_WIDGET (self));
  GskRoundedRect frame;
  VgPoint corner = vg_image_panes_corner (self, -1);
  float x = (float) corner.x + (float) (self->viewport.width / 2),
        y = (float) corner.y + (float) (self->viewport.height / 2);

  gsk_rounded_rect_init_from_rect (&frame, &GRAPHENE_RECT_INIT (0, 0, width, height), 0);
  gtk_snapshot_append_border (snapshot, &frame, (float[4]){ 2, 2, 2, 2 },
                              (GdkRGBA[4]){ accent, accent, accent, accent });
  if (self->result == NULL || self->pointer_inside)
    return;
  gtk_snapshot_append_color (snapshot, &accent, &GRAPHENE_RECT_INIT (x - 8, y, 17, 1));
  gtk_snapshot_append_color (snapshot, &accent, &GRAPHENE_RECT_INIT (x, y - 8, 1, 17));
}

/* A cross that leaves the pixel itself free. */
static void
draw_cross (GtkSnapshot *snapshot, double x, double y)
{
  static const GdkRGBA dark = { 0, 0, 0, 0.7 }, light = { 1, 1, 1, 0.95 };
  static const struct
  {
    int x, y, width, height;
  } arms[] = { { -9, 0, 6, 1 }, { 4, 0, 6, 1 }, { 0, -9, 1, 6 }, { 0, 4, 1, 6 } };

  for (guint i = 0; i < G_N_ELEMENTS (arms); i++)
    gtk_snapshot_append_color (snapshot, &dark,
                               &GRAPHENE_RECT_INIT ((float) floor (x) + arms[i].x - 1,
                                                    (float) floor (y) + arms[i].y - 1,
                                                    arms[i].width + 2, arms[i].height + 2));
  for (guint i = 0; i < G_N_ELEMENTS (arms); i++)
    gtk_snapshot_append_color (snapshot, &light,
                               &GRAPHENE_RECT_INIT ((float) floor (x) + arms[i].x,
                                                    (float) floor (y) + arms[i].y, arms[i].width,
                                                    arms[i].height));
}

/* Where the pixel is whose data are looked at, and in the other cells where the pointer is. */
static void
draw_chosen (VgImageView *self, GtkSnapshot *snapshot)
{
  gboolean chosen = self->has_chosen && self->result != NULL && self->chosen_slice == self->slice &&
                    self->tile.zoom > 0;
  int n = vg_image_panes_count (self);
  double x = 0, y = 0;

  if (chosen)
    vg_view_transform_to_widget (&self->tile, self->chosen.x, self->chosen.y, &x, &y);
  chosen &= x >= 0 && y >= 0 && x <= self->viewport.width && y <= self->viewport.height;
  for (int i = 0; i < n; i++)
    {
      VgPoint corner = vg_image_panes_corner (self, i);

      gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT ((float) corner.x, (float) corner.y,
                                                             (float) self->viewport.width,
                                                             (float) self->viewport.height));
      if (chosen)
        draw_cross (snapshot, corner.x + x, corner.y + y);
      if (n > 1 && self->pointer_inside && i != self->beside->pointed)
        draw_cross (snapshot, corner.x + self->pointer.x, corner.y + self->pointer.y);
      gtk_snapshot_pop (snapshot);
    }
}

/* The regions are at the same places in the other cells. */
static void
repeat_marks (VgImageView *self, GtkSnapshot *snapshot)
{
  VgPoint last = vg_image_panes_corner (self, -1);

  for (int i = 0; i < vg_image_panes_count (self) - 1; i++)
    {
      VgPoint corner = vg_image_panes_corner (self, i);

      gtk_snapshot_save (snapshot);
      gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT ((float) corner.x, (float) corner.y,
                                                             (float) self->viewport.width,
                                                             (float) self->viewport.height));
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) (corner.x - last.x),
                                                              (float) (corner.y - last.y)));
      gtk_widget_snapshot_child (GTK_WIDGET (self), self->regions, snapshot);
      gtk_snapshot_pop (snapshot);
      gtk_snapshot_restore (snapshot);
    }
}

static void
vg_image_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GTK_WIDGET_CLASS (vg_image_view_parent_class)->snapshot (widget, snapshot);
  repeat_marks (VG_IMAGE_VIEW (widget), snapshot);
  draw_chosen (VG_IMAGE_VIEW (widget), snapshot);
  if (gtk_widget_has_visible_focus (widget) && !(VG_IMAGE_VIEW (widget)->free_left > 0))
    draw_focus (VG_IMAGE_VIEW (widget), snapshot);
}

static void
vg_image_view_dispose (GObject *object)
{
  VgImageView *self = VG_IMAGE_VIEW (object);
  GtkWidget *child;

  g_clear_handle_id (&self->bar_timeout, g_source_remove);
  if (self->probe_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->probe_tick);
  self->probe_tick = 0;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->result, vg_result_unref);
  g_clear_pointer (&self->beside, vg_image_beside_free);
  g_clear_pointer (&self->slide, vg_image_slide_free);
  g_clear_pointer (&self->expected_slide, vg_image_slide_free);
  g_clear_pointer (&self->marks, g_free);
  g_clear_object (&self->drawing);
  g_clear_object (&self->points);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (vg_image_view_parent_class)->dispose (object);
}

static void
vg_image_view_class_init (VgImageViewClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = vg_image_view_dispose;
  widget_class->size_allocate = vg_image_view_size_allocate;
  widget_class->measure = vg_image_view_measure;
  widget_class->snapshot = vg_image_view_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "imageview");

  vg_image_probe_add_signals (VG_TYPE_IMAGE_VIEW);
  vg_image_slide_add_signals (VG_TYPE_IMAGE_VIEW);
  vg_signal_new (VG_TYPE_IMAGE_VIEW, "gl-failed", 1, G_TYPE_STRING);
  vg_signal_new (VG_TYPE_IMAGE_VIEW, "double-clicked", 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  vg_signal_new (VG_TYPE_IMAGE_VIEW, "remove-object", 0);
  vg_signal_new (VG_TYPE_IMAGE_VIEW, "tool-changed", 0);
}

void
vg_image_view_set_ground (VgImageView *self, double grey)
{
  for (int k = 0; k < 3; k++)
    self->scene.background[k] = (float) grey;
  vg_image_scene_update (self);
}

static void
vg_image_view_init (VgImageView *self)
{
  for (int k = 0; k < 3; k++)
    self->scene.background[k] = k < 2 ? 0.105f : 0.115f;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Result image"), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ (vg_image_view_keys), -1);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (gtk_widget_queue_allocate), NULL);
}

void
vg_image_view_fix_limits (VgImageView *self, gboolean fixed)
{
  const VgColoring *shown = &self->scene.coloring;

  if (fixed)
    vg_steady_limits_fix (self->session, MIN (shown->low, shown->high),
                          MAX (shown->low, shown->high));
  else
    vg_steady_limits_release (self->session);
}

static void
emit_gl_failed (VgImageView *self, const char *why)
{
  /* nor axes of what is not there */
  gtk_widget_set_opacity (self->axes, !vg_picture_is_undrawn (VG_PICTURE (self->picture)));
  g_signal_emit_by_name (self, "gl-failed", why);
}

GtkWidget *
vg_image_view_new (VgSession *session, int display_path)
{
  VgImageView *self = g_object_new (VG_TYPE_IMAGE_VIEW, NULL);

  self->session = g_object_ref (session);
  self->drawing = vg_region_drawing_new (session);
  self->points = vg_point_drawing_new (session);
  self->picture = vg_picture_new (display_path);
  self->tint = vg_tint_layer_new ();
  self->axes = vg_axes_layer_new ();
  self->stack = vg_stack_layer_new (session);
  self->regions = vg_region_layer_new (session, self->drawing);
  self->point_layer = vg_point_layer_new (session, self->points);
  self->ruler = vg_ruler_layer_new (GTK_WIDGET (self));
  self->strokes = vg_stroke_layer_new (GTK_WIDGET (self));
  self->annotations = vg_annotation_layer_new (session, GTK_WIDGET (self));
  self->scale_bar = vg_scale_bar_new ();
  self->color_bar = vg_color_bar_new ();
  self->legend = vg_outline_legend_new ();
  self->beside = vg_image_beside_new (self);
  gtk_widget_set_overflow (self->axes, GTK_OVERFLOW_HIDDEN); /* each stays in its cell */
  gtk_widget_set_overflow (self->regions, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_overflow (self->point_layer, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_parent (self->picture, GTK_WIDGET (self));
  gtk_widget_set_parent (self->tint, GTK_WIDGET (self));
  gtk_widget_set_parent (self->axes, GTK_WIDGET (self));
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  gtk_widget_set_parent (self->regions, GTK_WIDGET (self));
  gtk_widget_set_parent (self->point_layer, GTK_WIDGET (self));
  gtk_widget_set_parent (self->ruler, GTK_WIDGET (self));
  gtk_widget_set_parent (self->annotations, GTK_WIDGET (self));
  gtk_widget_set_parent (self->strokes, GTK_WIDGET (self));
  gtk_widget_set_parent (self->scale_bar, GTK_WIDGET (self));
  gtk_widget_set_parent (self->color_bar, GTK_WIDGET (self));
  gtk_widget_set_parent (self->legend, GTK_WIDGET (self));
  vg_image_panes_add_layers (self);
  vg_connect (self->color_bar, "limits-fixed", vg_image_view_fix_limits, self);
  g_signal_connect_object (self->color_bar, "limits-changed", G_CALLBACK (vg_steady_limits_fix),
                           session, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->color_bar, "limits-done", G_CALLBACK (vg_session_commit_waiting),
                           session, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->picture, "failed", G_CALLBACK (emit_gl_failed), self);
  vg_connect (session, "changed", on_session_changed, self);
  vg_image_input_connect (self);
  vg_image_keys_connect (self);
  return GTK_WIDGET (self);
}
