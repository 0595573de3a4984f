/* SPDX-License-Identifier: MIT */
/* A slide by tiles gives what it gives in one piece.  Needs OpenSlide. */
#include "app/batch/vg-batch.h"
#include "tests/support/sanitized.h"
#include "tests/support/app/objects-fixture.h"
#include "tests/support/io/slide-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include "app/session/vg-checkpoint-text.h"
#include "io/write/vg-output-file.h"
#include "io/write/vg-frame-file.h"
#include "app/session/vg-session.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tiffio.h>

enum {
  WIDTH = SANITIZED ? 516 : 700,
  HEIGHT = SANITIZED ? 512 : 600,
  TILE = 256,
  ITERATIONS = SANITIZED ? 12 : 60
};

static char *folder;

/* The pixels from (X, Y) on; white beyond. */
static void
fill_image (gint64 x, gint64 y, int side, guint8 *rgb, gpointer data)
{
  const VgImage *image = data;

  memset (rgb, 255, 3 * (gsize) side * (gsize) side);
  for (gint64 v = y; v < MIN (y + side, image->info.height); v++)
    for (gint64 u = x; u < MIN (x + side, image->info.width); u++)
      memcpy (rgb + 3 * ((v - y) * side + u - x),
              (const guint8 *) image->data + 3 * (v * image->info.width + u), 3);
}

static char *
write_slide (const char *name, VgImage *image)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (image->info.type, ==, VG_U8);
  slide_fixture_write (path, image->info.width, image->info.height, 2, fill_image, image);
  return path;
}

/* A plain TIFF of the same picture. */
static char *
write_plain (const char *name, const VgImage *image)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  VgFrameFile *writer = vg_frame_file_new (path, TRUE, &image->info, &error);
  const double *size = image->info.pixel_size;
  g_autofree char *text = g_strdup_printf (
      "{\"recorded_by\": \"Vivograph\", \"pixel_width\": %.17g, "
      "\"pixel_height\": %.17g, \"pixel_unit\": \"%s\"}",
      size[0], size[1], image->info.pixel_unit);

  g_assert_no_error (error);
  g_assert_true (vg_frame_file_add (writer, image->data, text, &error));
  g_assert_true (vg_frame_file_commit (writer, &error));
  vg_frame_file_free (writer);
  return path;
}

/* The settings of a run.  With sanitizers the network would take minutes; its own tests have it
 * there. */
static void *
new_params (void)
{
  const VgOperation *operation = vg_operation_find ("contour");
  void *params = vg_params_new (&operation->params);

  if (SANITIZED)
    g_assert_true (
        vg_param_parse (vg_params_find (&operation->params, "force"), params, "classical", NULL));
  return params;
}

typedef struct
{
  const char *name, *read_options;
  int tile, overlap, iterations;
  const char *truth, *seeds;
  GCancellable *cancellable;
  const VgExportOptions *options;
} Settings;

static char *
run (const char *input, const Settings *settings, GError **error)
{
  const VgOperation *operation = vg_operation_find ("contour");
  char *out = g_build_filename (folder, settings->name, NULL);
  const char *const inputs[] = { input, NULL };
  void *params = new_params ();
  g_autofree char *iterations = g_strdup_printf ("%d", settings->iterations);
  g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, 2, NULL);
  VgBatchJob job = { .params = params,
                     .inputs = inputs,
                     .folder = out,
                     .read_options = settings->read_options,
                     .tile_px = settings->tile,
                     .overlap_px = settings->overlap,
                     .cancellable = settings->cancellable,
                     .options = settings->options };

  g_assert_true (
      vg_param_parse (vg_params_find (&operation->params, "iterations"), params, iterations, NULL));
  if (settings->truth)
    g_assert_true (vg_param_parse (vg_params_find (&operation->params, "truth"), params,
                                   settings->truth, NULL));
  if (settings->seeds)
    g_assert_true (vg_param_parse (vg_params_find (&operation->params, "seeds"), params,
                                   settings->seeds, NULL));
  if (!vg_batch_run (&job, work, error))
    g_clear_pointer (&out, g_free);
  vg_params_free (&operation->params, params);
  return out;
}

