/* SPDX-License-Identifier: MIT */
/* Maps of real recordings, compared with those of the manufacturers' programs for the same files.
 */
#include "tests/support/data-file.h"
#include "tests/kernels/lifetime/support/lifetime-fixture.h"
#include "io/source/vg-source.h"

static VgImage *
load (const char *name)
{
  g_autofree char *path = data_file ("lifetime", name);
  g_autoptr (GError) error = NULL;
  VgImage *image;

  if (path == NULL)
    return NULL;
  image = vg_image_load (path, VG_FILE_IMAGE, &(VgSourceOptions){ 0 }, &error);
  g_assert_no_error (error);
  return image;
}

static void
start (LifetimeFixture *run, const VgImage *image)
{
  lifetime_init (run, image->info.type, image->info.width, image->info.height,
                 (int) image->info.bins, 0.1);
  run->info = image->info;
  vg_lifetime_operation.adopt (run->params, &image->info);
  run->params->range = VG_LIFETIME_RANGE_AUTO;
}

/* The photons agree with SymPhoTime; its fast lifetime is the mean time less that of the pulse. */
static void
test_symphotime (void)
{
  g_autoptr (VgImage) image = load ("Example_PTU_PicoHarp.ptu"),
                      map = image ? load ("SymPhoTime_photon_count.tif") : NULL;
  g_autoptr (VgImage) fast = map ? load ("SymPhoTime_fast_lifetime_ns.tif") : NULL;
  g_autofree float *lifetime = NULL, *intensity = NULL;
  double sum = 0.0, squares = 0.0;
  LifetimeFixture run;
  int n = 0;

  if (fast == NULL)
    return;
  start (&run, image);
  run.params->range = VG_LIFETIME_RANGE_MANUAL;
  run.params->window_correction = FALSE;
  lifetime_run (&run, image->data);
  lifetime = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
  intensity = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_INTENSITY, NULL);
  for (gsize i = 0; i < 65536; i++)
    {
      double offset = lifetime[i] - vg_image_sample (fast, i);

      g_assert_cmpfloat (intensity[i], ==, vg_image_sample (map, i));
      if (intensity[i] <= 20)
        continue;
      sum += offset;
      /* Subtract about the expected mean to avoid cancellation. */
      squares += (offset - 1.365) * (offset - 1.365);
      n++;
    }
  sum /= n;
  g_test_message ("%d pixels: offset %.4f ns, spread %.4f ns", n, sum, sqrt (squares / n));
  g_assert_cmpfloat_with_epsilon (sum, 1.3167 + 0.5 * run.params->bin_width_ns, 2e-3);
  g_assert_cmpfloat (sqrt (squares / n), <=, 0.01);
  lifetime_clear (&run);
}

/* T cells: the photons and the intensity-weighted mean lifetime of SPCImage's fit of two
 * exponentials with an IRF, 5 x 5 pixels binned. */
static void
test_spcimage (void)
{
  static const char *const names[] = { "photons", "t1", "t2", "a1", "a2" };
  g_autoptr (VgImage) image = load ("Tcells-002.sdt");
  VgImage *maps[5] = { NULL };
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0, r;
  g_autofree float *lifetime = NULL, *intensity = NULL;
  LifetimeFixture run;

  if (image == NULL)
    return;
  for (int k = 0; k < 5; k++)
    {
      g_autofree char *name = g_strdup_printf ("Tcells-002-Ch2-_%s.tiff", names[k]);

      maps[k] = load (name);
      g_assert_nonnull (maps[k]);
    }
  start (&run, image);
  run.params->bin = 2;
  lifetime_run (&run, image->data);
  lifetime = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
  intensity = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_INTENSITY, NULL);
  for (gsize i = 0; i < 65536; i++)
    {
      double t1 = vg_image_sample (maps[1], i), t2 = vg_image_sample (maps[2], i),
             a1 = vg_image_sample (maps[3], i), a2 = vg_image_sample (maps[4], i), by_intensity;

      g_assert_cmpfloat (intensity[i], ==, vg_image_sample (maps[0], i));
      by_intensity = (a1 * t1 * t1 + a2 * t2 * t2) / (a1 * t1 + a2 * t2);
      if (!(t1 > 0.0) || !isfinite (by_intensity) || !isfinite (lifetime[i]))
        continue;
      n++;
      x += lifetime[i];
      y += by_intensity;
      xx += lifetime[i] * lifetime[i];
      yy += by_intensity * by_intensity;
      xy += lifetime[i] * by_intensity;
    }
  r = (xy - x * y / n) / sqrt ((xx - x * x / n) * (yy - y * y / n));
  g_test_message ("%.0f pixels, correlation %.3f; range %.3f to %.3f ns", n, r,
                  lifetime_number (&run, "fit_start_ns"), lifetime_number (&run, "fit_end_ns"));
  g_assert_cmpfloat (n, >, 6000);
  g_assert_cmpfloat (r, >, 0.9);
  for (int k = 0; k < 5; k++)
    vg_image_unref (maps[k]);
  lifetime_clear (&run);
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Compares OURS with THEIRS where THERE is set: the ratio of the medians, and the correlation.
 * Outliers are limited to 1.5 times their 99th percentile. */
