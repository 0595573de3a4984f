/* SPDX-License-Identifier: MIT */
/* A folder of DICOM files from the command line: its series, and a run that reads one of them. */
#include "io/dicom/vg-dicom-module.h"
#include "kernels/base/vg-placement.h"
#include "tests/support/app/cli-fixture.h"
#include "tests/support/io/dicom-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <utime.h>

enum { SLICES = 2, TIMES = 14, VOXELS = 24 };

/* Every 5 s; the samples of the fixture are this much above their place. */
static const guint16 levels[TIMES] = { 0, 0, 0, 100, 300, 200, 150, 120, 100, 90, 80, 70, 60, 50 };

/* Writes a contrast series of VARIANT, and one image of another series, into DIR/NAME. */
static char *
write_variant (CliFixture *f, const char *name, DicomVariant variant)
{
  char *folder = g_build_filename (f->folder, name, NULL);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  for (int t = 0; t < TIMES; t++)
    for (int z = 0; z < SLICES; z++)
      {
        g_autofree char *file = g_strdup_printf ("%d", (7 * (t * SLICES + z)) % 31);

        variant.instance = 1 + t * SLICES + z;
        variant.z = 3.0 * z;
        variant.time_s = 3600 + 5.0 * t;
        variant.base = levels[t];
        fixture_dicom_write (folder, file, &variant);
      }
  variant.series = 6;
  fixture_dicom_write (folder, "scout", &variant);
  return folder;
}

static char *
write_scan (CliFixture *f)
{
  return write_variant (f, "scan", fixture_dicom_variant ());
}

static void
remove_scan (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
  g_free (folder);
}

static void
test_info (CliFixture *f, gconstpointer data)
{
  char *folder = write_scan (f);

  {
    g_auto (CliResult) all = cli_run (f, "vivograph info DIR/scan"),
                       second = cli_run (f, "vivograph info DIR/scan --series 2"),
                       by_uid = cli_run (f, "vivograph info DIR/scan --series 1.2.3.4.6"),
                       absent = cli_run (f, "vivograph info DIR/scan --series 3"),
                       wrong = cli_run (f, "vivograph info DIR/scan --series 1.x");

    g_assert_cmpint (all.status, ==, 0);
    g_assert_nonnull (strstr (all.output, "2 slices, 14 frames"));
    g_assert_nonnull (strstr (all.output, "Series 2: No. 6"));
    g_assert_cmpint (second.status, ==, 0);
    g_assert_nonnull (strstr (second.output, "Series 2 of 2"));
    g_assert_cmpstr (second.output, ==, by_uid.output);
    g_assert_cmpint (absent.status, ==, 2);
    g_assert_nonnull (strstr (absent.errors, "does not have this series"));
    g_assert_cmpint (wrong.status, ==, 2);
    g_assert_nonnull (strstr (wrong.errors, "not a UID"));
  }
  remove_scan (folder);
}

