/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Queue of the blocks of a map.  Its thread writes them in the order in which they were added.
 * Meanwhile the caller continues; it waits only if too many blocks are in memory. */
G_BEGIN_DECLS

typedef struct _VgBlockQueue VgBlockQueue;

/* Writes the block of VG_TILE_BLOCK x VG_TILE_BLOCK SAMPLES at X, Y, px.  FALSE: it failed. */
typedef gboolean (*VgBlockTake) (gpointer data, int x, int y, const float *samples, GError **error);

VgBlockQueue *vg_block_queue_new (VgBlockTake take, gpointer data);
/* Waits for the block being written; drops those that still wait. */
void vg_block_queue_free (VgBlockQueue *self);
/* Copies SAMPLES.  FALSE: there is not enough memory, or an earlier block could not be written; for
 * the latter, ERROR is set only once. */
gboolean vg_block_queue_add (VgBlockQueue *self, int x, int y, const float *samples,
                             GError **error);
/* Waits until all blocks are written; errors as for vg_block_queue_add. */
gboolean vg_block_queue_finish (VgBlockQueue *self, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgBlockQueue, vg_block_queue_free)

G_END_DECLS
