/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* The comparison parameter of a session's operation: the choice whose values are compared. */
G_BEGIN_DECLS

/* NULL: the operation has none. */
const VgParam *vg_compare_choice_find (VgSession *session);
int vg_compare_choice_get (VgSession *session, const VgParam *choice);
/* The value after the present one; the first after the last. */
int vg_compare_choice_next (VgSession *session, const VgParam *choice);
/* TRUE if the operation accepts the present parameters with that value. */
gboolean vg_compare_choice_next_fits (VgSession *session, const VgParam *choice);

G_END_DECLS
