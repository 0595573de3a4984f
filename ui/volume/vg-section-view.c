/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-section-view.h"
#include <math.h>
#include <string.h>
#include "render/vg-software.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/volume/vg-section-marks.h"
#include "ui/volume/vg-section-mask.h"
#include "ui/volume/vg-section-regions.h"

enum { LEAST_PX = 60, MARGIN_PX = 14, ZOOM_STEPS = 4 };

struct _VgSectionView
{
  GtkWidget parent_instance;
  VgSession *session;
  VgSectionKind kind;
  VgVolumeGrid grid; /* size 0: none */
  VgSection sections[VG_N_SECTIONS];
  VgVolumeLook look;
  const guint8 *mask; /* NULL: none */
  gboolean painting;
  VgSectionSamples samples;
  gboolean taken; /* the samples are those of the present section */
  int at[3];
  double zoom, center[3];
  GdkTexture *texture; /* of the size of the widget; NULL: it is drawn anew */
  double scrolled;     /* part of a step */
  char *told;          /* the accessible description */
};

G_DEFINE_FINAL_TYPE (VgSectionView, vg_section_view, GTK_TYPE_WIDGET)

static const VgSection *
section_of (const VgSectionView *self)
{
  return &self->sections[self->kind];
}

static gboolean
has_volume (const VgSectionView *self)
{
  return self->grid.size[0] > 0 && self->look.map != NULL;
}

/* ---- where things are ---- */

/* Widget pixels per unit of length. */
static double
scale_of (VgSectionView *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) - 2 * MARGIN_PX,
         height = gtk_widget_get_height (GTK_WIDGET (self)) - 2 * MARGIN_PX;

  return self->zoom * vg_section_fit (self->sections, &self->grid, MAX (width, 8), MAX (height, 8));
}

/* Widget position of the middle of the view, in voxels of the section as it is seen. */
static double
seen_center (const VgSectionView *self, int i)
{
  const VgSection *section = section_of (self);
  int axis = section->axis[i];
  double center = self->zoom > 1 ? self->center[axis] : 0.5 * self->grid.size[axis];

  return section->turned[i] ? self->grid.size[axis] - center : center;
}

/* The widget coordinate, along axis I of the section, of the volume coordinate PLACE. */
static double
to_widget (VgSectionView *self, int i, double place)
{
  const VgSection *section = section_of (self);
  int axis = section->axis[i], size = i == 0 ? gtk_widget_get_width (GTK_WIDGET (self))
                                             : gtk_widget_get_height (GTK_WIDGET (self));
  double seen = section->turned[i] ? self->grid.size[axis] - place : place;

  return 0.5 * size + (seen - seen_center (self, i)) * scale_of (self) * self->grid.step[axis];
}

/* The voxel at a point of the widget. */
static void
to_voxel (VgSectionView *self, double x, double y, int at[3])
{
  const VgSection *section = section_of (self);
  const double point[] = { x, y };

  memcpy (at, self->at, sizeof self->at);
  for (int i = 0; i < 2; i++)
    {
      int axis = section->axis[i], size = i == 0 ? gtk_widget_get_width (GTK_WIDGET (self))
                                                 : gtk_widget_get_height (GTK_WIDGET (self));
      double seen = seen_center (self, i) +
                    (point[i] - 0.5 * size) / (scale_of (self) * self->grid.step[axis]);
      double place = section->turned[i] ? self->grid.size[axis] - seen : seen;

      at[axis] = (int) floor (CLAMP (place, 0, self->grid.size[axis] - 1));
    }
}

/* ---- drawing ---- */

/* FALSE: no memory. */
static gboolean
take_samples (VgSectionView *self)
{
  if (!self->taken)
    self->taken = vg_section_samples_take (&self->samples, section_of (self), &self->grid, self->at,
                                           &self->look, self->mask);
  return self->taken;
}

static void
draw_texture (VgSectionView *self, int width, int height)
{
  const VgSection *section = section_of (self);
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self)), across = section->axis[0],
      down = section->axis[1];
  VgScene scene = self->look.scene;
  VgPlane map = { .data = self->samples.map,
                  .width = self->grid.size[across],
                  .height = self->grid.size[down],
                  .slices = 1 },
          light = map;
  gsize row = (gsize) width * (gsize) scale * 4;
  g_autoptr (GBytes) bytes = NULL;
  guint8 *rgba;

  light.data = self->samples.light;
  scene.turned[0] = section->turned[0];
  scene.turned[1] = section->turned[1];
  scene.zoom = scale_of (self) * self->grid.step[across] * scale;
  scene.aspect = self->grid.step[down] / self->grid.step[across];
  scene.center_x = seen_center (self, 0);
  scene.center_y = seen_center (self, 1);
  rgba = vg_software_draw (&scene, &map, self->look.light != NULL ? &light : NULL,
                           self->look.under != NULL || self->look.grey != NULL ? self->samples.under
                                                                               : NULL,
                           0, width * scale, height * scale);
  if (self->mask != NULL)
    vg_section_draw_mask (&scene, self->samples.mask, map.width, map.height, rgba, width * scale,
                          height * scale);
  bytes = g_bytes_new_take (rgba, row * (gsize) height * (gsize) scale);
  g_set_object (&self->texture, NULL);
  self->texture = gdk_memory_texture_new (width * scale, height * scale, GDK_MEMORY_R8G8B8A8, bytes,
                                          row);
}

