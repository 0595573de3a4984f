/* SPDX-License-Identifier: MIT */
#include "ui/tour/vg-tour.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { WIDTH_CHARS = 38, SPACING_PX = 8, MARGIN_PX = 6, FOLLOW_US = 1000000 };

typedef struct
{
  GtkWidget *target; /* NULL: it is gone */
  char *title, *text;
} Step;

struct _VgTour
{
  GtkPopover parent_instance;
  GtkWidget *title, *count, *text, *back, *next;
  GPtrArray *steps;
  int now; /* -1: none */
};

G_DEFINE_FINAL_TYPE (VgTour, vg_tour, GTK_TYPE_POPOVER)

static void
step_free (gpointer data)
{
  Step *step = data;

  if (step->target != NULL)
    g_object_remove_weak_pointer (G_OBJECT (step->target), (gpointer *) &step->target);
  g_free (step->title);
  g_free (step->text);
  g_free (step);
}

static gboolean
is_in_sight (VgTour *self, int i)
{
  const Step *step = self->steps->pdata[i];

  return step->target != NULL && gtk_widget_get_mapped (step->target);
}

/* The next step after step I in direction BY that can be shown; -1: there is none. */
static int
find_step (VgTour *self, int i, int by)
{
  for (i += by; i >= 0 && i < (int) self->steps->len; i += by)
    if (is_in_sight (self, i))
      return i;
  return -1;
}

/* Steps in sight up to step I, which is included. */
static int
count_steps (VgTour *self, int i)
{
  int n = 0;

  for (int k = 0; k <= i; k++)
    n += is_in_sight (self, k);
  return n;
}

/* The side of AT in PARENT where there is room for the popover; -1: there is none. */
static int
find_side (VgTour *self, GtkWidget *parent, const GdkRectangle *at)
{
  static const GtkPositionType sides[] = { GTK_POS_BOTTOM, GTK_POS_RIGHT, GTK_POS_LEFT,
                                           GTK_POS_TOP };
  int rooms[] = { gtk_widget_get_height (parent) - at->y - at->height,
                  gtk_widget_get_width (parent) - at->x - at->width, at->x, at->y };
  GtkRequisition size;

  gtk_widget_get_preferred_size (GTK_WIDGET (self), NULL, &size);
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    if (rooms[i] >=
        (sides[i] == GTK_POS_BOTTOM || sides[i] == GTK_POS_TOP ? size.height : size.width))
      return (int) sides[i];
  return -1;
}

/* How far LENGTH px around MIDDLE have to move to lie within ROOM. */
static int
find_shift (int middle, int length, int room)
{
  return MAX (length / 2 - middle, 0) - MAX (middle + length / 2 - room, 0);
}

/* Moves the popover, which is on the SIDE of AT, along that side until it is within PARENT. */
static void
keep_inside (VgTour *self, GtkWidget *parent, const GdkRectangle *at, GtkPositionType side)
{
  gboolean across = side == GTK_POS_BOTTOM || side == GTK_POS_TOP;
  GtkRequisition size;

  gtk_widget_get_preferred_size (GTK_WIDGET (self), NULL, &size);
  gtk_popover_set_offset (
      GTK_POPOVER (self),
      across ? find_shift (at->x + at->width / 2, size.width, gtk_widget_get_width (parent)) : 0,
      across ? 0
             : find_shift (at->y + at->height / 2, size.height, gtk_widget_get_height (parent)));
}

/* The place below which the popover hangs: in the lower half of AT, which is large, so that it
 * stays within PARENT. */
static GdkRectangle
find_place_within (VgTour *self, GtkWidget *parent, const GdkRectangle *at)
{
  GtkRequisition size;
  int lowest;

  gtk_widget_get_preferred_size (GTK_WIDGET (self), NULL, &size);
  lowest = gtk_widget_get_height (parent) - size.height;
  return (GdkRectangle){ at->x + at->width / 2, MAX (MIN (at->y + at->height / 2, lowest), at->y),
                         1, 1 };
}

/* In the lower half of a large target, or beside a small one, so that the target stays visible. */
static void
point_at (VgTour *self, GtkWidget *target)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));
  graphene_rect_t place;
  GdkRectangle at;
  gboolean large;
  int side;

  if (!gtk_widget_compute_bounds (target, parent, &place))
    return;
  at = (GdkRectangle){ (int) place.origin.x, (int) place.origin.y, (int) place.size.width,
                       (int) place.size.height };
  large = 3 * at.width > gtk_widget_get_width (parent) &&
          3 * at.height > gtk_widget_get_height (parent);
  side = large ? -1 : find_side (self, parent, &at);
  if (side < 0)
    {
      at = find_place_within (self, parent, &at);
      side = GTK_POS_BOTTOM;
    }
  gtk_popover_set_position (GTK_POPOVER (self), (GtkPositionType) side);
  gtk_popover_set_pointing_to (GTK_POPOVER (self), &at);
  keep_inside (self, parent, &at, (GtkPositionType) side);
}

