/* SPDX-License-Identifier: MIT */
/* An offset that each pixel measures in its bins before the pulse; every pixel has another
 * offset. */
#include "tests/kernels/lifetime/support/lifetime-pulse.h"
#include "kernels/tables/vg-curves.h"

enum { BINS = 128, WIDTH = 37, HEIGHT = 5, N = WIDTH * HEIGHT };
static const double h = 0.1, tau = 2.5, period = 50.0;

static double
offset_of (int i)
{
  return 1.0 + 0.5 * (i % WIDTH);
}

/* The offset of pixel (x, y) with its neighbours. */
static double
binned_offset (int x, int y, int bin)
{
  double sum = 0.0;

  for (int v = MAX (y - bin, 0); v <= MIN (y + bin, HEIGHT - 1); v++)
    for (int u = MAX (x - bin, 0); u <= MIN (x + bin, WIDTH - 1); u++)
      sum += offset_of (v * WIDTH + u);
  return sum;
}

static void
fill (float *cube, const double *counts)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < BINS; j++)
      cube[j * N + i] = (float) (counts[j] + offset_of (i));
}

/* Checks the pixel's lifetime and offset: binned or not, alone or shared, with an IRF or in the
 * tail. */
static void
check (LifetimeFixture *run, int bin, double within)
{
  g_autofree float *lifetime = lifetime_map_of (run, VG_LIFETIME_OUTPUT_LIFETIME, NULL),
                   *offset = lifetime_map_of (run, VG_LIFETIME_OUTPUT_OFFSET, NULL);

  for (int i = 0; i < N; i++)
    {
      g_assert_cmpfloat_with_epsilon (lifetime[i], tau, within);
      g_assert_cmpfloat_with_epsilon (offset[i], binned_offset (i % WIDTH, i / WIDTH, bin),
                                      1e-3 * offset[i]);
    }
}

static void
test_before (void)
{
  g_autofree float *cube = g_new (float, BINS *N);
  double counts[BINS], response[BINS];
  g_autoptr (VgImage) image = NULL;

  make_decay (counts, BINS, h, tau, 2.5, 0.3, period);
  make_decay (response, BINS, h, 0.0, 2.5, 0.3, period);
  image = response_image (response, BINS, h);
  fill (cube, counts);
  for (int k = 0; k < 10; k++)
    {
      g_autoptr (LifetimeFixture) run = fixture (WIDTH, HEIGHT, BINS, h);
      VgInputFile file = { "irf", image };
      g_autofree float *nothing_off = NULL;
      gboolean tail = k / 6;

      run->params->method = VG_LIFETIME_MLE;
      run->params->sharing = tail ? VG_LIFETIME_SHARE_NONE : k / 2;
      run->params->bin = k % 2;
      run->params->range = VG_LIFETIME_RANGE_AUTO;
      run->params->period_ns = (float) period;
      run->params->irf = tail ? NULL : g_strdup ("response");
      if (k / 2 == 4)
        run->params->method = VG_LIFETIME_MLE_STRETCHED;
      lifetime_prepare_with (run, &file, tail ? 0 : 1);
      lifetime_run (run, cube);
      nothing_off = lifetime_map_of (run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
      g_assert_cmpfloat (nothing_off[N - 1], >, 1.05 * tau);
      run->params->offset = VG_LIFETIME_OFFSET_BEFORE;
      if (!run->engine->update (run->state, run->params))
        lifetime_prepare_with (run, &file, tail ? 0 : 1);
      lifetime_run (run, cube);
      check (run, run->params->bin, tail ? 0.003 : 0.02);
    }
}

/* The decay of a region has the offset of its own bins; a range that begins before the foot of
 * the pulse ends them. */
static void
test_region (void)
{
  g_autoptr (LifetimeFixture) run = fixture (WIDTH, HEIGHT, BINS, h);
  VgRegion region;
  g_autofree float *cube = g_new (float, BINS *N);
  g_autoptr (VgCurves) curves = NULL;
  double counts[BINS], sum = 0.0;

  make_decay (counts, BINS, h, tau, 2.5, 0.3, period);
  fill (cube, counts);
  g_assert_true (vg_region_parse (&region, "rect:3,1,4,2", NULL));
  for (int i = 0; i < N; i++) /* light shortly before the pulse */
    for (int j = 15; j < 18; j++)
      cube[j * N + i] += 20.0f;
  run->params->method = VG_LIFETIME_MLE;
  run->params->offset = VG_LIFETIME_OFFSET_BEFORE;
  run->params->range = VG_LIFETIME_RANGE_MANUAL;
  run->params->fit_start_ns = (float) (15 * h);
  run->params->period_ns = (float) period;
  run->params->irf_model = VG_LIFETIME_IRF_ESTIMATED;
  lifetime_run (run, cube);
  g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_OFFSET), offset_of (0), 1e-3);
  curves = run->engine->curves->sample_region (run->state, &region, NULL);
  for (int y = 1; y < 3; y++)
    for (int x = 3; x < 7; x++)
      sum += offset_of (y * WIDTH + x);
  g_assert_cmpfloat_with_epsilon (curves->outputs[VG_LIFETIME_OUTPUT_OFFSET], sum, 1e-3 * sum);
}

