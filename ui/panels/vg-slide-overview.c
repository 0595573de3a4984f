/* SPDX-License-Identifier: MIT */
#include "ui/panels/vg-slide-overview.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "io/source/vg-source.h"
#include "ui/common/vg-widgets.h"

enum { SIDE = 512, MOST_HEIGHT = 260 };
/* Pixels that a part has at most; a larger one is taken from a coarser level. */
#define MOST_PIXELS 16e6
/* A drag shorter than this is a click. */
#define LEAST_DRAG 4.0

/* A slide in small. */
typedef struct
{
  double width, height; /* of level 0 */
  double downsample[64];
  int n_levels;
  cairo_surface_t *surface;
} Small;

struct _VgSlideOverview
{
  VgBin parent_instance;
  GtkWidget *area;
  char *path;
  VgImageInfo info;
  int level;
  Small *small; /* NULL: not read yet, or not readable */
  GCancellable *reading;
  double shown[4]; /* what is visible elsewhere; empty: nothing */
  gboolean dragging;
  double from[2], to[2]; /* of a drag, in the area */
};

G_DEFINE_FINAL_TYPE (VgSlideOverview, vg_slide_overview, VG_TYPE_BIN)

static void
small_free (gpointer data)
{
  Small *small = data;

  cairo_surface_destroy (small->surface);
  g_free (small);
}

/* ---- Reading, in a thread ---- */

/* Row Y of the picture in small: the mean of FACTOR rows and columns of LEVEL. */
static gboolean
read_row (VgSource *source, int level, int y, int factor, guint8 *rgb, Small *small, GError **error)
{
  const VgLevel *from = &source->pyramid->levels[level];
  int width = cairo_image_surface_get_width (small->surface),
      stride = cairo_image_surface_get_stride (small->surface);
  guint32 *row = (guint32 *) (void *) (cairo_image_surface_get_data (small->surface) +
                                       (gsize) y * (gsize) stride);

  if (!vg_source_read_around (source, level, 0, (gint64) y * factor, (int) from->width, factor, rgb,
                              NULL, error))
    return FALSE;
  for (int x = 0; x < width; x++)
    {
      guint sum[3] = { 0 }, n = 0;

      for (int v = 0; v < factor; v++)
        for (int u = x * factor; u < MIN ((x + 1) * factor, (int) from->width); u++, n++)
          for (int c = 0; c < 3; c++)
            sum[c] += rgb[3 * ((gsize) v * (gsize) from->width + (gsize) u) + (gsize) c];
      row[x] = (sum[0] / n) << 16 | (sum[1] / n) << 8 | sum[2] / n;
    }
  return TRUE;
}

static void
read_small (GTask *task, gpointer object, gpointer path, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, &(VgSourceOptions){ .colour = TRUE }, &error);
  const VgPyramid *pyramid = source ? source->pyramid : NULL;
  g_autofree guint8 *rgb = NULL;
  int level, factor, height;
  Small *small;

  if (!pyramid)
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  level = pyramid->n_levels - 1;
  factor = (int) ((MAX (pyramid->levels[level].width, pyramid->levels[level].height) + SIDE - 1) /
                  SIDE);
  height = (int) ((pyramid->levels[level].height + factor - 1) / factor);
  small = g_new0 (Small, 1);
  small->width = (double) pyramid->levels[0].width;
  small->height = (double) pyramid->levels[0].height;
  small->n_levels = MIN (pyramid->n_levels, (int) G_N_ELEMENTS (small->downsample));
  for (int i = 0; i < small->n_levels; i++)
    small->downsample[i] = pyramid->levels[i].downsample;
  small->surface = cairo_image_surface_create (
      CAIRO_FORMAT_RGB24, (int) ((pyramid->levels[level].width + factor - 1) / factor), height);
  rgb = g_malloc (3 * (gsize) pyramid->levels[level].width * (gsize) factor);
  cairo_surface_flush (small->surface);
  for (int y = 0; y < height && !error && !g_cancellable_is_cancelled (cancellable); y++)
    read_row (source, level, y, factor, rgb, small, &error);
  cairo_surface_mark_dirty (small->surface);
  g_task_return_pointer (task, small, small_free);
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  VgSlideOverview *self = VG_SLIDE_OVERVIEW (object);
  Small *small = g_task_propagate_pointer (G_TASK (result), NULL);

  if (!small)
    return;
  g_clear_pointer (&self->small, small_free);
  self->small = small;
  gtk_widget_set_size_request (self->area, -1,
                               (int) MIN (MOST_HEIGHT, MOST_HEIGHT * small->height / small->width));
  gtk_widget_queue_draw (self->area);
}

