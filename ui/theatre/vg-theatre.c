/* SPDX-License-Identifier: MIT */
#include "ui/theatre/vg-theatre.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-banner.h"
#include "ui/common/vg-number-format.h"
#include "ui/common/vg-object.h"
#include "ui/common/vg-widgets.h"
#include "ui/theatre/vg-big-number.h"
#include <math.h>

enum { APPEARING_MS = 100, FADING_MS = 400 };

struct _VgTheatre
{
  VgBin parent_instance;
  GtkWidget *all, *stage, *number, *frame, *veil, *revealer, *bar;
  GtkWidget *button; /* over the image; in theatre mode it fades with the bar; or NULL */
  VgMirror *mirror;
  GtkWidget *banner;  /* only for the alarm, so that no other message replaces it */
  GHashTable *alarms; /* limits, by the key of what was measured */
  char *watched;      /* what the alarm in force is of; NULL: there is none */
  VgAlarmState told;  /* what the banner reported last; the user may have closed it */
  gboolean unread;    /* results have come since the data changed, but none had a number */
  gboolean on;
  GtkEventController *events; /* of the window; NULL: theatre mode is off */
  GtkEventController *over;   /* the pointer over the buttons */
  gboolean touched;           /* the last event came from a finger */
  guint fading;               /* timer that hides the buttons; 0: they are hidden */
  gint64 woken_us;            /* when they were shown last */
  double x, y;                /* of the pointer */
};

G_DEFINE_FINAL_TYPE (VgTheatre, vg_theatre, VG_TYPE_BIN)

/* ---- fading ---- */

/* The keyboard goes back to the image, so that Space does not press a button that is not seen. */
static gboolean
fade (gpointer data)
{
  VgTheatre *self = data;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  /* the pointer is on the buttons, so the user may press one */
  if (!self->touched &&
      gtk_event_controller_motion_contains_pointer (GTK_EVENT_CONTROLLER_MOTION (self->over)))
    return G_SOURCE_CONTINUE;
  self->fading = 0;
  if (focus != NULL && (focus == self->button || gtk_widget_is_ancestor (focus, self->bar)))
    {
      gtk_widget_child_focus (self->stage, GTK_DIR_TAB_FORWARD);
      gtk_window_set_focus_visible (GTK_WINDOW (root), FALSE);
    }
  gtk_revealer_set_transition_duration (GTK_REVEALER (self->revealer), FADING_MS);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), FALSE);
  gtk_widget_set_visible (self->veil, TRUE);
  if (self->button != NULL)
    gtk_widget_set_child_visible (self->button, FALSE);
  return G_SOURCE_REMOVE;
}

void
vg_theatre_wake (VgTheatre *self)
{
  gboolean asleep = self->fading == 0;

  g_clear_handle_id (&self->fading, g_source_remove);
  gtk_widget_set_visible (self->veil, FALSE);
  if (self->button != NULL)
    gtk_widget_set_child_visible (self->button, TRUE);
  if (!self->on)
    return;
  if (asleep)
    self->woken_us = g_get_monotonic_time ();
  gtk_widget_set_visible (self->bar, TRUE);
  gtk_revealer_set_transition_duration (GTK_REVEALER (self->revealer), APPEARING_MS);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), TRUE);
  self->fading = g_timeout_add (VG_THEATRE_FADE_MS, fade, self);
}

gboolean
vg_theatre_is_awake (VgTheatre *self)
{
  return self->fading > 0;
}

static void
on_revealed (VgTheatre *self)
{
  if (!gtk_revealer_get_child_revealed (GTK_REVEALER (self->revealer)) &&
      !gtk_revealer_get_reveal_child (GTK_REVEALER (self->revealer)))
    gtk_widget_set_visible (self->bar, FALSE);
}

