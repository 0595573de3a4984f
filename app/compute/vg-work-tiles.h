/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
/* Several works that compute tiles of one slide region at the same time. */
G_BEGIN_DECLS

/* The processor threads of a work, at least 1. */
int vg_work_get_threads (VgWork *self);
/* How many tiles with the size in TILE may be computed at the same time, at most MOST: they, their
 * images and one more image fit into half of the free memory, and likewise on the GPU.  0: not even
 * one fits into the memory of the host.  One is always granted on the GPU, because prepare checks
 * that. */
int vg_work_count_tiles (VgWork *self, const void *params, const VgImageInfo *tile, int most);
/* A work on THREADS threads for tiles of SELF, whose calibration and files it uses, and with which
 * it shares that the GPU has failed.  STOP as in vg_work_set_stop.  SELF must outlive it. */
VgWork *vg_work_new_for_tiles (VgWork *self, int threads, const gint *stop);
/* Called after OTHER, which is such a work, has computed a tile: SELF takes its settings, its
 * engine and its notice. */
void vg_work_take_tile (VgWork *self, VgWork *other);

G_END_DECLS
