/* SPDX-License-Identifier: MIT */
/* Contrast series as NIfTI: what real files hold, and the whole way from a
 * synthetic liver's file to its maps and their error. */
#include "tests/support/data-file.h"
#include "tests/support/io/tiff-fixture.h"
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>

static void
assert_size (const VgSource *source, int width, int height, int slices, int frames)
{
  g_assert_cmpint (source->info.width, ==, width);
  g_assert_cmpint (source->info.height, ==, height);
  g_assert_cmpint (source->info.slices, ==, slices);
  g_assert_cmpint (source->info.frames, ==, frames);
}

/* All its voxels in one block, or NULL: not there. */
static float *
read_volume (const char *path, gsize *n)
{
  g_autoptr (VgSource) source = fixture_open (path, FALSE);
  g_autoptr (GError) error = NULL;
  float *values = NULL;

  *n = vg_image_info_frame_bytes (&source->info) / sizeof (float);
  g_assert_cmpint (source->info.frames, ==, 1);
  values = g_new (float, *n);
  vg_source_read (source, 0, values, &error);
  g_assert_no_error (error);
  return values;
}

/* 200 MB of zeros in 0.2 MB: read a frame at a time, in little memory. */
static void
test_zeros (void)
{
  g_autofree char *path = data_file (
      "perfusion",
      "rocketship_bids/test_data/BIDS_test/rawdata/sub-01/ses-01/dce/sub-01_ses-01_DCE.nii.gz");
  g_autoptr (VgSource) source = NULL;
  g_autofree float *frame = NULL;
  struct rusage before, after;

  if (!path)
    return;
  getrusage (RUSAGE_SELF, &before);
  source = fixture_open (path, FALSE);
  assert_size (source, 256, 256, 12, 64);
  g_assert_cmpfloat (source->info.frame_interval_s, ==, 0);
  g_assert_cmpfloat_with_epsilon (source->info.frame_interval_claimed_s, 0.008012, 1e-6);
  g_assert_nonnull (strstr (source->details, "repetition time"));
  frame = g_malloc (vg_image_info_frame_bytes (&source->info));
  for (int i = 0; i < 64; i++)
    {
      g_autoptr (GError) error = NULL;

      vg_source_read (source, i, frame, &error);
      g_assert_no_error (error);
      for (int k = 0; k < 256 * 256 * 12; k++)
        g_assert_true (frame[k] == 0);
    }
  getrusage (RUSAGE_SELF, &after);
  /* a frame is 3 MiB */
  g_assert_cmpint (after.ru_maxrss - before.ru_maxrss, <, 16 << 10);
}

/* Our conversion of MADYM's series against its own files' voxels. */
static void
test_madym (void)
{
  g_autofree char *path = data_file ("perfusion", "madym/test_dataset/madym_dynamic_4d.nii.gz");
  g_autofree char *analyze = path ? data_file ("perfusion", "madym/test_dataset/dynamic/dyn_11.img")
                                  : NULL,
                  *bytes = NULL;
  g_autoptr (VgSource) source = NULL, own = NULL;
  g_autofree float *frame = NULL, *own_frame = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  if (!path || !analyze)
    return;
  source = fixture_open (path, FALSE);
  assert_size (source, 96, 64, 5, 75);
  g_assert_cmpfloat_with_epsilon (source->info.frame_interval_s, 4.977, 1e-3);
  frame = g_malloc (vg_image_info_frame_bytes (&source->info));
  g_assert_true (vg_source_read (source, 10, frame, &error));
  g_assert_true (g_file_get_contents (analyze, &bytes, &length, NULL));
  g_assert_cmpuint (length, ==, 96 * 64 * 5 * 2);
  for (int i = 0; i < 96 * 64 * 5; i++)
    {
      gint16 value = (gint16) ((guint8) bytes[2 * i] | (guint8) bytes[2 * i + 1] << 8);

      g_assert_true (frame[i] == value);
    }
  /* and as the pair that it is */
  own = fixture_open (analyze, FALSE);
  assert_size (own, 96, 64, 5, 1);
  g_assert_cmpfloat (own->info.repetition_ms, ==, 4);
  g_assert_cmpfloat (own->info.flip_deg, ==, 20);
  g_assert_cmpfloat_with_epsilon (own->info.pixel_size[2], 4, 1e-6);
  own_frame = g_malloc (vg_image_info_frame_bytes (&own->info));
  g_assert_true (vg_source_read (own, 0, own_frame, &error));
  g_assert_cmpmem (own_frame, 96 * 64 * 5 * sizeof (float), frame, 96 * 64 * 5 * sizeof (float));
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return *(const double *) a < *(const double *) b ? -1 : *(const double *) a > *(const double *) b;
}