/* The pointer also "moves" to where it is when something is shown under it. */
static gboolean
is_moved (VgTheatre *self, GdkEvent *event)
{
  double x, y;

  if ((gdk_event_get_event_type (event) != GDK_MOTION_NOTIFY &&
       gdk_event_get_event_type (event) != GDK_ENTER_NOTIFY) ||
      !gdk_event_get_position (event, &x, &y))
    return TRUE;
  if (x == self->x && y == self->y)
    return FALSE;
  self->x = x;
  self->y = y;
  return TRUE;
}

/* A press that comes while the buttons appear is meant to show them: it chooses no pixel, and
 * presses no button that the user has not seen. */
static gboolean
is_waking_press (VgTheatre *self, GdkEventType type)
{
  return (type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN) &&
         g_get_monotonic_time () - self->woken_us < 1000 * APPEARING_MS;
}

static gboolean
on_event (GtkEventControllerLegacy *controller, GdkEvent *event, VgTheatre *self)
{
  GdkEventType type = gdk_event_get_event_type (event);

  switch (type)
    {
    case GDK_ENTER_NOTIFY:
    case GDK_MOTION_NOTIFY:
    case GDK_BUTTON_PRESS:
    case GDK_BUTTON_RELEASE:
    case GDK_TOUCH_BEGIN:
    case GDK_TOUCH_UPDATE:
    case GDK_TOUCH_END:
    case GDK_TOUCHPAD_SWIPE:
    case GDK_TOUCHPAD_PINCH:
    case GDK_KEY_PRESS:
    case GDK_SCROLL:
      if (!is_moved (self, event))
        break;
      self->touched = type == GDK_TOUCH_BEGIN || type == GDK_TOUCH_UPDATE || type == GDK_TOUCH_END;
      vg_theatre_wake (self);
      break;
    default:
      break;
    }
  return is_waking_press (self, type) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

/* Listens to all events of the window, not only to those over the image. */
static void
listen (VgTheatre *self, gboolean on)
{
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self)));

  if (self->events != NULL)
    gtk_widget_remove_controller (gtk_event_controller_get_widget (self->events), self->events);
  self->events = NULL;
  if (!on || root == NULL)
    return;
  self->events = gtk_event_controller_legacy_new ();
  gtk_event_controller_set_propagation_phase (self->events, GTK_PHASE_CAPTURE);
  g_signal_connect_object (self->events, "event", G_CALLBACK (on_event), self, 0);
  gtk_widget_add_controller (root, self->events);
}

/* ---- alarm ---- */

/* Outside theatre mode a message is shown instead of the red frame, until the alarm ends or the
 * user closes it.  An alarm that is no longer checked has not ended. */
static void
tell_alarm (VgTheatre *self, VgAlarmState state)
{
  if (state == self->told)
    return;
  if (state == VG_ALARM_NONE)
    vg_banner_hide (VG_BANNER (self->banner));
  else
    {
      g_autofree char *text = g_strdup_printf (
          state == VG_ALARM_BELOW
              ? _ ("Below the alarm of %s")
              : _ ("The alarm of %s is not checked, because there is no current number"),
          self->watched);

      vg_banner_show (VG_BANNER (self->banner),
                      state == VG_ALARM_BELOW ? VG_BANNER_ERROR : VG_BANNER_WARNING, text);
    }
  self->told = state;
}

static void
show_frame (VgTheatre *self)
{
  VgAlarmState state = self->unread && self->watched != NULL
                           ? VG_ALARM_UNCHECKED
                           : vg_big_number_get_alarm_state (VG_BIG_NUMBER (self->number));

  gtk_widget_set_visible (self->frame, self->on && state == VG_ALARM_BELOW);
  tell_alarm (self, self->on ? VG_ALARM_NONE : state);
}

/* Notes what the ALARM is of. */
static void
watch (VgTheatre *self, double alarm)
{
  const VgKeyNumber *number = vg_big_number_get (VG_BIG_NUMBER (self->number));
  g_autofree char *limit = vg_format_number (alarm);

  g_clear_pointer (&self->watched, g_free);
  if (alarm > 0)
    self->watched = g_strdup_printf (_ ("%s %s (%s)"), limit, number->unit, number->name);
}

