/* SPDX-License-Identifier: MIT */
#include "ui/panes/vg-panes.h"
#include "ui/panes/vg-pane.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include <math.h>

enum {
  NARROW_PX = 1100,
  SIDE_PX = 330,         /* at first */
  PLOTS_BESIDE_PX = 280, /* at least, until the user makes them smaller */
  PLOTS_WIDEST_PX = 480, /* at most, until the user makes them larger */
  PLOTS_BELOW_PX = 260,  /* at least, so that a curve can be read */
  PLOTS_TALLEST_PX = 440,
  MOST_PX = 4096,
  HANDLE_PX = 16,
};

/* The height of the image beside the plots, of that without them; else the plots are hidden. */
#define LEAST_IMAGE 0.45

struct _VgPanes
{
  GtkWidget parent_instance;
  GtkWidget *picture;
  VgPane side, plots;
  VgPanesShape shape;
  VgPanesMode mode;
  VgPlotsPlace choice, shown_choice; /* the last one that was not hidden */
  gboolean side_wanted, side_over;   /* beside the picture; over it, where it is not beside it */
  gboolean narrow, idle;
  int beside_px; /* at the right of the panes, taken by something else */
  VgPlotsPlace place;
  int side_px, plots_px[VG_PLOTS_HIDDEN]; /* as the user gave them; 0: as suits the picture */
  guint arranging;                        /* idle source; 0: none */
};

G_DEFINE_FINAL_TYPE (VgPanes, vg_panes, GTK_TYPE_WIDGET)

static const char *const places[] = { "automatic", "right", "below", "hidden" };

static void queue_arrange (VgPanes *self);

static int
minimum (GtkWidget *widget, GtkOrientation orientation)
{
  int size;

  gtk_widget_measure (widget, orientation, -1, &size, NULL, NULL, NULL);
  return size;
}

/* ---- the sizes of the panes ---- */

static void
note_sizes (VgPanes *self)
{
  VgPlotsPlace last = vg_pane_get_orientation (&self->plots) == GTK_ORIENTATION_HORIZONTAL
                          ? VG_PLOTS_RIGHT
                          : VG_PLOTS_BELOW;

  if (vg_pane_note_size (&self->side, self->side_wanted, &self->side_px) && !self->side_wanted)
    vg_panes_show_side (self, TRUE);
  if (vg_pane_note_size (&self->plots, self->place != VG_PLOTS_HIDDEN, &self->plots_px[last]) &&
      self->choice == VG_PLOTS_HIDDEN)
    vg_panes_switch_plots (self);
}

/* The height of the image where the picture has WIDTH x HEIGHT px. */
static double
image_size (const VgPanes *self, int width, int height)
{
  double aspect = self->shape.aspect > 0 ? self->shape.aspect : 1;

  return MIN ((width - self->shape.beside_px) / aspect, height - self->shape.around_px);
}

/* What the image of a picture in WIDTH x HEIGHT px, less the handle, does not need. */
static int
suitable_plots (VgPanes *self, VgPlotsPlace place, int width, int height)
{
  double aspect = self->shape.aspect > 0 ? self->shape.aspect : 1;
  int handle = vg_pane_get_handle (&self->plots, self->picture);

  width -= self->shape.beside_px;
  height -= self->shape.around_px;
  if (place == VG_PLOTS_RIGHT)
    return CLAMP ((int) (width - handle - aspect * height), PLOTS_BESIDE_PX, PLOTS_WIDEST_PX);
  return CLAMP ((int) (height - handle - width / aspect), PLOTS_BELOW_PX, PLOTS_TALLEST_PX);
}

/* For plots in WIDTH x HEIGHT px, with the picture. */
static int
plots_size (VgPanes *self, VgPlotsPlace place, int width, int height)
{
  gboolean right = place == VG_PLOTS_RIGHT;
  int wanted = self->plots_px[place];

  if (wanted == 0)
    wanted = suitable_plots (self, place, width, height);
  return MAX (MIN (wanted, (right ? width : height) / 2),
              vg_pane_get_least (&self->plots,
                                 right ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL));
}

