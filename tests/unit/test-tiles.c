/* SPDX-License-Identifier: MIT */
/* A slide by tiles gives what it gives in one piece; its memory goes with the
 * tile.  Needs OpenSlide. */
#include "vg-batch.h"
#include "../sanitized.h"
#include "slide-fixture.h"
#include "tiff-fixture.h"
#include "vg-output-file.h"
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <tiffio.h>

enum { WIDTH = SANITIZED ? 516 : 700, HEIGHT = SANITIZED ? 512 : 600, TILE = 256, ITERATIONS = SANITIZED ? 30 : 60 };
#define PIXEL_UM 0.5   /* of the synthetic picture */

static char *folder;

/* Nuclei on a ground, of a size that the seeds are to find by themselves. */
static VgImage *
nuclei (int width, int height)
{
  const VgOperation *operation = vg_operation_find ("contour");
  void *params = vg_params_new (&operation->params);
  VgSyntheticSize size = { width, height, 1, 3 };
  g_autoptr (GError) error = NULL;
  VgImage *image = vg_work_load_dataset (operation, params, NULL, NULL, &size, &error);

  g_assert_no_error (error);
  vg_params_free (&operation->params, params);
  return image;
}

/* The pixels from (X, Y) on; white beyond. */
static void
fill_image (gint64 x, gint64 y, int side, guint8 *rgb, gpointer data)
{
  const VgImage *image = data;

  memset (rgb, 255, 3 * (gsize) side * (gsize) side);
  for (gint64 v = y; v < MIN (y + side, image->info.height); v++)
    for (gint64 u = x; u < MIN (x + side, image->info.width); u++)
      memcpy (rgb + 3 * ((v - y) * side + u - x), (const guint8 *) image->data + 3 * (v * image->info.width + u), 3);
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
  VgTiffWriter *writer = vg_tiff_writer_new_raw (path, &image->info, 1, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (vg_tiff_writer_add (writer, image->data, &error));
  g_assert_true (vg_tiff_writer_commit (writer, &error));
  vg_tiff_writer_free (writer);
  return path;
}

/* In the order of a row's values; the last is the number of partners. */
static const char *const row_names[] = { "id", "seed_x", "seed_y", "x", "y", "area_px2", "perimeter_px", "major_px", "minor_px", "eccentricity",
                                         "angle_degrees", "mean_stain", "mean_od", "overlap_px2", "partners" };
static const char *const um_names[] = { "area_um2", "perimeter_um", "major_um", "minor_um", "overlap_um2" };
static const int um_of[] = { 5, 6, 7, 8, 13 };

typedef struct
{
  double values[15];
} Row;

static const char *
find_word (char **head, char **words, const char *name)
{
  for (int i = 0; head[i] != NULL; i++)
    if (g_str_equal (head[i], name))
      return words[i];
  g_error ("there is no column %s", name);
}

/* What is in pixels is there in micrometres too, where the input says how large a pixel is. */
static void
check_um (char **head, char **words, const Row *row)
{
  if (!g_strv_contains ((const char *const *) head, um_names[0]))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (um_names); i++)
    {
      double factor = i == 0 || i == 4 ? PIXEL_UM * PIXEL_UM : PIXEL_UM;

      /* either has four digits behind the point */
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (find_word (head, words, um_names[i]), NULL), factor * row->values[um_of[i]], 1e-4);
    }
}

static gboolean
names_column (const char *out, const char *name)
{
  g_autofree char *path = g_build_filename (out, "objects.csv", NULL), *text = NULL;
  g_auto (GStrv) lines = NULL, head = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", 2);
  head = g_strsplit (lines[0], ",", -1);
  return g_strv_contains ((const char *const *) head, name);
}

static GArray *
read_rows (const char *out)
{
  g_autofree char *path = g_build_filename (out, "objects.csv", NULL), *text = NULL;
  g_auto (GStrv) lines = NULL, head = NULL;
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  head = g_strsplit (lines[0], ",", -1);
  for (char **line = lines + 1; *line && **line; line++)
    {
      g_auto (GStrv) words = g_strsplit (*line, ",", -1);
      const char *partners;
      Row row = { { 0 } };

      g_assert_cmpuint (g_strv_length (words), ==, g_strv_length (head));
      partners = find_word (head, words, row_names[14]);
      for (int i = 0; i < 14; i++)
        row.values[i] = g_ascii_strtod (find_word (head, words, row_names[i]), NULL);
      for (const char *at = partners; *at; at++)
        row.values[14] += at == partners || *at == ' ';   /* how many partners */
      check_um (head, words, &row);
      g_array_append_val (rows, row);
    }
  return rows;
}

