/* SPDX-License-Identifier: MIT */
#include "ui/layers/vg-color-bar.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>
#include "ui/common/vg-object.h"
#include "ui/common/vg-widgets.h"
#include "ui/layers/vg-color-legend.h"
#include "ui/layers/vg-color-scale.h"
#include "ui/layers/vg-limit-entry.h"
#include "ui/common/vg-number-format.h"

typedef enum { GRAB_NONE, GRAB_LOW, GRAB_HIGH } Grab;

struct _VgColorBar
{
  GtkWidget parent_instance;
  VgColorBarContent content; /* its unit and DIMMED_BY are owned */
  GtkWidget *low, *high, *lock;
  GdkTexture *ramp;
  gboolean plain, syncing;
  /* while an end is dragged the scale stands still, from and to these values */
  Grab grab;
  gboolean moved;
  double grab_value[2];
};

G_DEFINE_FINAL_TYPE (VgColorBar, vg_color_bar, GTK_TYPE_WIDGET)

enum {
  PADDING = 8,
  WIDTH = VG_COLOR_SCALE_WIDTH,
  END = VG_COLOR_SCALE_END,
  LOCK = 24,
  MIN_HEIGHT = 120,
  NATURAL_HEIGHT = 360
};

static const GdkRGBA ink = { 0.93, 0.93, 0.93, 1 };

/* The limits, the lower one first, as the colours use them. */
static void
get_limits (VgColorBar *self, double limits[2])
{
  double low, high;

  vg_coloring_limits (&self->content.coloring, &low, &high);
  if (self->content.coloring.log_scale)
    {
      low = exp (low);
      high = exp (high);
    }
  limits[0] = MIN (low, high);
  limits[1] = MAX (low, high);
}

/* The values from the bar's lower end to its upper one; always a real range. */
static void
make_axis (VgColorBar *self, VgPlotAxis *axis, double top, double bottom)
{
  double limits[2];

  get_limits (self, limits);
  if (self->grab != GRAB_NONE)
    memcpy (limits, self->grab_value, sizeof limits);
  *axis = (VgPlotAxis){ limits[0], limits[1], self->content.coloring.log_scale, bottom, top };
  if (!(axis->max > axis->min))
    {
      double reach = axis->min != 0 ? fabs (axis->min) * 0.01 : 1;

      axis->min -= reach;
      axis->max += reach;
    }
}

/* Where the bar is, under the unit, between the numbers at its ends and above the lock. */
static graphene_rect_t
get_bar (VgColorBar *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  double end, top, bottom;
  int number;

  gtk_widget_measure (self->high, GTK_ORIENTATION_VERTICAL, -1, &number, NULL, NULL, NULL);
  end = MAX (END, 0.4 * number);
  top = PADDING + end;
  bottom = gtk_widget_get_height (widget) - LOCK - end - 2;

  if (self->content.unit[0] != '\0')
    {
      vg_color_scale_measure_unit (widget, self->content.unit, NULL, &number);
      top += number;
    }
  return GRAPHENE_RECT_INIT (PADDING + 1, top, WIDTH, MAX (bottom - top, 1));
}

/* What is dragged: a wedge at the left of each limit. */
static void
draw_handles (VgColorBar *self, GtkSnapshot *snapshot, const graphene_rect_t *bar)
{
  double limits[2], bottom = bar->origin.y + bar->size.height, x = bar->origin.x - 2;
  VgPlotAxis axis;
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, 0, bar->origin.x, bottom + PADDING));

  get_limits (self, limits);
  make_axis (self, &axis, bar->origin.y, bottom);
  gdk_cairo_set_source_rgba (cr, &ink);
  for (int i = 0; i < 2; i++)
    {
      double y = CLAMP (vg_plot_axis_to_pixel (&axis, limits[i]), bar->origin.y, bottom);

      cairo_move_to (cr, x, y);
      cairo_line_to (cr, x - 6, y - 4);
      cairo_line_to (cr, x - 6, y + 4);
      cairo_close_path (cr);
      cairo_fill (cr);
    }
  cairo_destroy (cr);
}

