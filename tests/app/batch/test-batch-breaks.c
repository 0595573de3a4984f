/* SPDX-License-Identifier: MIT */
/* Recordings whose frames do not all belong together: what has no map, and what the run says. */
#include <math.h>
#include <tiffio.h>
#include "io/write/vg-frame-file.h"
#include "tests/support/app/batch-fixture.h"

/* Writes what a recording tells of its frames: each has its exposure time, and before frame AT the
 * connection was lost, and LOST frames. */
static void
write_index (BatchFixture *f, const double *exposures_ms, int at, int lost)
{
  g_autofree char *index = g_strconcat (f->input, ".jsonl", NULL);
  g_autoptr (GString) lines = g_string_new (NULL);

  g_string_append_printf (lines,
                          VG_RAW_INDEX_BEGIN
                          " \"dtype\": \"<u2\", "
                          "\"shape\": [%d, %d], \"width\": %d, \"height\": %d, \"channels\": 1, "
                          "\"bins\": 1, \"slices\": 1}\n",
                          HEIGHT, WIDTH, WIDTH, HEIGHT);
  for (int i = 0; i < FRAMES; i++)
    g_string_append_printf (lines,
                            "{\"recorded_by\": \"Vivograph\", \"frame\": %d, \"time_s\": %d, "
                            "\"exposure_ms\": %g%s, \"offset\": %zu}\n",
                            i < at ? i : i + lost, i < at ? i : i + lost, exposures_ms[i],
                            i == at ? ", \"interrupted\": true" : "", i * sizeof f->pixels[0]);
  g_assert_true (g_file_set_contents (index, lines->str, -1, NULL));
}

/* A recording with a lost connection and with frames that are missing: no map has frames from both
 * sides, page numbers match frame numbers, and the report names both. */
static void
test_outage (BatchFixture *f, gconstpointer data)
{
  enum { WINDOW = 4, AT = 9, LOST = 3 };
  g_autofree char *maps = NULL;
  double exposures_ms[FRAMES];
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 1.5, .window = WINDOW, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL) };
  float values[PIXELS];
  TIFF *tiff;
  int page = 0;

  for (int i = 0; i < FRAMES; i++)
    exposures_ms[i] = i < FRAMES - 1 ? 8 : 4;
  write_index (f, exposures_ms, AT, LOST);
  g_assert_true (
      batch_run (f, &fake_operation, params, &watch, VG_BACKEND_CPU, NULL, NULL, &error));
  g_assert_no_error (error);
  maps = g_build_filename (f->out, "total.tif", NULL);
  tiff = TIFFOpen (maps, "r");
  g_assert_nonnull (tiff);
  do
    {
      const int frame = page + WINDOW - 1;

      g_assert_cmpint (TIFFReadScanline (tiff, values, 0, 0), ==, 1);
      if ((frame >= AT && frame < AT + WINDOW - 1) || frame == FRAMES - 1)
        g_assert_true (isnan (values[0]));
      else
        g_assert_cmpfloat (values[0], ==, batch_expected (f, params, page, 0));
      page++;
    }
  while (TIFFReadDirectory (tiff));
  TIFFClose (tiff);
  g_assert_cmpint (page, ==, FRAMES - WINDOW + 1);
  g_assert_nonnull (strstr (watch.notices->str,
                            "Of 23 frames that the source sent, 3 are missing in the recording."));
  g_assert_nonnull (strstr (watch.notices->str, "The connection to the source was lost 1 time."));
  g_assert_nonnull (strstr (watch.notices->str, "The exposure time was changed 1 time."));
  g_string_free (watch.notices, TRUE);
}

/* Frames in a cycle of exposure times break off nothing for an operation that wants them so. */
static void
test_cycle (BatchFixture *f, gconstpointer data)
{
  VgOperation operation = fake_operation;
  double exposures_ms[FRAMES];

  for (int i = 0; i < FRAMES; i++)
    exposures_ms[i] = 1 << i % 5;
  write_index (f, exposures_ms, FRAMES, 0);
  for (int cycle = 0; cycle < 2; cycle++)
    {
      FakeParams params = { .gain = 1, .window = 1 + cycle, .steps = 1 };
      BatchWatch watch = { .notices = g_string_new (NULL) };
      g_autoptr (GError) error = NULL;

      if (cycle)
        operation.input.exposure_cycle = (VgCondition){ "steps", 1 << 1 };
      g_assert_true (batch_run (f, &operation, params, &watch, VG_BACKEND_CPU, NULL, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpint (strstr (watch.notices->str, "The exposure time was changed") == NULL, ==,
                       cycle);
      g_string_free (watch.notices, TRUE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/batch-breaks/outage", BatchFixture, NULL, batch_set_up, test_outage,
              batch_tear_down);
  g_test_add ("/batch-breaks/cycle", BatchFixture, NULL, batch_set_up, test_cycle, batch_tear_down);
  return g_test_run ();
}
