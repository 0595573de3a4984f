/* SPDX-License-Identifier: MIT */
/* The pointer changes the session at once; the end of a drag, or the popover that closes, ends the
 * step that undo takes back. */
#include "ui/annotate/vg-annotation-layer.h"
#include <math.h>
#include <string.h>
#include "app/session/vg-session-annotations.h"
#include "ui/annotate/vg-annotation-drawing.h"
#include "ui/annotate/vg-annotation-popover.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"

#define USUAL 0.04 /* size, of the image's longer side */

enum { SLOP = 8, LEAST_USUAL = 1 };

struct _VgAnnotationLayer
{
  GtkWidget parent_instance;

  VgSession *session;
  VgViewTransform transform;
  int width, height, slice; /* of the image; width 0: there is none */
  gboolean active;
  VgAnnotationKind kind;
  int selected;         /* -1: none */
  VgAnnotation *before; /* the selected one when the pointer took hold of it; NULL: it has not */
  VgAnnotation *draft;  /* a text without a letter, which is not in the session yet; NULL: none */
  VgAnnotationGrip grip;
  gboolean again, moved; /* the press was on the selected one; the pointer has moved since */
  double press[2];       /* on the widget */
  guint8 rgb[3];         /* of the next one */
  double size;           /* 0: the usual one */
  GtkWidget *popover;
};

G_DEFINE_FINAL_TYPE (VgAnnotationLayer, vg_annotation_layer, GTK_TYPE_WIDGET)

static const VgAnnotation *
get_selected (VgAnnotationLayer *self)
{
  return self->selected >= 0 ? vg_session_get_annotation (self->session, (guint) self->selected)
                             : NULL;
}

