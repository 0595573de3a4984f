/* SPDX-License-Identifier: MIT */
#include "ui/theatre/vg-mirror.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"

enum { CHANGED, LOST, N_SIGNALS };

struct _VgMirror
{
  GObject parent_instance;
  GtkWidget *widget; /* borrowed: it owns what owns the mirror */
  GListModel *monitors;
  GtkWindow *window;   /* NULL: closed */
  GdkMonitor *monitor; /* NULL: closed */
};

G_DEFINE_FINAL_TYPE (VgMirror, vg_mirror, G_TYPE_OBJECT)

static guint signals[N_SIGNALS];

/* A monitor that the widget's window is not on, with a reference; NULL: there is none. */
static GdkMonitor *
find_other (VgMirror *self)
{
  GtkNative *native = gtk_widget_get_native (self->widget);
  GdkSurface *surface = native != NULL ? gtk_native_get_surface (native) : NULL;
  GdkMonitor *own = surface != NULL ? gdk_display_get_monitor_at_surface (
                                          gdk_surface_get_display (surface), surface)
                                    : NULL;

  for (guint i = 0; i < g_list_model_get_n_items (self->monitors); i++)
    {
      g_autoptr (GdkMonitor) monitor = g_list_model_get_item (self->monitors, i);

      if (monitor != own)
        return g_steal_pointer (&monitor);
    }
  return NULL;
}

static gboolean
has_monitor (VgMirror *self)
{
  for (guint i = 0; i < g_list_model_get_n_items (self->monitors); i++)
    {
      g_autoptr (GdkMonitor) monitor = g_list_model_get_item (self->monitors, i);

      if (monitor == self->monitor)
        return TRUE;
    }
  return FALSE;
}

/* A window that is left on the only monitor would cover the program's own. */
static void
on_monitors (VgMirror *self)
{
  gboolean lost = self->window != NULL && (!vg_mirror_can_open (self) || !has_monitor (self));

  if (lost)
    vg_mirror_close (self);
  else
    g_signal_emit (self, signals[CHANGED], 0);
  if (lost)
    g_signal_emit (self, signals[LOST], 0);
}

static gboolean
on_close (VgMirror *self)
{
  vg_mirror_close (self);
  return TRUE;
}

static gboolean
on_key (VgMirror *self, guint key)
{
  if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  vg_mirror_close (self);
  return GDK_EVENT_STOP;
}

static GtkWidget *
window_new (VgMirror *self)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (self->widget);
  GtkWidget *picture = gtk_picture_new_for_paintable (paintable), *window = gtk_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_accessible_update_property (GTK_ACCESSIBLE (picture), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("The image on the second screen"), -1);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Second Screen – Vivograph"));
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_child (GTK_WINDOW (window), picture);
  gtk_widget_add_css_class (window, "vg-mirror");
  g_signal_connect_swapped (window, "close-request", G_CALLBACK (on_close), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (window, keys);
  return window;
}

static void
vg_mirror_dispose (GObject *object)
{
  VgMirror *self = VG_MIRROR (object);

  g_clear_pointer (&self->window, gtk_window_destroy);
  g_clear_object (&self->monitor);
  g_clear_object (&self->monitors);
  G_OBJECT_CLASS (vg_mirror_parent_class)->dispose (object);
}

static void
vg_mirror_class_init (VgMirrorClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_mirror_dispose;
  signals[CHANGED] = vg_signal_new (VG_TYPE_MIRROR, "changed", 0);
  signals[LOST] = vg_signal_new (VG_TYPE_MIRROR, "lost", 0);
}

static void
vg_mirror_init (VgMirror *self)
{
}

VgMirror *
vg_mirror_new (GtkWidget *widget, GListModel *monitors)
{
  VgMirror *self = g_object_new (VG_TYPE_MIRROR, NULL);

  self->widget = widget;
  self->monitors = g_object_ref (monitors);
  vg_connect (monitors, "items-changed", on_monitors, self);
  return self;
}

gboolean
vg_mirror_can_open (VgMirror *self)
{
  return g_list_model_get_n_items (self->monitors) > 1;
}

void
vg_mirror_open (VgMirror *self)
{
  g_autoptr (GdkMonitor) monitor = vg_mirror_can_open (self) ? find_other (self) : NULL;

  if (self->window != NULL || monitor == NULL)
    return;
  self->monitor = g_steal_pointer (&monitor);
  self->window = GTK_WINDOW (window_new (self));
  gtk_window_fullscreen_on_monitor (self->window, self->monitor);
  gtk_window_present (self->window);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
vg_mirror_close (VgMirror *self)
{
  if (self->window == NULL)
    return;
  g_clear_pointer (&self->window, gtk_window_destroy);
  g_clear_object (&self->monitor);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
vg_mirror_is_open (VgMirror *self)
{
  return self->window != NULL;
}

GdkMonitor *
vg_mirror_get_monitor (VgMirror *self)
{
  return self->monitor;
}
