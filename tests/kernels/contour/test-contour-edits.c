/* SPDX-License-Identifier: MIT */
/* What a click does to contours that are there: it divides one that holds two
 * nuclei and leaves alone what lies elsewhere; and how contours end that find
 * no border. */
#include "tests/kernels/contour/support/contour-fixture.h"
#include "kernels/contour/shapes/contour-mask.h"

enum { SIDE = 192, RADIUS = 11 };

/* Bright ellipses on dark, of one channel; TAIL: to the right of the first one a bar that fades
 * over so many pixels. */
static VgImage *
picture (const ContourEllipse *ellipses, int n, double tail)
{
  const VgImageInfo info = {
    .width = SIDE, .height = SIDE, .channels = 1, .frames = 1, .slices = 1, .bins = 1, .type = VG_U8
  };
  g_autofree guint16 *grey = contour_picture (ellipses, n, SIDE, 0.5, 0.02, 7);
  VgImage *image = vg_image_new (&info, "picture", NULL);

  for (int i = 0; i < SIDE * SIDE; i++)
    {
      double x = i % SIDE + 0.5 - ellipses[0].x, y = i / SIDE + 0.5 - ellipses[0].y, light = 0.0;

      if (tail > 0.0 && x > 0.0 && fabs (y) < 7.0 &&
          !contour_inside (&ellipses[0], i % SIDE + 0.5, i / SIDE + 0.5))
        light = 0.5 * exp (-x / tail);
      ((guint8 *) image->data)[i] = (guint8) CLAMP (
          255.0 * (grey[i] / (double) VG_CONTOUR_UNIT + light), 0.0, 255.0);
    }
  return image;
}

static VgContourParams
settings (void)
{
  VgContourParams params = contour_params ();

  params.stain = VG_CONTOUR_GREY;
  params.polarity = VG_CONTOUR_POLARITY_BRIGHT;
  params.radius_px = RADIUS;
  return params;
}

static VgContourRun *
begin (VgImage *image, const VgContourParams *params)
{
  VgContourRun *run = vg_contour_run_new (
      &(VgContext){ .params = params, .info = &image->info, .image = image, .threads = 2 }, NULL);

  g_assert_nonnull (run);
  return run;
}

static void
change (VgContourRun *run, const VgContourParams *params)
{
  g_assert_true (vg_contour_run_update (run, params));
  contour_run_to_end (run);
}

/* A click at each of N places, one after the other. */
static void
click (VgContourRun *run, const VgContourParams *params, const double (*places)[2], int n)
{
  for (int k = 1; k <= n; k++)
    {
      VgContourParams clicked = *params;

      clicked.added = vg_table_new (k, 2);
      memcpy (clicked.added->values, places, sizeof *places * (gsize) k);
      change (run, &clicked);
      vg_table_free (clicked.added);
    }
}

/* Intersection over union with the object that fits best. */
static double
best_fit (const VgContourRun *run, const ContourEllipse *ellipse)
{
  double best = 0.0;

  for (guint k = 0; k < run->scene->objects->len; k++)
    {
      double common = 0.0, all = 0.0;

      for (int i = 0; i < SIDE * SIDE; i++)
        {
          gboolean t = contour_inside (ellipse, i % SIDE + 0.5, i / SIDE + 0.5),
                   f = contour_has (vg_contour_scene_object (run->scene, k), i % SIDE, i / SIDE);

          common += t && f;
          all += t || f;
        }
      best = MAX (best, common / all);
    }
  return best;
}

/* Two nuclei that were found as one: a click in the middle of each makes them two, wherever the
 * first one is, and when the clicks are there from the start. */
