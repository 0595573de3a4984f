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

/* The program names some regions: by the label of a parameter, or as a region of sample data.  A
 * name of this kind is in the user's language in memory and in English in files, so that a session
 * opens in every language.  These functions translate it, and return other names unchanged. */
const char *vg_session_name_in_english (const VgOperation *operation, const char *name);
const char *vg_session_name_translated (const VgOperation *operation, const char *english);

G_END_DECLS