static void
agree (const char *what, const double *ours, const double *theirs, const gboolean *there,
       double *ratio, double *r)
{
  g_autofree double *a = g_new (double, 65536), *b = g_new (double, 65536);
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0, most;

  for (gsize i = 0; i < 65536; i++)
    if (there[i] && isfinite (ours[i]))
      {
        a[(gsize) n] = ours[i];
        b[(gsize) n] = theirs[i];
        n++;
      }
  qsort (a, (gsize) n, sizeof *a, compare);
  qsort (b, (gsize) n, sizeof *b, compare);
  most = 1.5 * b[(gsize) (0.99 * (n - 1))];
  for (gsize i = 0; i < 65536; i++)
    if (there[i] && isfinite (ours[i]))
      {
        double u = MIN (ours[i], most), v = MIN (theirs[i], most);

        x += u;
        y += v;
        xx += u * u;
        yy += v * v;
        xy += u * v;
      }
  *ratio = a[(gsize) n / 2] / b[(gsize) n / 2];
  *r = (xy - x * y / n) / sqrt ((xx - x * x / n) * (yy - y * y / n));
  g_test_message ("%-28s %5.0f pixels: medians %.4f and %.4f, ratio %.3f, correlation %.3f", what,
                  n, a[(gsize) n / 2], b[(gsize) n / 2], *ratio, *r);
}

/* Determines SPCImage's pixel binning: it fitted exactly the pixels whose decay over 3 x 3 pixels
 * has more than 40 photons at its peak.  No threshold on 5 x 5 pixels gives this set. */
