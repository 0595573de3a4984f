/* SPDX-License-Identifier: MIT */
/* What comes from other programs: QuPath's GeoJSON, a truth of a slide's
 * part, float pictures without a value here and there or below zero; and a
 * look at contours before they move, and at those whose samples lie elsewhere. */
#include "tests/support/threads.h"
#include "kernels/contour/model/contour-grey.h"
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/contour/engine/contour-run.h"
#include "app/compute/vg-work.h"
#include "kernels/contour/synthetic/contour-synthetic.h"
#include <math.h>
#include <omp.h>
#include <string.h>

#define RING(a, b)                                                                                 \
  "\"coordinates\": [[[" #a "," #a "],[" #b "," #a "],[" #b "," #b "],[" #a "," #b "]]]"
#define SQUARE(a, b) "{\"type\": \"Polygon\", " RING (a, b) "}"

static GPtrArray *
masks_of (const char *text, const VgImageInfo *info, GError **error)
{
  VgImage file = { .name = (char *) "truth.geojson",
                   .text = (char *) text,
                   .text_length = strlen (text) };

  return vg_contour_masks_of_file (&file, info, NULL, error);
}

static void
test_qupath (void)
{
  static const char *const words[] = { "NaN", "Infinity", "-Infinity" }, *const not [] = {
    "-NaN", "nan", "-Inf", "Infinit"
  };
  const VgImageInfo info = { .width = 64, .height = 64 };

  for (guint i = 0; i < G_N_ELEMENTS (words) + G_N_ELEMENTS (not ); i++)
    {
      gboolean good = i < G_N_ELEMENTS (words);
      g_autofree char *text = g_strdup_printf (
          "{\"type\": \"Feature\", \"properties\": {\"measurements\": {\"a\": %s, \"b\": [%s]}}, "
          "\"geometry\": " SQUARE (0, 4) "}",
          good ? words[i] : not [i - 3], good ? words[i] : "1");
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) masks = masks_of (text, &info, &error);

      g_assert_true ((masks != NULL) == good && (error == NULL) == good);
    }
}

