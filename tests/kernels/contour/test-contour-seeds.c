/* SPDX-License-Identifier: MIT */
/* Seeds set, taken out, undone, and too many for their place. */
#include "tests/kernels/contour/support/contour-stained.h"

enum { CROWD = 5000 };

/* Seeds within half a pixel are one; all are counted. */
static void
test_one_spot (void)
{
  g_autoptr (VgImage) image = contour_stained (3, 1);
  VgContourParams params = contour_params ();
  VgTable *table = vg_table_new (CROWD, 2);
  GRand *rand = g_rand_new_with_seed (3);
  VgContourRun *run;

  for (int k = 0; k < CROWD; k++)
    {
      table->values[2 * k] = contour_nucleus.x + g_rand_double_range (rand, -0.15, 0.15);
      table->values[2 * k + 1] = contour_nucleus.y + g_rand_double_range (rand, -0.15, 0.15);
    }
  params.seeding = VG_CONTOUR_SEEDS_GIVEN;
  params.radius_px = 12.0f;
  params.added = table;
  run = contour_finish (image, &params);
  g_assert_cmpuint (run->standing.double_seeds, ==, CROWD - 1);
  contour_check_nucleus (run);
  vg_contour_run_free (run);
  vg_table_free (table);
  g_rand_free (rand);
}

/* Seeds nearer to each other than nuclei lie are one; of those on one nucleus
 * at least one contour is left, and each is accounted for. */
static void
test_one_nucleus (void)
{
  g_autoptr (VgImage) image = contour_stained (3, 2);
  VgContourParams params = contour_params ();
  VgTable *table = vg_table_new (3000, 2);
  VgContourRun *run;
  guint left;

  for (int k = 0; k < table->rows; k++)
    {
      table->values[2 * k] = contour_nucleus.x + 0.6 * (k % 9 - 4);
      table->values[2 * k + 1] = contour_nucleus.y + 0.6 * (k / 9 % 9 - 4);
    }
  params.seeding = VG_CONTOUR_SEEDS_GIVEN;
  params.radius_px = 12.0f;
  params.added = table;
  run = contour_finish (image, &params);
  left = run->scene->objects->len;
  g_test_message ("of %u seeds %u contours are left", 3000 - run->standing.double_seeds, left);
  g_assert_cmpuint (run->standing.double_seeds, >=, 3000 - 9);
  g_assert_cmpuint (left, >=, 1);
  g_assert_cmpuint (left + run->standing.losses.vanished + run->standing.losses.faint +
                        run->standing.losses.merged + run->standing.double_seeds,
                    ==, 3000);
  vg_contour_run_free (run);
  vg_table_free (table);
}

/* A removal takes what was found within half a radius, and nothing set by hand. */
static void
test_removed (void)
{
  static const double places[] = { 50, 22, 30, 50, 47, 51, 47, 51 };
  g_autoptr (VgImage) image = contour_stained (3, 5);
  VgContourParams params = contour_params ();
  VgTable *table = vg_table_new (1, 2), *added = vg_table_new (1, 2);

  params.radius_px = 12.0f;
  params.iterations = 10;
  params.removed = table;
  for (int k = 0; k < 4; k++)
    {
      VgContourRun *run;

      table->values[0] = places[2 * k];
      table->values[1] = places[2 * k + 1];
      added->values[0] = contour_nucleus.x;
      added->values[1] = contour_nucleus.y;
      params.added = k == 3 ? added : NULL;
      run = contour_finish (image, &params);
      g_assert_cmpuint (run->base->len, ==, 1);
      g_assert_cmpuint (run->wanted->len, ==, k == 2 ? 0 : 1);
      vg_contour_run_free (run);
    }
  vg_table_free (table);
  vg_table_free (added);
}

static void
finish_again (VgContourRun *run, const VgContourParams *params)
{
  g_assert_true (vg_contour_run_update (run, params));
  contour_run_to_end (run);
}

