/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* Chooses an output that exists with the session's parameters, and remembers those that the
 * parameters have hidden, so that they return with them. */
G_BEGIN_DECLS

typedef struct _VgOutputChoice VgOutputChoice;

VgOutputChoice *vg_output_choice_new (void);
void vg_output_choice_free (VgOutputChoice *self);
/* Changes the view of SESSION if its output does not exist with its parameters. */
void vg_output_choice_update (VgOutputChoice *self, VgSession *session);

G_END_DECLS