static void
draw_regions (VgSectionView *self, GtkSnapshot *snapshot, const graphene_rect_t *all)
{
  VgSectionPlace place = { .section = section_of (self), .grid = &self->grid, .at = self->at };
  cairo_t *cr;

  if (vg_session_get_n_regions (self->session) == 0)
    return;
  for (int i = 0; i < 2; i++)
    {
      place.origin[i] = to_widget (self, i, 0);
      place.step[i] = to_widget (self, i, 1) - place.origin[i];
    }
  cr = gtk_snapshot_append_cairo (snapshot, all);
  vg_section_draw_regions (&place, self->session, cr);
  cairo_destroy (cr);
}

static void
vg_section_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgSectionView *self = VG_SECTION_VIEW (widget);
  const VgSection *section = section_of (self);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  const float *ground = self->look.scene.background;
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);

  if (width < 1 || height < 1)
    return;
  gtk_snapshot_append_color (snapshot, &(GdkRGBA){ ground[0], ground[1], ground[2], 1 }, &all);
  if (!has_volume (self) || !take_samples (self))
    return;
  if (self->texture == NULL)
    draw_texture (self, width, height);
  gtk_snapshot_append_texture (snapshot, self->texture, &all);
  draw_regions (self, snapshot, &all);
  vg_section_draw_marks (
      widget, snapshot,
      &(VgSectionMarks){ section, to_widget (self, 0, self->at[section->axis[0]] + 0.5),
                         to_widget (self, 1, self->at[section->axis[1]] + 0.5),
                         self->at[section->axis[2]] + 1, self->grid.size[section->axis[2]] });
}

static void
redraw (VgSectionView *self)
{
  g_clear_object (&self->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- what is told ---- */

static void
describe (VgSectionView *self)
{
  const VgSection *section = section_of (self);
  int through = section->axis[2];
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, _ ("Slice %d of %d; crosshair at voxel %d, %d, slice %d"),
                   self->at[through] + 1, self->grid.size[through], self->at[0], self->at[1],
                   self->at[2] + 1);
  if (section->sides[0][0] != '\0')
    g_string_append_printf (text, _ ("; %c at the left, %c at the right, %c above, %c below"),
                            section->sides[0][0], section->sides[0][1], section->sides[1][0],
                            section->sides[1][1]);
  g_string_append (
      text, _ (". A click or a drag moves the crosshair; the wheel and Shift+Page Up or Page Down "
               "step through the slices; the arrow keys move the crosshair by one voxel"));
  if (g_strcmp0 (self->told, text->str) == 0)
    return;
  g_free (self->told);
  self->told = g_strdup (text->str);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  vg_section_name (section), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  self->told, -1);
}

/* ---- input ---- */

static void
choose (VgSectionView *self, int at[3])
{
  vg_volume_grid_clamp (&self->grid, at);
  g_signal_emit_by_name (self, "chosen", at[0], at[1], at[2]);
}

static void
choose_point (VgSectionView *self, double x, double y)
{
  int at[3];

  if (!has_volume (self))
    return;
  to_voxel (self, x, y, at);
  choose (self, at);
}

/* By BY voxels along axis I of the section as it is seen; 2 is through it. */
static void
move (VgSectionView *self, int i, int by)
{
  const VgSection *section = section_of (self);
  int at[3] = { self->at[0], self->at[1], self->at[2] };

  if (!has_volume (self))
    return;
  at[section->axis[i]] += i < 2 && section->turned[i] ? -by : by;
  choose (self, at);
}

