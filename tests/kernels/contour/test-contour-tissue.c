/* SPDX-License-Identifier: MIT */
#include <math.h>
#include "kernels/contour/engine/contour-engine.h"
#include "kernels/contour/model/contour-params.h"
#include "kernels/contour/synthetic/contour-synthetic.h"
#include "kernels/contour/synthetic/contour-tissue.h"
/* The sample of tissue: its nuclei, its colours, its truth. */

enum { SIDE = 512 };

static VgImage *
load (int width, int height, guint64 seed, VgImage **truth)
{
  VgSyntheticSize size = { width, height, 1, seed, VG_CONTOUR_SAMPLE_TISSUE };
  g_autoptr (GError) error = NULL;
  VgImageInfo info;
  gpointer source = vg_contour_synthetic.open (NULL, &size, &info, &error);
  VgImage *image = vg_image_new (&info, "tissue", &error);

  g_assert_no_error (error);
  g_assert_true (vg_contour_synthetic.read (source, 0, image->data, &error));
  g_assert_no_error (error);
  if (truth != NULL)
    *truth = vg_contour_synthetic.truth (source, VG_CONTOUR_OUTPUT_OVERLAP, &error);
  g_assert_no_error (error);
  vg_contour_synthetic.close (source);
  return image;
}

static void
test_sizes (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 7, 5 }, { 1, 400 }, { 333, 257 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (VgImage) first = load (sizes[i][0], sizes[i][1], 3, NULL),
                          second = load (sizes[i][0], sizes[i][1], 3, NULL),
                          other = load (sizes[i][0], sizes[i][1], 4, NULL);
      gsize bytes = vg_image_info_frame_bytes (&first->info);

      g_assert_cmpmem (first->data, bytes, second->data, bytes);
      g_assert_true (bytes < 100 || memcmp (first->data, other->data, bytes) != 0);
    }
}

/* The area of the pixels whose centre is in SELF alone. */
static int
measure (const VgContourNucleus *self)
{
  int n = 0;

  for (int y = (int) (self->y - self->a) - 3; y < self->y + self->a + 3; y++)
    for (int x = (int) (self->x - self->a) - 3; x < self->x + self->a + 3; x++)
      n += vg_contour_nucleus_value (self, x + 0.5, y + 0.5) <= 1.0;
  return n;
}

/* A few hundred nuclei, round and long, some in pairs and triplets. */
static void
test_nuclei (void)
{
  for (guint64 seed = 1; seed < 4; seed++)
    {
      VgContourTissue *tissue = vg_contour_tissue_new (SIDE, SIDE, seed);
      GArray *nuclei = vg_contour_tissue_get_nuclei (tissue);
      g_autoptr (VgImage) truth = NULL;
      g_autoptr (VgImage) image = load (SIDE, SIDE, seed, &truth);
      int count[8] = { 0 }, round = 0, tall = 0;

      for (guint i = 0; i < nuclei->len; i++)
        {
          const VgContourNucleus *nucleus = &g_array_index (nuclei, VgContourNucleus, i);
          double ratio = nucleus->a / nucleus->b;
          int area = measure (nucleus);

          round += ratio < 1.4;
          tall += ratio > 1.6;
          g_assert_cmpint (area, >, 80);
          g_assert_cmpint (area, <, 400);
          /* a wave keeps the area of the ellipse, nearly */
          g_assert_cmpfloat (fabs (area / (G_PI * nucleus->a * nucleus->b) - 1), <, 0.08);
        }
      for (int i = 0; i < SIDE * SIDE; i++)
        count[MIN ((int) ((float *) truth->data)[i], 7)]++;
      g_test_message ("%u nuclei, %d round, %d long; %d, %d, %d, %d pixels under 0 to 3",
                      nuclei->len, round, tall, count[0], count[1], count[2], count[3]);
      g_assert_cmpuint (nuclei->len, >=, 250);
      g_assert_cmpuint (nuclei->len, <=, 420);
      g_assert_cmpint (round, >, 60);
      g_assert_cmpint (tall, >, 60);
      g_assert_cmpint (count[2], >, 500);
      g_assert_cmpint (count[3], >, 5);
      vg_contour_tissue_free (tissue);
    }
}

