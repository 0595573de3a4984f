/* SPDX-License-Identifier: MIT */
/* The evolution: two overlapping ellipses, the prior, distances, steps that
 * never diverge, growth, and a field that stays the sum of its objects. */
#include "tests/kernels/contour/support/contour-fixture.h"
#include "tests/support/sanitized.h"

enum { SIZE = 128 };
static const ContourEllipse pair[] = { { 44, 64, 26, 19, 0.1 }, { 72, 68, 26, 17, 1.1 } };
static const double near_centre[][2] = { { 40, 64 }, { 76, 72 } };

/* 2 |A and B| / (|A| + |B|) */
static double
dice (double common, double a, double b)
{
  return a + b > 0.0 ? 2.0 * common / (a + b) : 0.0;
}

static void
score_pair (const VgContourScene *scene, double scores[3])
{
  double common[3] = { 0 }, found[3] = { 0 }, truth[3] = { 0 };

  for (int i = 0; i < SIZE * SIZE; i++)
    {
      gboolean t[3], f[3];

      for (int k = 0; k < 2; k++)
        {
          t[k] = contour_inside (&pair[k], i % SIZE + 0.5, i / SIZE + 0.5);
          f[k] = contour_has (vg_contour_scene_object (scene, (guint) k), i % SIZE, i / SIZE);
        }
      t[2] = t[0] && t[1];
      f[2] = f[0] && f[1];
      for (int k = 0; k < 3; k++)
        {
          common[k] += t[k] && f[k];
          found[k] += f[k];
          truth[k] += t[k];
        }
    }
  for (int k = 0; k < 3; k++)
    scores[k] = dice (common[k], found[k], truth[k]);
}

static VgContourScene *
pair_scene (const guint16 *grey, const VgContourParams *params, int threads)
{
  VgContourScene *scene = vg_contour_scene_new (grey, SIZE, SIZE, 20, params, threads, NULL);

  for (int k = 0; k < 2; k++)
    vg_contour_scene_add (scene, near_centre[k][0], near_centre[k][1]);
  vg_contour_scene_means (scene);
  return scene;
}

static void
test_pair (void)
{
  for (int grid = 0; grid < 2; grid++)
    for (guint seed = 1; seed <= 5; seed++)
      {
        VgContourParams params = contour_params ();
        g_autofree guint16 *grey = contour_picture (pair, 2, SIZE, 0.55, 0.10, seed);
        VgContourScene *scene;
        double scores[3];

        params.prior_weight = 0.04f; /* 0.02 at a radius of 20 */
        params.overlap_penalty = 0.0f;
        params.means = VG_CONTOUR_MEANS_GLOBAL;
        params.grid = grid;
        scene = pair_scene (grey, &params, 0);
        contour_iterate (scene, 160);
        score_pair (scene, scores);
        g_test_message ("grid %d, noise seed %u: %.3f %.3f, overlap %.3f", grid, seed, scores[0],
                        scores[1], scores[2]);
        g_assert_cmpfloat (scores[0], >=, 0.97);
        g_assert_cmpfloat (scores[1], >=, 0.97);
        g_assert_cmpfloat (scores[2], >=, 0.85);
        vg_contour_scene_free (scene);
      }
}

/* What the model's terms do, as in the published comparison: without the prior
 * the overlap is lost; a strong penalty makes a wall. */
static void
test_terms (void)
{
  g_autofree guint16 *grey = contour_picture (pair, 2, SIZE, 0.55, 0.10, 9);
  VgContourParams params = contour_params ();
  double with[3], without[3], wall[3];
  VgContourScene *scene;

  params.means = VG_CONTOUR_MEANS_GLOBAL;
  params.overlap_penalty = 0.0f;
  params.prior_weight = 0.04f;
  scene = pair_scene (grey, &params, 0);
  contour_iterate (scene, 160);
  score_pair (scene, with);
  vg_contour_scene_free (scene);
  params.prior_weight = 0.0f;
  scene = pair_scene (grey, &params, 0);
  contour_iterate (scene, 160);
  score_pair (scene, without);
  vg_contour_scene_free (scene);
  params.overlap_penalty = 0.4f;
  scene = pair_scene (grey, &params, 0);
  contour_iterate (scene, 160);
  score_pair (scene, wall);
  vg_contour_scene_free (scene);
  g_test_message ("overlap: prior %.3f, none %.3f, penalty %.3f", with[2], without[2], wall[2]);
  g_assert_cmpfloat (with[2], >, without[2] + 0.2);
  g_assert_cmpfloat (wall[2], <, 0.05);
}

/* What the picture's border cuts off a nucleus has no say in the rest, however strong the prior: it
 * neither shrinks nor moves away from the border.  Discs and ellipses, cut by a side or in a
 * corner, a third to all of them seen. */
