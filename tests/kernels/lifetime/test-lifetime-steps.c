/* SPDX-License-Identifier: MIT */
#include "tests/kernels/lifetime/support/lifetime-fixture.h"
#include <string.h>
/* A global fit over an image by the engine gives the same bits with short and long steps, and
 * after a cancelled fit. */

enum { WIDTH = 211, HEIGHT = 97, SLICES = 2, BINS = 64 };

/* Two lifetimes with different fractions in each slice. */
static guint16 *
make_cube (void)
{
  const double h = 0.15;
  gsize page = WIDTH * HEIGHT;
  guint16 *cube = g_new0 (guint16, page * BINS * SLICES);

  for (int slice = 0; slice < SLICES; slice++)
    for (int part = 0; part < 2; part++)
      {
        double tau = part ? 3.0 : 0.6, q = exp (-h / tau), probability[BINS];

        for (int j = 0; j < BINS; j++)
          probability[j] = pow (q, j) * (1 - q) / (1 - pow (q, BINS));
        lifetime_throw (cube + (gsize) slice * page * BINS, WIDTH, HEIGHT, 0, WIDTH, probability,
                        BINS, slice ? 90 : 60 + 80 * part, 17 + (guint64) (2 * slice + part));
      }
  return cube;
}

static void
start (LifetimeFixture *self, int bin)
{
  lifetime_init (self, VG_U16, WIDTH, HEIGHT, BINS, 0.15);
  self->info.slices = SLICES;
  self->params->method = VG_LIFETIME_MLE_TWO;
  self->params->sharing = VG_LIFETIME_SHARE_IMAGE;
  self->params->range = VG_LIFETIME_RANGE_AUTO;
  self->params->bin = bin;
}

/* Feeds a frame of CUBE to the engine without a step. */
static void
feed (LifetimeFixture *self, const guint16 *cube)
{
  VgFrame *frame = g_new0 (VgFrame, 1);

  if (self->state == NULL)
    lifetime_prepare_with (self, NULL, 0);
  frame->info = &self->info;
  frame->data = g_memdup2 (cube, vg_image_info_frame_bytes (&self->info));
  frame->id = self->frames++;
  frame->index = (gint64) frame->id;
  frame->release = lifetime_frame_release;
  g_atomic_ref_count_init (&frame->ref_count);
  g_assert_true (self->engine->feed (self->state, frame, NULL));
  vg_frame_unref (frame);
}

static void
check_same (LifetimeFixture *a, LifetimeFixture *b)
{
  static const int outputs[] = { VG_LIFETIME_OUTPUT_LIFETIME, VG_LIFETIME_OUTPUT_LIFETIME_1,
                                 VG_LIFETIME_OUTPUT_LIFETIME_2, VG_LIFETIME_OUTPUT_FRACTION,
                                 VG_LIFETIME_OUTPUT_AMPLITUDE };

  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    {
      g_autofree float *p = lifetime_map_of (a, outputs[i], NULL),
                       *q = lifetime_map_of (b, outputs[i], NULL);

      g_assert_cmpmem (p, sizeof (float) * WIDTH * HEIGHT * SLICES, q,
                       sizeof (float) * WIDTH * HEIGHT * SLICES);
      g_assert_true (isfinite (p[0]) && isfinite (p[WIDTH * HEIGHT * SLICES - 1]));
    }
}

static void
test_steps (gconstpointer data)
{
  int bin = GPOINTER_TO_INT (data), steps = 0;
  g_autofree guint16 *cube = make_cube ();
  LifetimeFixture whole, small;
  double last = 0, longest = 0;
  gint64 from;

  start (&whole, bin);
  feed (&whole, cube);
  while (whole.engine->step (whole.state, 1e6, NULL) == VG_STEP_MORE)
    ;
  start (&small, bin);
  feed (&small, cube);
  for (from = g_get_monotonic_time (); small.engine->step (small.state, 0, NULL) == VG_STEP_MORE;
       from = g_get_monotonic_time ())
    {
      double progress = small.engine->progress (small.state);

      longest = MAX (longest, (double) (g_get_monotonic_time () - from) * 1e-3);
      g_assert_cmpfloat (progress, >=, last);
      g_assert_cmpfloat (progress, <=, 1);
      last = progress;
      steps++;
    }
  g_test_message ("%d steps, the longest %.1f ms", steps, longest);
  g_assert_cmpint (steps, >, 100);
  g_assert_cmpfloat (small.engine->progress (small.state), ==, 1);
  check_same (&whole, &small);
  lifetime_clear (&whole);
  lifetime_clear (&small);
}

/* Changes settings and the frame, and frees the engine, during the fit of a slice. */
static void
test_left (void)
{
  g_autofree guint16 *cube = make_cube ();
  LifetimeFixture straight, left;

  start (&straight, 0);
  straight.params->threshold = 20;
  feed (&straight, cube);
  lifetime_step (&straight);
  start (&left, 0);
  feed (&left, cube);
  while (left.engine->progress (left.state) < 0.2)
    g_assert_cmpint (left.engine->step (left.state, 0, NULL), ==, VG_STEP_MORE);
  left.params->threshold = 20;
  g_assert_true (left.engine->update (left.state, left.params));
  for (int i = 0; i < 40; i++)
    left.engine->step (left.state, 0, NULL);
  feed (&left, cube);
  lifetime_step (&left);
  check_same (&straight, &left);
  feed (&left, cube);
  while (left.engine->progress (left.state) < 0.7)
    g_assert_cmpint (left.engine->step (left.state, 0, NULL), ==, VG_STEP_MORE);
  lifetime_clear (&left);
  lifetime_clear (&straight);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/lifetime/steps/image", GINT_TO_POINTER (0), test_steps);
  g_test_add_data_func ("/lifetime/steps/binned", GINT_TO_POINTER (1), test_steps);
  g_test_add_func ("/lifetime/steps/left", test_left);
  return g_test_run ();
}
