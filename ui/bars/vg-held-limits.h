/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-result.h"
#include "ui/picture/vg-image-view.h"
/* Colour limits that are fixed while results are compared, so that equal colours mean equal values.
 * Each output has its own.  The user can unlock them at the colour bar. */
G_BEGIN_DECLS

typedef struct _VgHeldLimits VgHeldLimits;

VgHeldLimits *vg_held_limits_new (void);
void vg_held_limits_free (VgHeldLimits *self);
/* Fixes automatic limits of the shown output at the values with which IMAGE shows RESULT; either
 * may be NULL.  Limits of labels and of a comparison, and limits that the user has fixed, stay as
 * they are.  ANEW: a comparison begins; else limits that the user has unlocked stay automatic. */
void vg_held_limits_take (VgHeldLimits *self, VgSession *session, VgImageView *image,
                          const VgResult *result, gboolean anew);
/* Makes the limits that were fixed in the session's view automatic again, unless the user has
 * changed them.  Called when this view has nothing to compare. */
void vg_held_limits_release (VgHeldLimits *self, VgSession *session);

G_END_DECLS