static void
test_border (void)
{
  static const ContourEllipse cut[] = {
    { 0, 64, 18, 18, 0 },     { 64, 0, 18, 18, 0 },   { 128, 60, 18, 18, 0 },
    { 60, 124, 18, 18, 0 },   { 64, -5, 18, 18, 0 },  { 16, 64, 18, 18, 0 },
    { 18, 64, 18, 18, 0 },    { 20, 64, 18, 18, 0 },  { 64, 106, 18, 18, 0 },
    { 0, 0, 22, 22, 0 },      { 8, 5, 20, 20, 0 },    { 64, 4, 22, 14, 0.5 },
    { 122, 64, 22, 14, 1.2 }, { 64, 120, 14, 22, 2 }, { 64, 112, 22, 15, 1.57 },
  };
  static const float weights[] = { 0.01f, 0.2f };

  for (guint i = 0; i < G_N_ELEMENTS (cut); i++)
    for (guint k = 0; k < G_N_ELEMENTS (weights); k++)
      {
        VgContourParams params = contour_params ();
        g_autofree guint16 *grey = contour_picture (&cut[i], 1, SIZE, 0.5, 0, 1);
        VgContourScene *scene;
        const VgContourObject *object;
        double area = 0, x = 0, y = 0, sums[3] = { 0 }, off;

        params.prior_weight = weights[k];
        params.tolerance_px = 0;
        scene = vg_contour_scene_new (grey, SIZE, SIZE, 18, &params, 2, NULL);
        object = vg_contour_scene_add (scene, CLAMP (cut[i].x, 6, SIZE - 6),
                                       CLAMP (cut[i].y, 6, SIZE - 6));
        contour_iterate (scene, 200);
        for (int v = 0; v < SIZE; v++)
          for (int u = 0; u < SIZE; u++)
            if (contour_inside (&cut[i], u + 0.5, v + 0.5))
              {
                area++;
                x += u;
                y += v;
              }
        for (int v = 0; v < object->tile.height; v++)
          for (int u = 0; u < object->tile.width; u++)
            {
              double h = object->h[v * object->tile.width + u];

              sums[0] += h / VG_CONTOUR_UNIT;
              sums[1] += h / VG_CONTOUR_UNIT * (object->tile.x + u);
              sums[2] += h / VG_CONTOUR_UNIT * (object->tile.y + v);
            }
        off = hypot (sums[1] / sums[0] - x / area, sums[2] / sums[0] - y / area);
        g_test_message ("ellipse %u, prior %g: area %.1f of %.0f, %.2f px off, held %.2f", i,
                        weights[k], sums[0], area, off, object->state.pose.held);
        g_assert_cmpfloat (fabs (sums[0] - area), <, 0.03 * area);
        g_assert_cmpfloat (off, <, 0.5);
        vg_contour_scene_free (scene);
      }
}

/* A disc is one of the prior's shapes: however strong that is, it takes nothing off it. */
static void
test_disc (void)
{
  static const double radii[] = { 9, 18 };
  static const float weights[] = { 0.2f, 2.0f };

  for (guint i = 0; i < G_N_ELEMENTS (radii); i++)
    for (guint k = 0; k < G_N_ELEMENTS (weights); k++)
      {
        const ContourEllipse disc = { 64.3, 63.8, radii[i], radii[i], 0 };
        const double nominal = G_PI * radii[i] * radii[i];
        VgContourParams params = contour_params ();
        g_autofree guint16 *grey = contour_picture (&disc, 1, SIZE, 0.5, 0, 1);
        VgContourScene *scene;
        double area;

        params.prior_weight = weights[k];
        params.tolerance_px = 0;
        scene = vg_contour_scene_new (grey, SIZE, SIZE, (float) radii[i], &params, 2, NULL);
        vg_contour_scene_add (scene, 64, 64);
        contour_iterate (scene, 300);
        area = (double) vg_contour_scene_object (scene, 0)->state.area / VG_CONTOUR_UNIT;
        g_test_message ("disc of %g, prior %g: area %.1f of %.1f", radii[i], weights[k], area,
                        nominal);
        g_assert_cmpfloat (fabs (area - nominal), <, 0.05 * nominal);
        vg_contour_scene_free (scene);
      }
}

static void
check_sane (const VgContourScene *scene, const char *what)
{
  for (guint i = 0; i < scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, i);
      float most = 0.0f;

      for (int k = 0; k < object->tile.width * object->tile.height; k++)
        {
          if (!isfinite (object->phi[k]))
            g_error ("%s: phi is not finite", what);
          most = MAX (most, fabsf (object->phi[k]));
        }
      /* no farther from the front than the band when it was just re-distanced */
      g_assert_cmpfloat (most, <=, scene->weights.band * 1.001f);
      g_assert_cmpint (object->state.area, >=, 0);
    }
}

