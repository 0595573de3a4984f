/* SPDX-License-Identifier: MIT */
/* Tables of curves as text: separators, names, units, and what is refused. */
#include "tests/support/io/tiff-fixture.h"
#include "io/source/vg-source.h"
#include <glib/gstdio.h>
#include <string.h>

static char *folder;

static VgImage *
load (const char *text, gssize length, const VgSourceOptions *options, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "table.csv", NULL);

  g_assert_true (g_file_set_contents (path, text, length, NULL));
  return vg_image_load (path, VG_FILE_IMAGE, options, error);
}

static const VgSourceOptions as_curves = { .curves = TRUE, .channels = TRUE };

/* All of these have the times 0, 1.5 and 3 s, and 2 curves. */
static void
test_tables (void)
{
  static const char *const texts[] = {
    "time_s,a b,c\n0,1,-2\n1.5,1.25,0\n3,1e2,4\n",
    "\xef\xbb\xbftime,a b,c\r\n0,1,-2\r\n1.5,1.25,0\r\n3,1e2,4",
    "# of a phantom\n\n\"t (min)\";\"a b\";c;\n0;1;-2;\n0,025;1,25;0;\n0,05;100;4;\n",
    "t_ms\ta b\tc\n0\t1\t-2\n1500\t1,25\t0\n3000\t100\t4\n\n",
    "time, \"a b\" , c\r0, 1, -2\r1.5, 1.25, 0\r3, 100, 4\r",
    "time \"a b\" c\n 0   1 -2\n1.5 1.25 0 \n3 100 4\n",
    "Time [Minutes];a b;c\n0;1;-2\n0,025;1,25;0\n0,05;100;4\n",
    "t - t_min (sec),a b,c\n0,1,-2\n1.5,1.25,0\n3,1e2,4\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgImage) image = load (texts[i], -1, &as_curves, &error);
      static const float values[] = { 1, -2, 1.25f, 0, 100, 4 };

      g_assert_no_error (error);
      g_assert_true (image->info.curves);
      g_assert_cmpint (image->info.width, ==, 2);
      g_assert_cmpint (image->info.height * image->info.bins * image->info.slices, ==, 1);
      g_assert_cmpint (image->info.frames, ==, 3);
      for (int frame = 0; frame < 3; frame++)
        g_assert_cmpfloat_with_epsilon (image->times_s[frame], 1.5 * frame, 1e-12);
      g_assert_cmpmem (image->data, 6 * sizeof (float), values, sizeof values);
      g_assert_cmpstr (image->names[0], ==, "a b");
      g_assert_cmpstr (image->names[1], ==, "c");
      g_assert_null (image->names[2]);
    }
}

