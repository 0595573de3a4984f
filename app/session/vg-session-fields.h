/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* The numbers of a view and of a display, as parameter tables: the session's
 * writer and reader, and its range checks, work from these. */
G_BEGIN_DECLS

extern const VgParamTable vg_session_view_fields;
extern const VgParamTable vg_session_display_fields;

/* TEXT stands for itself, not for the name of a file; PARAM NULL: an input. */
gboolean vg_session_is_plain_text (const VgParam *param, const char *text);

G_END_DECLS