static void
draw_scale (VgColorBar *self, GtkSnapshot *snapshot)
{
  graphene_rect_t bar = get_bar (self);
  VgPlotAxis axis;

  make_axis (self, &axis, bar.origin.y, bar.origin.y + bar.size.height);
  vg_color_scale_draw (GTK_WIDGET (self), snapshot, &self->content, &axis, &bar, &self->ramp);
  if (!self->plain)
    draw_handles (self, snapshot, &bar);
  gtk_widget_snapshot_child (GTK_WIDGET (self), self->low, snapshot);
  gtk_widget_snapshot_child (GTK_WIDGET (self), self->high, snapshot);
  if (!self->plain)
    gtk_widget_snapshot_child (GTK_WIDGET (self), self->lock, snapshot);
}

static void
vg_color_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgColorBar *self = VG_COLOR_BAR (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  GskRoundedRect panel;

  if (self->content.coloring.colormap == NULL)
    return;
  gsk_rounded_rect_init_from_rect (&panel, &GRAPHENE_RECT_INIT (0, 0, width, height), 6);
  gtk_snapshot_push_rounded_clip (snapshot, &panel);
  gtk_snapshot_append_color (snapshot, &(GdkRGBA){ 0.06, 0.06, 0.07, 0.72 }, &panel.bounds);
  if (self->content.labels > 0)
    {
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (PADDING, PADDING));
      vg_color_legend_draw (widget, snapshot, &self->content);
    }
  else
    draw_scale (self, snapshot);
  gtk_snapshot_pop (snapshot);
}

static void
vg_color_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  VgColorBar *self = VG_COLOR_BAR (widget);
  GtkWidget *const children[] = { self->low, self->high, self->lock };
  int room[2] = { vg_color_scale_measure_number (widget), 0 }, least, unit;

  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    {
      gtk_widget_measure (children[i], orientation, -1, &least, NULL, NULL, NULL);
      room[0] = MAX (room[0], orientation == GTK_ORIENTATION_HORIZONTAL ? least : 0);
    }
  if (self->content.labels > 0)
    {
      vg_color_legend_measure (widget, &self->content, &room[0], &room[1]);
      *minimum = *natural = 2 * PADDING + room[orientation == GTK_ORIENTATION_VERTICAL];
    }
  else if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      vg_color_scale_measure_unit (widget, self->content.unit, &unit, NULL);
      *minimum = *natural = 2 * PADDING + MAX (WIDTH + VG_COLOR_SCALE_GAP + room[0], unit);
    }
  else
    {
      *minimum = MIN_HEIGHT;
      *natural = NATURAL_HEIGHT;
    }
}

static void
place (VgColorBar *self, GtkWidget *child, double x, double middle)
{
  int width, height;

  if (!gtk_widget_get_visible (child))
    return;
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  width = child == self->lock ? width
                              : MAX (width, gtk_widget_get_width (GTK_WIDGET (self)) - (int) x - 2);
  gtk_widget_size_allocate (
      child, &(GtkAllocation){ (int) x, (int) (middle - 0.5 * height), width, height }, -1);
}

static void
vg_color_bar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  VgColorBar *self = VG_COLOR_BAR (widget);
  graphene_rect_t bar = get_bar (self);
  double right = bar.origin.x + WIDTH + VG_COLOR_SCALE_GAP - 4;

  place (self, self->high, right, bar.origin.y);
  place (self, self->low, right, bar.origin.y + bar.size.height);
  place (self, self->lock, PADDING - 4, height - 0.5 * LOCK - 2);
}

/* ---- limits ---- */

