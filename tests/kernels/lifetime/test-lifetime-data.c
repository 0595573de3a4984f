/* SPDX-License-Identifier: MIT */
/* Exact decays, background, binning, pixels without a lifetime, and live sample data. */
#include "tests/kernels/lifetime/support/lifetime-pulse.h"
#include "kernels/lifetime/engine/lifetime-state.h"

/* A decay that may be constant has no lifetime by moments. */
static void
test_constant (void)
{
  enum { N = 403, BINS = 64 };
  g_autoptr (LifetimeFixture) run = fixture (N, 1, BINS, 0.1);
  g_autofree float *cube = g_new (float, N *BINS);
  GRand *rand = g_rand_new_with_seed (7);
  static const int methods[] = { VG_LIFETIME_CMM, VG_LIFETIME_IEM, VG_LIFETIME_RLD,
                                 VG_LIFETIME_PHASOR, VG_LIFETIME_BCMM };

  for (int i = 0; i < N * BINS; i++)
    {
      double limit = exp (-3.0), product = 1.0;
      int n = 0;

      while ((product *= g_rand_double (rand)) > limit)
        n++;
      cube[i] = (float) n;
    }
  g_rand_free (rand);
  lifetime_run (run, cube);
  for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
    {
      g_autofree float *map = NULL;
      double longest = 0.0;

      run->params->method = methods[m];
      lifetime_update (run);
      map = lifetime_map_of (run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
      for (int i = 0; i < N; i++)
        longest = fmax (longest, map[i]);
      g_test_message ("method %d: %g with a lifetime, %g without; longest %g ns", methods[m],
                      lifetime_number (run, "pixels_fitted"),
                      lifetime_number (run, "pixels_failed"), longest);
      /* Noise makes one in 40 fall. */
      g_assert_cmpfloat (lifetime_number (run, "pixels_fitted"), <=, N / 25);
      g_assert_cmpfloat (
          lifetime_number (run, "pixels_fitted") + lifetime_number (run, "pixels_failed"), ==, N);
    }
}

/* Every method is exact on its own decay, with and without a background that is subtracted. */
static void
test_exact (void)
{
  enum { BINS = 256 };
  const double h = 0.1;

  for (int method = VG_LIFETIME_CMM; method <= VG_LIFETIME_BCMM; method++)
    for (int background = 0; background < 2; background++)
      for (int k = 0; k < 6; k++)
        {
          double tau = 0.7 * pow (1.6, k), probability[BINS] = { 0.0 };
          gboolean bi = vg_lifetime_is_biexponential (method);
          float cube[BINS];
          g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, h);

          vg_lifetime_add_decay (probability, BINS, h, 1e4 * (bi ? 0.35 : 1.0),
                                 bi ? 0.2 * tau : tau);
          if (bi)
            vg_lifetime_add_decay (probability, BINS, h, 1e4 * 0.65, tau);
          for (int j = 0; j < BINS; j++)
            probability[j] += background ? 3.5 : 0.0;
          put_decay (cube, 1, 0, probability, BINS);
          run->params->method = method;
          run->params->background = background ? 3.5f : 0.0f;
          run->params->long_lifetime_ns = (float) tau;
          lifetime_run (run, cube);
          g_test_message ("method %d, %g ns: %g", method, tau,
                          first_of (run, VG_LIFETIME_OUTPUT_LIFETIME));
          if (!bi)
            g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau,
                                            3e-4 * tau);
          else
            {
              /* Simpson's rule with samples in place of integrals is better for lifetimes of many
               * bins. */
              double tolerance = method == VG_LIFETIME_BCMM ? 0.02 : 0.01;

              if (k < 2)
                continue;
              g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME_1),
                                              0.2 * tau, tolerance * tau);
              g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME_2), tau,
                                              1e-3 * tau);
              g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_FRACTION), 0.35,
                                              tolerance);
            }
        }
}

/* Dark, saturated and unsolvable pixels have no lifetime, are counted, and affect only the pixels
 * into which they are binned. */
