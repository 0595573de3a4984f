/* SPDX-License-Identifier: MIT */
/* A contrast series in one file and as a list of volumes, its times, masks
 * and maps, as a script would name them. */
#include "tests/support/sanitized.h"
#include "tests/support/app/cli-fixture.h"
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/nifti-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include "io/source/vg-source.h"
#include <math.h>
#include <string.h>
#include <sys/resource.h>

enum { WIDTH = 7, HEIGHT = 5, SLICES = 2, FRAMES = 14, VOXELS = WIDTH * HEIGHT * SLICES };

/* Contrast in the artery (x below 2) and, later and less, elsewhere. */
static double
concentration (int voxel, int frame)
{
  double t = 2.0 * frame - 4, share = voxel % WIDTH < 2 ? 1 : 0.1 + 0.01 * voxel / VOXELS;
  double slow = voxel % WIDTH < 2 ? 4 : 9;

  return t <= 0 ? 0 : share * t / slow * exp (1 - t / slow);
}

static void
put_file (CliFixture *f, const char *name, const NiftiVariant *variant, int frame)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  g_autoptr (GByteArray) bytes = fixture_nifti (variant, 1, NULL), packed = NULL;

  for (int i = 0; i < VOXELS * (int) variant->extent[3] && variant->extent[0] == WIDTH; i++)
    {
      double mask = i % WIDTH < 2,
             value = frame < 0 ? mask : concentration (i % VOXELS, frame + i / VOXELS);

      fixture_nifti_real (bytes, variant, 352 + 4 * (gsize) i, value);
    }
  if (variant->extent[0] != WIDTH)
    memset (bytes->data + 252, 0, 4); /* qform_code, sform_code: the position is not known */
  packed = fixture_gzip (bytes, 1);
  fixture_write (path, packed);
}

static void
put_text (CliFixture *f, const char *name, const char *format)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  g_autoptr (GString) text = g_string_new ("time\n");

  for (int i = 0; i < FRAMES; i++)
    {
      if (strchr (format, ','))
        g_string_append_printf (text, "%d,%d\n", i + 1, 2 * i);
      else
        g_string_append_printf (text, "%d\n", 2 * i);
    }
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

/* The series, its volumes, a mask and times. */
static void
put_all (CliFixture *f)
{
  NiftiVariant series = fixture_nifti_variant (WIDTH, HEIGHT, SLICES, FRAMES),
               volume = fixture_nifti_variant (WIDTH, HEIGHT, SLICES, 1);
  NiftiVariant other = fixture_nifti_variant (WIDTH + 1, HEIGHT, SLICES, 1);

  put_file (f, "series.nii.gz", &series, 0);
  for (int i = 0; i < FRAMES; i++)
    {
      g_autofree char *name = g_strdup_printf ("v%02d.nii.gz", i);

      put_file (f, name, &volume, i);
    }
  put_file (f, "artery.nii.gz", &volume, -1);
  put_file (f, "other.nii.gz", &other, 0);
  series.interval = 0.008;
  put_file (f, "absurd.nii.gz", &series, 0);
  put_text (f, "times.csv", "t");
  put_text (f, "numbered.csv", "n,t");
}

static char *
list_volumes (void)
{
  GString *line = g_string_new (NULL);

  for (int i = 0; i < FRAMES; i++)
    g_string_append_printf (line, " DIR/v%02d.nii.gz", i);
  return g_string_free (line, FALSE);
}

#define SETTINGS                                                                                   \
  " --signal concentration --inputs artery --delays none --artery DIR/artery.nii.gz --backend "    \
  "cpu --out OUT"

/* The list of files that RUN ended with is what is in the folder. */
static void
check_files (CliFixture *f, const CliResult *run)
{
  const char *list = strstr (run->output, "\nFiles ");
  g_auto (GStrv)
      names = g_strsplit_set (list != NULL ? list + strlen ("\nFiles ") : "", " ,\n", -1);
  guint n = 0;

  for (char **name = names; *name != NULL; name++)
    if (**name != '\0')
      {
        g_autofree char *path = g_build_filename (f->out, *name, NULL);

        g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
        n++;
      }
  g_assert_cmpuint (n, >, 3);
  g_assert_cmpuint (n, ==, cli_count_entries (f->out));
}