/* The field is the sum of its objects' H, to the last unit. */
static void
check_field (const VgContourScene *scene)
{
  g_autofree gint32 *sum = g_new0 (gint32, (gsize) scene->width * (gsize) scene->height);

  for (guint i = 0; i < scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, i);

      for (int y = 0; y < object->tile.height; y++)
        for (int x = 0; x < object->tile.width; x++)
          {
            int h = vg_contour_heaviside (object->phi[y * object->tile.width + x]);

            g_assert_cmpint (object->h[y * object->tile.width + x], ==, h);
            sum[(object->tile.y + y) * scene->width + object->tile.x + x] += h;
          }
    }
  g_assert_cmpmem (sum, sizeof (gint32) * (gsize) scene->width * (gsize) scene->height,
                   scene->field, sizeof (gint32) * (gsize) scene->width * (gsize) scene->height);
}

/* Every slider over its whole range, and all of them at once at random; with
 * full and with a third of the contrast. */
static void
test_never_diverges (void)
{
  static const char *const sliders[] = { "region_weight", "lambda_in", "lambda_out",
                                         "prior_weight",  "curvature", "overlap_penalty",
                                         "step_px",       "time_step", "reinit_period",
                                         "step_rule",     "means" };
  const VgParamTable *table = &vg_contour_operation.params;
  GRand *rand = g_rand_new_with_seed (4);

  for (int contrast = 0; contrast < 2; contrast++)
    {
      g_autofree guint16 *grey = contour_picture (pair, 2, SIZE, contrast == 0 ? 0.55 : 0.165, 0.10,
                                                  3);

      for (int trial = 0; trial < (int) G_N_ELEMENTS (sliders) * 4 + 16; trial += SANITIZED ? 5 : 1)
        {
          VgContourParams params = contour_params ();
          g_autoptr (GString) what = g_string_new (NULL);
          VgContourScene *scene;

          for (guint k = 0; k < G_N_ELEMENTS (sliders); k++)
            {
              const VgParam *param = vg_params_find (table, sliders[k]);
              gboolean one = trial < (int) G_N_ELEMENTS (sliders) * 4;
              double share = one ? (trial % 4) / 3.0 : g_rand_double (rand),
                     low = MAX (param->min, 0.0);

              if (one && k != (guint) trial / 4)
                continue;
              vg_param_set_number (param, &params,
                                   param->slider.log_scale ? low * pow (param->max / low, share)
                                                           : low + share * (param->max - low));
              g_string_append_printf (what, "%s = %g ", sliders[k],
                                      vg_param_get_number (param, &params));
            }
          params.reinit_period = MIN (params.reinit_period, 100);
          scene = pair_scene (grey, &params, 1);
          contour_iterate (scene, MAX (30 / params.reinit_period, 1) * params.reinit_period);
          check_sane (scene, what->str);
          check_field (scene);
          vg_contour_scene_free (scene);
        }
    }
  g_rand_free (rand);
}

/* Exact distances stay what they are, and the front stays where it is. */
static void
test_distance (void)
{
  VgContourParams params = contour_params ();
  guint16 *grey = g_new0 (guint16, SIZE * SIZE);
  VgContourScene *scene = vg_contour_scene_new (grey, SIZE, SIZE, 20, &params, 1, NULL);
  VgContourObject *object = vg_contour_scene_add (scene, 63.3, 64.1);
  const double radius = 14.0;
  double worst = 0.0, drift = 0.0;

  for (int pass = 0; pass < 20; pass++)
    vg_contour_scene_refresh (scene, object);
  for (int y = 0; y < object->tile.height; y++)
    for (int x = 0; x < object->tile.width; x++)
      {
        double d = radius -
                   hypot (object->tile.x + x + 0.5 - 63.3, object->tile.y + y + 0.5 - 64.1),
               phi = object->phi[y * object->tile.width + x];

        if (fabs (d) < scene->weights.band - 1.0)
          worst = MAX (worst, fabs (phi - d));
        if (fabs (d) < 1.0)
          drift = MAX (drift, fabs (phi - d));
      }
  g_test_message ("20 re-distancings of a disc: distance %.4f px off, front %.4f px", worst, drift);
  g_assert_cmpfloat (worst, <, 0.45);
  g_assert_cmpfloat (drift, <, 0.35);
  g_assert_cmpfloat (
      fabs ((double) object->state.area / VG_CONTOUR_UNIT / (G_PI * radius * radius) - 1.0), <,
      0.006);
  vg_contour_scene_free (scene);
  g_free (grey);
}

/* A nucleus five times the given radius needs a larger tile, one at the
 * picture's corner none. */