/* What a setting of the result or a deletion took away comes back as it was. */
static void
test_undo (void)
{
  g_autoptr (VgImage) image = contour_stained (3, 7);
  VgContourParams params = contour_params (), changed;
  VgContourRun *run;
  VgTable *two = vg_table_new (2, 2), *one = vg_table_new (1, 2);
  g_autofree gint32 *field = NULL;
  guint id;

  params.seeding = VG_CONTOUR_SEEDS_GIVEN;
  params.radius_px = 12.0f;
  params.contrast = 0.0f;
  params.smallest = 0.0f;
  params.added = two;
  two->values[0] = one->values[0] = 41;
  two->values[1] = one->values[1] = 50;
  two->values[2] = 70;
  two->values[3] = 54;
  run = contour_finish (image, &params);
  g_assert_cmpuint (run->scene->objects->len, >=, 1);
  field = g_memdup2 (run->scene->field, CONTOUR_SIDE * CONTOUR_SIDE * sizeof *field);
  id = run->scene->objects->len;
  changed = params;
  changed.contrast = 1.0f;
  finish_again (run, &changed);
  g_assert_cmpuint (run->scene->objects->len, ==, 0);
  finish_again (run, &params);
  g_assert_cmpuint (run->scene->objects->len, ==, id);
  g_assert_cmpmem (field, CONTOUR_SIDE * CONTOUR_SIDE * sizeof *field, run->scene->field,
                   CONTOUR_SIDE * CONTOUR_SIDE * sizeof *field);
  changed = params;
  changed.added = one;
  finish_again (run, &changed);
  g_assert_cmpuint (run->wanted->len, ==, 1);
  finish_again (run, &params);
  g_assert_cmpuint (run->scene->objects->len, ==, id);
  g_assert_cmpmem (field, CONTOUR_SIDE * CONTOUR_SIDE * sizeof *field, run->scene->field,
                   CONTOUR_SIDE * CONTOUR_SIDE * sizeof *field);
  vg_contour_run_free (run);
  vg_table_free (two);
  vg_table_free (one);
}

static void
keep_all (const VgContourRun *run, GArray *samples)
{
  g_array_set_size (samples, 0);
  for (guint i = 0; i < run->scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (run->scene, i);

      g_array_append_vals (samples, object->phi,
                           (guint) (object->tile.width * object->tile.height));
    }
}

/* A seed set beside a nucleus pushes its contour; taken back, the contour is where it was, done
 * again where it was pushed to. */
static void
test_undo_of_a_seed (void)
{
  g_autoptr (VgImage) image = contour_stained (3, 8);
  VgContourParams params = contour_params (), changed;
  g_autoptr (GArray) before = g_array_new (FALSE, FALSE, sizeof (float)),
                     after = g_array_new (FALSE, FALSE, sizeof (float));
  g_autoptr (GArray) now = g_array_new (FALSE, FALSE, sizeof (float));
  VgTable *one = vg_table_new (1, 2), *two = vg_table_new (2, 2);
  VgContourLosses losses;
  guint64 iteration;
  guint moments;
  VgContourRun *run;

  params.seeding = VG_CONTOUR_SEEDS_GIVEN;
  params.radius_px = 12.0f;
  params.overlap_penalty = 0.3f; /* neighbours make room */
  params.added = one;
  one->values[0] = two->values[0] = 41;
  one->values[1] = two->values[1] = 50;
  two->values[2] = 55;
  two->values[3] = 52;
  run = contour_finish (image, &params);
  keep_all (run, before);
  iteration = run->scene->iteration;
  moments = run->scene->history->len;
  losses = run->standing.losses;
  changed = params;
  changed.added = two;
  finish_again (run, &changed);
  keep_all (run, after);
  g_assert_cmpuint (run->scene->iteration, >, iteration);
  g_assert_false (after->len >= before->len &&
                  memcmp (before->data, after->data, before->len * sizeof (float)) == 0);
  for (int round = 0; round < 2; round++)
    {
      finish_again (run, &params);
      keep_all (run, now);
      g_assert_cmpmem (now->data, now->len * sizeof (float), before->data,
                       before->len * sizeof (float));
      g_assert_cmpuint (run->scene->iteration, ==, iteration);
      g_assert_cmpuint (run->scene->history->len, ==, moments);
      g_assert_cmpmem (&losses, sizeof losses, &run->standing.losses, sizeof losses);
      finish_again (run, &changed);
      keep_all (run, now);
      g_assert_cmpmem (now->data, now->len * sizeof (float), after->data,
                       after->len * sizeof (float));
    }
  vg_contour_run_free (run);
  vg_table_free (one);
  vg_table_free (two);
}