/* Three figures of the range: a pixel is no finer. */
static double
rounded (double value, double range)
{
  double unit = range > 0 ? pow (10, floor (log10 (range)) - 2) : 0;

  return unit > 0 ? round (value / unit) * unit : value;
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, VgColorBar *self)
{
  graphene_rect_t bar = get_bar (self);

  if (self->content.labels > 0 || self->content.coloring.colormap == NULL ||
      gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT) != GTK_WIDGET (self))
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      /* the widget there gets the release; without this reset the next press would be lost */
      gtk_event_controller_reset (GTK_EVENT_CONTROLLER (drag));
      return;
    }
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  get_limits (self, self->grab_value);
  self->grab = y < bar.origin.y + 0.5 * bar.size.height ? GRAB_HIGH : GRAB_LOW;
  self->moved = FALSE;
}

/* The end moves as far as the pointer does, also beyond the bar. */
static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, VgColorBar *self)
{
  graphene_rect_t bar = get_bar (self);
  double bottom = bar.origin.y + bar.size.height, limits[2];
  VgPlotAxis axis;

  if (self->grab == GRAB_NONE || (!self->moved && fabs (dy) < 3))
    return;
  self->moved = TRUE;
  make_axis (self, &axis, bar.origin.y, bottom);
  memcpy (limits, self->grab_value, sizeof limits);
  if (self->grab == GRAB_HIGH)
    {
      double value = vg_plot_axis_to_value (&axis, bar.origin.y + dy);

      limits[1] = MAX (rounded (value, axis.log_scale ? value : axis.max - axis.min), limits[0]);
    }
  else
    {
      double value = vg_plot_axis_to_value (&axis, bottom + dy);

      limits[0] = MIN (rounded (value, axis.log_scale ? value : axis.max - axis.min), limits[1]);
    }
  g_signal_emit_by_name (self, "limits-changed", limits[0], limits[1]);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, VgColorBar *self)
{
  if (self->grab == GRAB_NONE)
    return;
  self->grab = GRAB_NONE;
  g_clear_object (&self->ramp);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (self->moved)
    g_signal_emit_by_name (self, "limits-done");
}

static void
on_typed (VgColorBar *self, GtkWidget *entry)
{
  double limits[2], value = gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry));

  if (self->syncing)
    return;
  get_limits (self, limits);
  limits[entry == self->high] = value;
  g_signal_emit_by_name (self, "limits-changed", MIN (limits[0], limits[1]),
                         MAX (limits[0], limits[1]));
}

static void
on_lock (VgColorBar *self)
{
  if (!self->syncing)
    g_signal_emit_by_name (self, "limits-fixed",
                           gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->lock)));
}

static void
show_limits (VgColorBar *self)
{
  gboolean fixed = self->content.fixed;
  double limits[2], step;

  get_limits (self, limits);
  step = limits[1] > limits[0] ? (limits[1] - limits[0]) / 50 : 1;
  self->syncing = TRUE;
  for (int i = 0; i < 2; i++)
    vg_limit_entry_set (i == 0 ? self->low : self->high, limits[i],
                        self->content.coloring.log_scale ? limits[i] / 20 : step,
                        self->content.unit);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->lock), fixed);
  gtk_button_set_icon_name (GTK_BUTTON (self->lock),
                            fixed ? "changes-prevent-symbolic" : "changes-allow-symbolic");
  vg_widget_set_tooltip (self->lock, fixed ? _ ("Limits are fixed") : _ ("Limits follow the data"));
  self->syncing = FALSE;
}

static void
vg_color_bar_dispose (GObject *object)
{
  VgColorBar *self = VG_COLOR_BAR (object);

  g_clear_object (&self->ramp);
  g_clear_pointer ((char **) &self->content.unit, g_free);
  g_clear_pointer ((char **) &self->content.dimmed_by, g_free);
  g_clear_pointer (&self->low, gtk_widget_unparent);
  g_clear_pointer (&self->high, gtk_widget_unparent);
  g_clear_pointer (&self->lock, gtk_widget_unparent);
  G_OBJECT_CLASS (vg_color_bar_parent_class)->dispose (object);
}

