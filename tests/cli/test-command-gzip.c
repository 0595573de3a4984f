/* SPDX-License-Identifier: MIT */
/* Texts that the built program writes in gzip. */
#include <string.h>
#include "tests/support/data-file.h"
#include "tests/support/app/cli-fixture.h"

static char *
contents (CliFixture *f, const char *name)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* What Python reads of FOLDER/NAME.gz is what FOLDER_PLAIN/NAME holds; the summary lists the
 * compressed one. */
static void
check_packed (CliFixture *f, const char *plain, const char *packed, const char *name)
{
  static const char script[] =
      "import gzip, json, sys\n"
      "a, b = open (sys.argv[1]).read (), gzip.open (sys.argv[2], 'rt').read ()\n"
      "assert a == b and len (a) > 1000\n"
      "if sys.argv[1].endswith ('.geojson'):\n"
      "  assert len (json.loads (b)['features']) > 10\n"
      "s = json.load (open (sys.argv[3]))\n"
      "assert sys.argv[4] in s['files'], s['files']\n";
  g_autofree char *a = g_build_filename (f->folder, plain, name, NULL),
                  *file = g_strconcat (name, ".gz", NULL);
  g_autofree char *b = g_build_filename (f->folder, packed, file, NULL),
                  *summary = g_build_filename (f->folder, packed, "summary.json", NULL);
  g_autofree char *left = g_build_filename (f->folder, packed, name, NULL), *errors = NULL;
  const char *argv[] = { "python3", "-c", script, a, b, summary, file, NULL };
  g_autoptr (GError) error = NULL;
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               &errors, &status, &error));
  g_assert_cmpstr (errors, ==, "");
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  g_assert_false (g_file_test (left, G_FILE_TEST_EXISTS));
}

static void
run_good (CliFixture *f, const char *file, const char *more)
{
  g_autofree char *line = g_strdup_printf (
      "vg run contour %s --backend cpu --force classical --seeding watershed %s", file, more);
  g_auto (CliResult) result = cli_run (f, line);

  g_test_message ("%s: %s", line, result.errors);
  g_assert_cmpint (result.status, ==, 0);
}

/* Texts in gzip are those that are written plain, of a picture and by tiles, and they are read
 * again as such. */
static void
test_gzip (CliFixture *f, gconstpointer data)
{
  g_autofree char *picture = data_file ("contour", "dsb01.tif"),
                  *slide = data_file ("contour", "CMU-1-Small-Region.svs");
  g_autofree char *a = NULL, *b = NULL, *cut = g_build_filename (f->folder, "cut.gz", NULL),
                  *whole = NULL;
  g_autofree char *packed = g_build_filename (f->folder, "gz", "contours.geojson.gz", NULL);
  gsize length;

  if (picture == NULL || slide == NULL)
    return;
  run_good (f, picture, "--iterations 20 --out DIR/plain");
  run_good (f, picture, "--iterations 20 --gzip --out DIR/gz");
  check_packed (f, "plain", "gz", "contours.geojson");
  check_packed (f, "plain", "gz", "objects.csv");
  run_good (f, picture,
            "--iterations 5 --out DIR/of-plain --seeds DIR/plain/contours.geojson --truth "
            "DIR/plain/contours.geojson");
  run_good (f, picture,
            "--iterations 5 --out DIR/of-gz --seeds DIR/gz/contours.geojson.gz --truth "
            "DIR/gz/contours.geojson.gz");
  a = contents (f, "of-plain/objects.csv");
  b = contents (f, "of-gz/objects.csv");
  g_assert_cmpstr (a, ==, b);
  run_good (f, slide,
            "--iterations 5 --region 1350,1750,400,300 --tile 256 --overlap 64 --out DIR/tiles");
  run_good (f, slide,
            "--iterations 5 --region 1350,1750,400,300 --tile 256 --overlap 64 --gzip --out "
            "DIR/tiles-gz");
  check_packed (f, "tiles", "tiles-gz", "contours.geojson");
  check_packed (f, "tiles", "tiles-gz", "objects.csv");
  /* cut short: an error, no half of the nuclei */
  g_assert_true (g_file_get_contents (packed, &whole, &length, NULL));
  g_assert_true (g_file_set_contents (cut, whole, (gssize) length / 2, NULL));
  {
    g_autofree char *line = g_strdup_printf ("vg run contour %s --backend cpu --force classical "
                                             "--seeding watershed --out DIR/cut --seeds DIR/cut.gz",
                                             picture);
    g_auto (CliResult) result = cli_run (f, line);

    g_assert_cmpint (result.status, !=, 0);
    g_assert_nonnull (strstr (result.errors, "ends inside its compressed data"));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli/gzip", CliFixture, NULL, cli_set_up, test_gzip, cli_tear_down);
  return g_test_run ();
}