/* The map of ka, checked to lie where the data do; owned. */
static char *
run_good (CliFixture *f, const char *inputs)
{
  g_autofree char *line = g_strconcat ("vg run perfusion" SETTINGS, inputs, NULL),
                  *path = g_build_filename (f->out, "ka.nii.gz", NULL);
  g_autofree char *input = g_build_filename (f->folder, "series.nii.gz", NULL),
                  *tiff = g_build_filename (f->out, "ka.tif", NULL);
  g_auto (CliResult) run = cli_run (f, line);
  g_autoptr (VgSource) from = NULL, to = NULL, pages = NULL;
  g_autofree float *page = g_new (float, VOXELS);
  char *values = g_malloc (VOXELS * sizeof (float));

  if (run.status != 0)
    g_error ("%s: %s", inputs, run.errors);
  check_files (f, &run);
  from = fixture_open (input, FALSE);
  to = fixture_open (path, FALSE);
  pages = fixture_open (tiff, FALSE);
  g_assert_cmpmem (&from->info.placement, sizeof (VgPlacement), &to->info.placement,
                   sizeof (VgPlacement));
  g_assert_cmpint (to->info.slices, ==, SLICES);
  g_assert_true (vg_source_read (to, 0, values, NULL));
  for (int i = 0; i < SLICES; i++)
    g_assert_true (vg_source_read (pages, i, page + i * WIDTH * HEIGHT, NULL));
  g_assert_cmpmem (values, VOXELS * sizeof (float), page, VOXELS * sizeof (float));
  return values;
}

static void
test_series (CliFixture *f, gconstpointer data)
{
  g_autofree char *volumes = list_volumes (), *one = NULL;

  if (cli_skip_without_stream (f))
    return;
  put_all (f);
  one = run_good (f, " DIR/series.nii.gz");
  for (int i = 0; i < 4; i++)
    {
      static const char *const times[] = { "--frame-interval-s 2", "--times-file DIR/times.csv",
                                           "--times-file DIR/numbered.csv" };
      g_autofree char *inputs = i == 3 ? g_strdup (" DIR/absurd.nii.gz --frame-interval-s 2")
                                       : g_strdup_printf ("%s %s", volumes, times[i]);
      g_autofree char *same = run_good (f, inputs);

      g_assert_cmpmem (one, VOXELS * sizeof (float), same, VOXELS * sizeof (float));
    }
}

static void
assert_refused (CliFixture *f, const char *inputs, int status, const char *what)
{
  g_autofree char *line = g_strconcat ("vg run perfusion" SETTINGS, inputs, NULL);
  g_auto (CliResult) run = cli_run (f, line);

  if (run.status != status || !strstr (run.errors, what))
    g_error ("%s: status %d, %s", inputs, run.status, run.errors);
  g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
}

static void
test_refused (CliFixture *f, gconstpointer data)
{
  g_autofree char *volumes = list_volumes (),
                  *misfit = g_strconcat (volumes, " DIR/other.nii.gz", NULL);

  if (cli_skip_without_stream (f))
    return;
  put_all (f);
  assert_refused (f, volumes, 3, "Frame interval");
  assert_refused (f, misfit, 3, "files of a series need one size");
  assert_refused (f, " DIR/absurd.nii.gz", 3, "0.008 s between frames");
  assert_refused (f, " DIR/series.nii.gz --mask DIR/other.nii.gz", 3,
                  "8x5x2, but the data are 7x5x2");
  assert_refused (f, " DIR/series.nii.gz --portal DIR/other.nii.gz --inputs dual", 3,
                  "8x5x2, but the data are 7x5x2");
  assert_refused (f, " DIR/v00.nii.gz --frame-interval-s 2", 3, "1 time point,");
  assert_refused (f, " DIR/series.nii.gz --rois rect:2,1,3,3@12", 3,
                  "region \"Region 1\" is in slice 13 (@12, counted from 0), but the data have 2 "
                  "slices;");
  assert_refused (f, " DIR/series.nii.gz --rois rect:2,1,3,3@2", 3, "but the data have 2 slices;");
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Volumes in the shell's order, v1 v10 v11 .. v2: put in the order of their
 * times where these are known, told of where they are not: it may be meant. */
static void
test_order (CliFixture *f, gconstpointer data)
{
  g_autofree char *one = NULL, *same = NULL, *unordered = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) line = g_string_new (NULL);
  NiftiVariant volume = fixture_nifti_variant (WIDTH, HEIGHT, SLICES, 1);
  g_auto (CliResult) told = { 0 };

  if (cli_skip_without_stream (f))
    return;
  put_all (f);
  for (int i = 0; i < FRAMES; i++)
    {
      char *name = g_strdup_printf ("w%d.nii.gz", i + 1);

      put_file (f, name, &volume, i);
      g_ptr_array_add (names, name);
    }
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (line, " DIR/%s", (char *) names->pdata[i]);
  unordered = g_strconcat ("vg run perfusion" SETTINGS, line->str, " --frame-interval-s 2", NULL);
  told = cli_run (f, unordered);
  g_assert_cmpint (told.status, ==, 0);
  g_assert_nonnull (strstr (told.errors, "w2.nii.gz\" comes after "));
  for (int i = 0; i < FRAMES; i++)
    {
      /* past midnight */
      int clock = (86390 + 2 * i) % 86400;
      g_autofree char *path = g_strdup_printf ("%s/w%d.json", f->folder, i + 1);
      g_autofree char *text = g_strdup_printf ("{\"AcquisitionTime\": \"%02d:%02d:%02d.0\"}",
                                               clock / 3600, clock / 60 % 60, clock % 60);

      g_assert_true (g_file_set_contents (path, text, -1, NULL));
    }
  one = run_good (f, " DIR/series.nii.gz");
  same = run_good (f, line->str);
  g_assert_cmpmem (one, VOXELS * sizeof (float), same, VOXELS * sizeof (float));
}

