/* SPDX-License-Identifier: MIT */
/* What is kept of a live source: bounded by time, by memory, and by what is free. */
#include "app/input/vg-look-back.h"

enum { BYTES = 1 << 20 };

static gsize free_bytes = G_MAXSIZE;
static int alive;

static gsize
available (void)
{
  return free_bytes;
}

static void
release (VgFrame *frame)
{
  g_free (frame);
  alive--;
}

/* Adds frame K, of TIME_S. */
static void
add (VgLookBack *kept, gint64 k, double time_s)
{
  VgFrame *frame = g_new0 (VgFrame, 1);

  frame->index = k;
  frame->time_s = time_s;
  frame->release = release;
  g_atomic_ref_count_init (&frame->ref_count);
  alive++;
  vg_look_back_add (kept, frame);
  vg_frame_unref (frame);
}

static void
check (const VgLookBack *kept, gint64 oldest, gint64 newest)
{
  guint n = vg_look_back_get_n (kept);

  g_assert_cmpint (n, ==, newest - oldest + 1);
  g_assert_cmpint (alive, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (vg_look_back_get (kept, i)->index, ==, oldest + i);
}

static void
test_time (void)
{
  VgLookBack *kept = vg_look_back_new (BYTES, 2, (gsize) 100 * BYTES, available);

  g_assert_cmpuint (vg_look_back_get_most (kept), ==, 100);
  for (int k = 0; k < 200; k++)
    add (kept, k, 0.1 * k);
  check (kept, 179, 199);
  /* the nearest frame to any moment */
  for (double t = 17.0; t < 21; t += 0.013)
    {
      double found = vg_look_back_get (kept, vg_look_back_find (kept, t))->time_s;

      g_assert_cmpfloat_with_epsilon (found, CLAMP (t, 17.9, 19.9), 0.0501);
    }
  vg_look_back_free (kept);
  g_assert_cmpint (alive, ==, 0);
}

static void
test_memory (void)
{
  VgLookBack *kept = vg_look_back_new (BYTES, 60, (gsize) 10 * BYTES + 5, available), *none;

  for (int k = 0; k < 25; k++)
    add (kept, k, k);
  check (kept, 15, 24);
  while (vg_look_back_free_oldest (kept))
    ;
  check (kept, 24, 24);
  vg_look_back_free (kept);
  /* without memory there is still the newest frame */
  none = vg_look_back_new (BYTES, 60, 0, available);
  for (int k = 0; k < 3; k++)
    add (none, k, k);
  check (none, 2, 2);
  vg_look_back_free (none);
}

/* Frames that a recording still has to write stay, because to let go of them would free nothing. */
static void
test_held (void)
{
  enum { N = 10, FROM = 3 };
  VgLookBack *kept = vg_look_back_new (BYTES, 60, (gsize) (N - 2) * BYTES, available);
  VgFrame *held[N] = { NULL };

  for (int k = 0; k < N; k++) /* the ring begins anywhere */
    add (kept, k, k);
  check (kept, 2, N - 1);
  for (int i = FROM; i < N - 2; i++)
    held[i] = vg_frame_ref (vg_look_back_get (kept, (guint) i));
  for (int i = 0; i < FROM; i++)
    g_assert_true (vg_look_back_free_oldest (kept));
  check (kept, 2 + FROM, N - 1);
  g_assert_false (vg_look_back_free_oldest (kept));
  check (kept, 2 + FROM, N - 1);
  vg_frame_unref (held[FROM + 1]); /* the first is shown */
  g_assert_true (vg_look_back_free_oldest (kept));
  g_assert_cmpint (alive, ==, N - 2 - FROM - 1);
  g_assert_cmpint (vg_look_back_get (kept, 0)->index, ==, 2 + FROM);
  g_assert_cmpint (vg_look_back_get (kept, 1)->index, ==, 2 + FROM + 2);
  vg_look_back_free (kept);
  for (int i = FROM; i < N - 2; i++)
    if (i != FROM + 1)
      vg_frame_unref (held[i]);
  g_assert_cmpint (alive, ==, 0);
}

/* While others need the memory it shrinks, and grows again later. */
static void
test_shortage (void)
{
  VgLookBack *kept = vg_look_back_new (BYTES, 1000, (gsize) 500 * BYTES, available);
  guint before;
  int k = 0;

  for (; k < 100; k++)
    add (kept, k, k);
  check (kept, 0, 99);
  free_bytes = 1000;
  for (; k < 160; k++)
    add (kept, k, k);
  before = vg_look_back_get_n (kept);
  g_assert_cmpuint (before, <, 70);
  for (; k < 400; k++)
    add (kept, k, k);
  g_assert_cmpuint (vg_look_back_get_n (kept), <=, 2);
  free_bytes = G_MAXSIZE;
  for (; k < 500; k++)
    add (kept, k, k);
  g_assert_cmpuint (vg_look_back_get_n (kept), >=, 80);
  vg_look_back_free (kept);
  g_assert_cmpint (alive, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/look-back/time", test_time);
  g_test_add_func ("/look-back/memory", test_memory);
  g_test_add_func ("/look-back/held", test_held);
  g_test_add_func ("/look-back/shortage", test_shortage);
  return g_test_run ();
}
