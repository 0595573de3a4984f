/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-result.h"
#include "ui/picture/vg-image-view.h"
/* Colour limits that are fixed while results are compared, so that equal colours mean equal values.
 * The user can unlock them at the colour bar. */
G_BEGIN_DECLS

typedef struct
{
  const VgOutput *output; /* whose limits were fixed; NULL: none */
  double low, high;
} VgHeldLimits;

/* Fixes automatic limits at the values with which IMAGE shows RESULT; either may be NULL.  Limits
 * of labels and of a comparison, and limits that the user has fixed, stay as they are. */
void vg_held_limits_take (VgHeldLimits *self, VgSession *session, VgImageView *image,
                          const VgResult *result);
/* To be called when there is nothing to compare: makes the fixed limits automatic again, unless the
 * user has changed them. */
void vg_held_limits_release (VgHeldLimits *self, VgSession *session);

G_END_DECLS