static void
show_step (VgTour *self, int i)
{
  const Step *step = self->steps->pdata[i];
  g_autofree char *count = g_strdup_printf (_ ("%d of %d"), count_steps (self, i),
                                            count_steps (self, (int) self->steps->len - 1));

  self->now = i;
  gtk_label_set_text (GTK_LABEL (self->title), step->title);
  gtk_label_set_text (GTK_LABEL (self->count), count);
  gtk_label_set_text (GTK_LABEL (self->text), step->text);
  gtk_widget_set_sensitive (self->back, find_step (self, i, -1) >= 0);
  gtk_button_set_label (GTK_BUTTON (self->next),
                        find_step (self, i, 1) >= 0 ? _ ("Next") : _ ("Done"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, step->title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, step->text, -1);
  point_at (self, step->target);
}

static void
go (VgTour *self, int by)
{
  int i = self->now >= 0 ? find_step (self, self->now, by) : -1;

  if (i >= 0)
    show_step (self, i);
  else
    gtk_popover_popdown (GTK_POPOVER (self));
}

static void
on_next (VgTour *self)
{
  go (self, 1);
}

static void
on_back (VgTour *self)
{
  go (self, -1);
}

void
vg_tour_add (VgTour *self, GtkWidget *target, const char *title, const char *text)
{
  Step *step = g_new0 (Step, 1);

  step->target = target;
  step->title = g_strdup (title);
  step->text = g_strdup (text);
  g_object_add_weak_pointer (G_OBJECT (target), (gpointer *) &step->target);
  g_ptr_array_add (self->steps, step);
}

/* The first start shows the tour while the window is still laid out. */
static gboolean
follow (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  VgTour *self = VG_TOUR (widget);
  const Step *step = self->now >= 0 ? self->steps->pdata[self->now] : NULL;
  const gint64 began = *(const gint64 *) data;

  if (step != NULL && step->target != NULL)
    point_at (self, step->target);
  return gdk_frame_clock_get_frame_time (clock) < began + FOLLOW_US ? G_SOURCE_CONTINUE
                                                                    : G_SOURCE_REMOVE;
}

gboolean
vg_tour_start (VgTour *self)
{
  int first = find_step (self, -1, 1);
  gint64 began;

  if (first < 0)
    return FALSE;
  show_step (self, first);
  gtk_popover_popup (GTK_POPOVER (self));
  /* only a popover that is shown has a size, by which its side is chosen */
  point_at (self, ((const Step *) self->steps->pdata[first])->target);
  began = g_get_monotonic_time ();
  gtk_widget_add_tick_callback (GTK_WIDGET (self), follow, g_memdup2 (&began, sizeof began),
                                g_free);
  gtk_widget_grab_focus (self->next);
  return TRUE;
}

static void
vg_tour_finalize (GObject *object)
{
  g_ptr_array_unref (VG_TOUR (object)->steps);
  G_OBJECT_CLASS (vg_tour_parent_class)->finalize (object);
}

static void
vg_tour_class_init (VgTourClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_tour_finalize;
}

static GtkWidget *
button_new (VgTour *self, const char *label, GCallback callback)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

static GtkWidget *
buttons_new (VgTour *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING_PX),
            *skip = button_new (self, _ ("Skip Tour"), G_CALLBACK (gtk_popover_popdown));

  self->back = button_new (self, _ ("Back"), G_CALLBACK (on_back));
  self->next = button_new (self, _ ("Next"), G_CALLBACK (on_next));
  gtk_widget_add_css_class (self->next, "suggested-action");
  gtk_widget_add_css_class (skip, "flat");
  gtk_widget_set_hexpand (skip, TRUE);
  gtk_widget_set_halign (skip, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (row), skip);
  gtk_box_append (GTK_BOX (row), self->back);
  gtk_box_append (GTK_BOX (row), self->next);
  return row;
}

static void
vg_tour_init (VgTour *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING_PX),
            *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING_PX);

  self->steps = g_ptr_array_new_with_free_func (step_free);
  self->now = -1;
  self->title = vg_label_new (NULL, "heading");
  gtk_widget_set_hexpand (self->title, TRUE);
  self->count = vg_label_new (NULL, "dim-label");
  self->text = g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "xalign", 0.0, "max-width-chars",
                             WIDTH_CHARS, "width-chars", WIDTH_CHARS, NULL);
  gtk_box_append (GTK_BOX (head), self->title);
  gtk_box_append (GTK_BOX (head), self->count);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->text);
  gtk_box_append (GTK_BOX (box), buttons_new (self));
  g_object_set (box, "margin-top", MARGIN_PX, "margin-bottom", MARGIN_PX, "margin-start", MARGIN_PX,
                "margin-end", MARGIN_PX, NULL);
  gtk_popover_set_child (GTK_POPOVER (self), box);
}

GtkWidget *
vg_tour_new (GtkWidget *parent)
{
  GtkWidget *self = g_object_new (VG_TYPE_TOUR, NULL);

  gtk_widget_set_parent (self, parent);
  return self;
}
