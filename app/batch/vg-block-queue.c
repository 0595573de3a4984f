/* SPDX-License-Identifier: MIT */
#include "app/batch/vg-block-queue.h"
#include <string.h>
#include "kernels/base/vg-error.h"
#include "kernels/core/vg-tiles.h"

/* 16 MB: nearly half of the blocks that a tile completes */
enum { MOST_WAITING = 256, SAMPLES = VG_TILE_BLOCK * VG_TILE_BLOCK };

typedef struct
{
  int x, y;
  float samples[SAMPLES];
} Block;

struct _VgBlockQueue
{
  VgBlockTake take;
  gpointer data;
  GThread *thread;
  GMutex mutex;
  GCond changed;  /* one of the following */
  GQueue waiting; /* of Block; the thread keeps the first while it takes it */
  gboolean ended; /* no more come */
  gboolean failed;
  GError *error; /* why; NULL: the caller knows */
};

static gpointer
take_blocks (gpointer data)
{
  VgBlockQueue *self = data;

  g_mutex_lock (&self->mutex);
  while (TRUE)
    {
      Block *block = g_queue_peek_head (&self->waiting);

      if (block != NULL && !self->failed)
        {
          GError *error = NULL;
          gboolean taken;

          g_mutex_unlock (&self->mutex);
          taken = self->take (self->data, block->x, block->y, block->samples, &error);
          g_mutex_lock (&self->mutex);
          if (!taken)
            {
              self->failed = TRUE;
              self->error = error;
            }
          g_free (g_queue_pop_head (&self->waiting));
          g_cond_broadcast (&self->changed);
        }
      else if (self->ended)
        break;
      else
        g_cond_wait (&self->changed, &self->mutex);
    }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

VgBlockQueue *
vg_block_queue_new (VgBlockTake take, gpointer data)
{
  VgBlockQueue *self = g_new0 (VgBlockQueue, 1);

  self->take = take;
  self->data = data;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_queue_init (&self->waiting);
  self->thread = g_thread_new ("blocks", take_blocks, self);
  return self;
}

void
vg_block_queue_free (VgBlockQueue *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->failed = self->ended = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_thread_join (self->thread);
  g_queue_clear_full (&self->waiting, g_free);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

/* Waits, with the mutex, until fewer than MOST blocks are left.  FALSE: one was not taken. */
static gboolean
wait_for_room (VgBlockQueue *self, guint most, GError **error)
{
  while (self->waiting.length >= most && !self->failed)
    g_cond_wait (&self->changed, &self->mutex);
  if (self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  return !self->failed;
}

gboolean
vg_block_queue_add (VgBlockQueue *self, int x, int y, const float *samples, GError **error)
{
  Block *block = g_try_new (Block, 1);
  gboolean added;

  if (block == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for a block of a map; close other programs");
      return FALSE;
    }
  block->x = x;
  block->y = y;
  memcpy (block->samples, samples, sizeof block->samples);
  g_mutex_lock (&self->mutex);
  added = wait_for_room (self, MOST_WAITING, error);
  if (added)
    g_queue_push_tail (&self->waiting, g_steal_pointer (&block));
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_free (block);
  return added;
}

gboolean
vg_block_queue_finish (VgBlockQueue *self, GError **error)
{
  gboolean taken;

  g_mutex_lock (&self->mutex);
  taken = wait_for_room (self, 1, error);
  g_mutex_unlock (&self->mutex);
  return taken;
}
