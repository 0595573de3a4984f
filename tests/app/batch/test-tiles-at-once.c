/* SPDX-License-Identifier: MIT */
/* Several tiles of a slide at the same time.  Needs OpenSlide. */
#include "app/batch/vg-batch.h"
#include "tests/support/app/objects-fixture.h"
#include "tests/support/io/slide-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <string.h>

enum { SIDE = 700, TILE = 256 };

static void
fill (gint64 x, gint64 y, int side, guint8 *rgb, gpointer data)
{
  const VgImage *image = data;

  memset (rgb, 255, 3 * (gsize) side * (gsize) side);
  for (gint64 v = y; v < MIN (y + side, SIDE); v++)
    for (gint64 u = x; u < MIN (x + side, SIDE); u++)
      memcpy (rgb + 3 * ((v - y) * side + u - x), (const guint8 *) image->data + 3 * (v * SIDE + u),
              3);
}

typedef struct
{
  double last;
  GCancellable *cancellable; /* cancelled in the first tiles; or NULL */
} Progress;

static void
take_progress (double fraction, gint64 maps, gpointer user_data)
{
  Progress *self = user_data;

  g_assert_cmpfloat (fraction, >=, self->last);
  g_assert_cmpfloat (fraction, <=, 1);
  self->last = fraction;
  if (fraction > 0 && self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

static gboolean
run (const char *slide, const char *out, int tile, int threads, Progress *progress, GError **error)
{
  const VgOperation *operation = vg_operation_find ("contour");
  const char *const inputs[] = { slide, NULL };
  void *params = vg_params_new (&operation->params);
  g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, threads, NULL);
  VgBatchJob job = { .params = params,
                     .inputs = inputs,
                     .folder = out,
                     .tile_px = tile,
                     .cancellable = progress->cancellable,
                     .progress = take_progress,
                     .user_data = progress };
  gboolean good;

  g_assert_true (
      vg_param_parse (vg_params_find (&operation->params, "iterations"), params, "20", NULL));
  good = vg_batch_run (&job, work, error);
  vg_params_free (&operation->params, params);
  return good;
}

/* Four tiles at the same time give the same results as one after the other.  When the run is
 * cancelled, all tiles stop, and nothing is written. */
static void
test_at_once (void)
{
  g_autofree char *folder = fixture_folder (),
                  *slide = g_build_filename (folder, "slide.tif", NULL),
                  *one = g_build_filename (folder, "one", NULL),
                  *four = g_build_filename (folder, "four", NULL),
                  *none = g_build_filename (folder, "none", NULL);
  g_autoptr (VgImage) image = objects_picture (SIDE, SIDE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Progress progress = { 0 }, other = { 0 }, cancelled = { .cancellable = cancellable };

  slide_fixture_write (slide, SIDE, SIDE, 2, fill, image);
  g_assert_true (run (slide, one, TILE, 2, &progress, &error));
  g_assert_true (run (slide, four, TILE, 16, &other, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (progress.last, ==, 1);
  g_assert_cmpfloat (other.last, ==, 1);
  g_assert_cmpfloat (objects_result (one, "objects"), >, SIDE * SIDE / 1000.0);
  objects_compare (one, four, TRUE);
  g_assert_cmpfloat (objects_different (one, four, "labels.tif"), ==, 0);
  g_assert_cmpfloat (objects_different (one, four, "overlap.tif"), ==, 0);

  g_assert_false (run (slide, none, TILE, 16, &cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpfloat (cancelled.last, <, 1);
  g_assert_false (g_file_test (none, G_FILE_TEST_EXISTS));
  fixture_remove_folder (g_steal_pointer (&one));
  fixture_remove_folder (g_steal_pointer (&four));
  fixture_remove_folder (g_steal_pointer (&folder));
}

/* Without a chosen side the cores are those of any number of threads, so nuclei have the same
 * numbers. */
static void
test_usual (void)
{
  g_autofree char *folder = fixture_folder (),
                  *slide = g_build_filename (folder, "slide.tif", NULL);
  g_autoptr (VgImage) image = objects_picture (SIDE, SIDE);

  slide_fixture_write (slide, SIDE, SIDE, 2, fill, image);
  for (int threads = 1; threads <= 16; threads *= 4)
    {
      g_autofree char *out = g_strdup_printf ("%s/%d", folder, threads);
      g_autoptr (GError) error = NULL;
      Progress progress = { 0 };

      g_assert_true (run (slide, out, 0, threads, &progress, &error));
      g_assert_no_error (error);
      g_assert_cmpfloat (objects_result (out, "tile_px"), ==, 3072);
      fixture_remove_folder (g_steal_pointer (&out));
    }
  fixture_remove_folder (g_steal_pointer (&folder));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tiles/at-once", test_at_once);
  g_test_add_func ("/tiles/usual", test_usual);
  return g_test_run ();
}