/* The median and the 95th percentile of |map - truth| within the mask. */
static void
measure (const char *folder, const char *map, double *median, double *p95)
{
  g_autofree char *name = g_strdup_printf ("%s.nii.gz", map),
                  *found_path = g_build_filename (folder, name, NULL);
  g_autofree char *truth_name = g_strdup_printf ("synth_liver/truth_%s.nii.gz", map),
                  *truth_path = data_file ("perfusion", truth_name);
  g_autofree char *mask_path = data_file ("perfusion", "synth_liver/mask_liver.nii.gz");
  gsize n, n_truth, n_mask, voxels = 0;
  g_autofree float *found = read_volume (found_path, &n),
                   *truth = read_volume (truth_path, &n_truth),
                   *mask = read_volume (mask_path, &n_mask);
  g_autofree double *errors = g_new (double, n);

  g_assert_cmpuint (n, ==, n_truth);
  g_assert_cmpuint (n, ==, n_mask);
  for (gsize i = 0; i < n; i++)
    if (mask[i] != 0 && g_str_has_prefix (map, "tau") && isnan (found[i]))
      continue; /* the data do not determine it */
    else if (mask[i] != 0)
      errors[voxels++] = fabs ((double) found[i] - truth[i]);
    else
      g_assert_true (isnan (found[i]));
  g_assert_cmpuint (voxels, >=, g_str_has_prefix (map, "tau") ? 4300 : 4658);
  qsort (errors, voxels, sizeof (double), compare);
  *median = errors[voxels / 2];
  *p95 = errors[voxels * 95 / 100];
  g_test_message ("%s: median error %.3f, 95th percentile %.3f", map, *median, *p95);
}

static gboolean
run (const char *folder, char **errors, ...)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;
  va_list words;
  int status;

  g_ptr_array_add (argv, (gpointer) g_getenv ("VIVOGRAPH_PROGRAM"));
  va_start (words, errors);
  for (char *word; (word = va_arg (words, char *));)
    g_ptr_array_add (argv, word);
  va_end (words);
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (folder, (char **) argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, errors,
                &status, &error);
  g_assert_no_error (error);
  return g_spawn_check_wait_status (status, NULL);
}

static void
assert_summary (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "summary.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *root, *ka;

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  root = json_node_get_object (json_parser_get_root (parser));
  ka = json_object_get_object_member (json_object_get_object_member (root, "outputs"), "ka");
  g_assert_cmpint (json_object_get_int_member (ka, "invalid"), ==, 64 * 56 * 2 - 4658);
  g_assert_cmpint (
      json_object_get_int_member (json_object_get_object_member (root, "results"), "voxels"), ==,
      4658);
}

/* ka, kp, kl: the medians of an independent dictionary and variable projection
 * on the true inputs, and 1 % for inputs averaged over masks of noisy voxels;
 * 5.5 is what is asked of ka.  The others guard what was measured. */
