/* SPDX-License-Identifier: MIT */
#include "ui/event/vg-event-button.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { MARGIN_PX = 8 };

struct _VgEventButton
{
  GtkToggleButton parent_instance;
  VgPipeline *pipeline;       /* NULL: the window closes */
  const VgSampleEvent *event; /* NULL: nothing can happen */
  gboolean syncing;           /* the state is set by the program */
};

G_DEFINE_FINAL_TYPE (VgEventButton, vg_event_button, GTK_TYPE_TOGGLE_BUTTON)

static void
show_text (VgEventButton *self)
{
  gboolean on = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self));
  const char *text = vg_translate (on ? self->event->end : self->event->begin);

  if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (self)), text) != 0)
    gtk_button_set_label (GTK_BUTTON (self), text);
}

static void
on_toggled (VgEventButton *self)
{
  gboolean on = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self));
  double time_s;

  if (self->syncing || self->event == NULL || self->pipeline == NULL)
    return;
  show_text (self);
  if (vg_pipeline_trigger (self->pipeline, on, &time_s))
    vg_pipeline_mark_time (self->pipeline, time_s,
                           vg_translate (on ? self->event->begin : self->event->end));
}

static void
vg_event_button_dispose (GObject *object)
{
  g_clear_object (&VG_EVENT_BUTTON (object)->pipeline);
  G_OBJECT_CLASS (vg_event_button_parent_class)->dispose (object);
}

static void
vg_event_button_class_init (VgEventButtonClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_event_button_dispose;
}

static void
vg_event_button_init (VgEventButton *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_set_halign (widget, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (widget, GTK_ALIGN_START);
  gtk_widget_set_margin_top (widget, MARGIN_PX);
  gtk_widget_add_css_class (widget, "vg-event");
  gtk_widget_set_visible (widget, FALSE);
  g_signal_connect (self, "toggled", G_CALLBACK (on_toggled), NULL);
}

GtkWidget *
vg_event_button_new (void)
{
  return g_object_new (VG_TYPE_EVENT_BUTTON, NULL);
}

void
vg_event_button_set_pipeline (VgEventButton *self, VgPipeline *pipeline)
{
  g_set_object (&self->pipeline, pipeline);
}

void
vg_event_button_refresh (VgEventButton *self, gboolean shown)
{
  gboolean on = FALSE;
  const VgSampleEvent *event = shown && self->pipeline != NULL
                                   ? vg_pipeline_get_event (self->pipeline, &on)
                                   : NULL;
  gboolean other = event != self->event;

  self->event = event;
  gtk_widget_set_visible (GTK_WIDGET (self), event != NULL);
  self->syncing = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self), event != NULL && on);
  self->syncing = FALSE;
  if (event == NULL)
    return;
  show_text (self);
  if (other)
    vg_widget_set_tooltip (GTK_WIDGET (self), vg_translate (event->help));
}