/* The map NAME, 32-bit floats of both slices. */
static void
read_map (CliFixture *f, const char *name, float *values)
{
  g_autofree char *path = g_build_filename (f->out, name, NULL);
  g_autoptr (VgSource) source = fixture_open (path, FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (source->info.slices, ==, SLICES);
  vg_source_read (source, 0, values, &error);
  g_assert_no_error (error);
}

/* The area in the 60 s from frame 2 on, 12 intervals of the trapezoidal rule, and the checksums of
 * all files that were read, whether the folder is named, one of them, or the series. */
static void
test_run (CliFixture *f, gconstpointer data)
{
  static const char *const ways[] = { "", "/0", "#series=1" };
  char *folder = write_scan (f);

  for (guint way = 0; way < G_N_ELEMENTS (ways); way++)
    {
      g_autofree char *line = g_strdup_printf (
          "vivograph run perfusion DIR/scan%s --inputs artery --signal concentration "
          "--baseline-last 2 --out OUT",
          ways[way]);
      g_auto (CliResult) result = cli_run (f, line);
      float area[SLICES * VOXELS], peak[SLICES * VOXELS];
      g_autofree char *path = g_build_filename (f->out, "summary.json", NULL), *summary = NULL;
      int hashes = 0;

      g_assert_cmpstr (result.errors, !=, NULL);
      g_assert_cmpint (result.status, ==, 0);
      read_map (f, "iauc60.nii.gz", area);
      read_map (f, "peak_enhancement.nii.gz", peak);
      for (int i = 0; i < SLICES * VOXELS; i++)
        {
          int place = i % 6 + 10 * (i / 6 % 4);

          g_assert_cmpfloat_with_epsilon (area[i], 6475 + 60 * place, 0.01);
          g_assert_cmpfloat_with_epsilon (peak[i], 300 + place, 1e-4);
        }
      g_assert_true (g_file_get_contents (path, &summary, NULL, NULL));
      for (const char *at = summary; (at = strstr (at, "\"sha256\" : \"")) != NULL; at++)
        hashes++;
      g_assert_cmpint (hashes, ==, SLICES * TIMES + 1);
    }
  remove_scan (folder);
}

/* Maps written as DICOM are read back with the same values and placement; each is a series. */
static void
test_maps (CliFixture *f, gconstpointer data)
{
  char *folder = write_scan (f);

  {
    g_auto (CliResult) result = cli_run (
        f, "vivograph run perfusion DIR/scan --inputs artery --signal concentration "
           "--baseline-last 2 --format dicom,nifti,nrrd --out OUT");
    float values[SLICES * VOXELS], again[SLICES * VOXELS];
    g_autofree char *path = g_build_filename (f->out, "iauc60.dcm", NULL),
                    *nifti = g_build_filename (f->out, "iauc60.nii.gz", NULL);
    g_autoptr (VgSource) source = NULL, other = NULL;
    const gint64 extent[] = { 6, 4, SLICES };

    g_assert_cmpint (result.status, ==, 0);
    read_map (f, "iauc60.nii.gz", values);
    read_map (f, "iauc60.dcm", again);
    g_assert_cmpmem (again, sizeof again, values, sizeof values);
    read_map (f, "iauc60.nrrd", again);
    g_assert_cmpmem (again, sizeof again, values, sizeof values);
    source = fixture_open (path, FALSE);
    other = fixture_open (nifti, FALSE);
    g_assert_cmpint (source->info.frames, ==, 1);
    g_assert_cmpint (source->info.series_available, >, 10);
    g_assert_nonnull (strstr (source->details, "No. 519, MR, Initial area IAUC60"));
    g_assert_true (source->info.placement.known && other->info.placement.known);
    g_assert_cmpfloat (
        vg_placement_apart (&source->info.placement, &other->info.placement, extent, NULL), <,
        1e-6);
  }
  remove_scan (folder);
}

/* A map that does not fit on the disk is an error, also if it fits into the buffer of the file. */
static void
test_full_disk (CliFixture *f, gconstpointer data)
{
  static const float values[24 * 24];
  const char *unusable = NULL;
  const VgDicomModule *module = vg_dicom_module_get (&unusable);
  g_autofree char *path = g_build_filename (f->folder, "map", NULL), *none = NULL;
  VgDicomMap map = { .id = "map",
                     .label = "Map",
                     .unit = "s",
                     .number = 1,
                     .values = values,
                     .grid.matrix = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
  VgDicomStudy *study;

  g_assert_cmpstr (unusable, ==, NULL);
  study = module->study_new (NULL, "MR", FALSE, &none);
  g_assert_nonnull (study);
  for (int side = 1; side <= 24; side += 23)
    {
      g_autofree char *reason = NULL;

      map.grid.width = map.grid.height = side;
      map.grid.slices = 1;
      g_assert_true (module->write (study, path, &map, &none));
      g_assert_cmpstr (none, ==, NULL);
      if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
        continue;
      g_assert_false (module->write (study, "/dev/full", &map, &reason));
      g_assert_nonnull (reason);
    }
  module->study_free (study);
  g_unlink (path);
}

/* Slices that are named one by one are moments, and a caution says so. */
static void
test_one_by_one (CliFixture *f, gconstpointer data)
{
  char *folder = write_scan (f);

  {
    g_auto (CliResult) result = cli_run (
        f, "vivograph run perfusion DIR/scan/0 DIR/scan/14 --inputs artery --out OUT");

    g_assert_nonnull (strstr (result.errors, "a separate time point"));
  }
  remove_scan (folder);
}

/* Without repetition time and flip angle the signal model is assumed, and a note says so, unless
 * the user has chosen it. */
static void
test_no_pulses (CliFixture *f, gconstpointer data)
{
  DicomVariant variant = fixture_dicom_variant ();
  char *stated = write_scan (f), *folder;

  variant.no_pulses = TRUE;
  folder = write_variant (f, "bare", variant);
  {
    static const char run[] = "--inputs artery --format none --out OUT";
    g_auto (CliResult) known = cli_run (f, "vivograph info DIR/scan"),
                       unknown = cli_run (f, "vivograph info DIR/bare");
    g_autofree char *bare = g_strconcat ("vivograph run perfusion DIR/bare ", run, NULL),
                    *chosen = g_strconcat (bare, " --signal linear", NULL);
    g_auto (CliResult) assumed = cli_run (f, bare), linear = cli_run (f, chosen);

    g_assert_null (strstr (known.output, "flip angle or both are not known"));
    g_assert_nonnull (strstr (unknown.output, "flip angle or both are not known"));
    g_assert_cmpint (assumed.status, ==, 0);
    g_assert_cmpint (linear.status, ==, 0);
    g_assert_nonnull (strstr (assumed.errors, "lack the repetition time"));
    g_assert_null (strstr (linear.errors, "lack the repetition time"));
  }
  remove_scan (stated);
  remove_scan (folder);
}

/* The number in the row of REGION and the column that begins with HEADING. */
static double
find_cell (char **lines, const char *region, const char *heading)
{
  g_auto (GStrv) heads = g_strsplit (lines[0], ",", -1);
  guint column = 0;

  while (heads[column] != NULL && !g_str_has_prefix (heads[column], heading))
    column++;
  for (guint i = 1; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);

      if (g_strv_length (cells) > column && g_str_equal (cells[2], region))
        return *cells[column] != '\0' ? g_ascii_strtod (cells[column], NULL) : (double) NAN;
    }
  g_assert_not_reached ();
}

/* The row of all slices has the median and the quartiles of all voxels, not those of the slices:
 * the areas are 6475 + 60 place, and the places 0, 1, 2, 3 in one slice and 5 in the other. */
static void
test_all_slices (CliFixture *f, gconstpointer data)
{
  char *folder = write_scan (f);
  g_autofree char *rois = g_build_filename (f->folder, "rois.txt", NULL);

  g_assert_true (
      g_file_set_contents (rois, "rect:0,0,4,1@0 Lesion\nrect:5,0,1,1@1 Lesion\n", -1, NULL));
  {
    g_auto (CliResult) result = cli_run (
        f, "vivograph run perfusion DIR/scan --rois DIR/rois.txt --inputs artery --signal "
           "concentration --baseline-last 2 --format none --out OUT");
    g_autofree char *path = g_build_filename (f->out, "regions.csv", NULL), *text = NULL;
    g_auto (GStrv) lines = NULL;

    g_assert_cmpint (result.status, ==, 0);
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    lines = g_strsplit (text, "\n", -1);
    g_assert_cmpfloat_with_epsilon (find_cell (lines, "\"Lesion\"", "iauc60 mean"), 6607, 0.01);
    g_assert_cmpfloat_with_epsilon (find_cell (lines, "\"Lesion\"", "iauc60 q25"), 6535, 0.01);
    g_assert_cmpfloat_with_epsilon (find_cell (lines, "\"Lesion\"", "iauc60 median"), 6595, 0.01);
    g_assert_cmpfloat_with_epsilon (find_cell (lines, "\"Lesion\"", "iauc60 q75"), 6655, 0.01);
  }
  g_unlink (rois);
  remove_scan (folder);
}

/* Two patients do not form a series.  Two studies of one patient do, with a caution. */
static void
test_join (CliFixture *f, gconstpointer data)
{
  DicomVariant variant = fixture_dicom_variant ();
  char *first, *second, *third;

  variant.patient = "One";
  first = write_variant (f, "first", variant);
  variant.study = 4;
  second = write_variant (f, "second", variant);
  variant.patient = "Two";
  third = write_variant (f, "third", variant);
  {
    static const char line[] = "vivograph run perfusion DIR/first DIR/%s --series 1 --inputs "
                               "artery --signal linear --format none --out OUT";
    g_autofree char *patients = g_strdup_printf (line, "third"),
                    *studies = g_strdup_printf (line, "second"),
                    *same = g_strdup_printf (line, "first");
    g_auto (CliResult) refused = cli_run (f, patients), warned = cli_run (f, studies),
                       joined = cli_run (f, same);

    g_assert_cmpint (refused.status, ==, 3);
    g_assert_nonnull (strstr (refused.errors, "of different patients"));
    g_assert_cmpint (warned.status, ==, 0);
    g_assert_nonnull (strstr (warned.errors, "of different studies"));
    g_assert_cmpint (joined.status, ==, 0);
    g_assert_null (strstr (joined.errors, "of different"));
  }
  remove_scan (first);
  remove_scan (second);
  remove_scan (third);
}

/* A row of a study that names a folder is computed again when a file is added, also one with an old
 * date; else it is not. */
static void
test_study (CliFixture *f, gconstpointer data)
{
  static const char line[] = "vivograph run perfusion --list DIR/study.csv --resume --inputs "
                             "artery --signal concentration --baseline-last 2 --out OUT";
  const struct utimbuf old = { 1000000000, 1000000000 };
  char *folder = write_scan (f);
  g_autofree char *table = g_build_filename (f->folder, "study.csv", NULL),
                  *more = g_build_filename (folder, "more", NULL),
                  *path = g_build_filename (f->out, "a", "summary.json", NULL);
  DicomVariant variant = fixture_dicom_variant ();
  GStatBuf found[3];

  g_assert_true (g_file_set_contents (table, "file,name\nscan,a\n", -1, NULL));
  for (int i = 0; i < 3; i++)
    {
      g_auto (CliResult) result = { 0 };

      if (i == 2)
        {
          variant.series = 6;
          variant.instance = 2;
          fixture_dicom_write (folder, "more", &variant);
          g_assert_cmpint (g_utime (more, (struct utimbuf *) &old), ==, 0);
        }
      result = cli_run (f, line);
      g_assert_cmpint (result.status, ==, 0);
      g_assert_cmpint (g_stat (path, &found[i]), ==, 0);
    }
  g_assert_cmpint (found[1].st_mtim.tv_nsec, ==, found[0].st_mtim.tv_nsec);
  g_assert_cmpint (found[2].st_mtim.tv_nsec, !=, found[0].st_mtim.tv_nsec);
  remove_scan (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli/dicom/info", CliFixture, NULL, cli_set_up, test_info, cli_tear_down);
  g_test_add ("/cli/dicom/run", CliFixture, NULL, cli_set_up, test_run, cli_tear_down);
  g_test_add ("/cli/dicom/maps", CliFixture, NULL, cli_set_up, test_maps, cli_tear_down);
  g_test_add ("/cli/dicom/study", CliFixture, NULL, cli_set_up, test_study, cli_tear_down);
  g_test_add ("/cli/dicom/full-disk", CliFixture, NULL, cli_set_up, test_full_disk, cli_tear_down);
  g_test_add ("/cli/dicom/one-by-one", CliFixture, NULL, cli_set_up, test_one_by_one,
              cli_tear_down);
  g_test_add ("/cli/dicom/no-pulses", CliFixture, NULL, cli_set_up, test_no_pulses, cli_tear_down);
  g_test_add ("/cli/dicom/all-slices", CliFixture, NULL, cli_set_up, test_all_slices,
              cli_tear_down);
  g_test_add ("/cli/dicom/join", CliFixture, NULL, cli_set_up, test_join, cli_tear_down);
  return g_test_run ();
}