/* ---- Choosing ---- */

/* Pixels of the area per pixel of level 0, and where the slide begins. */
static double
layout (VgSlideOverview *self, double *x, double *y)
{
  double w = gtk_widget_get_width (self->area), h = gtk_widget_get_height (self->area);
  double scale = MIN (w / self->small->width, h / self->small->height);

  *x = 0.5 * (w - scale * self->small->width);
  *y = 0.5 * (h - scale * self->small->height);
  return scale;
}

static void
choose (VgSlideOverview *self, double x0, double y0, double x1, double y1)
{
  g_autofree char *region = NULL;
  int level = self->level;

  x0 = CLAMP (floor (x0), 0, self->small->width - 1);
  y0 = CLAMP (floor (y0), 0, self->small->height - 1);
  x1 = CLAMP (ceil (x1), x0 + 1, self->small->width);
  y1 = CLAMP (ceil (y1), y0 + 1, self->small->height);
  while (level + 1 < self->small->n_levels &&
         (x1 - x0) * (y1 - y0) >
             MOST_PIXELS * self->small->downsample[level] * self->small->downsample[level])
    level++;
  region = g_strdup_printf ("%.0f,%.0f,%.0f,%.0f", x0, y0, x1 - x0, y1 - y0);
  g_signal_emit_by_name (self, "chosen", region, level);
}

/* The part as large as it is, about a point of level 0, inside the slide. */
static void
choose_about (VgSlideOverview *self, double x, double y)
{
  double w = self->info.width * self->info.downsample,
         h = self->info.height * self->info.downsample;

  x = CLAMP (x - 0.5 * w, 0, MAX (self->small->width - w, 0));
  y = CLAMP (y - 0.5 * h, 0, MAX (self->small->height - h, 0));
  choose (self, x, y, x + w, y + h);
}

static void
on_drag_begin (VgSlideOverview *self, double x, double y)
{
  self->dragging = self->small != NULL;
  self->from[0] = self->to[0] = x;
  self->from[1] = self->to[1] = y;
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
on_drag_update (VgSlideOverview *self, double dx, double dy)
{
  self->to[0] = self->from[0] + dx;
  self->to[1] = self->from[1] + dy;
  gtk_widget_queue_draw (self->area);
}

static void
on_drag_end (VgSlideOverview *self, double dx, double dy)
{
  double x, y, scale;

  if (!self->dragging || !self->small)
    return;
  self->dragging = FALSE;
  scale = layout (self, &x, &y);
  if (hypot (dx, dy) < LEAST_DRAG)
    choose_about (self, (self->from[0] - x) / scale, (self->from[1] - y) / scale);
  else
    choose (self, (MIN (self->from[0], self->from[0] + dx) - x) / scale,
            (MIN (self->from[1], self->from[1] + dy) - y) / scale,
            (MAX (self->from[0], self->from[0] + dx) - x) / scale,
            (MAX (self->from[1], self->from[1] + dy) - y) / scale);
  gtk_widget_queue_draw (self->area);
}

static gboolean
on_key (VgSlideOverview *self, guint key)
{
  double w = self->info.width * self->info.downsample,
         h = self->info.height * self->info.downsample;
  double x = self->info.origin[0] + 0.5 * w, y = self->info.origin[1] + 0.5 * h;

  if (!self->small ||
      (key != GDK_KEY_Left && key != GDK_KEY_Right && key != GDK_KEY_Up && key != GDK_KEY_Down))
    return FALSE;
  x += key == GDK_KEY_Left ? -0.5 * w : key == GDK_KEY_Right ? 0.5 * w : 0;
  y += key == GDK_KEY_Up ? -0.5 * h : key == GDK_KEY_Down ? 0.5 * h : 0;
  choose_about (self, x, y);
  return TRUE;
}

/* ---- Drawing ---- */

/* Dark and light, so that it is seen on any slide. */
static void
outline (cairo_t *cr, double x, double y, double w, double h)
{
  cairo_rectangle (cr, x, y, MAX (w, 3), MAX (h, 3));
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_set_line_width (cr, 3);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, 1, 0.85, 0.1);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  VgSlideOverview *self = data;
  double x, y, scale;

  if (!self->small)
    return;
  scale = layout (self, &x, &y);
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_scale (cr,
               scale * self->small->width / cairo_image_surface_get_width (self->small->surface),
               scale * self->small->height / cairo_image_surface_get_height (self->small->surface));
  cairo_set_source_surface (cr, self->small->surface, 0, 0);
  cairo_paint (cr);
  cairo_restore (cr);
  outline (cr, x + scale * self->info.origin[0], y + scale * self->info.origin[1],
           scale * self->info.width * self->info.downsample,
           scale * self->info.height * self->info.downsample);
  if (self->shown[2] > self->shown[0])
    {
      cairo_rectangle (cr, floor (x + scale * self->shown[0]) + 0.5,
                       floor (y + scale * self->shown[1]) + 0.5,
                       MAX (round (scale * (self->shown[2] - self->shown[0])) - 1, 2),
                       MAX (round (scale * (self->shown[3] - self->shown[1])) - 1, 2));
      cairo_set_source_rgb (cr, 0.1, 0.4, 0.9);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
    }
  if (self->dragging)
    outline (cr, MIN (self->from[0], self->to[0]), MIN (self->from[1], self->to[1]),
             fabs (self->to[0] - self->from[0]), fabs (self->to[1] - self->from[1]));
}