static void
test_growth (void)
{
  static const ContourEllipse large = { 60, 66, 44, 40, 0.0 };
  g_autofree guint16 *grey = contour_picture (&large, 1, SIZE, 0.55, 0.05, 1);
  VgContourParams params = contour_params ();
  VgContourScene *scene = vg_contour_scene_new (grey, SIZE, SIZE, 9, &params, 0, NULL);
  const VgContourObject *object;
  double common = 0.0, found = 0.0, truth = 0.0;

  params.prior_weight = 0.0f;
  params.means = VG_CONTOUR_MEANS_GLOBAL;
  vg_contour_scene_set_weights (scene, &params, 9);
  vg_contour_scene_add (scene, 60, 66);
  vg_contour_scene_add (scene, 0.5, 0.5);
  vg_contour_scene_means (scene);
  contour_iterate (scene, 200);
  check_field (scene);
  object = vg_contour_scene_object (scene, 0);
  g_assert_cmpint (object->tile.width, >, 80);
  for (int i = 0; i < SIZE * SIZE; i++)
    {
      gboolean t = contour_inside (&large, i % SIZE + 0.5, i / SIZE + 0.5),
               f = contour_has (object, i % SIZE, i / SIZE);

      common += t && f;
      found += f;
      truth += t;
    }
  g_assert_cmpfloat (dice (common, found, truth), >, 0.97);
  vg_contour_scene_free (scene);
}

static guint32
checksum (const VgContourScene *scene)
{
  guint32 sum = 0;

  for (guint i = 0; i < scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, i);

      for (int k = 0; k < object->tile.width * object->tile.height; k++)
        {
          guint32 bits;

          memcpy (&bits, &object->phi[k], sizeof bits);
          sum = sum * 16777619 + bits;
        }
    }
  return sum;
}

/* The same bits for any number of threads and however the run is cut. */
static void
test_same (void)
{
  g_autofree guint16 *grey = contour_picture (pair, 2, SIZE, 0.55, 0.10, 5);
  VgContourParams params = contour_params ();
  guint32 first = 0;

  for (int run = 0; run < 4; run++)
    {
      VgContourScene *scene = pair_scene (grey, &params, run + 1);

      if (run < 2)
        vg_contour_scene_iterate (scene, 60);
      for (int i = 0; i < 60 && run >= 2; i += run == 2 ? 1 : 15)
        vg_contour_scene_iterate (scene, run == 2 ? 1 : 15);
      if (run == 0)
        first = checksum (scene);
      g_assert_cmpuint (checksum (scene), ==, first);
      vg_contour_scene_free (scene);
    }
}

/* The prior's modes: nearly all of 30 ellipses is one number. */
static void
test_prior (void)
{
  g_autofree VgContourPrior *prior = g_new (VgContourPrior, 1), *again = g_new (VgContourPrior, 1);
  double zero = 0.0;

  g_assert_true (vg_contour_prior_fill (prior) && vg_contour_prior_fill (again));
  g_assert_cmpmem (prior, sizeof *prior, again, sizeof *again);
  g_test_message ("modes explain %.4f and %.4f; %d nodes", prior->explained[0], prior->explained[1],
                  prior->n_used);
  g_assert_cmpfloat (prior->explained[0], >, 0.985);
  g_assert_cmpfloat (prior->explained[1], <, 0.015);
  g_assert_cmpfloat (prior->explained[0] + prior->explained[1], >, 0.999);
  g_assert_cmpint (prior->n_used, <=, 2047);
  /* a disc's distance is exact; on the axes of an ellipse too */
  g_assert_cmpfloat_with_epsilon (vg_contour_ellipse_distance (1, 1, 0.3, 0.4), 0.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (vg_contour_ellipse_distance (2, 1, 3.5, 0), -1.5, 1e-6);
  g_assert_cmpfloat_with_epsilon (vg_contour_ellipse_distance (2, 1, 0, 0.25), 0.75, 1e-6);
  for (int k = 0; k < 64; k++)
    {
      double t = k * G_PI / 32;

      zero = MAX (zero,
                  fabs (vg_contour_ellipse_distance (1.3, 0.8, 1.3 * cos (t), 0.8 * sin (t))));
    }
  g_assert_cmpfloat (zero, <, 1e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/evolve/prior", test_prior);
  g_test_add_func ("/contour/evolve/distance", test_distance);
  g_test_add_func ("/contour/evolve/pair", test_pair);
  g_test_add_func ("/contour/evolve/terms", test_terms);
  g_test_add_func ("/contour/evolve/same", test_same);
  g_test_add_func ("/contour/evolve/growth", test_growth);
  g_test_add_func ("/contour/evolve/border", test_border);
  g_test_add_func ("/contour/evolve/disc", test_disc);
  g_test_add_func ("/contour/evolve/never-diverges", test_never_diverges);
  return g_test_run ();
}