/* In a window of WIDTH px. */
static int
side_size (VgPanes *self, int width)
{
  return MAX (MIN (self->side_px > 0 ? self->side_px : SIDE_PX, width / 2),
              vg_pane_get_least (&self->side, GTK_ORIENTATION_HORIZONTAL));
}

static gboolean
is_side_beside (VgPanes *self)
{
  return self->side_wanted && !self->narrow && self->mode == VG_PANES_ALL;
}

/* The side pane lies over the picture, if it is shown: in a narrow window, and where the picture is
 * alone. */
static gboolean
is_side_over (VgPanes *self)
{
  return self->narrow || self->mode == VG_PANES_PICTURE;
}

/* ---- the arrangement ---- */

static gboolean
fits (VgPanes *self, VgPlotsPlace place, int width, int height)
{
  GtkOrientation along = place == VG_PLOTS_RIGHT ? GTK_ORIENTATION_HORIZONTAL
                                                 : GTK_ORIENTATION_VERTICAL;

  return minimum (self->picture, along) + vg_pane_get_least (&self->plots, along) + HANDLE_PX <=
         (place == VG_PLOTS_RIGHT ? width : height);
}

/* In a window of WIDTH x HEIGHT px. */
static VgPlotsPlace
find_place (VgPanes *self, int width, int height)
{
  int room = width - (is_side_beside (self) ? side_size (self, width) + HANDLE_PX : 0),
      right = plots_size (self, VG_PLOTS_RIGHT, room, height),
      below = plots_size (self, VG_PLOTS_BELOW, room, height);
  VgPlotsPlace place = self->choice, other;

  if (self->mode == VG_PANES_PICTURE || self->idle)
    return VG_PLOTS_HIDDEN;
  if (place == VG_PLOTS_AUTOMATIC)
    place = image_size (self, room - right, height) >= image_size (self, room, height - below)
                ? VG_PLOTS_RIGHT
                : VG_PLOTS_BELOW;
  if (self->choice == VG_PLOTS_AUTOMATIC && /* as where large text makes the plots large */
      MAX (image_size (self, room - right, height), image_size (self, room, height - below)) <
          LEAST_IMAGE * image_size (self, room, height))
    return VG_PLOTS_HIDDEN;
  other = place == VG_PLOTS_RIGHT ? VG_PLOTS_BELOW : VG_PLOTS_RIGHT;
  if (place == VG_PLOTS_HIDDEN || fits (self, place, room, height))
    return place;
  return fits (self, other, room, height) ? other : VG_PLOTS_HIDDEN;
}

/* A window so narrow that it would leave the picture too little beside the side pane. */
static gboolean
is_narrow (VgPanes *self, int width)
{
  return width < MAX (NARROW_PX - self->beside_px,
                      minimum (self->picture, GTK_ORIENTATION_HORIZONTAL) +
                          vg_pane_get_least (&self->side, GTK_ORIENTATION_HORIZONTAL) + HANDLE_PX);
}

static void
place_side (VgPanes *self, gboolean narrow)
{
  if (self->narrow != narrow)
    self->side_over = FALSE;
  self->narrow = narrow;
  if (is_side_over (self))
    gtk_widget_add_css_class (self->side.child, "vg-over");
  else
    gtk_widget_remove_css_class (self->side.child, "vg-over");
  gtk_widget_set_visible (self->side.child,
                          is_side_over (self) ? self->side_over : self->side_wanted);
  gtk_widget_set_visible (self->side.place, !is_side_over (self));
}

static void
place_plots (VgPanes *self, VgPlotsPlace place)
{
  self->place = place;
  gtk_widget_set_visible (self->plots.child, place != VG_PLOTS_HIDDEN);
  gtk_widget_set_visible (self->plots.place, self->mode == VG_PANES_ALL);
  if (place != VG_PLOTS_HIDDEN)
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->plots.paned),
                                    place == VG_PLOTS_RIGHT ? GTK_ORIENTATION_HORIZONTAL
                                                            : GTK_ORIENTATION_VERTICAL);
}

