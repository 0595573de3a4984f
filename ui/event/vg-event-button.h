/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/core/vg-operation.h"
/* A button over the image that makes something happen in live sample data as long as it is
 * pressed. */
G_BEGIN_DECLS

#define VG_TYPE_EVENT_BUTTON (vg_event_button_get_type ())
G_DECLARE_FINAL_TYPE (VgEventButton, vg_event_button, VG, EVENT_BUTTON, GtkToggleButton)
/* signal "event" (gboolean on): the user has pressed or released it */

GtkWidget *vg_event_button_new (void);
/* What happens, and whether it is ON; NULL: nothing can happen, and the button is hidden. */
void vg_event_button_set (VgEventButton *self, const VgSampleEvent *event, gboolean on);

G_END_DECLS