static void
test_liver (void)
{
  static const struct
  {
    const char *map;
    double median, p95;
  } bars[] = {
    { "ka", 1.63, 5.5 },    { "kp", 4.38, 15 },  { "kl", 16.6, 61 },
    { "tau_a", 0.43, 1.5 }, { "tau_p", 0.8, 4 },
  };
  g_autofree char *source = data_file ("perfusion", "synth_liver/conc_4d.nii.gz"),
                  *liver = source ? g_path_get_dirname (source) : NULL;
  g_autofree char *folder = NULL, *errors = NULL;

  if (!source)
    return;
  folder = fixture_folder ();
  if (!run (liver, &errors, "run", "perfusion", "conc_4d.nii.gz", "--signal", "concentration",
            "--artery", "mask_aorta.nii.gz", "--portal", "mask_portal.nii.gz", "--mask",
            "mask_liver.nii.gz", "--backend", "cpu", "--out", folder, NULL))
    g_error ("%s", errors);
  assert_summary (folder);
  for (guint i = 0; i < G_N_ELEMENTS (bars); i++)
    {
      double median, p95;

      measure (folder, bars[i].map, &median, &p95);
      g_assert_cmpfloat (median, <, 1.01 * bars[i].median);
      g_assert_cmpfloat (p95, <, bars[i].p95);
    }
  {
    g_autofree char *map = g_build_filename (folder, "ka.nii.gz", NULL);
    g_autoptr (VgSource) from = fixture_open (source, FALSE), to = fixture_open (map, FALSE);

    g_assert_cmpmem (&from->info.placement, sizeof (VgPlacement), &to->info.placement,
                     sizeof (VgPlacement));
  }
  fixture_remove_folder (folder);
  folder = NULL;
}

/* Data of the test folder that cannot be computed are refused, and nothing is written. */
static void
test_refused (void)
{
  g_autofree char *source = data_file ("perfusion", "synth_liver/conc_4d.nii.gz"),
                  *liver = source ? g_path_get_dirname (source) : NULL;
  g_autofree char *folder = NULL, *out = NULL, *one = NULL;

  if (!source)
    return;
  folder = fixture_folder ();
  out = g_build_filename (folder, "out", NULL);
  g_assert_false (run (liver, &one, "run", "perfusion", "mask_liver.nii.gz", "--out", out, NULL));
  g_assert_nonnull (strstr (one, "1 time point,"));
  g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
  fixture_remove_folder (folder);
  folder = NULL;
}

/* The same of files of the larger collection: a mask of another size, and unknown frame times. */
static void
test_refused_times (void)
{
  g_autofree char *source = data_file ("perfusion", "synth_liver/conc_4d.nii.gz"),
                  *liver = source ? g_path_get_dirname (source) : NULL;
  g_autofree char *zeros = data_file (
      "perfusion",
      "rocketship_bids/test_data/BIDS_test/rawdata/sub-01/ses-01/dce/sub-01_ses-01_DCE.nii.gz");
  g_autofree char *mask = data_file (
      "perfusion", "rocketship_bids/sub-01_ses-01_space-DCEref_desc-brain_mask.nii.gz");
  g_autofree char *folder = NULL, *out = NULL, *size = NULL, *times = NULL;

  if (!source || !zeros || !mask)
    return;
  folder = fixture_folder ();
  out = g_build_filename (folder, "out", NULL);
  g_assert_false (run (liver, &size, "run", "perfusion", "conc_4d.nii.gz", "--artery", mask,
                       "--out", out, NULL));
  g_assert_nonnull (strstr (size, "(256x256x1) do not coincide with those of the data (64x56x2)"));
  g_assert_false (run (liver, &times, "run", "perfusion", zeros, "--out", out, NULL));
  g_assert_nonnull (strstr (times, "0.008012 s between frames"));
  g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
  fixture_remove_folder (folder);
  folder = NULL;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nifti-data/zeros", test_zeros);
  g_test_add_func ("/nifti-data/madym", test_madym);
  g_test_add_func ("/nifti-data/liver", test_liver);
  g_test_add_func ("/nifti-data/refused", test_refused);
  g_test_add_func ("/nifti-data/refused-times", test_refused_times);
  return g_test_run ();
}