/* Beside a found seed the one set by hand stays; one set where there is nothing is told of. */
static void
test_by_hand (void)
{
  g_autoptr (VgImage) image = contour_stained (3, 9);
  VgContourParams params = contour_params ();
  VgTable *table = vg_table_new (1, 2);
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  VgContourRun *run = contour_finish (image, &params);
  VgContourPoint found = g_array_index (run->wanted, VgContourPoint, 0);

  g_assert_cmpuint (run->wanted->len, ==, 1);
  vg_contour_run_free (run);
  params.added = table;
  table->values[0] = found.x + 1;
  table->values[1] = found.y + 1;
  run = contour_finish (image, &params);
  g_assert_cmpuint (run->wanted->len, ==, 1);
  g_assert_cmpuint (run->standing.double_seeds, ==, 1);
  g_assert_cmpfloat (g_array_index (run->wanted, VgContourPoint, 0).x, ==, found.x + 1);
  vg_contour_run_free (run);
  table->values[0] = 12;
  table->values[1] = 88;
  params.contrast = 0.4f;
  run = contour_finish (image, &params);
  vg_contour_run_results (run, numbers, NULL);
  g_assert_cmpuint (run->wanted->len, ==, 2);
  g_assert_cmpfloat (vg_metrics_find (numbers, "seeds_lost")->value, ==, 1);
  g_assert_nonnull (strstr (vg_metrics_find (numbers, "seeds_lost")->advice, "12, 88"));
  g_assert_null (vg_metrics_find (numbers, "vanished")->advice);
  vg_contour_run_free (run);
  vg_table_free (table);
}

/* Seeds that nothing of their radius is about: said, not only counted. */
static void
test_wrong_radius (void)
{
  g_autoptr (VgImage) image = contour_stained (3, 10);
  VgContourParams params = contour_params ();
  VgTable *table = vg_table_new (6, 2);
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  VgContourRun *run;

  params.seeding = VG_CONTOUR_SEEDS_GIVEN;
  params.radius_px = 3;
  params.smallest = 1;
  params.curvature = 1; /* small contours close up */
  params.added = table;
  for (int i = 0; i < 6; i++)
    {
      table->values[2 * i] = 10 + 12 * i;
      table->values[2 * i + 1] = 8;
    }
  run = contour_finish (image, &params);
  vg_contour_run_results (run, numbers, NULL);
  g_assert_cmpuint (run->standing.losses.vanished, >, 3);
  g_assert_nonnull (strstr (vg_metrics_find (numbers, "vanished")->advice, "radius of 3 px"));
  vg_contour_run_free (run);
  vg_table_free (table);
}

/* Nuclei that are too large or not solid enough go, by choice only, and come back. */
static void
test_limits (void)
{
  g_autoptr (VgImage) image = contour_stained (3, 12);
  VgContourParams params = contour_params (), changed;
  VgTable *table = vg_table_new (1, 2);
  VgContourRun *run;

  table->values[0] = (float) contour_nucleus.x;
  table->values[1] = (float) contour_nucleus.y;
  params.seeding = VG_CONTOUR_SEEDS_GIVEN;
  params.radius_px = 12.0f;
  params.added = table;
  run = contour_finish (image, &params);
  g_assert_cmpuint (run->scene->objects->len, ==, 1);
  for (int k = 0; k < 6; k++)
    {
      changed = params;
      if (k < 2)
        changed.largest = k == 0 ? 0.5f : 2.0f; /* of pi 12^2; it is 1.07 */
      else if (k < 4)
        changed.solidity = k == 2 ? 1.0f : 0.9f;
      finish_again (run, &changed);
      g_assert_cmpuint (run->standing.losses.large, ==, k == 0);
      g_assert_cmpuint (run->standing.losses.ragged, ==, k == 2);
      g_assert_cmpuint (run->scene->objects->len, ==, k != 0 && k != 2);
    }
  vg_contour_run_free (run);
  vg_table_free (table);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/seeds/one-spot", test_one_spot);
  g_test_add_func ("/contour/seeds/one-nucleus", test_one_nucleus);
  g_test_add_func ("/contour/seeds/removed", test_removed);
  g_test_add_func ("/contour/seeds/undo", test_undo);
  g_test_add_func ("/contour/seeds/undo-of-a-seed", test_undo_of_a_seed);
  g_test_add_func ("/contour/seeds/by-hand", test_by_hand);
  g_test_add_func ("/contour/seeds/wrong-radius", test_wrong_radius);
  g_test_add_func ("/contour/seeds/limits", test_limits);
  return g_test_run ();
}
