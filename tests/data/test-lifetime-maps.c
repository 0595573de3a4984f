/* SPDX-License-Identifier: MIT */
/* Maps of real recordings against those that the makers' programs gave for the
 * same files. */
#include "lifetime-fixture.h"
#include "vg-source.h"

static VgImage *
load (const char *name)
{
  const char *root = g_getenv ("VIVOGRAPH_DATA");
  g_autofree char *path = g_build_filename (root ? root : ".", "lifetime", name, NULL);
  g_autoptr (GError) error = NULL;
  VgImage *image;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("no data");
      return NULL;
    }
  image = vg_image_load (path, VG_FILE_IMAGE, &(VgSourceOptions) { 0 }, &error);
  g_assert_no_error (error);
  return image;
}

static double
sample (const VgImage *image, gsize i)
{
  switch (image->info.type)
    {
    case VG_U8:
      return ((const guint8 *) image->data)[i];
    case VG_U16:
      return ((const guint16 *) image->data)[i];
    case VG_U32:
      return ((const guint32 *) image->data)[i];
    case VG_F32:
    default:
      return ((const float *) image->data)[i];
    }
}

static void
start (LifetimeFixture *run, const VgImage *image)
{
  lifetime_init (run, image->info.type, image->info.width, image->info.height, (int) image->info.bins, 0.1);
  run->info = image->info;
  vg_lifetime_operation.adopt (run->params, &image->info);
  run->params->range = VG_LIFETIME_RANGE_AUTO;
}

/* Photons as SymPhoTime counts them; its fast lifetime is the mean time less that of the pulse. */
static void
test_symphotime (void)
{
  g_autoptr (VgImage) image = load ("Example_PTU_PicoHarp.ptu"), map = image ? load ("SymPhoTime_photon_count.tif") : NULL;
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
      double offset = lifetime[i] - sample (fast, i);

      g_assert_cmpfloat (intensity[i], ==, sample (map, i));
      if (intensity[i] <= 20)
        continue;
      sum += offset;
      squares += (offset - 1.365) * (offset - 1.365);   /* about what is expected: no digits are lost */
      n++;
    }
  sum /= n;
  g_test_message ("%d pixels: offset %.4f ns, spread %.4f ns", n, sum, sqrt (squares / n));
  g_assert_cmpfloat_with_epsilon (sum, 1.3167 + 0.5 * run.params->bin_width_ns, 2e-3);
  g_assert_cmpfloat (sqrt (squares / n), <=, 0.01);
  lifetime_clear (&run);
}

/* T cells: SPCImage's photons, and its mean lifetime by intensity of two exponentials fitted with a response, 5 x 5 pixels binned. */
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
      double t1 = sample (maps[1], i), t2 = sample (maps[2], i), a1 = sample (maps[3], i), a2 = sample (maps[4], i), by_intensity;

      g_assert_cmpfloat (intensity[i], ==, sample (maps[0], i));
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
  g_test_message ("%.0f pixels, correlation %.3f; range %.3f to %.3f ns", n, r, lifetime_number (&run, "fit_start_ns"), lifetime_number (&run, "fit_end_ns"));
  g_assert_cmpfloat (n, >, 6000);
  g_assert_cmpfloat (r, >, 0.9);
  for (int k = 0; k < 5; k++)
    vg_image_unref (maps[k]);
  lifetime_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/data/lifetime/symphotime", test_symphotime);
  g_test_add_func ("/data/lifetime/spcimage", test_spcimage);
  return g_test_run ();
}
