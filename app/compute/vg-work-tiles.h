/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
/* Several works that compute tiles of one slide region at the same time. */
G_BEGIN_DECLS

/* The processor threads of a work, at least 1. */
int vg_work_get_threads (VgWork *self);
/* A work on THREADS threads for tiles of SELF, whose calibration and files it uses.  SELF must
 * outlive it. */
VgWork *vg_work_new_for_tiles (VgWork *self, int threads);
/* Called after OTHER, which is such a work, has computed a tile: SELF takes its settings, its
 * notices, and what it found out about the GPU. */
void vg_work_take_tile (VgWork *self, VgWork *other);

G_END_DECLS