/* The truth counts the nuclei over each pixel. */
static void
test_truth (void)
{
  enum { W = 333, H = 257 };
  VgContourTissue *tissue = vg_contour_tissue_new (W, H, 5);
  GArray *nuclei = vg_contour_tissue_get_nuclei (tissue);
  g_autoptr (VgImage) truth = NULL;
  g_autoptr (VgImage) image = load (W, H, 5, &truth);

  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      {
        int n = 0;

        for (guint i = 0; i < nuclei->len; i++)
          n += vg_contour_nucleus_value (&g_array_index (nuclei, VgContourNucleus, i), x + 0.5,
                                         y + 0.5) <= 1.0;
        g_assert_cmpfloat (((float *) truth->data)[y * W + x], ==, n);
      }
  vg_contour_tissue_free (tissue);
}

/* Nuclei are blue and dark, stroma is pink, lumens are white. */
static void
test_colors (void)
{
  g_autoptr (VgImage) truth = NULL;
  g_autoptr (VgImage) image = load (SIDE, SIDE, 1, &truth);
  double sum[2][3] = { { 0 } };
  int n[2] = { 0 }, white = 0;

  for (int i = 0; i < SIDE * SIDE; i++)
    {
      const guint8 *rgb = (guint8 *) image->data + 3 * i;
      int inside = ((float *) truth->data)[i] > 0;

      for (int c = 0; c < 3; c++)
        sum[inside][c] += rgb[c];
      n[inside]++;
      white += MIN (rgb[0], rgb[1]) > 225;
    }
  for (int inside = 0; inside < 2; inside++)
    {
      double *mean = sum[inside];

      for (int c = 0; c < 3; c++)
        mean[c] /= n[inside];
      g_test_message ("%s: %.0f, %.0f, %.0f", inside ? "nuclei" : "stroma", mean[0], mean[1],
                      mean[2]);
      if (inside)
        g_assert_true (mean[2] > mean[0] + 20 && mean[0] < 160);
      else
        g_assert_true (mean[0] > mean[1] + 20 && mean[0] > 200);
    }
  g_assert_cmpint (white, >, SIDE * SIDE / 40);
  g_assert_cmpint (white, <, SIDE * SIDE / 4);
}

/* Most nuclei are found, and most of their pixels. */
static void
test_found (void)
{
  enum { W = 384, H = 320 };
  VgSyntheticSize size = { W, H, 1, 1, VG_CONTOUR_SAMPLE_TISSUE };
  g_autoptr (VgImage) truth = NULL;
  g_autoptr (VgImage) image = load (W, H, 1, &truth);
  g_autoptr (GError) error = NULL;
  VgContourTissue *tissue = vg_contour_tissue_new (W, H, 1);
  GArray *nuclei = vg_contour_tissue_get_nuclei (tissue);
  void *params = vg_params_new (&vg_contour_operation.params);
  int both = 0, either = 0, found = 0, inside = 0;
  gpointer state;
  VgPlane plane;

  vg_contour_synthetic.settings (&size, params);
  state = vg_contour_cpu_engine.prepare (
      &(VgContext){ .params = params, .info = &image->info, .image = image }, &error);
  g_assert_no_error (error);
  while (vg_contour_cpu_engine.step (state, 1, NULL) == VG_STEP_MORE)
    ;
  g_assert_true (vg_contour_cpu_engine.output (state, VG_CONTOUR_OUTPUT_OVERLAP, &plane, NULL));
  for (int i = 0; i < W * H; i++)
    {
      gboolean a = ((float *) truth->data)[i] > 0, b = plane.data[i] > 0;

      both += a && b;
      either += a || b;
    }
  for (guint i = 0; i < nuclei->len; i++)
    {
      const VgContourNucleus *nucleus = &g_array_index (nuclei, VgContourNucleus, i);
      int x = (int) nucleus->x, y = (int) nucleus->y;

      if (x < 0 || y < 0 || x >= W || y >= H)
        continue;
      inside++;
      found += plane.data[y * W + x] > 0;
    }
  g_test_message ("%d of %d nuclei; Jaccard index of the pixels %.3f", found, inside,
                  (double) both / either);
  g_assert_cmpint (found, >, 9 * inside / 10);
  g_assert_cmpfloat ((double) both / either, >, 0.75);
  vg_contour_cpu_engine.free (state);
  vg_params_free (&vg_contour_operation.params, params);
  vg_contour_tissue_free (tissue);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/tissue/sizes", test_sizes);
  g_test_add_func ("/contour/tissue/nuclei", test_nuclei);
  g_test_add_func ("/contour/tissue/truth", test_truth);
  g_test_add_func ("/contour/tissue/colors", test_colors);
  g_test_add_func ("/contour/tissue/found", test_found);
  return g_test_run ();
}
