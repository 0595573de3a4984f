/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/pipeline/vg-pipeline.h"
/* A button over the image that makes something happen in live sample data as long as it is pressed.
 * Press and release are marked in the time courses at the moment from which the data show them. */
G_BEGIN_DECLS

#define VG_TYPE_EVENT_BUTTON (vg_event_button_get_type ())
G_DECLARE_FINAL_TYPE (VgEventButton, vg_event_button, VG, EVENT_BUTTON, GtkToggleButton)

GtkWidget *vg_event_button_new (void);
/* NULL when the window closes. */
void vg_event_button_set_pipeline (VgEventButton *self, VgPipeline *pipeline);
/* Shows what can happen in the open data; nothing can as long as no image is SHOWN.  Called a few
 * times a second. */
void vg_event_button_refresh (VgEventButton *self, gboolean shown);

G_END_DECLS