typedef struct
{
  const char *name, *reading;
  int tile, overlap, iterations;
  const char *truth, *seeds;
  GCancellable *cancellable;
} Settings;

static char *
run (const char *input, const Settings *settings, GError **error)
{
  const VgOperation *operation = vg_operation_find ("contour");
  char *out = g_build_filename (folder, settings->name, NULL);
  const char *const inputs[] = { input, NULL };
  void *params = vg_params_new (&operation->params);
  g_autofree char *iterations = g_strdup_printf ("%d", settings->iterations);
  g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, 2, 0, NULL);
  VgBatchJob job = { .params = params, .inputs = inputs, .folder = out, .reading = settings->reading, .tile_px = settings->tile,
                     .overlap_px = settings->overlap, .cancellable = settings->cancellable };

  g_assert_true (vg_param_parse (vg_params_find (&operation->params, "iterations"), params, iterations, NULL));
  if (settings->truth)
    g_assert_true (vg_param_parse (vg_params_find (&operation->params, "truth"), params, settings->truth, NULL));
  if (settings->seeds)
    g_assert_true (vg_param_parse (vg_params_find (&operation->params, "seeds"), params, settings->seeds, NULL));
  if (!vg_batch_run (&job, work, error))
    g_clear_pointer (&out, g_free);
  vg_params_free (&operation->params, params);
  return out;
}

/* The outer ring of each nucleus, in the order of the rows. */
static GPtrArray *
read_outlines (const char *out)
{
  g_autofree char *path = g_build_filename (out, "contours.geojson", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  GPtrArray *outlines = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  JsonArray *features;

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  features = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "features");
  for (guint i = 0; i < json_array_get_length (features); i++)
    {
      JsonObject *geometry = json_object_get_object_member (json_array_get_object_element (features, i), "geometry");
      JsonArray *ring = json_array_get_array_element (json_object_get_array_member (geometry, "coordinates"), 0);
      GArray *points = g_array_new (FALSE, FALSE, 2 * sizeof (double));

      g_assert_cmpuint (json_array_get_length (ring), >, 3);
      for (guint k = 0; k < json_array_get_length (ring); k++)
        {
          JsonArray *at = json_array_get_array_element (ring, k);
          double point[2] = { json_array_get_double_element (at, 0), json_array_get_double_element (at, 1) };

          g_array_append_val (points, point);
        }
      g_ptr_array_add (outlines, points);
    }
  return outlines;
}

/* From the point of A that is farthest from the closed line B. */
static double
farthest (const GArray *a, const GArray *b)
{
  double most = 0;

  for (guint i = 0; i < a->len; i++)
    {
      const double *p = (const double *) a->data + 2 * i;
      double least = INFINITY;

      for (guint k = 0; k + 1 < b->len; k++)
        {
          const double *q = (const double *) b->data + 2 * k;
          double dx = q[2] - q[0], dy = q[3] - q[1], length = dx * dx + dy * dy;
          double t = length > 0 ? CLAMP (((p[0] - q[0]) * dx + (p[1] - q[1]) * dy) / length, 0, 1) : 0;

          least = MIN (least, hypot (p[0] - q[0] - t * dx, p[1] - q[1] - t * dy));
        }
      most = MAX (most, least);
    }
  return most;
}

/* Every row of A has its like in B, which has no other.  EXACT: the very same;
 * else the outlines are within 0.1 px but for one in two hundred, whose
 * neighbours' neighbours a halo cuts, and all are within 1 px. */