/* Curves without a name are numbered; names are kept as text. */
static void
test_names (void)
{
  static const struct
  {
    const char *text, *names[3];
  } tables[] = {
    { "0,1,2,3\n1,2,3,4\n", { "curve 1", "curve 2", "curve 3" } },
    { "t,,\"say \"\"x, y\"\"\",=1+1\n0,1,2,3\n1,2,3,4\n", { "curve 1", "say \"x, y\"", "=1+1" } },
    { "t;\xc3\xa4;\xff;same\n0;1;2;3\n1;2;3;4\n", { "\xc3\xa4", "\xef\xbf\xbd", "same" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autoptr (VgImage) image = load (tables[i].text, -1, &as_curves, NULL);

      for (int x = 0; x < 3; x++)
        g_assert_cmpstr (image->names[x], ==, tables[i].names[x]);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *text, *message;
  } tables[] = {
    { "t,a\n0,1\n1,2,3\n", "line 3 has 3 cells, but the first line has 2" },
    { "t,a,b\n0,1,2\n1,2\n", "line 3 has 2 cells, but the first line has 3" },
    { "t,a\n0,1\n,2\n", "line 3 has no text as its time" },
    { "t,a\n0,1\nx,2\n", "line 3 has \"x\" as its time" },
    { "t,a\n0,1\n0,2\n", "line 3 is at 0 s, but the line before it at 0 s" },
    { "t,a\n2,1\n1,2\n", "line 3 is at 1 s, but the line before it at 2 s" },
    { "t,a\n0,1\n1,nan\n", "line 3 has \"nan\" in curve \"a\", not a number" },
    { "t,a\n0,1\n1,\n", "line 3 has an empty cell in curve \"a\"" },
    { "0,1\n1,inf\n", "line 2 has \"inf\" in curve 1" },
    { "0,1\n1,1e39\n", "line 2 has \"1e39\" in curve 1" },
    { "0;1\n1;1,5,2\n", "line 2 has \"1,5,2\" in curve 1" },
    { "t,a\n0,1\n", "after 1 times" },
    { "t (h),a\n0,1\n1,2\n", "unknown unit, \"h\"" },
    { "t (\302\265s),a\n0,1\n1,2\n", "unknown unit" },
    { "time,a\n", "after 0 times" },
    { "1\n2\n3\n", "line 1 has one column" },
    { "\xff\xfet\0,\0a\0", "zero bytes" },
    { "{\"a\": 1}", "JSON" },
    { "<html>", "not in a format that Vivograph knows" },
    { "\x01\x02\x03", "not in a format that Vivograph knows" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (
          load (tables[i].text, tables[i].text[0] == '\xff' ? 8 : -1, &as_curves, &error));
      fixture_assert_message (error, tables[i].message);
    }
}

/* A million columns are refused at once; the most that are read, are. */
static void
test_wide (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) image = NULL;

  for (int row = 0; row < 2; row++)
    {
      g_string_append_printf (text, "%d", row);
      for (int i = 0; i < 65536; i++)
        g_string_append (text, ",5");
      g_string_append_c (text, '\n');
    }
  image = load (text->str, -1, &as_curves, &error);
  g_assert_no_error (error);
  g_assert_cmpint (image->info.width, ==, 65536);
  g_string_assign (text, "time");
  for (int i = 0; i < 1000000; i++)
    g_string_append (text, ",a");
  g_assert_null (load (text->str, -1, &as_curves, &error));
  fixture_assert_message (error, "line 1 has more than 65536 curves");
}

/* Without an operation, three columns are curves and two a decay; an operation that takes no curves
 * reads both as a decay.  A table is no part of a series. */
static void
test_other_uses (void)
{
  static const char two[] = "0,1\n1,2\n2,3\n3,4\n", three[] = "0,1,2\n1,2,3\n2,3,4\n3,4,5\n";
  static const char words[] = "Measured IRF, channel 1 of 2\n0 12\n1 15\n2 14\n3 2\n";
  VgSourceOptions bins = { .bins = TRUE }, grey = { .channels = TRUE },
                  series = { .curves = TRUE, .in_series = TRUE };
  g_autoptr (VgImage) decay = load (two, -1, NULL, NULL), curves = load (three, -1, NULL, NULL),
                      one = load (two, -1, &as_curves, NULL),
                      by_bins = load (three, -1, &bins, NULL),
                      as_grey = load (three, -1, &grey, NULL),
                      headed = load (words, -1, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (!decay->info.curves && decay->info.bins == 4);
  g_assert_true (curves->info.curves && curves->info.width == 2);
  g_assert_true (headed != NULL && !headed->info.curves && headed->info.bins == 4);
  g_assert_true (one->info.curves && one->info.width == 1 && one->info.frames == 4);
  g_assert_true (!by_bins->info.curves && by_bins->info.bins == 4);
  g_assert_true (!as_grey->info.curves && as_grey->info.bins == 4);
  g_assert_null (load (three, -1, &series, &error));
  fixture_assert_message (error, "open it alone");
}

/* A table with more lines than are read is refused with their number, whether curves were asked for
 * or not. */
static void
test_long (void)
{
  static const VgSourceOptions any = { 0 };
  const VgSourceOptions *const options[] = { &as_curves, &any };
  g_autoptr (GString) text = g_string_new ("time,a,b\n");

  for (int i = 0; i < 65536; i++)
    g_string_append_printf (text, "%d,1,2\n", i);
  g_string_append (text, "# the end\n"); /* a comment is no time */
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgImage) image = load (text->str, -1, options[i], &error);

      g_assert_no_error (error);
      g_assert_cmpint (image->info.frames, ==, 65536);
    }
  g_string_append (text, "70000,1,2\n70001,1,2\n\n"); /* the empty line counts */
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (load (text->str, -1, options[i], &error));
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, "has 65541 lines"));
      g_assert_nonnull (strstr (error->message, "at most 65536"));
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("vg-table-XXXXXX", NULL);
  g_test_add_func ("/curve-table/tables", test_tables);
  g_test_add_func ("/curve-table/names", test_names);
  g_test_add_func ("/curve-table/refused", test_refused);
  g_test_add_func ("/curve-table/wide", test_wide);
  g_test_add_func ("/curve-table/other-uses", test_other_uses);
  g_test_add_func ("/curve-table/long", test_long);
  status = g_test_run ();
  {
    g_autofree char *path = g_build_filename (folder, "table.csv", NULL);

    g_unlink (path);
    g_rmdir (folder);
  }
  g_free (folder);
  return status;
}