static void
on_alarm (VgTheatre *self, double alarm)
{
  const VgKeyNumber *number = vg_big_number_get (VG_BIG_NUMBER (self->number));
  double *kept;

  if (number == NULL)
    return;
  if (alarm > 0)
    {
      kept = g_new (double, 1);
      *kept = alarm;
      g_hash_table_insert (self->alarms, g_strdup (number->key), kept);
    }
  else
    g_hash_table_remove (self->alarms, number->key);
  vg_big_number_set_alarm (VG_BIG_NUMBER (self->number), alarm);
  vg_banner_hide (VG_BANNER (self->banner)); /* it may say that an earlier alarm is off */
  watch (self, alarm);
  show_frame (self);
}

/* Shows the alarm of another number.  If there is none, reports that the earlier alarm is off,
 * until the user closes the message or there is an alarm again. */
static void
show_alarm (VgTheatre *self)
{
  const VgKeyNumber *number = vg_big_number_get (VG_BIG_NUMBER (self->number));
  const double *alarm = number != NULL ? g_hash_table_lookup (self->alarms, number->key) : NULL;
  g_autofree char *text = NULL;

  if (number != NULL && alarm == NULL && self->watched != NULL)
    text = g_strdup_printf (_ ("The alarm of %s is off, because the number is now: %s"),
                            self->watched, number->name);
  tell_alarm (self, VG_ALARM_NONE);
  if (number != NULL)
    watch (self, alarm != NULL ? *alarm : 0);
  if (text != NULL)
    vg_banner_show (VG_BANNER (self->banner), VG_BANNER_WARNING, text);
  else if (alarm != NULL)
    vg_banner_hide (VG_BANNER (self->banner));
  vg_big_number_set_alarm (VG_BIG_NUMBER (self->number), alarm != NULL ? *alarm : 0);
  vg_theatre_bar_set_alarm (VG_THEATRE_BAR (self->bar), alarm != NULL ? *alarm : 0,
                            number != NULL ? number->unit : NULL);
}

/* ---- the widget ---- */

static void
vg_theatre_dispose (GObject *object)
{
  VgTheatre *self = VG_THEATRE (object);

  self->on = FALSE;
  g_clear_handle_id (&self->fading, g_source_remove);
  g_clear_object (&self->mirror);
  g_clear_pointer (&self->alarms, g_hash_table_unref);
  g_clear_pointer (&self->watched, g_free);
  g_clear_object (&self->banner);
  G_OBJECT_CLASS (vg_theatre_parent_class)->dispose (object);
}

static void
vg_theatre_class_init (VgTheatreClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_theatre_dispose;
}

/* What lies over the image: the frame, which pulses red while the number is below its alarm, and a
 * veil without a pointer while the buttons have faded. */
static void
add_layers (VgTheatre *self)
{
  self->frame = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->frame, "vg-alarm");
  gtk_widget_set_can_target (self->frame, FALSE);
  gtk_widget_set_visible (self->frame, FALSE);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->stage), self->frame);
  self->veil = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->veil, "vg-veil");
  gtk_widget_set_cursor_from_name (self->veil, "none");
  gtk_widget_set_visible (self->veil, FALSE);
}

static void
vg_theatre_init (VgTheatre *self)
{
  self->alarms = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->banner = g_object_ref_sink (vg_banner_new ());
  self->all = gtk_overlay_new ();
  self->stage = gtk_overlay_new ();
  self->number = vg_big_number_new ();
  self->bar = vg_theatre_bar_new ();
  self->revealer = gtk_revealer_new ();
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), self->bar);
  gtk_revealer_set_transition_type (GTK_REVEALER (self->revealer),
                                    GTK_REVEALER_TRANSITION_TYPE_CROSSFADE);
  g_signal_connect_swapped (self->revealer, "notify::child-revealed", G_CALLBACK (on_revealed),
                            self);
  gtk_widget_set_halign (self->revealer, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->revealer, GTK_ALIGN_END);
  gtk_widget_set_visible (self->number, FALSE);
  gtk_widget_set_visible (self->revealer, FALSE);
  add_layers (self);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->stage), self->number);
  gtk_overlay_set_child (GTK_OVERLAY (self->all), self->stage);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->all), self->veil);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->all), self->revealer);
  gtk_widget_set_parent (self->all, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (self->bar, "alarm", G_CALLBACK (on_alarm), self);
  self->over = gtk_event_controller_motion_new ();
  gtk_widget_add_controller (self->bar, self->over);
}