/* Paints, or moves the crosshair. */
static void
use_point (VgSectionView *self, double x, double y, VgStroke phase)
{
  int at[3];

  if (!self->painting)
    {
      if (phase != VG_STROKE_END)
        choose_point (self, x, y);
      return;
    }
  if (!has_volume (self))
    return;
  to_voxel (self, x, y, at);
  g_signal_emit_by_name (self, "painted", at[0], at[1], at[2], (int) phase);
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, VgSectionView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  use_point (self, x, y, VG_STROKE_BEGIN);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, VgSectionView *self)
{
  double x, y;

  gtk_gesture_drag_get_start_point (drag, &x, &y);
  use_point (self, x + dx, y + dy, VG_STROKE_END);
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, VgSectionView *self)
{
  double x, y;

  gtk_gesture_drag_get_start_point (drag, &x, &y);
  use_point (self, x + dx, y + dy, VG_STROKE_GO_ON);
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, VgSectionView *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (
      GTK_EVENT_CONTROLLER (controller));
  int steps;

  if (state & GDK_CONTROL_MASK)
    {
      g_signal_emit_by_name (self, "zoomed", pow (2, -dy / ZOOM_STEPS));
      return GDK_EVENT_STOP;
    }
  self->scrolled += dy;
  steps = (int) self->scrolled;
  self->scrolled -= steps;
  if (steps != 0)
    move (self, 2, steps);
  return GDK_EVENT_STOP;
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
        VgSectionView *self)
{
  static const struct
  {
    guint key;
    int axis, by;
    gboolean shift;
  } keys[] = {
    { GDK_KEY_Left, 0, -1 }, { GDK_KEY_Right, 0, 1 },          { GDK_KEY_Up, 1, -1 },
    { GDK_KEY_Down, 1, 1 },  { GDK_KEY_Page_Up, 2, -1, TRUE }, { GDK_KEY_Page_Down, 2, 1, TRUE },
  };

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Return && self->painting && has_volume (self))
    {
      for (int phase = VG_STROKE_BEGIN; phase <= VG_STROKE_END; phase += VG_STROKE_END)
        g_signal_emit_by_name (self, "painted", self->at[0], self->at[1], self->at[2], phase);
      return GDK_EVENT_STOP;
    }
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == key && keys[i].shift == ((state & GDK_SHIFT_MASK) != 0))
      {
        move (self, keys[i].axis, keys[i].by);
        return GDK_EVENT_STOP;
      }
  return GDK_EVENT_PROPAGATE;
}

static void
add_controllers (VgSectionView *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (
                         GTK_EVENT_CONTROLLER_SCROLL_VERTICAL),
                     *keys = gtk_event_controller_key_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), GDK_BUTTON_PRIMARY);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/* ---- the widget ---- */

static void
vg_section_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = LEAST_PX;
  *natural = 4 * LEAST_PX;
}

static void
vg_section_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  g_clear_object (&VG_SECTION_VIEW (widget)->texture);
}

static void
vg_section_view_finalize (GObject *object)
{
  VgSectionView *self = VG_SECTION_VIEW (object);

  g_clear_object (&self->texture);
  vg_section_samples_clear (&self->samples);
  g_free (self->told);
  G_OBJECT_CLASS (vg_section_view_parent_class)->finalize (object);
}

static void
vg_section_view_class_init (VgSectionViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = vg_section_view_finalize;
  widget_class->measure = vg_section_view_measure;
  widget_class->size_allocate = vg_section_view_size_allocate;
  widget_class->snapshot = vg_section_view_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "sectionview");
  vg_signal_new (VG_TYPE_SECTION_VIEW, "chosen", 3, G_TYPE_INT, G_TYPE_INT, G_TYPE_INT);
  vg_signal_new (VG_TYPE_SECTION_VIEW, "painted", 4, G_TYPE_INT, G_TYPE_INT, G_TYPE_INT,
                 G_TYPE_INT);
  vg_signal_new (VG_TYPE_SECTION_VIEW, "zoomed", 1, G_TYPE_DOUBLE);
}

static void
vg_section_view_init (VgSectionView *self)
{
  self->zoom = 1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (gtk_widget_queue_allocate), NULL);
  add_controllers (self);
}

GtkWidget *
vg_section_view_new (VgSession *session, VgSectionKind kind)
{
  VgSectionView *self = g_object_new (VG_TYPE_SECTION_VIEW, NULL);

  self->session = vg_hold (self, session);
  self->kind = kind;
  return GTK_WIDGET (self);
}

void
vg_section_view_set_volume (VgSectionView *self, const VgVolumeGrid *grid,
                            const VgSection sections[VG_N_SECTIONS])
{
  self->grid = *grid;
  memcpy (self->sections, sections, sizeof self->sections);
  vg_volume_grid_clamp (&self->grid, self->at);
  self->taken = FALSE;
  redraw (self);
  describe (self);
}

void
vg_section_view_set_look (VgSectionView *self, const VgVolumeLook *look)
{
  self->look = *look;
  self->taken = FALSE;
  redraw (self);
}

void
vg_section_view_set_place (VgSectionView *self, const int at[3], double zoom,
                           const double center[3])
{
  int through = section_of (self)->axis[2];
  gboolean same = self->at[through] == at[through],
           still = self->zoom == zoom && memcmp (self->center, center, sizeof self->center) == 0;

  memcpy (self->at, at, sizeof self->at);
  self->zoom = zoom;
  memcpy (self->center, center, sizeof self->center);
  if (!same)
    self->taken = FALSE;
  if (same && still)
    gtk_widget_queue_draw (GTK_WIDGET (self)); /* only the crosshair moves */
  else
    redraw (self);
  describe (self);
}

void
vg_section_view_set_painting (VgSectionView *self, gboolean painting)
{
  self->painting = painting;
}

void
vg_section_view_set_mask (VgSectionView *self, const guint8 *mask)
{
  self->mask = mask;
  self->taken = FALSE;
  redraw (self);
}
