/* SPDX-License-Identifier: MIT */
/* Lifetime files of real microscopes, against what the makers' own programs
 * show for them and against figures found with other readers. */
#include "tests/support/data-file.h"
#include "tests/support/io/tiff-fixture.h"
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static VgImage *
load (const char *name, const char *read_options)
{
  g_autofree char *path = data_file ("lifetime", name);
  g_autoptr (GError) error = NULL;
  VgImage *image = path ? vg_image_load (path, VG_FILE_IMAGE,
                                         &(VgSourceOptions){ .read_options = read_options }, &error)
                        : NULL;

  g_assert_no_error (error);
  return image;
}

typedef struct
{
  double total, largest;
  gint64 peak_bin;
  double *decay;   /* bins */
  double *photons; /* pixels */
} Sums;

static void
sums_clear (Sums *self)
{
  g_free (self->decay);
  g_free (self->photons);
}

static Sums
sum_up (const VgImage *image)
{
  const VgImageInfo *info = &image->info;
  gsize pixels = (gsize) info->width * (gsize) info->height;
  Sums sums = { .decay = g_new0 (double, info->bins), .photons = g_new0 (double, pixels) };

  for (gint64 bin = 0; bin < info->bins; bin++)
    for (gsize i = 0; i < pixels; i++)
      {
        double count = fixture_sample (info, image->data, (gsize) bin * pixels + i);

        sums.decay[bin] += count;
        sums.photons[i] += count;
        sums.total += count;
        sums.largest = MAX (sums.largest, count);
      }
  for (gint64 bin = 0; bin < info->bins; bin++)
    if (sums.decay[bin] > sums.decay[sums.peak_bin])
      sums.peak_bin = bin;
  return sums;
}

/* ref/NAME.decay.csv: bin, counts. */
static void
check_decay (const char *name, const Sums *sums, gint64 bins)
{
  g_autofree char *file = g_strconcat ("ref/", name, ".decay.csv", NULL);
  g_autoptr (VgImage) reference = load (file, NULL);

  g_assert_cmpint (reference->info.bins, ==, bins);
  for (gint64 bin = 0; bin < bins; bin++)
    g_assert_cmpfloat (((const float *) reference->data)[bin], ==, (float) sums->decay[bin]);
}