static gboolean
arrange (gpointer data)
{
  VgPanes *self = data;
  int width = gtk_widget_get_width (GTK_WIDGET (self)),
      height = gtk_widget_get_height (GTK_WIDGET (self));

  self->arranging = 0;
  place_side (self, is_narrow (self, width));
  place_plots (self, find_place (self, width, height));
  self->side.room = self->plots.room = 0;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "changed");
  return G_SOURCE_REMOVE;
}

/* Nothing is shown or hidden while it is laid out. */
static void
queue_arrange (VgPanes *self)
{
  if (self->arranging == 0)
    self->arranging = g_idle_add_full (G_PRIORITY_HIGH_IDLE, arrange, self, NULL);
}

/* ---- the widget ---- */

/* As little as the picture and each pane need one by one: what does not fit is put elsewhere. */
static void
vg_panes_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *least_size,
                  int *natural, int *least_baseline, int *natural_baseline)
{
  VgPanes *self = VG_PANES (widget);

  gtk_widget_measure (self->side.paned, orientation, -1, least_size, natural, NULL, NULL);
  *least_size = MAX (*least_size, vg_pane_get_least (&self->side, orientation));
  *natural = MAX (*natural, *least_size);
}

static void
set_sizes (VgPanes *self, int width, const GtkAllocation *allocation)
{
  GtkWidget *all = self->side.paned, *plots = self->plots.paned;

  vg_pane_set_size (&self->side, is_side_beside (self) ? side_size (self, width) : 0, all,
                    allocation);
  vg_pane_set_size (&self->plots,
                    self->place == VG_PLOTS_HIDDEN
                        ? 0
                        : plots_size (self, self->place, gtk_widget_get_width (plots),
                                      gtk_widget_get_height (plots)),
                    all, allocation);
}

static void
vg_panes_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  VgPanes *self = VG_PANES (widget);
  GtkWidget *all = self->side.paned;
  GtkAllocation allocation = { 0, 0, MAX (width, minimum (all, GTK_ORIENTATION_HORIZONTAL)),
                               MAX (height, minimum (all, GTK_ORIENTATION_VERTICAL)) };

  note_sizes (self);
  if (self->narrow != is_narrow (self, width) || self->place != find_place (self, width, height))
    queue_arrange (self);
  gtk_widget_size_allocate (all, &allocation, -1);
  set_sizes (self, width, &allocation);
  if (gtk_widget_get_visible (self->plots.child))
    vg_pane_allocate (&self->plots, widget);
  if (gtk_widget_get_visible (self->side.child) && is_side_beside (self))
    vg_pane_allocate (&self->side, widget);
  else if (gtk_widget_get_visible (self->side.child))
    {
      int side = MIN (side_size (self, 2 * width), width);

      gtk_widget_size_allocate (self->side.child, &(GtkAllocation){ width - side, 0, side, height },
                                -1);
    }
}