/* A run that fitted nothing fails, says why, and leaves nothing. */
static void
test_nothing (CliFixture *f, gconstpointer data)
{
  if (cli_skip_without_stream (f))
    return;
  put_all (f);
  assert_refused (f, " DIR/series.nii.gz --threshold 1e9", 1,
                  "no voxel was fitted. Of 70 voxels 70 are outside the mask or below the "
                  "threshold. Check the signal model, the mask and the threshold.");
}

/* A mask as TIFF, a page a slice, of labels. */
static void
test_labels (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "labels.tif", NULL), *all = NULL,
                  *some = NULL;
  TiffVariant labels = fixture_variant (WIDTH, HEIGHT, SLICES);
  g_autofree double *values = NULL;
  int outside = 0;

  if (cli_skip_without_stream (f))
    return;
  put_all (f);
  labels.bits = 8;
  for (guint32 seed = 1; outside == 0; seed++)
    {
      g_clear_pointer (&values, g_free);
      values = fixture_write_tiff (path, &labels, seed);
      for (int i = 0; i < VOXELS; i++)
        outside += values[i] == 0;
    }
  all = run_good (f, " DIR/series.nii.gz");
  some = run_good (f, " DIR/series.nii.gz --mask DIR/labels.tif");
  for (int i = 0; i < VOXELS; i++)
    {
      float a = ((float *) all)[i], b = ((float *) some)[i];

      g_assert_true (values[i] == 0 ? isnan (b) : a == b || (isnan (a) && isnan (b)));
    }
}

/* A map never takes the place of what it was computed from. */
static void
test_own_input (CliFixture *f, gconstpointer data)
{
  NiftiVariant series = fixture_nifti_variant (WIDTH, HEIGHT, SLICES, FRAMES),
               volume = fixture_nifti_variant (WIDTH, HEIGHT, SLICES, 1);

  if (cli_skip_without_stream (f))
    return;
  put_file (f, "ka.nii.gz", &series, 0);
  put_file (f, "artery.nii.gz", &volume, -1);
  {
    g_auto (CliResult) run = cli_run (f, "vg run perfusion DIR/ka.nii.gz --signal concentration "
                                         "--inputs artery --artery DIR/artery.nii.gz "
                                         "--backend cpu --out DIR");

    g_assert_cmpint (run.status, ==, 2);
    g_assert_nonnull (strstr (run.errors, "ka.nii.gz"));
  }
}

