/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "kernels/core/vg-overlay.h"
/* What is drawn over the phasor plot: the semicircle on which single lifetimes
 * lie, with ticks in ns, and the guide that the settings choose.  NULL for the
 * other OUTPUTs, and where the frequency is not known. */
G_BEGIN_DECLS

VgOverlay *vg_lifetime_guides (const void *params, const VgImageInfo *info, guint output);

G_END_DECLS