/* Photons from previous pulses before the pulse are not an offset.  Pixels of one lifetime with
 * intensities 1 to 3 have their own offset exactly, with an IRF or in the tail; pixels of two
 * lifetimes nearly.  Without previous pulses these photons are an offset. */
static void
test_earlier (void)
{
  static const double short_ns[] = { 2.3, 4.0, 2.0 }, long_ns[] = { 2.3, 4.0, 3.0 };
  enum { WINDOW = 125 };
  g_autofree float *cube = g_new (float, WINDOW *N);
  double one[WINDOW], other[WINDOW], response[WINDOW];
  g_autoptr (VgImage) image = NULL;
  VgInputFile file = { "irf", NULL };

  make_decay (response, WINDOW, h, 0.0, 2.5, 0.3, 12.5);
  file.image = image = response_image (response, WINDOW, h);
  for (int k = 0; k < 6; k++)
    {
      g_autoptr (LifetimeFixture) run = fixture (WIDTH, HEIGHT, WINDOW, h);
      g_autofree float *lifetime = NULL, *offset = NULL;
      gboolean mixed = k / 2 == 2;
      VgRegion region;
      g_autoptr (VgCurves) curves = NULL;

      make_decay (one, WINDOW, h, short_ns[k / 2], 2.5, 0.3, 12.5);
      make_decay (other, WINDOW, h, long_ns[k / 2], 2.5, 0.3, 12.5);
      for (int i = 0; i < N; i++)
        for (int j = 0; j < WINDOW; j++)
          cube[j * N + i] = (float) ((1 + i % 3) * (i % 2 ? other : one)[j] + offset_of (i));
      run->params->method = VG_LIFETIME_MLE;
      run->params->offset = VG_LIFETIME_OFFSET_BEFORE;
      run->params->range = VG_LIFETIME_RANGE_AUTO;
      run->params->period_ns = 12.5f;
      run->params->irf = k % 2 ? g_strdup ("response") : NULL;
      lifetime_prepare_with (run, &file, k % 2);
      lifetime_run (run, cube);
      lifetime = lifetime_map_of (run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
      offset = lifetime_map_of (run, VG_LIFETIME_OUTPUT_OFFSET, NULL);
      g_test_message ("%d: %.4f ns (%.2f) and %.4f ns (%.2f), offsets %.3f (%.3f) and %.3f (%.3f)",
                      k, lifetime[0], short_ns[k / 2], lifetime[N - 2], long_ns[k / 2], offset[0],
                      offset_of (0), offset[N - 2], offset_of (N - 2));
      for (int i = 0; i < N; i++)
        {
          double truth = i % 2 ? long_ns[k / 2] : short_ns[k / 2];

          g_assert_cmpfloat_with_epsilon (lifetime[i], truth, (mixed ? 0.06 : 0.01) * truth);
          g_assert_true (mixed || fabs (offset[i] - offset_of (i)) < 0.03 * offset_of (i) + 0.3);
        }
      /* from its own decay, as for the pixel */
      g_assert_true (vg_region_parse (&region, "rect:3,1,1,1", NULL));
      curves = run->engine->curves->sample_region (run->state, &region, NULL);
      g_assert_cmpfloat_with_epsilon (curves->outputs[VG_LIFETIME_OUTPUT_LIFETIME],
                                      WIDTH % 2 ? short_ns[k / 2] : long_ns[k / 2], 0.01 * tau);
      run->params->earlier_pulses = FALSE;
      lifetime_update (run);
      g_assert_cmpfloat (first_of (run, VG_LIFETIME_OUTPUT_OFFSET), >, offset_of (0) + 1.0);
    }
}

/* A decay without a pulse onset has no bins before it: this is reported, and nothing is
 * subtracted. */
static void
test_none (void)
{
  g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, h);
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  const VgMetric *number;
  float cube[BINS];

  for (int j = 0; j < BINS; j++)
    cube[j] = (float) (1e4 * exp (-j * h / tau));
  run->params->method = VG_LIFETIME_MLE;
  run->params->offset = VG_LIFETIME_OFFSET_BEFORE;
  run->params->range = VG_LIFETIME_RANGE_AUTO;
  lifetime_run (run, cube);
  run->engine->results (run->state, numbers, NULL);
  number = vg_metrics_find (numbers, "before_pulse");
  g_assert_nonnull (number);
  g_assert_true (isnan (number->value));
  g_assert_nonnull (number->advice);
  g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 1e-3);
  g_assert_cmpfloat (first_of (run, VG_LIFETIME_OUTPUT_OFFSET), ==, 0.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lifetime/offset/before", test_before);
  g_test_add_func ("/lifetime/offset/earlier", test_earlier);
  g_test_add_func ("/lifetime/offset/region", test_region);
  g_test_add_func ("/lifetime/offset/none", test_none);
  return g_test_run ();
}
