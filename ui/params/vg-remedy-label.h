/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/params/vg-remedy.h"
#include "app/session/vg-session.h"
/* What the buttons beside a warning say and do. */
G_BEGIN_DECLS

VgRemedy vg_remedy_for (VgSession *session, const VgMetric *metric);
/* "Set Laser period to 12.5 ns", or the setting that the user has to see to; owned, NULL: none. */
char *vg_remedy_label (const VgRemedy *remedy);
/* Sets the value, as a step that can be undone; FALSE: the user has to decide on the parameter. */
gboolean vg_remedy_apply (const VgRemedy *remedy, VgSession *session);

G_END_DECLS