void
vg_slide_overview_set (VgSlideOverview *self, const char *path, const VgImageInfo *info, int level)
{
  gboolean slide = path && info && info->downsample > 0;

  gtk_widget_set_visible (GTK_WIDGET (self), slide);
  if (slide)
    self->info = *info;
  self->level = level;
  gtk_widget_queue_draw (self->area);
  if (g_strcmp0 (slide ? path : NULL, self->path) == 0)
    return;
  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_pointer (&self->small, small_free);
  g_free (self->path);
  self->path = g_strdup (slide ? path : NULL);
  if (slide)
    {
      g_autoptr (GTask) task = NULL;

      self->reading = g_cancellable_new ();
      task = g_task_new (self, self->reading, on_read, NULL);
      g_task_set_task_data (task, g_strdup (path), g_free);
      g_task_run_in_thread (task, read_small);
    }
}

void
vg_slide_overview_set_shown (VgSlideOverview *self, const double shown[4])
{
  for (int i = 0; i < 4; i++)
    self->shown[i] = shown != NULL ? shown[i] : 0;
  gtk_widget_queue_draw (self->area);
}

static void
vg_slide_overview_dispose (GObject *object)
{
  VgSlideOverview *self = VG_SLIDE_OVERVIEW (object);

  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_pointer (&self->small, small_free);
  g_clear_pointer (&self->path, g_free);
  G_OBJECT_CLASS (vg_slide_overview_parent_class)->dispose (object);
}

static void
vg_slide_overview_class_init (VgSlideOverviewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_slide_overview_dispose;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_IMG);
  vg_signal_new (VG_TYPE_SLIDE_OVERVIEW, "chosen", 2, G_TYPE_STRING, G_TYPE_INT);
}

static void
vg_slide_overview_init (VgSlideOverview *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->area = gtk_drawing_area_new ();
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->area), draw, self, NULL);
  gtk_widget_set_size_request (self->area, -1, MOST_HEIGHT);
  gtk_widget_set_parent (self->area, GTK_WIDGET (self));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  vg_widget_describe (GTK_WIDGET (self), _ ("Overview of the slide"),
                      _ ("Draw a rectangle to analyse another region, or click to move it there; "
                         "arrow keys move it by half its size"));
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (self->area, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

GtkWidget *
vg_slide_overview_new (void)
{
  return g_object_new (VG_TYPE_SLIDE_OVERVIEW, NULL);
}
