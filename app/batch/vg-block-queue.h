/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Blocks of a map, which a thread of its own takes in the order in which they were added.  The
 * caller goes on meanwhile; it waits only if too many blocks are in memory. */
G_BEGIN_DECLS

typedef struct _VgBlockQueue VgBlockQueue;

/* Takes the block of VG_TILE_BLOCK x VG_TILE_BLOCK SAMPLES at X, Y. */
typedef gboolean (*VgBlockTake) (gpointer data, int x, int y, const float *samples, GError **error);

VgBlockQueue *vg_block_queue_new (VgBlockTake take, gpointer data);
/* Waits for the thread; blocks that it has not taken are dropped. */
void vg_block_queue_free (VgBlockQueue *self);
/* Copies SAMPLES.  FALSE: there is no memory, or an earlier block was not taken, for which ERROR is
 * set once. */
gboolean vg_block_queue_add (VgBlockQueue *self, int x, int y, const float *samples,
                             GError **error);
/* Waits until all blocks are taken; errors as for vg_block_queue_add. */
gboolean vg_block_queue_finish (VgBlockQueue *self, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgBlockQueue, vg_block_queue_free)

G_END_DECLS