/* The sample abdomen as a file. */
static void
put_abdomen (CliFixture *f)
{
  const VgSynthetic *synthetic = vg_operation_find ("perfusion")->synthetic;
  VgSyntheticSize size = synthetic->batch;
  void *params = vg_params_new (&vg_operation_find ("perfusion")->params);
  g_autofree char *path = g_build_filename (f->folder, "abdomen.nii", NULL);
  g_autoptr (GByteArray) bytes = NULL;
  g_autofree float *frame = NULL;
  NiftiVariant variant;
  VgImageInfo info;
  gpointer phantom;
  gsize voxels;

  g_assert_true (
      vg_operation_choose_sample (vg_operation_find ("perfusion"), "abdomen", &size, NULL));
  synthetic->settings (&size, params);
  phantom = synthetic->open (params, &size, &info, NULL);
  g_assert_nonnull (phantom);
  g_assert_cmpint (info.type, ==, VG_F32);
  voxels = vg_image_info_page_samples (&info) * (gsize) info.slices;
  frame = g_new (float, voxels);
  variant = fixture_nifti_variant (info.width, info.height, (int) info.slices, (int) info.frames);
  bytes = fixture_nifti (&variant, 1, NULL);
  for (gint64 k = 0; k < info.frames; k++)
    {
      g_assert_true (synthetic->read (phantom, k, frame, NULL));
      for (gsize i = 0; i < voxels; i++)
        fixture_nifti_real (bytes, &variant, 352 + 4 * ((gsize) k * voxels + i), (double) frame[i]);
    }
  synthetic->close (phantom);
  vg_params_free (&vg_operation_find ("perfusion")->params, params);
  fixture_write (path, bytes);
}

/* A run of OPTIONS with --find-regions that succeeds; its summary. */
static JsonNode *
run_find (CliFixture *f, const char *options)
{
  g_autofree char *line = g_strconcat ("vg run perfusion --find-regions --backend cpu --out OUT ",
                                       options, NULL);
  g_auto (CliResult) run = cli_run (f, line);
  JsonNode *summary;

  g_assert_cmpstr (run.status == 0 ? "" : run.errors, ==, "");
  summary = cli_load_summary (f);
  cli_check_notes (json_node_get_object (summary), run.errors);
  return summary;
}

static const char *
find_note (JsonNode *summary, const char *prefix)
{
  JsonArray *notes = json_object_get_array_member (json_node_get_object (summary), "notes");

  for (guint i = 0; i < json_array_get_length (notes); i++)
    if (g_str_has_prefix (json_array_get_string_element (notes, i), prefix))
      return json_array_get_string_element (notes, i);
  return NULL;
}

/* What is found is used and noted, and so is what is not found and what is given. */
static void
test_found (CliFixture *f, gconstpointer data)
{
  g_autoptr (JsonNode) found = NULL, nothing = NULL, given = NULL;
  NiftiVariant variant = fixture_nifti_variant (WIDTH, HEIGHT, SLICES, FRAMES);
  g_autoptr (GByteArray) noise = fixture_nifti (&variant, 1, NULL);
  g_autofree char *path = g_build_filename (f->folder, "noise.nii", NULL), *liver = NULL,
                  *home = g_strdup (g_getenv ("XDG_DATA_HOME"));
  GRand *rand = g_rand_new_with_seed (5);
  JsonObject *params;

  if (cli_skip_without_stream (f))
    return;
  put_all (f);
  put_abdomen (f);
  /* all that is written is in the folder of the results */
  g_setenv ("XDG_DATA_HOME", "/proc/none", TRUE);
  found = run_find (f, "DIR/abdomen.nii --frame-interval-s 2.5 --delays none");
  if (home != NULL)
    g_setenv ("XDG_DATA_HOME", home, TRUE);
  else
    g_unsetenv ("XDG_DATA_HOME");
  params = json_object_get_object_member (json_node_get_object (found), "parameters");
  g_assert_true (g_str_has_prefix (json_object_get_string_member (params, "artery"), "polygon:"));
  g_assert_true (g_str_has_prefix (json_object_get_string_member (params, "portal"), "polygon:"));
  /* one outline does not suit all slices */
  g_assert_cmpstr (json_object_get_string_member (params, "mask"), ==, "liver.nii.gz");
  liver = g_build_filename (f->out, "liver.nii.gz", NULL);
  g_assert_true (g_file_test (liver, G_FILE_TEST_IS_REGULAR));
  g_assert_nonnull (find_note (found, "Artery: "));
  g_assert_nonnull (find_note (found, "Portal vein: "));
  g_assert_nonnull (find_note (found, "Liver: "));
  for (gsize i = 0; i < VOXELS * FRAMES; i++)
    fixture_nifti_real (noise, &variant, 352 + 4 * i, g_rand_double (rand));
  g_rand_free (rand);
  fixture_write (path, noise);
  nothing = run_find (f, "DIR/noise.nii --signal concentration --delays none");
  g_assert_nonnull (find_note (nothing, "No artery was found"));
  given = run_find (f, "DIR/series.nii.gz --signal concentration --inputs artery --delays none "
                       "--artery DIR/artery.nii.gz --mask DIR/artery.nii.gz");
  g_assert_nonnull (find_note (given, "--find-regions had no effect"));
}

