/* SPDX-License-Identifier: MIT */
/* The energy by terms, against sums in double precision over the fields
 * that a period leaves. */
#include "tests/kernels/contour/support/contour-fixture.h"

enum { SIZE = 97 };
static const ContourEllipse pair[] = { { 38, 47, 17, 13, 0.3 }, { 60, 50, 16, 12, 1.2 } };

/* The template with its modes at a point of the box, bilinear; beyond it, the distance to it is
 * taken off. */
static double
prior_at (const VgContourScene *scene, const VgContourState *state, double x, double y)
{
  const VgContourPrior *prior = &scene->prior;
  const VgContourPose *pose = &state->pose;
  double dx = (x - pose->x) / pose->scale, dy = (y - pose->y) / pose->scale,
         step = 2.0 * 2.4 / (VG_CONTOUR_NODES - 1), value = 0.0;
  double u = (pose->cosine * dx + pose->sine * dy + 2.4) / step,
         v = (pose->cosine * dy - pose->sine * dx + 2.4) / step;
  double cu = CLAMP (u, 0, VG_CONTOUR_NODES - 1), cv = CLAMP (v, 0, VG_CONTOUR_NODES - 1);
  int i = MIN ((int) cu, VG_CONTOUR_NODES - 2), j = MIN ((int) cv, VG_CONTOUR_NODES - 2);

  for (int k = 0; k < 4; k++)
    {
      int node = (j + k / 2) * VG_CONTOUR_NODES + i + k % 2;
      double share = (k % 2 ? cu - i : 1 - cu + i) * (k / 2 ? cv - j : 1 - cv + j);

      value += share * (prior->mean[node] + (double) state->shape[0] * prior->modes[0][node] +
                        (double) state->shape[1] * prior->modes[1][node]);
    }
  return pose->scale * (value - (fabs (u - cu) + fabs (v - cv)) * step);
}

/* H at (X, Y) of the tile, whose edge is continued. */
static double
h_at (const VgContourObject *object, int x, int y)
{
  int at = CLAMP (y, 0, object->tile.height - 1) * object->tile.width +
           CLAMP (x, 0, object->tile.width - 1);

  return object->h[at] / 4096.0;
}

static void
add_expected (const VgContourScene *scene, const VgContourParams *params,
              const VgContourObject *object, double *sums)
{
  const VgContourState *state = &object->state;
  double relative = scene->radius / 10.0, band = scene->weights.band;

  for (int y = 0; y < state->box.height; y++)
    for (int x = 0; x < state->box.width; x++)
      {
        int tx = state->box.x + x, ty = state->box.y + y,
            k = (object->tile.y + ty) * SIZE + object->tile.x + tx;
        double h = h_at (object, tx, ty), f = scene->grey[k] / 4096.0,
               others = scene->field[k] / 4096.0 - h;
        double phi = object->phi[ty * object->tile.width + tx];
        double apart = params->prior_weight > 0
                           ? phi - CLAMP (prior_at (scene, state, x, y), -band, band)
                           : 0;

        sums[VG_CONTOUR_REGION] += params->region_weight * MAX (0, 1 - others) *
                                   (params->lambda_in * pow (f - state->u_in, 2) * h +
                                    params->lambda_out * pow (f - state->u_out, 2) * (1 - h));
        sums[VG_CONTOUR_OVERLAP] += params->overlap_penalty * others * h;
        sums[VG_CONTOUR_SHAPE] += params->prior_weight / relative * state->pose.held * apart *
                                  apart;
        sums[VG_CONTOUR_CURVATURE] += params->curvature * relative *
                                      hypot (h_at (object, tx + 1, ty) - h_at (object, tx - 1, ty),
                                             h_at (object, tx, ty + 1) -
                                                 h_at (object, tx, ty - 1)) /
                                      2;
      }
}

static void
check (const VgContourParams *params, int periods)
{
  g_autofree guint16 *grey = contour_picture (pair, 2, SIZE, 0.5, 0.1, g_test_rand_int ());
  VgContourScene *scene = vg_contour_scene_new (grey, SIZE, SIZE, 14, params, 2, NULL);
  double expected[VG_CONTOUR_TERMS] = { 0 };
  const VgContourMoment *last;
  gsize pixels = 0;

  vg_contour_scene_add (scene, 36, 46);
  vg_contour_scene_add (scene, 61, 51);
  vg_contour_scene_iterate (scene, periods * params->reinit_period);
  for (guint i = 0; i < 2; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, i);

      g_assert_true (object->state.moving); /* else its energy is of an earlier field */
      add_expected (scene, params, object, expected);
      pixels += (gsize) object->state.box.width * (gsize) object->state.box.height;
    }
  g_assert_cmpuint (scene->history->len, ==, periods);
  last = &g_array_index (scene->history, VgContourMoment, periods - 1);
  for (int t = 0; t < VG_CONTOUR_TERMS; t++)
    {
      g_test_message ("term %d: %.4f, expected %.4f", t, last->energy[t], expected[t]);
      /* each pixel is rounded to 1 / 4096, psi to single precision */
      g_assert_cmpfloat_with_epsilon (last->energy[t], expected[t],
                                      0.5 * (double) pixels / 4096 + 1e-3 * expected[t]);
    }
  vg_contour_scene_free (scene);
}

static void
test_terms (void)
{
  VgContourParams params = contour_params ();

  params.tolerance_px = 0;
  params.prior_weight = 0.05f;
  params.overlap_penalty = 0.4f;
  params.curvature = 0.3f;
  for (int periods = 1; periods <= 4; periods++)
    check (&params, periods);
  params.prior_weight = 0;
  check (&params, 3);
}

/* A disc that nothing else acts on: the front's length is its circumference, and the disc fits the
 * prior it is held against. */
static void
test_length (void)
{
  g_autofree guint16 *grey = g_new0 (guint16, SIZE * SIZE);
  VgContourParams params = contour_params ();
  VgContourScene *scene;
  const VgContourMoment *last;

  params.region_weight = params.overlap_penalty = params.prior_weight = 0;
  params.curvature = 1;
  params.step_px = 0.01f;
  params.tolerance_px = 0;
  scene = vg_contour_scene_new (grey, SIZE, SIZE, 20, &params, 1, NULL);
  vg_contour_scene_add (scene, 48.3, 47.6);
  vg_contour_scene_iterate (scene, params.reinit_period);
  last = &g_array_index (scene->history, VgContourMoment, 0);
  g_assert_cmpfloat (last->energy[VG_CONTOUR_REGION] + last->energy[VG_CONTOUR_OVERLAP] +
                         last->energy[VG_CONTOUR_SHAPE],
                     ==, 0);
  /* the seed's disc has 14 px, smoothness is twice as strong at 20 px, and the front moved 0.1 px
   * at most */
  g_assert_cmpfloat_with_epsilon (last->energy[VG_CONTOUR_CURVATURE], 2 * 2 * G_PI * 14,
                                  0.02 * 2 * 2 * G_PI * 14);
  vg_contour_scene_free (scene);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/energy/terms", test_terms);
  g_test_add_func ("/contour/energy/length", test_length);
  return g_test_run ();
}
