/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
G_BEGIN_DECLS

/* At most 4 million pixels of the level that SOURCE is of, whatever part of it: all of
 * it, or as many square patches, in the order in which they lie. Patches
 * without anything on the glass are left out when there are enough others. */
VgImage *vg_tile_sample (VgSource *source, GError **error);

G_END_DECLS