/* Too few frames to find vessels, and an operation that finds no regions. */
static void
test_find (CliFixture *f, gconstpointer data)
{
  if (cli_skip_without_stream (f))
    return;
  put_all (f);
  {
    g_auto (CliResult) run = cli_run (f, "vg run perfusion DIR/artery.nii.gz DIR/artery.nii.gz "
                                         "DIR/artery.nii.gz --frame-interval-s 2 --inputs artery "
                                         "--delays none --find-regions --backend cpu --out OUT");

    g_assert_cmpint (run.status, ==, 3);
    g_assert_nonnull (strstr (run.errors, "at least 8 frames"));
  }
  {
    g_auto (CliResult) run = cli_run (f, "vg run flow DIR/artery.nii.gz --find-regions --out OUT");

    g_assert_cmpint (run.status, ==, 2);
    g_assert_nonnull (strstr (run.errors, "--find-regions has no effect on flow"));
  }
}

/* Peak of all programs run so far, bytes. */
static double
peak (void)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_CHILDREN, &usage), ==, 0);
  return 1024.0 * (double) usage.ru_maxrss;
}

static void
run_large (CliFixture *f, int side)
{
  NiftiVariant series = fixture_nifti_variant (side, side, 8, FRAMES);
  g_autofree char *path = g_build_filename (f->folder, "large.nii", NULL);
  g_autoptr (GByteArray) bytes = fixture_nifti (&series, 1, NULL);
  gsize page = (gsize) side * (gsize) side * 8;

  for (gsize i = 0; i < page * FRAMES; i++)
    {
      int x = (int) (i % (gsize) side);

      fixture_nifti_real (bytes, &series, 352 + 4 * i,
                          concentration (x < 2 ? 0 : 3, (int) (i / page)));
    }
  fixture_write (path, bytes);
  g_auto (CliResult) run = cli_run (f, "vivograph run perfusion DIR/large.nii --backend cpu "
                                       "--threads 1 --signal concentration --artery rect:0,0,1,1"
                                       " --portal rect:0,1,1,1 --mask rect:0,0,9,9 --out OUT");
  g_assert_cmpint (run.status, ==, 0);
}

/* Maps are written one after the other, not held all at a time: 17 would be
 * 68 bytes a voxel on top of series (56), engine and four maps (16). */
static void
test_memory (CliFixture *f, gconstpointer data)
{
  const double voxels = 8 * (400 * 400 - 40 * 40);
  double before, each;

  if (SANITIZED)
    {
      g_test_skip ("sanitizers keep what is given back");
      return;
    }
  g_unsetenv ("MALLOC_PERTURB_"); /* it writes to all that is taken */
  run_large (f, 40);
  before = peak ();
  run_large (f, 400);
  each = (peak () - before) / voxels;
  g_test_message ("%.0f bytes a voxel", each);
  g_assert_cmpfloat (each, <, 105); /* 82; held all at a time 125 */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli/volumes/series", CliFixture, NULL, cli_set_up, test_series, cli_tear_down);
  g_test_add ("/cli/volumes/refused", CliFixture, NULL, cli_set_up, test_refused, cli_tear_down);
  g_test_add ("/cli/volumes/order", CliFixture, NULL, cli_set_up, test_order, cli_tear_down);
  g_test_add ("/cli/volumes/nothing", CliFixture, NULL, cli_set_up, test_nothing, cli_tear_down);
  g_test_add ("/cli/volumes/labels", CliFixture, NULL, cli_set_up, test_labels, cli_tear_down);
  g_test_add ("/cli/volumes/memory", CliFixture, NULL, cli_set_up, test_memory, cli_tear_down);
  g_test_add ("/cli/volumes/own-input", CliFixture, NULL, cli_set_up, test_own_input,
              cli_tear_down);
  g_test_add ("/cli/volumes/found", CliFixture, NULL, cli_set_up, test_found, cli_tear_down);
  g_test_add ("/cli/volumes/find", CliFixture, NULL, cli_set_up, test_find, cli_tear_down);
  return g_test_run ();
}
