/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
G_BEGIN_DECLS

/* A sample of at most 4 million pixels of the level of SOURCE, for the slide calibration: the whole
 * level, or square patches of it in their order.  Patches without tissue are left out if there are
 * enough others. */
VgImage *vg_tile_sample (VgSource *source, GError **error);

G_END_DECLS
