/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* The numbers in VgView and VgDisplay as parameter tables, from which the session is written, read,
 * compared and checked. */
G_BEGIN_DECLS

extern const VgParamTable vg_session_view_fields;
extern const VgParamTable vg_session_display_fields;

/* Whether TEXT, a value of PARAM, is no file name.  PARAM NULL: an input. */
gboolean vg_session_is_plain_text (const VgParam *param, const char *text);

G_END_DECLS