static void
test_sdt (void)
{
  static const struct
  {
    const char *file, *read_options, *decay;
    int width, height;
    gint64 bins;
    double bin_ns, period_ns, total, largest;
    gint64 peak_bin;
  } cases[] = {
    { "Tcells-002.sdt", NULL, "Tcells-002.sdt.block0", 256, 256, 256, 0.0390887, 0, 4927479, 163,
      52 },
    { "beads_2.1ns.sdt", NULL, "beads_2.1ns.sdt.block0", 256, 256, 256, 0.0390887, 0, 5005639, 70,
      45 },
    { "tcspc.sdt.zip", NULL, "tcspc.sdt.block0", 128, 128, 256, 0.0488281, 0, 224606420, 1104, 61 },
    { "pytcspc_IRF.sdt", NULL, "pytcspc_IRF.sdt.block0", 1, 1, 4096, 0.00292744, 12.49996, 0, 0,
      0 },
    { "pytcspc_IRF.sdt", "channel=2", "pytcspc_IRF.sdt.block1", 1, 1, 4096, 0.00292744, 12.49996,
      3700666, 93165, 1034 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = data_file_find ("lifetime", cases[i].file);
      g_autoptr (VgImage) image = path ? load (cases[i].file, cases[i].read_options) : NULL;
      Sums sums;

      if (!image)
        {
          g_test_message ("%s is not here", cases[i].file);
          continue;
        }
      sums = sum_up (image);
      g_test_message ("%s: %.0f photons, at most %g, peak in bin %d", cases[i].file, sums.total,
                      sums.largest, (int) sums.peak_bin);
      g_assert_cmpint (image->info.width, ==, cases[i].width);
      g_assert_cmpint (image->info.height, ==, cases[i].height);
      g_assert_cmpint (image->info.bins, ==, cases[i].bins);
      g_assert_cmpfloat_with_epsilon (image->info.bin_width_ns, cases[i].bin_ns,
                                      1e-6 * cases[i].bin_ns + 5e-8);
      g_assert_cmpfloat_with_epsilon (image->info.period_ns, cases[i].period_ns, 1e-5);
      check_decay (cases[i].decay, &sums, image->info.bins);
      if (cases[i].total > 0)
        {
          g_assert_cmpfloat (sums.total, ==, cases[i].total);
          g_assert_cmpfloat (sums.largest, ==, cases[i].largest);
          g_assert_cmpint (sums.peak_bin, ==, cases[i].peak_bin);
        }
      sums_clear (&sums);
    }
}

/* SPCImage's photon map of the same file. */
static void
test_spcimage (void)
{
  g_autoptr (VgImage) image = load ("Tcells-002.sdt", NULL);
  g_autoptr (VgImage) map = image ? load ("Tcells-002-Ch2-_photons.tiff", NULL) : NULL;
  Sums sums;
  guint different = 0;

  if (!map)
    return;
  sums = sum_up (image);
  g_assert_cmpint (map->info.width, ==, image->info.width);
  g_assert_cmpint (map->info.height, ==, image->info.height);
  for (gsize i = 0; i < 65536; i++)
    different += fixture_sample (&map->info, map->data, i) != sums.photons[i];
  g_test_message ("%u of 65536 pixels have other photon counts than SPCImage's map", different);
  g_assert_cmpuint (different, ==, 0);
  sums_clear (&sums);
}

/* SymPhoTime's photon counts and fast lifetimes of the same file. */
static void
test_symphotime (void)
{
  g_autoptr (VgImage) image = load ("Example_PTU_PicoHarp.ptu", NULL);
  g_autoptr (VgImage) map = image ? load ("SymPhoTime_photon_count.tif", NULL) : NULL;
  g_autoptr (VgImage) fast = image ? load ("SymPhoTime_fast_lifetime_ns.tif", NULL) : NULL;
  const VgImageInfo *info;
  double mean_arrival = 0, sum = 0, squares = 0, spread, most = 0;
  guint different = 0, n = 0;
  Sums sums;

  if (!map || !fast)
    return;
  info = &image->info;
  sums = sum_up (image);
  for (gsize i = 0; i < 65536; i++)
    {
      double first = 0;

      different += fixture_sample (&map->info, map->data, i) != sums.photons[i];
      for (gint64 bin = 0; bin < info->bins; bin++)
        first += (double) bin * fixture_sample (info, image->data, (gsize) bin * 65536 + i);
      mean_arrival += first;
      if (sums.photons[i] > 20)
        {
          double offset = first / sums.photons[i] * info->bin_width_ns -
                          fixture_sample (&fast->info, fast->data, i);

          sum += offset;
          /* about the value that is expected: no digits are lost */
          squares += (offset - 1.3167) * (offset - 1.3167);
          n++;
        }
    }
  spread = sqrt (squares / n);
  g_test_message ("%.0f photons, %u pixels unlike SymPhoTime's count; fast lifetime of %u pixels: "
                  "offset %.5f ns, "
                  "spread %.5f ns",
                  sums.total, different, n, sum / n, spread);
  g_assert_cmpuint (different, ==, 0);
  g_assert_cmpfloat (sums.total, ==, 722368);
  for (gsize i = 0; i < 65536; i++)
    most = MAX (most, sums.photons[i]);
  g_assert_cmpfloat (most, ==, 84);
  g_assert_cmpint (sums.peak_bin, ==, 15);
  g_assert_cmpint (info->bins, ==, 132);
  g_assert_cmpfloat_with_epsilon (info->bin_width_ns, 0.09696969697, 1e-9);
  g_assert_cmpfloat_with_epsilon (info->period_ns, 12.81722635, 1e-7);
  g_assert_cmpfloat_with_epsilon (mean_arrival / sums.total * info->bin_width_ns, 3.829402423,
                                  1e-8);
  g_assert_cmpfloat_with_epsilon (sum / n, 1.3167, 0.001);
  g_assert_cmpfloat (spread, <, 0.01);
  sums_clear (&sums);
}

/* Reading streams: beside the cube itself hardly anything is taken.  Must be
 * the first test: the system tells only the most that there ever was. */
static void
test_memory (void)
{
  struct rusage before, after;
  g_autoptr (VgImage) image = NULL;
  double cube, taken;

  getrusage (RUSAGE_SELF, &before);
  image = load ("Tcells-002.sdt", NULL);
  if (!image)
    return;
  getrusage (RUSAGE_SELF, &after);
  cube = (double) vg_image_info_frame_bytes (&image->info) / 1024;
  taken = (double) (after.ru_maxrss - before.ru_maxrss);
  g_test_message ("a cube of %.0f KiB took %.0f KiB", cube, taken);
  g_assert_cmpfloat (taken, <, 1.3 * cube);
}

static void
test_t2 (void)
{
  g_autofree char *path = data_file ("lifetime", "v30_t2.ptu");
  g_autoptr (GError) error = NULL;

  if (!path)
    return;
  g_assert_null (vg_source_open (path, NULL, &error));
  fixture_assert_message (error, "T2 mode");
}

/* Each file cut at every kilobyte: a message, or for photon streams fewer photons. */
static void
test_truncated (void)
{
  static const char *const files[] = { "Tcells-002.sdt", "beads_2.1ns.sdt", "pytcspc_IRF.sdt",
                                       "tcspc.sdt.zip", "Example_PTU_PicoHarp.ptu" };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = data_file_find ("lifetime", files[i]), *folder = NULL, *cut = NULL,
                      *bytes = NULL;
      gsize length = 0;
      /* to open it is to look at every record: at fewer lengths */
      gboolean reads_all = g_str_has_suffix (files[i], ".ptu");
      gsize step = reads_all ? 16384 : 1024;
      guint refused = 0, opened = 0;

      if (!path)
        {
          g_test_message ("%s is not here", files[i]);
          continue;
        }
      g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
      folder = fixture_folder ();
      cut = g_build_filename (folder, "cut", NULL);
      for (gsize kept = (length - 1) / step * step; kept > 0; kept -= step)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (VgSource) source = NULL;

          if (kept == (length - 1) / step * step)
            g_assert_true (g_file_set_contents_full (cut, bytes, (gssize) kept,
                                                     G_FILE_SET_CONTENTS_NONE, 0600, NULL));
          g_assert_cmpint (truncate (cut, (off_t) kept), ==, 0);
          source = vg_source_open (cut, NULL, &error);
          /* reading all would take an hour: every sixteenth is read too */
          if (source && kept / 1024 % 16 == 0)
            {
              g_autofree void *frame = g_malloc (vg_image_info_frame_bytes (&source->info));

              vg_source_read (source, 0, frame, &error);
            }
          if (error)
            fixture_assert_message (error, "cut");
          if (reads_all) /* what was recorded before it was broken off is there */
            {
              g_assert_no_error (error);
              g_assert_nonnull (strstr (source->details, "cut short"));
            }
          refused += error != NULL;
          opened += error == NULL;
        }
      g_test_message ("%s: refused at %u lengths, opened at %u", files[i], refused, opened);
      fixture_remove_folder (g_steal_pointer (&folder));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decay-data/memory", test_memory);
  g_test_add_func ("/decay-data/sdt", test_sdt);
  g_test_add_func ("/decay-data/spcimage", test_spcimage);
  g_test_add_func ("/decay-data/symphotime", test_symphotime);
  g_test_add_func ("/decay-data/t2", test_t2);
  g_test_add_func ("/decay-data/truncated", test_truncated);
  return g_test_run ();
}
