/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "kernels/core/vg-overlay.h"
/* The overlay of the phasor plot: the universal semicircle with ticks in ns, and the guide that
 * the settings choose.  Returns NULL for the other OUTPUTs and if the frequency is unknown. */
G_BEGIN_DECLS

VgOverlay *vg_lifetime_guides (const void *params, const VgImageInfo *info, guint output);

G_END_DECLS