GtkWidget *
vg_theatre_new (GtkWidget *picture)
{
  VgTheatre *self = g_object_new (VG_TYPE_THEATRE, NULL);

  gtk_overlay_set_child (GTK_OVERLAY (self->stage), picture);
  self->mirror = vg_mirror_new (
      self->stage, gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self))));
  return GTK_WIDGET (self);
}

void
vg_theatre_add_button (VgTheatre *self, GtkWidget *button)
{
  self->button = button;
  gtk_overlay_add_overlay (GTK_OVERLAY (self->all), button);
}

void
vg_theatre_set_on (VgTheatre *self, gboolean on)
{
  if (self->on == on)
    return;
  self->on = on;
  listen (self, on);
  gtk_widget_set_visible (self->number, on);
  gtk_widget_set_visible (self->revealer, on);
  if (on)
    gtk_widget_add_css_class (GTK_WIDGET (self), "vg-theatre");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "vg-theatre");
  show_frame (self);
  if (!on)
    vg_mirror_close (self->mirror);
  vg_theatre_wake (self);
}

gboolean
vg_theatre_is_on (VgTheatre *self)
{
  return self->on;
}

void
vg_theatre_set_number (VgTheatre *self, VgKeyNumber *number)
{
  const VgKeyNumber *before = vg_big_number_get (VG_BIG_NUMBER (self->number));
  gboolean other = before == NULL || number == NULL || !g_str_equal (before->key, number->key);

  self->unread = FALSE;
  vg_big_number_set (VG_BIG_NUMBER (self->number), number);
  if (other)
    show_alarm (self);
  else if (self->watched != NULL) /* the region may have been renamed */
    watch (self, *(const double *) g_hash_table_lookup (self->alarms, number->key));
  show_frame (self);
}

/* While there is an alarm, the number before stays, without a value. */
void
vg_theatre_miss_number (VgTheatre *self, double time_s)
{
  const VgKeyNumber *before = vg_big_number_get (VG_BIG_NUMBER (self->number));
  VgKeyNumber *missing = NULL;

  if (self->watched != NULL && before != NULL)
    {
      missing = g_new (VgKeyNumber, 1);
      *missing = (VgKeyNumber){ .key = g_strdup (before->key),
                                .name = g_strdup (before->name),
                                .help = before->help,
                                .unit = before->unit,
                                .region = -1,
                                .value = NAN,
                                .time_s = time_s };
    }
  vg_theatre_set_number (self, missing);
  self->unread = missing == NULL;
  show_frame (self);
}

int
vg_theatre_get_region (VgTheatre *self)
{
  const VgKeyNumber *number = vg_big_number_get (VG_BIG_NUMBER (self->number));

  return number != NULL ? number->region : -1;
}

void
vg_theatre_set_state (VgTheatre *self, const VgTheatreState *state)
{
  vg_theatre_bar_set_state (VG_THEATRE_BAR (self->bar), state);
  vg_big_number_set_state (VG_BIG_NUMBER (self->number), &state->shown);
  gtk_widget_set_margin_top (self->number, state->top);
  show_frame (self);
}

gboolean
vg_theatre_has_alarm (VgTheatre *self)
{
  return g_hash_table_size (self->alarms) > 0;
}

int
vg_theatre_get_foot (VgTheatre *self)
{
  int height;

  gtk_widget_measure (self->bar, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  return height;
}

GtkWidget *
vg_theatre_get_banner (VgTheatre *self)
{
  return self->banner;
}

VgMirror *
vg_theatre_get_mirror (VgTheatre *self)
{
  return self->mirror;
}