static void
test_masks (void)
{
  enum { W = 9, H = 7, BINS = 64 };
  guint16 cube[BINS * W * H];
  g_autofree float *map = NULL, *binned = NULL, *intensity = NULL;
  LifetimeFixture run;

  lifetime_init (&run, VG_U16, W, H, BINS, 0.1);
  for (int j = 0; j < BINS; j++)
    for (int i = 0; i < W * H; i++)
      cube[j * W * H + i] = (guint16) (1000.0 * exp (-j / 15.0));
  for (int j = 0; j < BINS; j++)
    {
      cube[j * W * H + 0] = 0;                          /* no photon */
      cube[j * W * H + 5] = (guint16) (j < 2 ? 3 : 0);  /* few */
      cube[j * W * H + W * H - 1] = (guint16) (j * 10); /* rises */
    }
  cube[3 * W * H + 3 * W + 4] = 65535;
  run.params->threshold = 10;
  lifetime_run (&run, cube);
  map = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
  intensity = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_INTENSITY, NULL);
  for (int i = 0; i < W * H; i++)
    g_assert_cmpint (isnan (map[i]) != 0, ==, i == 0 || i == 5 || i == W * H - 1 || i == 3 * W + 4);
  g_assert_cmpfloat (intensity[0], ==, 0.0);
  g_assert_cmpfloat (intensity[5], ==, 6.0);
  g_assert_cmpfloat (lifetime_number (&run, "pixels_dark"), ==, 2);
  g_assert_cmpfloat (lifetime_number (&run, "pixels_saturated"), ==, 1);
  g_assert_cmpfloat (lifetime_number (&run, "pixels_failed"), ==, 1);
  g_assert_cmpfloat (lifetime_number (&run, "pixels_fitted"), ==, W * H - 4);
  lifetime_clear (&run);

  lifetime_init (&run, VG_U16, W, H, BINS, 0.1);
  run.params->bin = 1;
  lifetime_run (&run, cube);
  binned = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      g_assert_cmpint (isnan (binned[y * W + x]) != 0, ==, ABS (x - 4) <= 1 && ABS (y - 3) <= 1);
  g_assert_cmpfloat (lifetime_number (&run, "pixels_saturated"), ==, 9);
  lifetime_clear (&run);
}

/* Binned sums are those of the binned decays, and a row of decays equals its pixels' one by one. */
static void
test_binning (void)
{
  enum { W = 23, H = 17, BINS = 40 };
  static const VgType types[] = { VG_U8, VG_U16, VG_U32, VG_F32 };

  for (int k = 0; k < 8; k++)
    {
      LifetimeFixture run;
      VgLifetimeState *state;
      g_autofree void *cube = NULL;
      g_autofree float *row = g_new (float, W *BINS);
      double counts[BINS];

      lifetime_init (&run, types[k % 4], W, H, BINS, 0.1);
      run.info.slices = 2;
      run.params->bin = k;
      cube = g_malloc (vg_image_info_frame_bytes (&run.info));
      for (int i = 0; i < 2 * W * H * BINS; i++)
        {
          int v = g_test_rand_int_range (0, 99);

          if (k % 4 == 0)
            ((guint8 *) cube)[i] = (guint8) v;
          else if (k % 4 == 1)
            ((guint16 *) cube)[i] = (guint16) v;
          else if (k % 4 == 2)
            ((guint32 *) cube)[i] = (guint32) v;
          else
            ((float *) cube)[i] = (float) v;
        }
      lifetime_run (&run, cube);
      state = run.state;
      for (int y = 0; y < 2 * H; y++)
        {
          vg_lifetime_histogram_row (state, y, row);
          for (int x = 0; x < W; x++)
            {
              const float *sums = vg_lifetime_state_sums (state) + (gsize) y * W + x;
              double total = 0.0, time = 0.0;

              vg_lifetime_histogram (state, y / H, x, y % H, counts);
              for (int j = 0; j < BINS; j++)
                {
                  g_assert_cmpfloat (counts[j], ==, row[x * BINS + j]);
                  total += counts[j];
                  time += j * counts[j];
                }
              g_assert_cmpfloat (sums[VG_LIFETIME_SUM_TOTAL * state->n], ==, total);
              g_assert_cmpfloat_with_epsilon (sums[VG_LIFETIME_SUM_TIME * state->n], time,
                                              1e-5 * time);
            }
        }
      lifetime_clear (&run);
    }
}