static void
test_split (void)
{
  static const ContourEllipse pairs[][2] = {
    { { 88, 96, 10, 10, 0 }, { 101, 96, 10, 10, 0 } },
    { { 86, 90, 12, 12, 0 }, { 99, 100, 8, 8, 0 } },
    { { 90, 96, 9, 15, 0 }, { 104, 96, 9, 15, 0 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    for (int first = 0; first < 3; first++)
      {
        const ContourEllipse *a = &pairs[i][first == 1], *b = &pairs[i][first != 1];
        const double places[2][2] = { { a->x, a->y }, { b->x, b->y } };
        g_autoptr (VgImage) image = picture (pairs[i], 2, 0.0);
        VgContourParams params = settings ();
        VgContourRun *run;
        double fits[2];

        params.radius_px = 16; /* as of the two together, so that they are found as one */
        params.smallest = 0.1f;
        run = begin (image, &params);
        contour_run_to_end (run);
        g_assert_cmpuint (run->scene->objects->len, ==, 1);
        if (first < 2)
          click (run, &params, places, 2);
        else
          {
            vg_contour_run_free (run);
            params.added = vg_table_new (2, 2);
            memcpy (params.added->values, places, sizeof places);
            run = begin (image, &params);
            contour_run_to_end (run);
            vg_table_free (params.added);
          }
        for (int k = 0; k < 2; k++)
          fits[k] = best_fit (run, &pairs[i][k]);
        g_test_message ("pair %u, clicks %d: %u contours, %.2f %.2f", i, first,
                        run->scene->objects->len, fits[0], fits[1]);
        g_assert_cmpuint (run->scene->objects->len, ==, 2);
        g_assert_cmpfloat (fits[0], >, 0.7);
        g_assert_cmpfloat (fits[1], >, 0.7);
        vg_contour_run_free (run);
      }
}

/* The numbers of pixels of object K that lie left of COLUMN, and of all of them. */
static int
count_pixels (const VgContourRun *run, guint k, int column, int *all)
{
  int left = 0;

  *all = 0;
  for (int i = 0; i < SIDE * SIDE; i++)
    if (contour_has (vg_contour_scene_object (run->scene, k), i % SIDE, i / SIDE))
      {
        (*all)++;
        left += i % SIDE < column;
      }
  return left;
}

static guint
find_object (const VgContourRun *run, int x, int y)
{
  for (guint k = 0; k < run->scene->objects->len; k++)
    if (contour_has (vg_contour_scene_object (run->scene, k), x, y))
      return k;
  g_assert_not_reached ();
}

static void
add_row (VgTable **table, double x, double y)
{
  VgTable *longer = vg_table_new (*table != NULL ? (*table)->rows + 1 : 1, 2);

  if (*table != NULL)
    memcpy (longer->values, (*table)->values, sizeof (double) * 2 * (gsize) (*table)->rows);
  longer->values[2 * longer->rows - 2] = x;
  longer->values[2 * longer->rows - 1] = y;
  vg_table_free (*table);
  *table = longer;
}

/* Strokes over contours at rest: what was merged is all of both, what was divided lies on either
 * side of the line half way between the seeds, and a contour beside them stays as it is. */
static void
test_strokes (void)
{
  static const ContourEllipse three[] = { { 60, 90, 22, 16, 0 },
                                          { 104, 90, 22, 16, 0 },
                                          { 84, 121, 18, 14, 0 } };
  g_autoptr (VgImage) image = picture (three, 3, 0.0);
  VgContourParams params = settings (), merged, split;
  VgContourRun *run;
  const VgContourObject *third;
  g_autofree float *before = NULL;
  gsize n;
  guint a, b;
  int both = 0, all, left, right;

  params.radius_px = 12; /* the default tile is narrower than both together */
  params.seeding = VG_CONTOUR_SEEDS_GIVEN;
  for (int i = 0; i < 3; i++)
    add_row (&params.added, three[i].x, three[i].y);
  run = begin (image, &params);
  contour_run_to_end (run);
  g_assert_cmpuint (run->scene->objects->len, ==, 3);
  a = find_object (run, 60, 90);
  b = find_object (run, 104, 90);
  for (int i = 0; i < SIDE * SIDE; i++)
    both += contour_has (vg_contour_scene_object (run->scene, a), i % SIDE, i / SIDE) ||
            contour_has (vg_contour_scene_object (run->scene, b), i % SIDE, i / SIDE);
  third = vg_contour_scene_object (run->scene, find_object (run, 84, 121));
  n = (gsize) third->tile.width * (gsize) third->tile.height;
  before = g_memdup2 (third->phi, n * sizeof *before);

  merged = params;
  merged.added = merged.removed = NULL;
  add_row (&merged.added, three[2].x, three[2].y);
  add_row (&merged.added, 76, 90);
  change (run, &merged);
  g_assert_cmpuint (run->scene->objects->len, ==, 2);
  count_pixels (run, find_object (run, 76, 90), 0, &all);
  g_test_message ("%d pixels, then %d", both, all);
  g_assert_cmpint (all, >=, both);
  g_assert_cmpint (all, <=, both + 60); /* with what is between them */
  third = vg_contour_scene_object (run->scene, find_object (run, 84, 121));
  g_assert_cmpmem (third->phi, n * sizeof *before, before, n * sizeof *before);

  split = params;
  split.added = split.removed = NULL;
  add_row (&split.added, three[2].x, three[2].y);
  add_row (&split.added, 70, 90);
  add_row (&split.added, 90, 90);
  change (run, &split);
  g_assert_cmpuint (run->scene->objects->len, ==, 3);
  g_assert_cmpint (count_pixels (run, find_object (run, 70, 90), 80, &left), ==, left);
  g_assert_cmpint (count_pixels (run, find_object (run, 90, 90), 80, &right), ==, 0);
  g_assert_cmpint (left + right, ==, all);
  third = vg_contour_scene_object (run->scene, find_object (run, 84, 121));
  g_assert_cmpmem (third->phi, n * sizeof *before, before, n * sizeof *before);
  vg_contour_run_free (run);
  vg_table_free (params.added);
  vg_table_free (merged.added);
  vg_table_free (split.added);
}

/* The doubt in row I of the table. */
static double
doubt_of (VgContourRun *run, guint i)
{
  g_autofree char *name = NULL,
                  *text = vg_contour_run_text (run, VG_CONTOUR_OUTPUT_OBJECTS, &name, NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1), head = g_strsplit (lines[0], ",", -1),
                 cells = g_strsplit (lines[i + 1], ",", -1);

  for (guint k = 0; head[k] != NULL; k++)
    if (g_str_equal (head[k], "doubt"))
      return g_ascii_strtod (cells[k], NULL);
  g_assert_not_reached ();
}

/* Two nuclei in one contour are more doubtful than a nucleus. */
static void
test_doubt (void)
{
  static const ContourEllipse pair[] = { { 84, 96, 10, 10, 0 }, { 103, 96, 10, 10, 0 } },
                              one[] = { { 96, 96, 14, 11, 0.3 } };
  double doubts[2];

  for (int k = 0; k < 2; k++)
    {
      g_autoptr (VgImage) image = k == 0 ? picture (pair, 2, 0.0) : picture (one, 1, 0.0);
      VgContourParams params = settings ();
      VgContourRun *run;

      params.radius_px = k == 0 ? 16 : RADIUS;
      run = begin (image, &params);
      contour_run_to_end (run);
      g_assert_cmpuint (run->scene->objects->len, ==, 1);
      doubts[k] = doubt_of (run, 0);
      g_assert_cmpfloat (doubts[k], >=, 0.0);
      g_assert_cmpfloat (doubts[k], <=, 1.0);
      vg_contour_run_free (run);
    }
  g_test_message ("a pair %.3f, a nucleus %.3f", doubts[0], doubts[1]);
  g_assert_cmpfloat (doubts[0], >, doubts[1] + 0.1);
}

/* A second click in a nucleus that was found takes its contour over and makes no second one. */
static void
test_take_over (void)
{
  static const ContourEllipse one[] = { { 96, 96, 13, 10, 0.4 } };
  static const double places[][2] = { { 98, 98 }, { 94, 95 }, { 96.5, 96.5 } };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (VgImage) image = picture (one, 1, 0.0);
      const VgContourParams params = settings ();
      VgContourRun *run = begin (image, &params);

      contour_run_to_end (run);
      click (run, &params, &places[i], 1);
      g_assert_cmpuint (run->scene->objects->len, ==, 1);
      g_assert_cmpfloat (vg_contour_scene_object (run->scene, 0)->seed_x, ==, places[i][0]);
      g_assert_cmpfloat (best_fit (run, one), >, 0.9);
      vg_contour_run_free (run);
    }
}

static VgContourObject *
object_near (const VgContourRun *run, double x, double y)
{
  for (guint k = 0; k < run->scene->objects->len; k++)
    if (contour_has (vg_contour_scene_object (run->scene, k), (int) x, (int) y))
      return vg_contour_scene_object (run->scene, k);
  g_assert_not_reached ();
}

static void
set_seeds (VgContourRun *run, const VgContourParams *params, const double (*places)[2], int n)
{
  VgContourParams edited = *params;

  edited.added = vg_table_new (n, 2);
  memcpy (edited.added->values, places, sizeof *places * (gsize) n);
  g_assert_true (vg_contour_run_update (run, &edited));
  vg_table_free (edited.added);
}

/* One seed in the place of two, in one edit: their contours are one at once, with what lies between
 * them; another one stays, and going back restores both to the bit. */
static void
test_join (void)
{
  static const ContourEllipse three[] = { { 84, 96, 11, 10, 0 },
                                          { 105, 96, 10, 11, 0 },
                                          { 150, 50, 10, 10, 0 } };
  static const double apart[][2] = { { 84, 96 }, { 105, 96 }, { 150, 50 } },
                      together[][2] = { { 91, 96 }, { 150, 50 } };
  g_autoptr (VgImage) image = picture (three, 3, 0.0);
  g_autofree float *before = NULL;
  VgContourParams params = settings ();
  const VgContourObject *object;
  VgContourRun *run;
  gsize n;

  params.seeding = VG_CONTOUR_SEEDS_GIVEN;
  run = begin (image, &params);
  set_seeds (run, &params, apart, 3);
  contour_run_to_end (run);
  g_assert_cmpuint (run->scene->objects->len, ==, 3);
  object = object_near (run, 84, 96);
  n = (gsize) object->tile.width * (gsize) object->tile.height * sizeof *object->phi;
  before = g_memdup2 (object->phi, n);
  set_seeds (run, &params, together, 2);
  g_assert_cmpuint (run->scene->objects->len, ==, 2);
  object = object_near (run, 84, 96);
  for (int x = 76; x < 113; x++)
    g_assert_true (contour_has (object, x, 96));
  g_assert_false (contour_has (object, 150, 50));
  contour_run_to_end (run);
  g_assert_cmpuint (run->scene->objects->len, ==, 2);
  g_assert_true (object_near (run, 78, 96) == object_near (run, 111, 96));
  g_assert_true (object_near (run, 78, 96) != object_near (run, 150, 50));
  set_seeds (run, &params, apart, 3);
  g_assert_cmpuint (run->scene->objects->len, ==, 3);
  g_assert_cmpmem (object_near (run, 84, 96)->phi, n, before, n);
  vg_contour_run_free (run);
}

/* What is not edited stays to the bit: contours that rest, and those that the iterations' end cut
 * off. */
static void
test_stays (void)
{
  static const ContourEllipse three[] = { { 40, 96, 14, 10, 0 },
                                          { 84, 96, 11, 11, 0 },
                                          { 150, 60, 10, 15, 0 } };
  static const int ends[] = { 5, 25, 400 };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (VgImage) image = picture (three, 3, 60.0);
      g_autofree float *before[2] = { NULL };
      const double places[][2] = { { 130, 140 }, { 84.25, 90.5 } };
      VgContourParams params = settings ();
      VgContourRun *run;
      gsize n[2];

      params.iterations = ends[i];
      params.prior_weight = 0.02f;
      params.contrast = 0.0f;
      run = begin (image, &params);
      contour_run_to_end (run);
      for (int k = 0; k < 2; k++)
        {
          const VgContourObject *object = object_near (run, three[2 * k].x, three[2 * k].y);

          n[k] = (gsize) object->tile.width * (gsize) object->tile.height * sizeof *object->phi;
          before[k] = g_memdup2 (object->phi, n[k]);
        }
      click (run, &params, places, 2);
      for (int k = 0; k < 2; k++)
        g_assert_cmpmem (object_near (run, three[2 * k].x, three[2 * k].y)->phi, n[k], before[k],
                         n[k]);
      g_free (g_steal_pointer (&before[1]));
      vg_contour_run_free (run);
    }
}

static double
area_after (VgImage *image, const double (*place)[2], int iterations, gboolean *advised)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  VgContourParams params = settings ();
  VgContourRun *run;
  double area;

  params.iterations = iterations;
  params.contrast = 0.0f;
  params.seeding = VG_CONTOUR_SEEDS_GIVEN;
  params.added = vg_table_new (1, 2);
  memcpy (params.added->values, place, sizeof *place);
  run = begin (image, &params);
  contour_run_to_end (run);
  vg_contour_run_results (run, numbers, NULL);
  *advised = vg_metrics_find (numbers, "moving")->advice != NULL;
  area = (double) vg_contour_scene_object (run->scene, 0)->state.area / VG_CONTOUR_UNIT;
  vg_contour_run_free (run);
  vg_table_free (params.added);
  return area;
}