/* "Annotations: Arrow; “Vessel”, selected". */
static void
describe (VgAnnotationLayer *self)
{
  g_autoptr (GString) text = g_string_new (_ ("Annotations"));

  for (guint i = 0; i < vg_session_get_n_annotations (self->session); i++)
    {
      const VgAnnotation *annotation = vg_session_get_annotation (self->session, i);

      g_string_append (text, i == 0 ? ": " : "; ");
      if (annotation->kind == VG_ANNOTATION_ARROW)
        g_string_append (text, _ ("Arrow"));
      else
        g_string_append_printf (text, "“%s”", annotation->text);
      if ((int) i == self->selected)
        g_string_append (text, _ (", selected"));
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text->str,
                                  -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
select_one (VgAnnotationLayer *self, int i)
{
  if (i == self->selected)
    return;
  self->selected = i;
  describe (self);
}

static void
on_session_changed (VgAnnotationLayer *self, guint flags)
{
  if ((flags & (VG_CHANGED_ANNOTATIONS | VG_CHANGED_OPERATION)) == 0)
    return;
  if (get_selected (self) == NULL || (flags & VG_CHANGED_OPERATION) != 0)
    self->selected = -1;
  describe (self);
}

/* ---- positions ---- */

static gboolean
has_image (VgAnnotationLayer *self)
{
  return self->width > 0 && self->transform.zoom > 0;
}

/* To a tenth of a pixel. */
static void
to_image (VgAnnotationLayer *self, double x, double y, double *image_x, double *image_y)
{
  vg_view_transform_to_image (&self->transform, x, y, image_x, image_y);
  *image_x = round (10 * CLAMP (*image_x, 0, self->width)) / 10;
  *image_y = round (10 * CLAMP (*image_y, 0, self->height)) / 10;
}

static VgAnnotationPlace
get_place (VgAnnotationLayer *self)
{
  return (VgAnnotationPlace){ GTK_WIDGET (self), &self->transform };
}

/* The uppermost annotation at X, Y, and what of it; -1: none. */
static int
find (VgAnnotationLayer *self, double x, double y, VgAnnotationGrip *grip)
{
  const VgAnnotationPlace place = get_place (self);

  *grip = VG_GRIP_NONE;
  for (guint i = vg_session_get_n_annotations (self->session); i-- > 0;)
    {
      const VgAnnotation *annotation = vg_session_get_annotation (self->session, i);

      if (annotation->slice == self->slice)
        *grip = vg_annotation_place_find (&place, annotation, x, y);
      if (*grip != VG_GRIP_NONE)
        return (int) i;
    }
  return -1;
}

/* A new one of KIND at X, Y of the widget, not in the session yet. */
static VgAnnotation *
make (VgAnnotationLayer *self, VgAnnotationKind kind, double x, double y)
{
  VgAnnotation *annotation = g_new0 (VgAnnotation, 1);
  double usual = MAX (round (USUAL * MAX (self->width, self->height)), LEAST_USUAL);

  annotation->kind = kind;
  annotation->slice = self->slice;
  annotation->size = self->size > 0 ? self->size : usual;
  memcpy (annotation->rgb, self->rgb, sizeof self->rgb);
  to_image (self, x, y, &annotation->x[0], &annotation->y[0]);
  if (kind == VG_ANNOTATION_ARROW)
    to_image (self, x, y, &annotation->x[1], &annotation->y[1]);
  return annotation;
}

/* ---- popover ---- */

static void
show_popover (VgAnnotationLayer *self, const VgAnnotation *annotation)
{
  int last = annotation->kind == VG_ANNOTATION_ARROW ? 1 : 0;
  double x, y;

  vg_annotation_popover_set (VG_ANNOTATION_POPOVER (self->popover), annotation);
  vg_view_transform_to_widget (&self->transform, annotation->x[last], annotation->y[last], &x, &y);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                               &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
on_popover_changed (VgAnnotationLayer *self)
{
  const VgAnnotation *selected = get_selected (self);
  g_autoptr (VgAnnotation) now = NULL;

  if (self->draft == NULL && selected == NULL)
    return;
  now = vg_annotation_copy (self->draft != NULL ? self->draft : selected);
  vg_annotation_popover_apply (VG_ANNOTATION_POPOVER (self->popover), now);
  memcpy (self->rgb, now->rgb, sizeof now->rgb);
  self->size = now->size;
  if (self->draft == NULL)
    vg_session_set_annotation (self->session, (guint) self->selected, now);
  else if (now->text != NULL)
    {
      guint i = vg_session_add_annotation (self->session, now);

      g_clear_pointer (&self->draft, vg_annotation_free);
      select_one (self, i != G_MAXUINT ? (int) i : -1);
    }
}

static void
on_popover_closed (VgAnnotationLayer *self)
{
  g_clear_pointer (&self->draft, vg_annotation_free);
  vg_session_commit (self->session, _ ("Edit annotation"));
  gtk_widget_grab_focus (gtk_widget_get_parent (GTK_WIDGET (self)));
}

static void
remove_selected (VgAnnotationLayer *self)
{
  guint i = (guint) self->selected;

  g_clear_pointer (&self->draft, vg_annotation_free);
  if (get_selected (self) != NULL)
    {
      self->selected = -1;
      vg_session_remove_annotation (self->session, i);
      vg_session_commit (self->session, _ ("Remove annotation"));
    }
  gtk_popover_popdown (GTK_POPOVER (self->popover));
}

/* A text at X, Y of the widget, whose words are typed next. */
static void
begin_text (VgAnnotationLayer *self, double x, double y)
{
  select_one (self, -1);
  g_clear_pointer (&self->draft, vg_annotation_free);
  self->draft = make (self, VG_ANNOTATION_TEXT, x, y);
  show_popover (self, self->draft);
}

static gboolean
edit_selected (VgAnnotationLayer *self)
{
  const VgAnnotation *selected = get_selected (self);

  if (selected != NULL)
    show_popover (self, selected);
  return selected != NULL;
}

/* ---- pointer ---- */

static void
on_begin (VgAnnotationLayer *self, double x, double y, GtkGesture *gesture)
{
  int i;

  if (!has_image (self))
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (gtk_widget_get_parent (GTK_WIDGET (self)));
  self->press[0] = x;
  self->press[1] = y;
  g_clear_pointer (&self->before, vg_annotation_free);
  i = find (self, x, y, &self->grip);
  self->again = i == self->selected;
  self->moved = FALSE;
  select_one (self, i);
  if (get_selected (self) != NULL)
    self->before = vg_annotation_copy (get_selected (self));
}

/* The arrow that the pointer begins to draw. */
static void
begin_arrow (VgAnnotationLayer *self, double x, double y)
{
  g_autoptr (VgAnnotation) arrow = make (self, VG_ANNOTATION_ARROW, self->press[0], self->press[1]);
  guint i;

  to_image (self, x, y, &arrow->x[1], &arrow->y[1]);
  i = vg_session_add_annotation (self->session, arrow);
  if (i == G_MAXUINT)
    return;
  select_one (self, (int) i);
  self->grip = VG_GRIP_TIP;
  self->before = g_steal_pointer (&arrow);
}

static void
on_update (VgAnnotationLayer *self, double dx, double dy)
{
  g_autoptr (VgAnnotation) now = NULL;
  double from[2], to[2];

  self->moved = self->moved || hypot (dx, dy) >= SLOP;
  if (!has_image (self) || !self->moved)
    return;
  if (self->before == NULL)
    {
      if (self->kind == VG_ANNOTATION_ARROW)
        begin_arrow (self, self->press[0] + dx, self->press[1] + dy);
      return;
    }
  now = vg_annotation_copy (self->before);
  to_image (self, self->press[0], self->press[1], &from[0], &from[1]);
  to_image (self, self->press[0] + dx, self->press[1] + dy, &to[0], &to[1]);
  for (int i = 0; i < 2; i++)
    if (self->grip == VG_GRIP_WHOLE || self->grip == (i == 0 ? VG_GRIP_TAIL : VG_GRIP_TIP))
      {
        now->x[i] += self->grip == VG_GRIP_WHOLE ? to[0] - from[0] : to[0] - now->x[i];
        now->y[i] += self->grip == VG_GRIP_WHOLE ? to[1] - from[1] : to[1] - now->y[i];
      }
  vg_session_set_annotation (self->session, (guint) self->selected, now);
}

static void
on_end (VgAnnotationLayer *self, double dx, double dy)
{
  gboolean held = self->before != NULL;

  g_clear_pointer (&self->before, vg_annotation_free);
  if (held && self->again && !self->moved)
    edit_selected (self);
  else if (held)
    vg_session_commit (self->session, _ ("Draw or move annotation"));
  else if (has_image (self) && self->kind == VG_ANNOTATION_TEXT)
    begin_text (self, self->press[0] + dx, self->press[1] + dy);
}

/* ---- keyboard ---- */

static void
add_in_middle (VgAnnotationLayer *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)),
         height = gtk_widget_get_height (GTK_WIDGET (self));

  self->press[0] = 0.35 * width;
  self->press[1] = 0.6 * height;
  if (self->kind == VG_ANNOTATION_TEXT)
    {
      begin_text (self, 0.4 * width, 0.5 * height);
      return;
    }
  begin_arrow (self, 0.5 * width, 0.5 * height);
  g_clear_pointer (&self->before, vg_annotation_free);
  vg_session_commit (self->session, _ ("Draw or move annotation"));
}

/* Moves the selected one, or only the TIP of an arrow, by a pixel of the image along an axis of the
 * screen. */
static void
nudge (VgAnnotationLayer *self, int dx, int dy, gboolean tip)
{
  const VgAnnotationPlace place = get_place (self);
  g_autoptr (VgAnnotation) now = vg_annotation_copy (get_selected (self));
  double step = vg_annotation_place_size (&place, 1);

  for (int i = tip && now->kind == VG_ANNOTATION_ARROW ? 1 : 0; i < 2; i++)
    {
      double x, y;

      vg_view_transform_to_widget (&self->transform, now->x[i], now->y[i], &x, &y);
      to_image (self, x + dx * step, y + dy * step, &now->x[i], &now->y[i]);
    }
  vg_session_set_annotation (self->session, (guint) self->selected, now);
  vg_session_commit_later (self->session, _ ("Draw or move annotation"));
}

/* The next one of this slice. */
static void
select_next (VgAnnotationLayer *self, int step)
{
  int n = (int) vg_session_get_n_annotations (self->session), i = self->selected;

  for (int k = 0; k < n; k++)
    {
      i = (i < 0 ? (step > 0 ? 0 : n - 1) : i + step + n) % n;
      if (vg_session_get_annotation (self->session, (guint) i)->slice == self->slice)
        break;
    }
  if (n > 0)
    select_one (self, i);
}

static gboolean
on_arrow_key (VgAnnotationLayer *self, guint key, GdkModifierType state)
{
  int dx = (key == GDK_KEY_Right) - (key == GDK_KEY_Left),
      dy = (key == GDK_KEY_Down) - (key == GDK_KEY_Up);

  if ((dx == 0 && dy == 0) || (state & GDK_CONTROL_MASK) == 0 || get_selected (self) == NULL)
    return FALSE;
  nudge (self, dx, dy, (state & GDK_SHIFT_MASK) != 0);
  return TRUE;
}

static gboolean
on_key (VgAnnotationLayer *self, guint key, guint code, GdkModifierType state)
{
  if (!self->active || !has_image (self) || gtk_widget_get_visible (self->popover))
    return FALSE;
  if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter)
    {
      if (!edit_selected (self))
        add_in_middle (self);
    }
  else if (key == GDK_KEY_Delete && get_selected (self) != NULL)
    remove_selected (self);
  else if (key == GDK_KEY_bracketright || key == GDK_KEY_bracketleft)
    select_next (self, key == GDK_KEY_bracketright ? 1 : -1);
  else
    return on_arrow_key (self, key, state);
  return TRUE;
}

