/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-result.h"
#include "ui/picture/vg-image-view.h"
/* Limits of the colours that are fixed while results are compared, so that equal colours stay equal
 * values.  The user can unlock them at the colour bar. */
G_BEGIN_DECLS

typedef struct
{
  const VgOutput *output; /* whose limits were fixed; NULL: of none */
  double low, high;
} VgHeldLimits;

/* Fixes automatic limits at those that IMAGE, which may be NULL, has of RESULT, the one that it
 * shows, or NULL.  Limits of labels, of a comparison and those that the user has fixed stay as they
 * are. */
void vg_held_limits_take (VgHeldLimits *self, VgSession *session, VgImageView *image,
                          const VgResult *result);
/* There is nothing to compare: limits that the user has not changed are automatic again. */
void vg_held_limits_release (VgHeldLimits *self, VgSession *session);

G_END_DECLS