static void
test_spcimage_binning (void)
{
  g_autoptr (VgImage) image = load ("Tcells-002.sdt"),
                      map = image ? load ("Tcells-002-Ch2-_t1.tiff") : NULL;
  double least[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, most[3] = { 0.0 };

  if (map == NULL)
    return;
  for (int bin = 1; bin <= 2; bin++)
    for (int y = 0; y < 256; y++)
      for (int x = 0; x < 256; x++)
        {
          double decay[256] = { 0.0 }, peak = 0.0;

          for (int v = MAX (y - bin, 0); v <= MIN (y + bin, 255); v++)
            for (int u = MAX (x - bin, 0); u <= MIN (x + bin, 255); u++)
              for (gsize j = 0; j < 256; j++)
                decay[j] += vg_image_sample (image, j * 65536 + (gsize) (v * 256 + u));
          for (int j = 0; j < 256; j++)
            peak = MAX (peak, decay[j]);
          if (vg_image_sample (map, (gsize) (y * 256 + x)) > 0.0)
            least[bin] = MIN (least[bin], peak);
          else
            most[bin] = MAX (most[bin], peak);
        }
  g_test_message (
      "least peak that is fitted, largest that is not: %g and %g of 3 x 3, %g and %g of 5 x 5",
      least[1], most[1], least[2], most[2]);
  g_assert_cmpfloat (least[1], ==, 41.0);
  g_assert_cmpfloat (most[1], ==, 40.0);
  g_assert_cmpfloat (least[2], <, most[2]);
}

/* The two exponentials that SPCImage fitted.  What its maps say of its settings: it binned 3 x 3
 * pixels (above); fitted bins 36 to 236; the offset is the mean of the bins before; the decay is
 * not periodic; and its response is that of the brightest spot, the place of its cursor, where
 * second-harmonic light is seen and it finds 20 ps.  So here: the response is a region around the
 * brightest pixel, (96, 29). Pixels of the second harmonic have a pulse and nothing to find two
 * lifetimes in: SPCImage's mean is below 0.16 ns there, and above 0.37 elsewhere; and its chi is 10
 * in one of the others, where it is below 2 else. */
static void
test_spcimage_fit (void)
{
  enum { T1, T2, A1, MEAN, BY_INTENSITY, N };
  static const char *const names[] = { "t1", "t2", "a1", "chi" };
  static const int outputs[N] = { VG_LIFETIME_OUTPUT_LIFETIME_1, VG_LIFETIME_OUTPUT_LIFETIME_2,
                                  VG_LIFETIME_OUTPUT_FRACTION, VG_LIFETIME_OUTPUT_LIFETIME,
                                  VG_LIFETIME_OUTPUT_WEIGHTED };
  static const char *const words[N] = { "short lifetime", "long lifetime", "share",
                                        "mean by amplitude", "mean by intensity" };
  g_autoptr (VgImage) image = load ("Tcells-002.sdt");
  /* T1, T2, A1; the place of chi holds the mean */
  g_autofree double *ours = g_new (double, 65536), *theirs = g_new0 (double, 65536 * N);
  g_autofree gboolean *all = g_new0 (gboolean, 65536), *dye = g_new0 (gboolean, 65536);
  double ratio, r;
  LifetimeFixture run;
  int left_out = 0;

  if (image == NULL)
    return;
  for (int k = 0; k < 4; k++)
    {
      g_autofree char *name = g_strdup_printf ("Tcells-002-Ch2-_%s.tiff", names[k]);
      g_autoptr (VgImage) map = load (name);

      for (gsize i = 0; i < 65536; i++)
        theirs[65536 * (gsize) k + i] = vg_image_sample (map, i) *
                                        (const double[]){ 1e-3, 1e-3, 1e-2, 1.0 }[k];
    }
  for (gsize i = 0; i < 65536; i++)
    {
      double t1 = theirs[i], t2 = theirs[65536 + i], a1 = theirs[65536 * A1 + i],
             mean = a1 * t1 + (1.0 - a1) * t2;
      double chi = theirs[65536 * MEAN + i];

      theirs[65536 * MEAN + i] = mean;
      theirs[65536 * BY_INTENSITY + i] = (a1 * t1 * t1 + (1.0 - a1) * t2 * t2) / mean;
      all[i] = t1 > 0.0;
      dye[i] = t1 > 0.0 && mean > 0.3 && chi < 2.0;
      left_out += all[i] && !dye[i];
    }
  start (&run, image);
  run.params->method = VG_LIFETIME_MLE_TWO;
  run.params->offset = VG_LIFETIME_OFFSET_BEFORE;
  run.params->range = VG_LIFETIME_RANGE_MANUAL;
  run.params->fit_start_ns = 1.407f;
  run.params->fit_end_ns = 9.264f;
  run.params->bin = 1;
  run.params->threshold = 400;
  run.params->earlier_pulses = FALSE;
  run.params->irf = g_strdup ("rect:87,20,19,19");
  run.params->irf_cut = 1.0f;
  run.params->irf_shift_ns = -0.018f;
  lifetime_run (&run, image->data);
  g_assert_cmpint (left_out, ==, 3168);
  for (int k = 0; k < N; k++)
    {
      g_autofree float *map = lifetime_map_of (&run, (guint) outputs[k], NULL);

      for (gsize i = 0; i < 65536; i++)
        ours[i] = map[i];
      agree (words[k], ours, theirs + 65536 * (gsize) k, all, &ratio, &r);
      /* If the decay is the pulse alone, the second lifetime and the fraction are arbitrary. */
      if (k == T1 || k == MEAN)
        {
          g_assert_cmpfloat_with_epsilon (ratio, 1.0, 0.1);
          g_assert_cmpfloat (r, >, 0.9);
        }
      agree ("without second harmonic", ours, theirs + 65536 * (gsize) k, dye, &ratio, &r);
      g_assert_cmpfloat_with_epsilon (ratio, 1.0, 0.1);
      g_assert_cmpfloat (r, >, 0.9);
    }
  lifetime_clear (&run);
}

/* The IRF estimated from the T cells, which contain several fluorophores, does not explain their
 * pulse onset. */
static void
test_misfit (void)
{
  static const VgLifetimeMethod methods[] = { VG_LIFETIME_CMM, VG_LIFETIME_PHASOR,
                                              VG_LIFETIME_MLE };
  g_autoptr (VgImage) image = load ("Tcells-002.sdt");

  for (guint i = 0; image != NULL && i < G_N_ELEMENTS (methods); i++)
    {
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      const VgMetric *number;
      LifetimeFixture run;

      start (&run, image);
      run.params->method = methods[i];
      run.params->period_ns = 12.5f;
      run.params->irf_model = VG_LIFETIME_IRF_ESTIMATED;
      /* Few pixels are fitted; the image is assessed as a whole. */
      run.params->threshold = 1000.0f;
      lifetime_run (&run, image->data);
      run.engine->results (run.state, numbers, NULL);
      number = vg_metrics_find (numbers, "irf_misfit");
      g_assert_nonnull (number);
      g_assert_cmpfloat_with_epsilon (number->value, 0.41, 0.1);
      g_assert_nonnull (number->advice);
      lifetime_clear (&run);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/data/lifetime/symphotime", test_symphotime);
  g_test_add_func ("/data/lifetime/misfit", test_misfit);
  g_test_add_func ("/data/lifetime/spcimage", test_spcimage);
  g_test_add_func ("/data/lifetime/spcimage-binning", test_spcimage_binning);
  g_test_add_func ("/data/lifetime/spcimage-fit", test_spcimage_fit);
  return g_test_run ();
}