static void
compare (const char *of_a, const char *of_b, gboolean exact)
{
  g_autoptr (GArray) a = read_rows (of_a), b = read_rows (of_b);
  g_autoptr (GPtrArray) lines_a = read_outlines (of_a), lines_b = read_outlines (of_b);
  g_autofree gboolean *taken = g_new0 (gboolean, b->len);
  double most = 0;
  guint same = 0, near = 0;

  g_assert_cmpuint (a->len, ==, b->len);
  g_assert_cmpuint (lines_a->len, ==, a->len);
  g_assert_cmpuint (lines_b->len, ==, b->len);
  for (guint i = 0; i < a->len; i++)
    {
      const Row *p = &g_array_index (a, Row, i), *q;
      double least = INFINITY, apart;
      guint best = 0;

      for (guint k = 0; k < b->len; k++)
        {
          double distance;

          q = &g_array_index (b, Row, k);
          distance = hypot (p->values[3] - q->values[3], p->values[4] - q->values[4]);
          if (distance < least)
            {
              least = distance;
              best = k;
            }
        }
      g_assert_false (taken[best]);
      taken[best] = TRUE;
      q = &g_array_index (b, Row, best);
      apart = MAX (farthest (lines_a->pdata[i], lines_b->pdata[best]), farthest (lines_b->pdata[best], lines_a->pdata[i]));
      same += apart <= 2e-3 && p->values[5] == q->values[5] && p->values[13] == q->values[13] && p->values[14] == q->values[14];
      near += apart <= 0.1;
      most = MAX (most, apart);
    }
  g_test_message ("%u of %u nuclei the same, %u outlines within 0.1 px, all within %g px", same, a->len, near, most);
  g_assert_cmpuint (exact ? same : near, >=, exact ? a->len : a->len - a->len / 200);
  g_assert_cmpfloat (most, <, 1);
}

/* Pixels of A's labels that are of another nucleus in B, of all. */
static double
different (const char *a, const char *b, const char *name)
{
  g_autofree char *path_a = g_build_filename (a, name, NULL), *path_b = g_build_filename (b, name, NULL);
  g_autoptr (VgImage) p = vg_image_load (path_a, VG_FILE_IMAGE, NULL, NULL), q = vg_image_load (path_b, VG_FILE_IMAGE, NULL, NULL);
  g_autoptr (GHashTable) names = g_hash_table_new (NULL, NULL);
  gsize n = (gsize) p->info.width * (gsize) p->info.height, wrong = 0;

  g_assert_cmpint (p->info.type, ==, VG_U16);
  g_assert_cmpint (q->info.type, ==, VG_U16);
  g_assert_cmpint (p->info.width, ==, q->info.width);
  g_assert_cmpint (p->info.height, ==, q->info.height);
  for (gsize i = 0; i < n; i++)
    {
      int u = (int) vg_image_sample (p, i), v = (int) vg_image_sample (q, i);

      /* numbers differ, what they stand for does not */
      if (u != 0 && v != 0 && !g_hash_table_contains (names, GINT_TO_POINTER (u)))
        g_hash_table_insert (names, GINT_TO_POINTER (u), GINT_TO_POINTER (v));
      wrong += (u == 0) != (v == 0) || (u != 0 && g_hash_table_lookup (names, GINT_TO_POINTER (u)) != GINT_TO_POINTER (v));
    }
  return (double) wrong / (double) n;
}

