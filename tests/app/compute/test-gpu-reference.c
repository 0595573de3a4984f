/* SPDX-License-Identifier: MIT */
/* A reference result on the GPU: a second run with the same seed equals it
 * everywhere, and the plain map stays on the device. */
#include <math.h>
#include <stdio.h>
#include "tests/support/app/pipeline-answer.h"
#include "tests/support/app/pipeline-watch.h"
#include "app/compute/vg-reference.h"

static void
show (Watch *watch, VgReference *reference, VgCompare mode)
{
  vg_pipeline_set_compare (watch->pipeline, reference, mode);
  g_assert_true (watch_settle (watch));
  g_assert_cmpint (watch->last->compare, ==, mode);
}

static void
test_same_seed (void)
{
  const VgOperation *fluence = vg_operation_find ("fluence");
  void *params = vg_params_new (&fluence->params);
  g_autoptr (VgReference) reference = NULL;
  const VgPlane *plane;
  VgPlace place;
  guint generation;
  Watch watch;

  vg_param_parse (vg_params_find (&fluence->params, "photons"), params, "50000", NULL);
  watch_start (&watch, vg_pipeline_new (VG_BACKEND_CUDA));
  vg_pipeline_open (watch.pipeline, fluence, params, NULL, NULL);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  place = watch.last->plane.place;
  generation = watch.last->generation;
  reference = answer_now (watch.pipeline, &(VgQuery){ .kind = VG_QUERY_REFERENCE });
  g_assert_nonnull (reference);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpuint (watch.last->generation, !=, generation);
  g_assert_true (watch.last->final);
  g_assert_cmpint (watch.last->plane.place, ==, place);

  show (&watch, reference, VG_COMPARE_DIFFERENCE);
  plane = &watch.last->plane;
  g_assert_cmpint (plane->place, ==, VG_HOST);
  for (gsize i = 0; i < (gsize) plane->width * (gsize) plane->height; i++)
    g_assert_cmpfloat (plane->data[i], ==, 0);
  show (&watch, reference, VG_COMPARE_RATIO);
  plane = &watch.last->plane;
  g_assert_cmpfloat (plane->data[0], ==, 1);
  for (gsize i = 0; i < (gsize) plane->width * (gsize) plane->height; i++)
    g_assert_true (isnan (plane->data[i]) || plane->data[i] == 1);
  show (&watch, reference, VG_COMPARE_OFF);
  g_assert_cmpint (watch.last->plane.place, ==, place);
  watch_end (&watch);
  vg_params_free (&fluence->params, params);
}

int
main (int argc, char **argv)
{
  const char *reason = NULL;
  const VgCuda *cuda = vg_cuda_get (&reason);

  if (cuda == NULL || cuda->device_count (NULL) < 1)
    {
      printf ("1..0 # skip no GPU: %s\n", reason ? reason : "none found");
      return 77;
    }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gpu/reference/same-seed", test_same_seed);
  return g_test_run ();
}