/* A contour that finds no border on one side comes to rest: however many iterations there are, it
 * does not run away. More iterations are advised where they would change something. */
static void
test_rests (void)
{
  static const ContourEllipse one[] = { { 60, SIDE / 2, 10, 10, 0 } };
  static const double place[][2] = { { 60, SIDE / 2 } };
  static const double tails[] = { 50, 80, 120 };

  for (guint i = 0; i < G_N_ELEMENTS (tails); i++)
    {
      g_autoptr (VgImage) image = picture (one, 1, tails[i]);
      gboolean early, usual, late;
      double few = area_after (image, place, 5, &early),
             areas[] = { area_after (image, place, 150, &usual),
                         area_after (image, place, 3000, &late) };

      g_test_message ("tail of %g px: %.0f, %.0f, %.0f px; advice %d %d %d", tails[i], few,
                      areas[0], areas[1], early, usual, late);
      g_assert_true (early);
      g_assert_false (late);
      g_assert_cmpfloat (areas[1], <, 1.5 * areas[0]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/edits/split", test_split);
  g_test_add_func ("/contour/edits/strokes", test_strokes);
  g_test_add_func ("/contour/edits/take-over", test_take_over);
  g_test_add_func ("/contour/edits/join", test_join);
  g_test_add_func ("/contour/edits/doubt", test_doubt);
  g_test_add_func ("/contour/edits/stays", test_stays);
  g_test_add_func ("/contour/edits/rests", test_rests);
  return g_test_run ();
}
