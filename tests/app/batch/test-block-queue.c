/* SPDX-License-Identifier: MIT */
#include "app/batch/vg-block-queue.h"
#include "kernels/base/vg-error.h"
#include "kernels/core/vg-tiles.h"
#include <math.h>

enum { SAMPLES = VG_TILE_BLOCK * VG_TILE_BLOCK, MANY = 700, BAD = 300, NEVER = MANY };

/* What the thread has taken, and what the block BAD meets. */
typedef struct
{
  GMutex mutex;
  GCond changed;
  int taken, bad;
  gboolean hold; /* no block is taken */
} Taker;

static gboolean
take (gpointer data, int x, int y, const float *samples, GError **error)
{
  Taker *self = data;
  gboolean good;

  g_mutex_lock (&self->mutex);
  while (self->hold)
    g_cond_wait (&self->changed, &self->mutex);
  /* in order, and whole */
  g_assert_cmpint (x, ==, self->taken);
  g_assert_cmpint (y, ==, 2 * x + 1);
  g_assert_cmpfloat (samples[0], ==, (float) x);
  g_assert_cmpfloat (samples[SAMPLES - 1], ==, (float) -x);
  good = x != self->bad;
  self->taken++;
  g_mutex_unlock (&self->mutex);
  if (!good)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "block %d is bad", x);
  return good;
}

static void
let_go (Taker *self)
{
  g_mutex_lock (&self->mutex);
  self->hold = FALSE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

static gint added_now; /* atomic */

/* Adds blocks from FIRST on, at most N, until one is refused; how many were not. */
static int
add (VgBlockQueue *queue, int first, int n, GError **error)
{
  g_autofree float *samples = g_new0 (float, SAMPLES);

  for (int i = first; i < first + n; i++)
    {
      samples[0] = (float) i;
      samples[SAMPLES - 1] = (float) -i;
      if (!vg_block_queue_add (queue, i, 2 * i + 1, samples, error))
        return i - first;
      samples[0] = NAN; /* the queue has a copy */
      g_atomic_int_inc (&added_now);
    }
  return n;
}

static void
test_order (void)
{
  Taker taker = { .bad = NEVER };
  g_autoptr (VgBlockQueue) queue = vg_block_queue_new (take, &taker);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (add (queue, 0, MANY, &error), ==, MANY);
  g_assert_true (vg_block_queue_finish (queue, &error));
  g_assert_no_error (error);
  g_assert_cmpint (taker.taken, ==, MANY);
}

/* The first block that cannot be taken is the last; its error is told once. */
static void
test_bad_block (void)
{
  Taker taker = { .bad = BAD };
  g_autoptr (VgBlockQueue) queue = vg_block_queue_new (take, &taker);
  g_autoptr (GError) error = NULL;
  int added = add (queue, 0, MANY, &error);

  if (added == MANY)
    g_assert_false (vg_block_queue_finish (queue, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  g_assert_cmpstr (error->message, ==, "block 300 is bad");
  g_assert_cmpint (added, >, BAD);
  g_assert_false (vg_block_queue_finish (queue, NULL));
  g_assert_cmpint (taker.taken, ==, BAD + 1);
}

static gpointer
add_many (gpointer data)
{
  return GINT_TO_POINTER (add (data, 0, MANY, NULL));
}

/* The caller waits while too many blocks are in memory. */
static void
test_bound (void)
{
  Taker taker = { .bad = NEVER, .hold = TRUE };
  g_autoptr (VgBlockQueue) queue = vg_block_queue_new (take, &taker);
  GThread *thread;

  g_atomic_int_set (&added_now, 0);
  thread = g_thread_new ("adds", add_many, queue);
  g_usleep (100000);
  g_assert_cmpint (g_atomic_int_get (&added_now), <, MANY / 2);
  let_go (&taker);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), ==, MANY);
  g_assert_true (vg_block_queue_finish (queue, NULL));
  g_assert_cmpint (taker.taken, ==, MANY);
}

static gpointer
free_queue (gpointer data)
{
  vg_block_queue_free (data);
  return NULL;
}

/* Blocks that wait are dropped when the queue ends. */
static void
test_dropped (void)
{
  Taker taker = { .bad = NEVER, .hold = TRUE };
  VgBlockQueue *queue = vg_block_queue_new (take, &taker);
  GThread *thread;

  g_assert_cmpint (add (queue, 0, 20, NULL), ==, 20);
  thread = g_thread_new ("frees", free_queue, queue);
  g_usleep (50000);
  let_go (&taker);
  g_thread_join (thread);
  g_assert_cmpint (taker.taken, <=, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/block-queue/order", test_order);
  g_test_add_func ("/block-queue/bad-block", test_bad_block);
  g_test_add_func ("/block-queue/bound", test_bound);
  g_test_add_func ("/block-queue/dropped", test_dropped);
  return g_test_run ();
}