/* Of a cell the nucleus, wherever it stands; a cell without one as it is. */
static void
test_cells (void)
{
  static const char *const cells[] = {
    "{\"type\": \"Feature\", \"geometry\": " SQUARE (0, 20) ", \"nucleusGeometry\": " SQUARE (
        5, 9) "}",
    "{\"type\": \"Feature\", \"nucleusGeometry\": " SQUARE (5, 9) ", \"geometry\": " SQUARE (
        0, 20) "}",
    "{\"type\": \"Feature\", \"geometry\": " SQUARE (0, 4) ", \"nucleusGeometry\": null}",
    "{\"type\": \"Feature\", \"nucleusGeometry\": {\"type\": \"Polygon\", \"coordinates\": []}, "
    "\"geometry\": " SQUARE (0, 4) "}",
  };
  const VgImageInfo info = { .width = 64, .height = 64 };

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    {
      g_autofree char *text = g_strdup_printf ("[" SQUARE (40, 50) ", %s, " SQUARE (52, 60) "]",
                                               cells[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) masks = masks_of (text, &info, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (masks->len, ==, 3);
      g_assert_cmpint (vg_contour_mask_at (masks, 0)->area, ==, 100);
      g_assert_cmpint (vg_contour_mask_at (masks, 1)->area, ==, 16);
      g_assert_cmpint (vg_contour_mask_at (masks, 2)->area, ==, 64);
    }
}

/* GeoJSON is in pixels of the finest level: the part's are fewer and elsewhere. */
static void
test_part (void)
{
  const VgImageInfo part = { .width = 50, .height = 40, .origin = { 100, 100 }, .downsample = 4 };
  g_autoptr (GError) error = NULL, outside = NULL;
  g_autoptr (GPtrArray) masks = masks_of (SQUARE (120, 160), &part, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (masks->len, ==, 1);
  g_assert_cmpint (vg_contour_mask_at (masks, 0)->area, ==, 100);
  g_assert_cmpint (vg_contour_mask_at (masks, 0)->box.x, ==, 5);
  g_assert_null (masks_of (SQUARE (10, 40), &part, &outside));
  g_assert_nonnull (outside);
}

/* A disc on an even ground in values from LOW on, HIGH at its middle; part of the ground without a
 * value. */
static VgImage *
picture (float low, float high, float missing)
{
  const VgImageInfo info = {
    .type = VG_F32, .width = 96, .height = 80, .channels = 1, .bins = 1, .slices = 1, .frames = 1
  };
  VgImage *image = vg_image_new (&info, "disc", NULL);

  for (int y = 0; y < 80; y++)
    for (int x = 0; x < 96; x++)
      ((float *) image->data)[y * 96 + x] = y < 12 ? missing
                                            : hypot (x - 48, y - 46) < 10
                                                ? high
                                                : low +
                                                      (float) ((x + y) % 5) * 0.01f * (high - low);
  return image;
}

static void
test_float (void)
{
  VgContourParams params = { .stain = VG_CONTOUR_GREY };
  g_autoptr (VgImage) plain = picture (0.0f, 0.9f, 0.0f), below = picture (-0.9f, 0.0f, -0.9f),
                      none = picture (0.2f, 0.9f, NAN), all = picture (0.2f, 0.9f, 0.214f);
  VgContourScale scale = { .known = FALSE };
  g_autofree float *a = vg_contour_grey (plain, &params, NULL, NULL),
                   *b = vg_contour_grey (below, &params, NULL, NULL);
  g_autofree float *c = vg_contour_grey (none, &params, &scale, NULL),
                   *d = vg_contour_grey (all, &params, NULL, NULL);

  g_assert_cmpuint (scale.missing, ==, 12 * 96);
  for (int i = 0; i < 96 * 80; i++)
    {
      g_assert_cmpfloat_with_epsilon (a[i], b[i], 1e-4);
      g_assert_cmpfloat_with_epsilon (c[i], d[i], 0.02);
    }
}

/* A stain of a colour picture that lacks values here and there, one channel or all of them. */
static void
test_float_stain (void)
{
  const VgImageInfo info = {
    .type = VG_F32, .width = 32, .height = 24, .channels = 3, .bins = 1, .slices = 1, .frames = 1
  };
  VgContourParams params = { .stain = VG_CONTOUR_HAEMATOXYLIN };
  g_autoptr (VgImage) image = vg_image_new (&info, "colours", NULL);
  VgContourScale scale = { .known = FALSE };
  g_autofree float *plane = NULL;
  float *data = (float *) image->data;

  for (int i = 0; i < 32 * 24 * 3; i++)
    data[i] = 100.0f + (float) (i % 97);
  for (int i = 0; i < 10; i++)
    data[3 * 40 * i + i % 3] = NAN;
  plane = vg_contour_grey (image, &params, &scale, NULL);
  g_assert_cmpuint (scale.missing, ==, 10);
}

/* Nuclei as they were found, without an iteration. */
static void
test_no_iteration (void)
{
  const VgOperation *operation = vg_operation_find ("contour");
  const VgSyntheticSize size = { 160, 128, 1, 7, VG_CONTOUR_SAMPLE_LATTICE };
  double objects[2];

  for (int k = 0; k < 2; k++)
    {
      g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, 1, NULL);
      void *params = vg_params_new (&operation->params);
      g_autoptr (VgImage) image = vg_work_load_dataset (operation, params, NULL, NULL, &size, NULL);
      g_autoptr (VgMetrics) numbers = NULL;

      vg_param_set_number (vg_params_find (&operation->params, "iterations"), params,
                           k == 0 ? 0 : 100);
      g_assert_true (vg_work_prepare (work, params, &image->info, image, NULL));
      while (vg_work_step (work, 1, NULL) == VG_STEP_MORE)
        continue;
      numbers = vg_work_results (work, NULL);
      objects[k] = g_array_index (numbers->items, VgMetric, 0).value;
      for (guint i = 0; i < numbers->items->len && k == 0; i++)
        if (g_str_equal (g_array_index (numbers->items, VgMetric, i).id, "split"))
          /* what did not move lost nothing */
          g_assert_cmpfloat (g_array_index (numbers->items, VgMetric, i).value, ==, 0);
      vg_params_free (&operation->params, params);
    }
  g_assert_cmpfloat (objects[0], >=, 0.8 * objects[1]);
  g_assert_cmpfloat (objects[1], >, 3);
}

/* In a thread of its own, which has no helpers yet: those that loops ask for stay. */
static gpointer
work_alone (gpointer data)
{
  const VgOperation *operation = vg_operation_find ("contour");
  const VgSyntheticSize size = { 160, 128, 1, 7, VG_CONTOUR_SAMPLE_LATTICE };
  g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, GPOINTER_TO_INT (data), NULL);
  void *params = vg_params_new (&operation->params);
  int before = count_threads ();

  omp_set_num_threads (4);
  g_autoptr (VgImage) image = vg_work_load_dataset (operation, params, NULL, NULL, &size, NULL);
  g_assert_true (vg_work_prepare (work, params, &image->info, image, NULL));
  while (vg_work_step (work, 1, NULL) == VG_STEP_MORE)
    continue;
  vg_params_free (&operation->params, params);
  return GINT_TO_POINTER (count_threads () - before);
}

typedef struct
{
  VgContourStore store;
  guint8 *block;
} Elsewhere;

static guint8 *
fetch (VgContourStore *store)
{
  return g_memdup2 (((Elsewhere *) store)->block, store->samples * 8);
}

static void
free_elsewhere (VgContourStore *store)
{
  g_free (((Elsewhere *) store)->block);
  g_free (store);
}

/* The scene's samples are moved, as if they were on a GPU only. */
static VgContourStore *
move_elsewhere (VgContourScene *scene)
{
  Elsewhere *self = g_new0 (Elsewhere, 1);
  gsize at = 0;

  self->store = (VgContourStore){ .fetch = fetch, .free = free_elsewhere };
  for (guint i = 0; i < scene->objects->len; i++)
    self->store.samples += (gsize) vg_contour_scene_object (scene, i)->tile.width *
                           (gsize) (vg_contour_scene_object (scene, i)->tile.height + 1);
  self->block = g_malloc0 (self->store.samples * 8);
  for (guint i = 0; i < scene->objects->len; i++)
    {
      VgContourObject *object = vg_contour_scene_object (scene, i);
      gsize w = (gsize) object->tile.width, n = w * (gsize) object->tile.height;

      memcpy (self->block + 4 * at, object->phi, 4 * n);
      memcpy (self->block + 4 * self->store.samples + 2 * at, object->h, 2 * n);
      memcpy (self->block + 6 * self->store.samples + 2 * at, object->mark, 2 * n);
      memset (object->phi, 0, 4 * n);
      memset (object->h, 0, 2 * n);
      memset (object->mark, 0, 2 * n);
      at += n + w;
    }
  return &self->store;
}

static GBytes *
picture_of (VgContourRun *run)
{
  g_autofree char *name = NULL,
                  *text = vg_contour_run_text (run, VG_CONTOUR_OUTPUT_CONTOURS, &name, NULL);
  GByteArray *bytes = g_byte_array_new_take ((guint8 *) g_strdup (text), strlen (text));

  for (guint i = 0; i < run->scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (run->scene, i);
      guint n = (guint) (object->tile.width * object->tile.height);

      g_byte_array_append (bytes, (const guint8 *) object->phi, 4 * n);
      g_byte_array_append (bytes, (const guint8 *) object->h, 2 * n);
      g_byte_array_append (bytes, (const guint8 *) object->mark, 2 * n);
    }
  return g_byte_array_free_to_bytes (bytes);
}

/* An edit is undone to the bit where samples were kept on a GPU. */
static void
test_elsewhere (void)
{
  const VgOperation *operation = vg_operation_find ("contour");
  const VgSyntheticSize size = { 160, 128, 1, 7, VG_CONTOUR_SAMPLE_LATTICE };
  VgContourParams *params = vg_params_new (&operation->params);
  g_autoptr (VgImage) image = vg_work_load_dataset (operation, params, NULL, NULL, &size, NULL);
  g_autoptr (GBytes) before = NULL, after = NULL;
  VgContourRun *run;

  run = vg_contour_run_new (&(VgContext){ .params = params, .info = &image->info, .image = image },
                            NULL);
  g_assert_nonnull (run);
  vg_contour_scene_iterate (run->scene, 20);
  vg_contour_run_end_step (run, NULL);
  g_assert_cmpuint (run->scene->objects->len, >, 2);
  before = picture_of (run);
  run->store = move_elsewhere (run->scene);
  params->prior_weight += 0.01f;
  g_assert_true (vg_contour_run_update (run, params));
  g_assert_null (run->store);
  params->prior_weight -= 0.01f;
  g_assert_true (vg_contour_run_update (run, params));
  after = picture_of (run);
  g_assert_true (g_bytes_equal (before, after));
  vg_contour_run_free (run);
  vg_params_free (&operation->params, params);
}

/* As many threads as were asked for: seeds, evolution and settling start no more. */
static void
test_threads (void)
{
  for (int threads = 1; threads <= 2; threads++)
    g_assert_cmpint (GPOINTER_TO_INT (run_alone (work_alone, GINT_TO_POINTER (threads))), ==,
                     threads - 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/inputs/qupath", test_qupath);
  g_test_add_func ("/contour/inputs/cells", test_cells);
  g_test_add_func ("/contour/inputs/part", test_part);
  g_test_add_func ("/contour/inputs/float", test_float);
  g_test_add_func ("/contour/inputs/float-stain", test_float_stain);
  g_test_add_func ("/contour/inputs/no-iteration", test_no_iteration);
  g_test_add_func ("/contour/inputs/elsewhere", test_elsewhere);
  g_test_add_func ("/contour/inputs/threads", test_threads);
  return g_test_run ();
}
