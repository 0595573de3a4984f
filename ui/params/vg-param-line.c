/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-param-line.h"

/* EDITOR_PX: width of an editor that expands, so that they line up. */
enum { GAP_PX = 8, EDITOR_PX = 200, STEP_PX = 8, MOST_LINES = 2 };

struct _VgParamLine
{
  GtkWidget parent_instance;
  GtkWidget *name, *reset, *editor;
};

G_DEFINE_FINAL_TYPE (VgParamLine, vg_param_line, GTK_TYPE_WIDGET)

typedef struct
{
  int name, reset, editor; /* widths */
  gboolean below;
} Places;

static int
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, gboolean natural)
{
  int least = 0, wanted = 0;

  if (widget != NULL && gtk_widget_get_visible (widget))
    gtk_widget_measure (widget, orientation, for_size, &least, &wanted, NULL, NULL);
  return natural ? wanted : least;
}

static int
width_of (GtkWidget *widget)
{
  return measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, TRUE);
}

static int
height_of (GtkWidget *widget, int width)
{
  return measure (widget, GTK_ORIENTATION_VERTICAL, width, FALSE);
}

static Places
place (VgParamLine *self, int width)
{
  Places places = { .reset = width_of (self->reset) };
  int least = vg_editor_get_least_width (VG_EDITOR (self->editor)),
      longest_word = measure (self->name, GTK_ORIENTATION_HORIZONTAL, -1, FALSE),
      tallest = MOST_LINES * height_of (self->name, G_MAXINT16),
      room = width - GAP_PX - (places.reset > 0 ? places.reset + GAP_PX : 0);

  places.below = vg_editor_is_below (VG_EDITOR (self->editor));
  places.editor = gtk_widget_compute_expand (gtk_widget_get_first_child (self->editor),
                                             GTK_ORIENTATION_HORIZONTAL)
                      ? MAX (EDITOR_PX, least)
                      : MAX (width_of (self->editor), least);
  while (!places.below && (room - places.editor < longest_word ||
                           height_of (self->name, room - places.editor) > tallest))
    {
      places.below = places.editor <= least;
      places.editor = MAX (places.editor - STEP_PX, least);
    }
  if (places.below)
    places.editor = width;
  places.name = MAX (places.below ? room + GAP_PX : room - places.editor, longest_word);
  return places;
}

static GtkSizeRequestMode
vg_param_line_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static int
height_of_first (VgParamLine *self, const Places *places)
{
  return MAX (height_of (self->name, places->name), height_of (self->reset, places->reset));
}

static void
vg_param_line_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
  VgParamLine *self = VG_PARAM_LINE (widget);
  int least = measure (self->editor, GTK_ORIENTATION_HORIZONTAL, -1, FALSE),
      name = measure (self->name, GTK_ORIENTATION_HORIZONTAL, -1, FALSE);
  Places places;
  int first, second;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MAX (least, name + GAP_PX + width_of (self->reset));
      *natural = *minimum;
      return;
    }
  places = place (self, for_size < 0 ? EDITOR_PX + least : for_size);
  first = height_of_first (self, &places);
  second = height_of (self->editor, places.editor);
  *minimum = !places.below ? MAX (first, second) : first + second + (first > 0 ? GAP_PX / 2 : 0);
  *natural = *minimum;
}

static void
put (GtkWidget *widget, int x, int y, int width, int height)
{
  if (widget != NULL && gtk_widget_get_visible (widget))
    gtk_widget_size_allocate (widget, &(GtkAllocation){ x, y, width, height }, -1);
}

static void
vg_param_line_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  VgParamLine *self = VG_PARAM_LINE (widget);
  Places places = place (self, width);
  int first = places.below ? height_of_first (self, &places) : height,
      editor = height_of (self->editor, places.editor);
  int at = places.below ? width : width - places.editor - GAP_PX;
  gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;

  put (self->name, mirrored ? width - places.name : 0, 0, places.name, first);
  put (self->reset, mirrored ? width - at : at - places.reset, 0, places.reset, first);
  if (places.below)
    put (self->editor, 0, height - editor, width, editor);
  else
    put (self->editor, mirrored ? 0 : width - places.editor, 0, places.editor, height);
}

static void
vg_param_line_dispose (GObject *object)
{
  VgParamLine *self = VG_PARAM_LINE (object);

  g_clear_pointer (&self->name, gtk_widget_unparent);
  g_clear_pointer (&self->reset, gtk_widget_unparent);
  g_clear_pointer (&self->editor, gtk_widget_unparent);
  G_OBJECT_CLASS (vg_param_line_parent_class)->dispose (object);
}

static void
vg_param_line_class_init (VgParamLineClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_param_line_dispose;
  GTK_WIDGET_CLASS (class)->get_request_mode = vg_param_line_get_request_mode;
  GTK_WIDGET_CLASS (class)->measure = vg_param_line_measure;
  GTK_WIDGET_CLASS (class)->size_allocate = vg_param_line_size_allocate;
}

static void
vg_param_line_init (VgParamLine *self)
{
}

GtkWidget *
vg_param_line_new (GtkWidget *name, GtkWidget *reset, GtkWidget *editor)
{
  VgParamLine *self = g_object_new (VG_TYPE_PARAM_LINE, NULL);
  GtkWidget *children[] = { name, reset, editor };

  self->name = name;
  self->reset = reset;
  self->editor = editor;
  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    if (children[i] != NULL)
      gtk_widget_set_parent (children[i], GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