static double
result (const char *out, const char *id)
{
  g_autofree char *path = g_build_filename (out, "summary.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  return json_object_get_double_member (json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)), "results"), id);
}

/* One piece, one tile, many tiles; with scores against the first. */
static void
test_same (void)
{
  g_autoptr (VgImage) image = nuclei (WIDTH, HEIGHT);
  g_autofree char *plain = write_plain ("plain.tif", image), *slide = write_slide ("slide.tif", image), *truth = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *whole = run (plain, &(Settings) { .name = "whole", .iterations = ITERATIONS }, &error);
  static const char *const counts[] = { "seeds", "seeds_outside", "split", "vanished", "faint", "merged" };
  g_autofree char *one = NULL, *many = NULL;

  g_assert_no_error (error);
  truth = g_build_filename (whole, "contours.geojson", NULL);
  one = run (slide, &(Settings) { .name = "one", .iterations = ITERATIONS }, &error);
  g_assert_no_error (error);
  many = run (slide, &(Settings) { .name = "many", .iterations = ITERATIONS, .tile = TILE, .truth = truth }, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (result (many, "objects"), >, WIDTH * HEIGHT / 1000.0);
  g_assert_cmpfloat (result (many, "seeds_s"), >, 0);
  g_assert_cmpfloat (result (many, "merging_s"), >, 0);
  g_assert_cmpfloat (result (many, "after_seeds_s"), >=, result (many, "evolution_s") + result (many, "merging_s"));
  compare (whole, one, TRUE);
  compare (whole, many, FALSE);
  g_assert_cmpfloat (different (whole, one, "labels.tif"), ==, 0);
  g_assert_cmpfloat (different (whole, one, "overlap.tif"), ==, 0);
  g_assert_cmpfloat (different (whole, many, "labels.tif"), <, 1e-3);
  g_assert_cmpfloat (result (many, "tiles"), ==, ((WIDTH + TILE - 1) / TILE) * ((HEIGHT + TILE - 1) / TILE));
  g_assert_cmpfloat_with_epsilon (result (whole, "mean_area_um2"), PIXEL_UM * PIXEL_UM * result (whole, "mean_area"), 1e-9);
  g_assert_cmpfloat_with_epsilon (result (whole, "radius_um"), PIXEL_UM * result (whole, "radius_px"), 1e-9);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_assert_cmpfloat (result (whole, counts[i]), ==, result (one, counts[i]));
  /* what a core does not have its neighbour has: all are counted once */
  g_assert_cmpfloat (fabs (result (many, "seeds") - result (one, "seeds")), <=, 2);
  /* the slide does not say how large its pixels are */
  g_assert_true (names_column (whole, um_names[0]));
  g_assert_false (names_column (many, um_names[0]));
  g_assert_cmpfloat (result (many, "f1"), >, 0.999);
  g_assert_cmpfloat (result (many, "aji"), >, 0.97);
}

/* Part of a slide in coordinates of the slide, by given seeds. */
static void
test_part (void)
{
  enum { X = WIDTH * 3 / 7, Y = HEIGHT * 5 / 12 };
  g_autofree char *region = g_strdup_printf ("region=%d,%d,%d,%d", X, Y, WIDTH - X, HEIGHT - Y);
  g_autofree char *slide = g_build_filename (folder, "slide.tif", NULL), *seeds = g_build_filename (folder, "one", "contours.geojson", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *all = run (slide, &(Settings) { .name = "all", .iterations = ITERATIONS / 3, .tile = TILE, .seeds = seeds }, &error);
  g_autofree char *part = run (slide, &(Settings) { .name = "part", .iterations = ITERATIONS / 3, .reading = region, .seeds = seeds }, &error);
  g_autofree char *coarse = run (slide, &(Settings) { .name = "coarse", .iterations = ITERATIONS / 3, .reading = "level=1", .seeds = seeds }, &error);
  g_autoptr (GArray) a = NULL, b = NULL, c = NULL;
  guint near = 0, within = 0;

  g_assert_no_error (error);
  a = read_rows (all);
  b = read_rows (part);
  c = read_rows (coarse);
  for (guint i = 0; i < b->len; i++)
    {
      const Row *p = &g_array_index (b, Row, i);

      g_assert_true (p->values[3] >= X && p->values[3] <= WIDTH && p->values[4] >= Y && p->values[4] <= HEIGHT);
      for (guint k = 0; k < a->len; k++)
        near += hypot (p->values[3] - g_array_index (a, Row, k).values[3], p->values[4] - g_array_index (a, Row, k).values[4]) < 1;
    }
  /* nuclei at the part's edge are cut by it */
  g_assert_cmpuint (b->len, >, (WIDTH - X) * (HEIGHT - Y) / 1400);
  g_assert_cmpuint (near, >, b->len * 3 / 4);
  for (guint i = 0; i < c->len; i++)
    for (guint k = 0; k < a->len; k++)
      within += hypot (g_array_index (c, Row, i).values[3] - g_array_index (a, Row, k).values[3],
                       g_array_index (c, Row, i).values[4] - g_array_index (a, Row, k).values[4]) < 3;
  g_assert_cmpuint (within, >, a->len * 3 / 4);
}

/* A part's nuclei are measured in all of the slide, whether the part is worked on by tiles or in one piece. */
static void
test_measured_once (void)
{
  static const char *const same[] = { "radius_px", "seeds" };
  const VgOperation *operation = vg_operation_find ("contour");
  const char *const inputs[] = { g_build_filename (folder, "slide.tif", NULL), NULL };
  const char *region = "region=40,60,190,170";
  g_autofree char *slide = (char *) inputs[0], *one = g_build_filename (folder, "one", NULL), *tiles = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, 2, 0, NULL);
  g_autoptr (VgImage) image = NULL;
  g_autoptr (VgNumbers) numbers = NULL;
  void *params = vg_params_new (&operation->params);

  tiles = run (slide, &(Settings) { .name = "part", .iterations = 2, .reading = region }, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (result (tiles, "radius_px"), ==, result (one, "radius_px"));
  image = vg_work_load_dataset (operation, params, inputs, region, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (vg_work_prepare (work, params, &image->info, image, &error));
  numbers = vg_work_results (work);
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    g_assert_cmpfloat (vg_numbers_find (numbers, same[i])->value, ==, result (tiles, same[i]));
  /* the part by itself would have another */
  g_clear_pointer (&image->slide, vg_image_unref);
  g_clear_pointer (&numbers, vg_numbers_free);
  g_assert_true (vg_work_prepare (work, params, &image->info, image, &error));
  numbers = vg_work_results (work);
  g_assert_cmpfloat (fabs (vg_numbers_find (numbers, "radius_px")->value / result (tiles, "radius_px") - 1), >, 0.01);
  vg_params_free (&operation->params, params);
}

static void
test_refused (void)
{
  g_autofree char *slide = g_build_filename (folder, "slide.tif", NULL), *plain = g_build_filename (folder, "plain.tif", NULL);
  g_autofree char *out = g_build_filename (folder, "refused", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (run (plain, &(Settings) { .name = "refused", .tile = 256 }, &error));
  fixture_assert_message (error, "for whole slides");
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_null (run (slide, &(Settings) { .name = "refused", .tile = 256, .cancellable = cancellable }, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
}

/* Nuclei in one cell of sixty-four, glass elsewhere. */
static void
fill_large (gint64 x, gint64 y, int side, guint8 *rgb, gpointer data)
{
  const VgImage *image = data;

  memset (rgb, 245, 3 * (gsize) side * (gsize) side);
  for (gint64 v = 0; v < side; v++)
    for (gint64 u = 0; u < side; u++)
      if ((x + u) % 2048 < 256 && (y + v) % 2048 < 256)
        memcpy (rgb + 3 * (v * side + u), (const guint8 *) image->data + 3 * ((y + v) % 2048 * 256 + (x + u) % 2048), 3);
}

/* 17 million pixels. */
static void
test_memory (void)
{
  g_autofree char *path = g_build_filename (folder, "large.tif", NULL), *out = g_build_filename (folder, "large", NULL);
  g_autofree char *errors = NULL;
  g_autoptr (VgImage) image = nuclei (256, 256);
  const char *argv[] = { g_getenv ("VIVOGRAPH_PROGRAM"), "run", "contour", path, "--out", out, "--tile", "512", "--iterations", "10",
                         "--radius-px", "10", "--backend", "cpu", "--threads", "2", NULL };
  g_autoptr (GError) error = NULL;
  struct rusage usage;
  int status;

  slide_fixture_write (path, 4096, 4096, 4, fill_large, image);
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, &errors, &status, &error));
  g_assert_cmpstr (errors, ==, "");
  g_assert_cmpint (status, ==, 0);
  getrusage (RUSAGE_CHILDREN, &usage);
  g_test_message ("%g nuclei, peak %ld MiB", result (out, "objects"), usage.ru_maxrss / 1024);
  g_assert_cmpfloat (result (out, "objects"), >, 4 * 75);
  g_assert_cmpint (usage.ru_maxrss / 1024, <, 350);
}

static void
remove_results (void)
{
  g_autofree char *command = g_strdup_printf ("rm -rf %s/whole %s/one %s/many %s/all %s/part %s/coarse %s/large", folder, folder, folder, folder,
                                              folder, folder, folder);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/tiles/same", test_same);
  g_test_add_func ("/tiles/part", test_part);
  g_test_add_func ("/tiles/measured-once", test_measured_once);
  g_test_add_func ("/tiles/refused", test_refused);
  if (!SANITIZED)      /* they keep what is freed */
    g_test_add_func ("/tiles/memory", test_memory);
  status = g_test_run ();
  remove_results ();
  fixture_remove_folder (folder);
  return status;
}