/* ---- the widget ---- */

static void
vg_annotation_layer_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgAnnotationLayer *self = VG_ANNOTATION_LAYER (widget);
  const VgAnnotationPlace place = get_place (self);

  for (guint i = 0; has_image (self) && i < vg_session_get_n_annotations (self->session); i++)
    {
      const VgAnnotation *annotation = vg_session_get_annotation (self->session, i);

      if (annotation->slice == self->slice)
        vg_annotation_place_draw (&place, snapshot, annotation,
                                  self->active && (int) i == self->selected);
    }
}

static void
vg_annotation_layer_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_popover_present (GTK_POPOVER (VG_ANNOTATION_LAYER (widget)->popover));
}

void
vg_annotation_layer_set_active (VgAnnotationLayer *self, gboolean active, VgAnnotationKind kind)
{
  self->active = active;
  self->kind = kind;
  gtk_widget_set_can_target (GTK_WIDGET (self), active);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), !active                       ? NULL
                                                      : kind == VG_ANNOTATION_ARROW ? "crosshair"
                                                                                    : "text");
  if (!active)
    select_one (self, -1);
}

void
vg_annotation_layer_set_plane (VgAnnotationLayer *self, const VgPlane *plane,
                               const VgViewTransform *transform, int slice)
{
  self->transform = *transform;
  self->slice = slice;
  self->width = plane != NULL ? plane->width : 0;
  self->height = plane != NULL ? plane->height : 0;
  if (vg_session_get_n_annotations (self->session) > 0)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
vg_annotation_layer_dispose (GObject *object)
{
  VgAnnotationLayer *self = VG_ANNOTATION_LAYER (object);

  g_clear_pointer (&self->popover, gtk_widget_unparent);
  g_clear_pointer (&self->before, vg_annotation_free);
  g_clear_pointer (&self->draft, vg_annotation_free);
  G_OBJECT_CLASS (vg_annotation_layer_parent_class)->dispose (object);
}

static void
vg_annotation_layer_class_init (VgAnnotationLayerClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_annotation_layer_dispose;
  GTK_WIDGET_CLASS (class)->snapshot = vg_annotation_layer_snapshot;
  GTK_WIDGET_CLASS (class)->size_allocate = vg_annotation_layer_size_allocate;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
vg_annotation_layer_init (VgAnnotationLayer *self)
{
  static const guint8 yellow[3] = { 0xff, 0xd9, 0x1a };

  self->selected = -1;
  memcpy (self->rgb, yellow, sizeof yellow);
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  self->popover = vg_annotation_popover_new ();
  gtk_popover_set_position (GTK_POPOVER (self->popover), GTK_POS_TOP);
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
  vg_connect (self->popover, "changed", on_popover_changed, self);
  vg_connect (self->popover, "closed", on_popover_closed, self);
  vg_connect (self->popover, "remove", remove_selected, self);
}

GtkWidget *
vg_annotation_layer_new (VgSession *session, GtkWidget *view)
{
  VgAnnotationLayer *self = g_object_new (VG_TYPE_ANNOTATION_LAYER, NULL);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *key = gtk_event_controller_key_new ();

  self->session = vg_hold (self, session);
  vg_connect (session, "changed", on_session_changed, self);
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (on_begin), self, G_CONNECT_SWAPPED);
  vg_connect (drag, "drag-update", on_update, self);
  vg_connect (drag, "drag-end", on_end, self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  /* before the view's own keys */
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  vg_connect (key, "key-pressed", on_key, self);
  gtk_widget_add_controller (view, key);
  describe (self);
  return GTK_WIDGET (self);
}