static void
vg_panes_dispose (GObject *object)
{
  GtkWidget *child;

  g_clear_handle_id (&VG_PANES (object)->arranging, g_source_remove);
  while ((child = gtk_widget_get_last_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (vg_panes_parent_class)->dispose (object);
}

static void
vg_panes_class_init (VgPanesClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = vg_panes_dispose;
  widget_class->measure = vg_panes_measure;
  widget_class->size_allocate = vg_panes_size_allocate;
  vg_signal_new (VG_TYPE_PANES, "changed", 0);
}

static void
toggle_side (gpointer owner)
{
  vg_panes_show_side (owner, !VG_PANES (owner)->side_wanted);
}

static void
toggle_plots (gpointer owner)
{
  vg_panes_switch_plots (owner);
}

static void
vg_panes_init (VgPanes *self)
{
  self->side_wanted = TRUE;
  self->place = VG_PLOTS_RIGHT;
  vg_pane_init (&self->side, _ ("Width of the side pane"), toggle_side, self);
  vg_pane_init (&self->plots, _ ("Size of the plots"), toggle_plots, self);
  gtk_paned_set_start_child (GTK_PANED (self->side.paned), self->plots.paned);
  gtk_widget_set_parent (self->side.paned, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
vg_panes_new (void)
{
  return g_object_new (VG_TYPE_PANES, NULL);
}

void
vg_panes_set_picture (VgPanes *self, GtkWidget *picture)
{
  self->picture = picture;
  gtk_paned_set_start_child (GTK_PANED (self->plots.paned), picture);
}

void
vg_panes_set_plots (VgPanes *self, GtkWidget *plots)
{
  self->plots.child = plots;
  gtk_widget_set_parent (plots, GTK_WIDGET (self));
}

void
vg_panes_set_side (VgPanes *self, GtkWidget *side)
{
  self->side.child = side;
  gtk_widget_set_parent (side, GTK_WIDGET (self));
}

/* ---- what is chosen ---- */

void
vg_panes_restore (VgPanes *self, VgSettings *settings)
{
  self->side_px = vg_settings_get_int (settings, "side-width", 0, 0, MOST_PX);
  self->plots_px[VG_PLOTS_RIGHT] = vg_settings_get_int (settings, "plots-width", 0, 0, MOST_PX);
  self->plots_px[VG_PLOTS_BELOW] = vg_settings_get_int (settings, "plots-height", 0, 0, MOST_PX);
  vg_panes_choose_plots (self, places[vg_settings_get_int (settings, "plots", VG_PLOTS_AUTOMATIC,
                                                           VG_PLOTS_AUTOMATIC, VG_PLOTS_HIDDEN)]);
}

void
vg_panes_remember (VgPanes *self, VgSettings *settings)
{
  note_sizes (self);
  vg_settings_set_int (settings, "side-width", self->side_px);
  vg_settings_set_int (settings, "plots-width", self->plots_px[VG_PLOTS_RIGHT]);
  vg_settings_set_int (settings, "plots-height", self->plots_px[VG_PLOTS_BELOW]);
  vg_settings_set_int (settings, "plots", (int) self->choice);
}

void
vg_panes_set_shape (VgPanes *self, const VgPanesShape *shape)
{
  if (self->shape.aspect == shape->aspect && self->shape.beside_px == shape->beside_px &&
      self->shape.around_px == shape->around_px)
    return;
  self->shape = *shape;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
vg_panes_set_beside (VgPanes *self, int px)
{
  self->beside_px = px;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
vg_panes_set_idle (VgPanes *self, gboolean idle)
{
  if (self->idle == idle)
    return;
  note_sizes (self);
  self->idle = idle;
  queue_arrange (self);
}

void
vg_panes_set_mode (VgPanes *self, VgPanesMode mode)
{
  note_sizes (self);
  self->mode = mode;
  self->side_over = FALSE;
  /* at once, because the next frame may be drawn before the rest is arranged */
  place_side (self, self->narrow);
  place_plots (self, find_place (self, gtk_widget_get_width (GTK_WIDGET (self)),
                                 gtk_widget_get_height (GTK_WIDGET (self))));
  self->side.room = self->plots.room = 0; /* no user gave the panes the size that they have now */
  queue_arrange (self);
}

static void
choose (VgPanes *self, VgPlotsPlace choice)
{
  self->choice = choice;
  if (choice != VG_PLOTS_HIDDEN)
    self->shown_choice = choice;
  queue_arrange (self);
}

void
vg_panes_choose_plots (VgPanes *self, const char *place)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (g_str_equal (places[i], place))
      choose (self, (VgPlotsPlace) i);
}

const char *
vg_panes_get_choice (VgPanes *self)
{
  return places[self->choice];
}

void
vg_panes_switch_plots (VgPanes *self)
{
  choose (self, self->choice == VG_PLOTS_HIDDEN ? self->shown_choice : VG_PLOTS_HIDDEN);
}

VgPlotsPlace
vg_panes_get_place (VgPanes *self)
{
  return self->place;
}

void
vg_panes_show_side (VgPanes *self, gboolean shown)
{
  if (is_side_over (self))
    self->side_over = shown;
  else
    self->side_wanted = shown;
  place_side (self, self->narrow);
  queue_arrange (self);
}

gboolean
vg_panes_is_side_shown (VgPanes *self)
{
  return gtk_widget_get_visible (self->side.child);
}

gboolean
vg_panes_is_narrow (VgPanes *self)
{
  return self->narrow;
}
