/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The clamp on a branch of the flow sample's arteries: what passes it, relative to rest.  By itself
 * it closes once a minute.  From the first press on the vessel it closes only while somebody
 * presses. */
G_BEGIN_DECLS

/* What passes if nobody presses: every minute the branch is closed from 20 to 35 s, and its flow
 * overshoots after that. */
double vg_flow_clamp_story (double time_s);

typedef struct _VgFlowClamp VgFlowClamp;

VgFlowClamp *vg_flow_clamp_new (void);
void vg_flow_clamp_free (VgFlowClamp *self);
/* What passes at TIME_S, of a frame that is read now.  A later press does not change it. */
double vg_flow_clamp_get (VgFlowClamp *self, double time_s);
/* Closes the vessel (ON) or opens it, after the newest time that vg_flow_clamp_get was asked for,
 * which is returned.  Any thread may call it. */
double vg_flow_clamp_press (VgFlowClamp *self, gboolean on);

G_END_DECLS