static double
mean_of_table (const char *out)
{
  g_autoptr (GArray) rows = objects_rows (out);
  double sum = 0;

  for (guint i = 0; i < rows->len; i++)
    sum += g_array_index (rows, ObjectRow, i).values[5];
  return sum / rows->len;
}

/* The rows of the table with that verdict. */
static guint
count_correct (const char *out)
{
  g_autofree char *path = g_build_filename (out, "objects.csv", NULL), *table = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &table, NULL, NULL));
  for (const char *at = strstr (table, ",correct,"); at != NULL; at = strstr (at + 1, ",correct,"))
    n++;
  return n;
}

/* One piece, one tile, many tiles; with scores against the first. */
static void
test_same (void)
{
  g_autoptr (VgImage) image = objects_picture (WIDTH, HEIGHT);
  g_autofree char *plain = write_plain ("plain.tif", image),
                  *slide = write_slide ("slide.tif", image), *truth = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *whole = run (plain, &(Settings){ .name = "whole", .iterations = ITERATIONS },
                                &error);
  static const char *const counts[] = { "seeds",    "seeds_outside", "split",
                                        "vanished", "faint",         "merged" };
  g_autofree char *one = NULL, *many = NULL;

  g_assert_no_error (error);
  truth = g_build_filename (whole, "contours.geojson", NULL);
  one = run (slide, &(Settings){ .name = "one", .iterations = ITERATIONS }, &error);
  g_assert_no_error (error);
  many = run (slide,
              &(Settings){ .name = "many", .iterations = ITERATIONS, .tile = TILE, .truth = truth },
              &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (objects_result (many, "objects"), >, WIDTH * HEIGHT / 1000.0);
  g_assert_cmpfloat (objects_result (many, "seeds_s"), >, 0);
  g_assert_cmpfloat (objects_result (many, "merging_s"), >, 0);
  g_assert_cmpfloat (objects_result (many, "after_seeds_s"), >=,
                     objects_result (many, "evolution_s") + objects_result (many, "merging_s"));
  objects_compare (whole, one, TRUE);
  g_assert_cmpfloat_with_epsilon (objects_result (whole, "mean_area"), mean_of_table (whole), 1e-3);
  g_assert_cmpfloat_with_epsilon (objects_result (one, "mean_area"), mean_of_table (one), 1e-3);
  objects_compare (whole, many, FALSE);
  g_assert_cmpfloat (objects_different (whole, one, "labels.tif"), ==, 0);
  g_assert_cmpfloat (objects_different (whole, one, "overlap.tif"), ==, 0);
  g_assert_cmpfloat (objects_different (whole, many, "labels.tif"), <, 1e-3);
  g_assert_cmpfloat (objects_result (many, "tiles"), ==,
                     ((WIDTH + TILE - 1) / TILE) * ((HEIGHT + TILE - 1) / TILE));
  g_assert_cmpfloat_with_epsilon (
      objects_result (whole, "mean_area_um2"),
      OBJECTS_PIXEL_UM * OBJECTS_PIXEL_UM * objects_result (whole, "mean_area"), 1e-9);
  g_assert_cmpfloat_with_epsilon (objects_result (whole, "radius_um"),
                                  OBJECTS_PIXEL_UM * objects_result (whole, "radius_px"), 1e-9);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_assert_cmpfloat (objects_result (whole, counts[i]), ==, objects_result (one, counts[i]));
  /* what a core does not have its neighbour has: all are counted once */
  g_assert_cmpfloat (fabs (objects_result (many, "seeds") - objects_result (one, "seeds")), <=, 2);
  /* the slide does not say how large its pixels are */
  g_assert_true (objects_has_column (whole, "area_um2"));
  g_assert_false (objects_has_column (many, "area_um2"));
  g_assert_cmpfloat (objects_result (many, "f1"), >, 0.999);
  g_assert_cmpfloat (objects_result (many, "aji"), >, 0.97);
  /* each row has the verdict that the scores of the whole count */
  g_assert_false (objects_has_column (whole, "verdict"));
  g_assert_true (objects_has_column (many, "verdict"));
  g_assert_cmpfloat (objects_result (many, "correct"), ==, count_correct (many));
}

/* A damaged tile costs what lies in it, and a region elsewhere nothing. */
static void
test_damaged (void)
{
  g_autoptr (VgImage) image = objects_picture (WIDTH, HEIGHT);
  g_autofree char *slide = write_slide ("spoilt.tif", image), *whole = NULL, *elsewhere = NULL,
                  *expected = NULL, *summary = NULL, *told = NULL;
  Settings settings = { .name = "spoilt-region",
                        .iterations = ITERATIONS,
                        .read_options = "region=0,0,250,250" };
  g_autoptr (GError) error = NULL;
  TIFF *tiff = TIFFOpen (slide, "r");
  guint64 offset = TIFFGetStrileOffset (tiff, TIFFComputeTile (tiff, 256, 256, 0, 0));
  guint8 spoilt[64];
  FILE *file;

  TIFFClose (tiff);
  expected = run (slide, &(Settings){ .name = "unspoilt", .iterations = ITERATIONS }, &error);
  g_assert_no_error (error);
  memset (spoilt, 0xff, sizeof spoilt);
  file = fopen (slide, "r+b");
  fseek (file, (long) offset, SEEK_SET);
  g_assert_cmpint (fwrite (spoilt, 1, sizeof spoilt, file), ==, sizeof spoilt);
  fclose (file);
  whole = run (slide, &(Settings){ .name = "spoilt", .iterations = ITERATIONS }, &error);
  g_assert_no_error (error);
  summary = g_build_filename (whole, "summary.json", NULL);
  g_assert_true (g_file_get_contents (summary, &told, NULL, NULL));
  g_assert_nonnull (strstr (told, "spoilt.tif\\\" is damaged"));
  /* the tile is about a sixth of the picture */
  g_assert_cmpfloat (objects_result (whole, "objects"), <,
                     0.95 * objects_result (expected, "objects"));
  g_assert_cmpfloat (objects_result (whole, "objects"), >,
                     0.6 * objects_result (expected, "objects"));
  elsewhere = run (slide, &settings, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (objects_result (elsewhere, "objects"), >, 0);
}

/* Part of a slide in coordinates of the slide, by given seeds. */
static void
test_part (void)
{
  enum { X = WIDTH * 3 / 7, Y = HEIGHT * 5 / 12 };
  g_autofree char *region = g_strdup_printf ("region=%d,%d,%d,%d", X, Y, WIDTH - X, HEIGHT - Y);
  g_autofree char *slide = g_build_filename (folder, "slide.tif", NULL),
                  *seeds = g_build_filename (folder, "one", "contours.geojson", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *all = run (
      slide,
      &(Settings){ .name = "all", .iterations = ITERATIONS / 3, .tile = TILE, .seeds = seeds },
      &error);
  g_autofree char *part = run (
      slide,
      &(Settings){
          .name = "part", .iterations = ITERATIONS / 3, .read_options = region, .seeds = seeds },
      &error);
  g_autofree char *coarse = run (slide,
                                 &(Settings){ .name = "coarse",
                                              .iterations = ITERATIONS / 3,
                                              .read_options = "level=1",
                                              .seeds = seeds },
                                 &error);
  g_autoptr (GArray) a = NULL, b = NULL, c = NULL;
  guint near = 0, within = 0;

  g_assert_no_error (error);
  a = objects_rows (all);
  b = objects_rows (part);
  c = objects_rows (coarse);
  for (guint i = 0; i < b->len; i++)
    {
      const ObjectRow *p = &g_array_index (b, ObjectRow, i);

      g_assert_true (p->values[3] >= X && p->values[3] <= WIDTH && p->values[4] >= Y &&
                     p->values[4] <= HEIGHT);
      for (guint k = 0; k < a->len; k++)
        near += hypot (p->values[3] - g_array_index (a, ObjectRow, k).values[3],
                       p->values[4] - g_array_index (a, ObjectRow, k).values[4]) < 1;
    }
  /* nuclei at the part's edge are cut by it */
  g_assert_cmpuint (b->len, >, (WIDTH - X) * (HEIGHT - Y) / 1400);
  g_assert_cmpuint (near, >, b->len * 3 / 4);
  for (guint i = 0; i < c->len; i++)
    for (guint k = 0; k < a->len; k++)
      within += hypot (g_array_index (c, ObjectRow, i).values[3] -
                           g_array_index (a, ObjectRow, k).values[3],
                       g_array_index (c, ObjectRow, i).values[4] -
                           g_array_index (a, ObjectRow, k).values[4]) < 3;
  g_assert_cmpuint (within, >, a->len * 3 / 4);
}

static double
prepared_radius (VgWork *work, const void *params, VgImage *image)
{
  g_autoptr (VgMetrics) numbers = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (vg_work_prepare (work, params, &image->info, image, &error));
  g_assert_no_error (error);
  numbers = vg_work_results (work, NULL);
  return vg_metrics_find (numbers, "radius_px")->value;
}

/* A new start, and another part, measure nothing anew: the look is white by then. Settings that it
 * depends on do. */
static void
test_looked_at_once (VgWork *work, const VgOperation *operation, void *params, VgImage *image,
                     const char *const *inputs)
{
  double radius = prepared_radius (work, params, image);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) other = NULL;
  g_autofree guint8 *kept = g_memdup2 (image->slide->data, 3 * (gsize) image->slide->info.width *
                                                               (gsize) image->slide->info.height);

  memset (image->slide->data, 255,
          3 * (gsize) image->slide->info.width * (gsize) image->slide->info.height);
  g_assert_cmpfloat (prepared_radius (work, params, image), ==, radius);
  other = vg_work_load_part (operation, params, inputs, "region=10,20,200,200", NULL, image->slide,
                             &error);
  g_assert_no_error (error);
  g_assert_true (other->slide == image->slide);
  g_assert_cmpfloat (prepared_radius (work, params, other), ==, radius);
  memcpy (image->slide->data, kept,
          3 * (gsize) image->slide->info.width * (gsize) image->slide->info.height);
  vg_param_set_number (vg_params_find (&operation->params, "smoothing_px"), params, 4);
  g_assert_cmpfloat (prepared_radius (work, params, image), !=, radius);
  vg_param_set_number (vg_params_find (&operation->params, "smoothing_px"), params, 0);
}

/* A part's nuclei are measured in all of the slide, whether the part is worked on by tiles or in
 * one piece. */
static void
test_measured_once (void)
{
  static const char *const same[] = { "radius_px", "seeds" };
  const VgOperation *operation = vg_operation_find ("contour");
  const char *const inputs[] = { g_build_filename (folder, "slide.tif", NULL), NULL };
  const char *region = "region=40,60,190,170";
  g_autofree char *slide = (char *) inputs[0], *one = g_build_filename (folder, "one", NULL),
                  *tiles = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, 2, NULL);
  g_autoptr (VgImage) image = NULL;
  g_autoptr (VgMetrics) numbers = NULL;
  void *params = new_params ();

  tiles = run (slide, &(Settings){ .name = "part", .iterations = 2, .read_options = region },
               &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (objects_result (tiles, "radius_px"), ==, objects_result (one, "radius_px"));
  image = vg_work_load_dataset (operation, params, inputs, region, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (vg_work_prepare (work, params, &image->info, image, &error));
  numbers = vg_work_results (work, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    g_assert_cmpfloat (vg_metrics_find (numbers, same[i])->value, ==,
                       objects_result (tiles, same[i]));
  test_looked_at_once (work, operation, params, image, inputs);
  /* the part by itself would have another */
  g_clear_pointer (&image->slide, vg_image_unref);
  g_clear_pointer (&numbers, vg_metrics_free);
  g_assert_true (vg_work_prepare (work, params, &image->info, image, &error));
  numbers = vg_work_results (work, NULL);
  g_assert_cmpfloat (
      fabs (vg_metrics_find (numbers, "radius_px")->value / objects_result (tiles, "radius_px") -
            1),
      >, 0.01);
  vg_params_free (&operation->params, params);
}

/* What a session has of a slide's part, `run` gives to the bit: contours that went on over an edit.
 */
static void
test_session (void)
{
  const VgOperation *operation = vg_operation_find ("contour");
  g_autoptr (VgSession) session = vg_session_new (operation);
  g_autofree char *slide = g_build_filename (folder, "slide.tif", NULL),
                  *path = g_build_filename (folder, "part.vivograph", NULL);
  g_autofree char *out = g_build_filename (folder, "session", NULL),
                  *csv = g_build_filename (out, "objects.csv", NULL);
  g_autofree char *name = NULL, *expected = NULL, *found = NULL, *errors = NULL;
  const char *const inputs[] = { slide, NULL };
  const char *argv[] = {
    g_getenv ("VIVOGRAPH_PROGRAM"), "run", "--session", path, "--out", out, "--backend", "cpu", NULL
  };
  g_autoptr (GHashTable) outcomes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, 2, NULL);
  g_autoptr (VgImage) image = NULL;
  g_autoptr (GBytes) checkpoint = NULL;
  int status;

  vg_session_set_inputs (session, inputs);
  vg_session_set_read_options (session, "region=40,60,190,170");
  vg_session_set_number (session, vg_params_find (&operation->params, "iterations"), 20);
  if (SANITIZED)
    vg_session_set_text (session, vg_params_find (&operation->params, "force"), "classical", NULL);
  image = vg_work_load_dataset (operation, vg_session_get_params (session), inputs,
                                vg_session_get_read_options (session), NULL, &error);
  g_assert_no_error (error);
  g_assert_true (
      vg_work_prepare (work, vg_session_get_params (session), &image->info, image, &error));
  for (int edit = 0; edit < 2; edit++)
    {
      if (edit > 0)
        vg_session_set_number (session, vg_params_find (&operation->params, "prior_weight"), 0.1);
      g_assert_cmpint (vg_work_set_params (work, vg_session_get_params (session), &error), !=,
                       VG_WORK_REFUSED);
      while (vg_work_step (work, 1, NULL) == VG_STEP_MORE)
        continue;
    }
  expected = vg_work_text (work, (guint) vg_operation_find_output (operation, "objects"), &name,
                           &error);
  checkpoint = vg_work_checkpoint (work);
  g_hash_table_insert (outcomes, (gpointer) operation, vg_checkpoint_format (checkpoint, &error));
  g_assert_true (vg_session_save (session, path, outcomes, &error));
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL,
                               NULL, &errors, &status, &error));
  g_assert_cmpint (status, ==, 0);
  g_assert_nonnull (strstr (errors, "in one piece, as in the window"));
  g_assert_true (g_file_get_contents (csv, &found, NULL, &error));
  g_assert_cmpstr (found, ==, expected);
}

static void
test_refused (void)
{
  g_autofree char *slide = g_build_filename (folder, "slide.tif", NULL),
                  *plain = g_build_filename (folder, "plain.tif", NULL);
  g_autofree char *out = g_build_filename (folder, "refused", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (VgExportOptions) options = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (run (plain, &(Settings){ .name = "refused", .tile = 256 }, &error));
  fixture_assert_message (error, "for whole slides");
  g_clear_error (&error);
  options = vg_export_options_copy (NULL);
  options->alarm = 1;
  g_assert_null (
      run (slide, &(Settings){ .name = "refused", .tile = 256, .options = options }, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  fixture_assert_message (error, "omit --alarm");
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_null (run (
      slide, &(Settings){ .name = "refused", .tile = 256, .cancellable = cancellable }, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
}

static void
remove_results (void)
{
  g_autofree char *command = g_strdup_printf (
      "rm -rf %s/whole %s/one %s/many %s/all %s/part %s/coarse %s/session", folder, folder, folder,
      folder, folder, folder, folder);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/tiles/same", test_same);
  g_test_add_func ("/tiles/damaged", test_damaged);
  g_test_add_func ("/tiles/part", test_part);
  g_test_add_func ("/tiles/measured-once", test_measured_once);
  g_test_add_func ("/tiles/session", test_session);
  g_test_add_func ("/tiles/refused", test_refused);
  status = g_test_run ();
  remove_results ();
  fixture_remove_folder (folder);
  return status;
}