static void
vg_color_bar_class_init (VgColorBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = vg_color_bar_dispose;
  widget_class->snapshot = vg_color_bar_snapshot;
  widget_class->measure = vg_color_bar_measure;
  widget_class->size_allocate = vg_color_bar_size_allocate;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  vg_signal_new (VG_TYPE_COLOR_BAR, "limits-changed", 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  vg_signal_new (VG_TYPE_COLOR_BAR, "limits-done", 0);
  vg_signal_new (VG_TYPE_COLOR_BAR, "limits-fixed", 1, G_TYPE_BOOLEAN);
}

static void
vg_color_bar_init (VgColorBar *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_widget_add_css_class (GTK_WIDGET (self), "vg-color-bar");
  self->content.unit = g_strdup ("");
  self->high = vg_limit_entry_new (_ ("Upper end of the colours"));
  self->low = vg_limit_entry_new (_ ("Lower end of the colours"));
  self->lock = gtk_toggle_button_new ();
  gtk_widget_add_css_class (self->lock, "vg-lock");
  gtk_widget_add_css_class (self->lock, "flat");
  gtk_widget_set_cursor_from_name (self->lock, "default");
  vg_widget_describe (self->lock, _ ("Fixed limits"), NULL);
  gtk_widget_set_parent (self->high, GTK_WIDGET (self));
  gtk_widget_set_parent (self->low, GTK_WIDGET (self));
  gtk_widget_set_parent (self->lock, GTK_WIDGET (self));
  g_signal_connect_swapped (self->high, "value-changed", G_CALLBACK (on_typed), self);
  g_signal_connect_swapped (self->low, "value-changed", G_CALLBACK (on_typed), self);
  g_signal_connect_swapped (self->lock, "toggled", G_CALLBACK (on_lock), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
vg_color_bar_new (void)
{
  return g_object_new (VG_TYPE_COLOR_BAR, NULL);
}

static gboolean
is_same (const VgColorBarContent *a, const VgColorBarContent *b)
{
  return a->coloring.colormap == b->coloring.colormap && a->coloring.low == b->coloring.low &&
         a->coloring.high == b->coloring.high && a->coloring.gamma == b->coloring.gamma &&
         a->coloring.log_scale == b->coloring.log_scale && a->fixed == b->fixed &&
         a->labels == b->labels && a->names == b->names && a->opacity == b->opacity &&
         memcmp (a->shares, b->shares, sizeof a->shares) == 0 && strcmp (a->unit, b->unit) == 0 &&
         g_strcmp0 (a->dimmed_by, b->dimmed_by) == 0;
}

static char *
describe (VgColorBar *self)
{
  const VgColorBarContent *content = &self->content;
  g_autofree char *low = vg_format_words (content->coloring.low),
                  *high = vg_format_words (content->coloring.high);

  return content->labels > 0 ? vg_color_legend_describe (content)
         : content->dimmed_by != NULL
             ? g_strdup_printf (_ ("Colour bar, %s to %s %s, dimmed by %s"), low, high,
                                content->unit, content->dimmed_by)
             : g_strdup_printf (_ ("Colour bar, %s to %s %s"), low, high, content->unit);
}

void
vg_color_bar_set (VgColorBar *self, const VgColorBarContent *content)
{
  VgColorBarContent old = self->content;
  g_autofree char *name = NULL;

  if (is_same (&self->content, content))
    return;
  if (old.names != content->names || old.labels != content->labels ||
      strcmp (old.unit, content->unit) != 0)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  self->content = *content;
  self->content.unit = g_strdup (content->unit);
  self->content.dimmed_by = g_strdup (content->dimmed_by);
  g_free ((char *) old.unit);
  g_free ((char *) old.dimmed_by);
  g_clear_object (&self->ramp);
  gtk_widget_set_visible (self->low, content->labels == 0);
  gtk_widget_set_visible (self->high, content->labels == 0);
  gtk_widget_set_visible (self->lock, content->labels == 0);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), content->labels > 0 ? NULL : "ns-resize");
  show_limits (self);
  name = describe (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_color_bar_set_plain (VgColorBar *self, gboolean plain)
{
  self->plain = plain;
  gtk_widget_queue_draw (GTK_WIDGET (self)); /* otherwise what was drawn before is used again */
}
