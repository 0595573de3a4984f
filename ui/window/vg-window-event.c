/* SPDX-License-Identifier: MIT */
/* What the user makes happen in live sample data, by a button over the image. */
#include "ui/event/vg-event-button.h"
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-object.h"
#include "ui/common/vg-translation.h"

/* It is marked in the time courses at the moment from which the data show it. */
static void
on_event (VgWindow *self, gboolean on)
{
  gboolean was_on;
  const VgSampleEvent *event = vg_pipeline_get_event (self->pipeline, &was_on);
  double time_s;

  if (event != NULL && vg_pipeline_trigger (self->pipeline, on, &time_s))
    vg_pipeline_mark_time (self->pipeline, time_s, vg_translate (on ? event->begin : event->end));
}

void
vg_window_add_event (VgWindow *self)
{
  self->event = vg_event_button_new ();
  vg_connect (self->event, "event", on_event, self);
  vg_theatre_add_button (VG_THEATRE (self->theatre), self->event);
}

void
vg_window_show_event (VgWindow *self)
{
  gboolean on;
  const VgSampleEvent *event = vg_pipeline_get_event (self->pipeline, &on);

  vg_event_button_set (VG_EVENT_BUTTON (self->event), vg_window_has_image (self) ? event : NULL,
                       on);
}
