/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
/* Several works that compute tiles of one slide region at the same time. */
G_BEGIN_DECLS

/* The processor threads of a work, at least 1. */
int vg_work_get_threads (VgWork *self);
/* A work on THREADS threads for tiles of SELF, which has a calibration, whose files it shares, and
 * which outlives it. */
VgWork *vg_work_new_for_tiles (VgWork *self, int threads);
/* After a tile of OTHER, which is such a work: its settings and notices, and what it learned of the
 * GPU, become those of SELF. */
void vg_work_take_tile (VgWork *self, VgWork *other);

G_END_DECLS