/* Live sample data: photons accumulate at the chosen rate until the counters are cleared, and
 * each frame is reproducible. */
static void
test_live (void)
{
  enum { W = 40, H = 30, N = W * H * VG_LIFETIME_SYNTHETIC_BINS };
  g_autofree VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);
  g_autofree guint16 *a = g_new (guint16, N), *b = g_new (guint16, N), *again = g_new (guint16, N);
  VgSyntheticSize size = { W, H, -1, 3 };
  VgImageInfo info;
  gpointer live;
  double photons = 0.0;

  params->sample_photon_rate = 1e5f;
  live = vg_lifetime_synthetic.open (params, &size, &info, NULL);
  g_assert_true (vg_lifetime_synthetic.read (live, 4, a, NULL));
  g_assert_true (vg_lifetime_synthetic.read (live, 9, b, NULL));
  for (int i = 0; i < N; i++)
    {
      g_assert_cmpint (b[i], >=, a[i]);
      photons += b[i];
    }
  g_assert_cmpfloat_with_epsilon (photons / (1e5 * 10 * info.frame_interval_s), 1.0, 0.02);
  g_assert_true (vg_lifetime_synthetic.read (live, 4, again, NULL));
  g_assert_cmpmem (a, sizeof *a * N, again, sizeof *a * N);
  vg_lifetime_synthetic.close (live);
}

/* Live sample data of the last seconds are the difference of all photons and the earlier ones, in
 * any order of frames. */
static void
test_window (void)
{
  const VgSynthetic *synthetic = vg_lifetime_operation.synthetic;
  const VgSyntheticSize size = { 24, 18, -1, 5 };
  VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);
  gsize n = 24 * 18 * VG_LIFETIME_SYNTHETIC_BINS;
  g_autofree guint16 *early = g_new (guint16, n), *late = g_new (guint16, n),
                     *kept = g_new (guint16, n), *again = g_new (guint16, n);
  g_autoptr (GError) error = NULL;
  VgImageInfo info;
  gpointer all, last;
  double photons = 0;

  params->sample_photon_rate = 3e5f;
  all = synthetic->open (params, &size, &info, &error);
  g_assert_no_error (error);
  params->sample_window_s = 1.0f;
  last = synthetic->open (params, &size, &info, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (info.frame_interval_s, ==, 0.1);
  g_assert_true (synthetic->read (all, 14, early, &error));
  g_assert_true (synthetic->read (all, 24, late, &error));
  for (gint64 i = 0; i <= 24; i++)
    g_assert_true (synthetic->read (last, i, kept, &error));
  g_assert_true (synthetic->read (last, 7, again, &error));
  g_assert_true (synthetic->read (last, 24, again, &error));
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpuint (kept[i], ==, late[i] - early[i]);
      photons += kept[i];
    }
  g_assert_cmpmem (again, n * sizeof *again, kept, n * sizeof *kept);
  g_assert_cmpfloat (fabs (photons - 3e5), <, 5 * sqrt (3e5));
  synthetic->close (all);
  synthetic->close (last);
  vg_params_free (&vg_lifetime_operation.params, params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/golden/lifetime/constant", test_constant);
  g_test_add_func ("/golden/lifetime/exact", test_exact);
  g_test_add_func ("/golden/lifetime/masks", test_masks);
  g_test_add_func ("/golden/lifetime/binning", test_binning);
  g_test_add_func ("/golden/lifetime/live", test_live);
  g_test_add_func ("/golden/lifetime/live-window", test_window);
  return g_test_run ();
}
