/* SPDX-License-Identifier: MIT */
#include "tests/kernels/lifetime/support/lifetime-fixture.h"
#include "kernels/lifetime/synthetic/lifetime-cells.h"
/* The sample of cells: its picture, its photons, its truth. */

static gpointer
open_cells (int width, int height, gint64 frames, VgImageInfo *info)
{
  VgSyntheticSize size = { width, height, frames, 3, VG_LIFETIME_SAMPLE_CELLS };
  g_autoptr (GError) error = NULL;
  void *params = vg_params_new (&vg_lifetime_operation.params);
  gpointer source;

  vg_lifetime_synthetic.settings (&size, params);
  source = vg_lifetime_synthetic.open (params, &size, info, &error);
  g_assert_no_error (error);
  vg_params_free (&vg_lifetime_operation.params, params);
  return source;
}

/* Any size opens and gives the same photons again. */
static void
test_sizes (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 7, 5 }, { 1, 40 }, { 133, 57 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int live = 0; live < 2; live++)
      {
        VgImageInfo info;
        gpointer a = open_cells (sizes[i][0], sizes[i][1], live ? -1 : 1, &info);
        gpointer b = open_cells (sizes[i][0], sizes[i][1], live ? -1 : 1, &info);
        gsize bytes = vg_image_info_frame_bytes (&info);
        g_autofree void *first = g_malloc (bytes), *second = g_malloc (bytes);

        g_assert_true (vg_lifetime_synthetic.read (a, live ? 3 : 0, first, NULL));
        g_assert_true (vg_lifetime_synthetic.read (b, 0, second, NULL));
        g_assert_true (vg_lifetime_synthetic.read (b, live ? 3 : 0, second, NULL));
        g_assert_cmpmem (first, bytes, second, bytes);
        vg_lifetime_synthetic.close (a);
        vg_lifetime_synthetic.close (b);
      }
}

/* Marks the nucleus at pixel I and all of it that touches; returns its pixels. */
static int
take_nucleus (guint8 *part, int width, int height, int i)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (int));
  int size = 0;

  part[i] = VG_LIFETIME_MEDIUM;
  g_array_append_val (open, i);
  while (open->len > 0)
    {
      int at = g_array_index (open, int, open->len - 1);
      int around[] = { at % width > 0 ? at - 1 : at, at % width < width - 1 ? at + 1 : at,
                       at >= width ? at - width : at, at < width * (height - 1) ? at + width : at };

      g_array_set_size (open, open->len - 1);
      size++;
      for (guint k = 0; k < G_N_ELEMENTS (around); k++)
        if (part[around[k]] == VG_LIFETIME_NUCLEUS)
          {
            part[around[k]] = VG_LIFETIME_MEDIUM;
            g_array_append_val (open, around[k]);
          }
    }
  return size;
}

/* Twelve to sixteen nuclei; half of the field is cells; the medium is nearly dark. */
static void
test_picture (void)
{
  enum { W = 256, N = W * W };
  g_autofree guint8 *part = g_malloc (N);
  g_autofree float *brightness = g_new (float, N);
  double light[VG_LIFETIME_PARTS] = { 0.0 };
  int n[VG_LIFETIME_PARTS] = { 0 }, nuclei = 0;

  vg_lifetime_cells_draw (W, W, part, brightness);
  for (int i = 0; i < N; i++)
    {
      g_assert_cmpint (part[i], <, VG_LIFETIME_PARTS);
      g_assert_cmpfloat (brightness[i], >, 0.0f);
      n[part[i]]++;
      light[part[i]] += brightness[i];
    }
  for (int k = 0; k < VG_LIFETIME_PARTS; k++)
    {
      g_test_message ("part %d: %d pixels, %.3f", k, n[k], light[k] / n[k]);
      g_assert_cmpint (n[k], >, N / 500);
      g_assert_true ((light[k] / n[k] < 0.1) == (k == VG_LIFETIME_MEDIUM));
    }
  g_assert_cmpint (n[VG_LIFETIME_MEDIUM], >, 3 * N / 10);
  g_assert_cmpint (n[VG_LIFETIME_MEDIUM], <, 7 * N / 10);
  for (int i = 0; i < N; i++)
    if (part[i] == VG_LIFETIME_NUCLEUS)
      nuclei += take_nucleus (part, W, W, i) > 50;
  g_test_message ("%d nuclei", nuclei);
  g_assert_cmpint (nuclei, >=, 12);
  g_assert_cmpint (nuclei, <=, 16);
}

/* Photons come as often as the truth says, with the lifetimes of the parts. */
static void
test_photons (void)
{
  enum { W = 128, N = W * W };
  static const double ns[VG_LIFETIME_PARTS] = { 2.4, 2.4, 2.4, 3.1, 1.6 };
  VgImageInfo info;
  gpointer source = open_cells (W, W, 1, &info);
  g_autoptr (VgImage)
      lifetime = vg_lifetime_synthetic.truth (source, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
  g_autoptr (VgImage)
      light = vg_lifetime_synthetic.truth (source, VG_LIFETIME_OUTPUT_INTENSITY, NULL);
  g_autofree guint16 *frame = g_malloc (vg_image_info_frame_bytes (&info));
  g_autofree guint8 *part = g_malloc (N);
  g_autofree float *brightness = g_new (float, N);
  double photons[VG_LIFETIME_PARTS] = { 0.0 }, time[VG_LIFETIME_PARTS] = { 0.0 }, all = 0.0,
         chi2 = 0.0;

  vg_lifetime_cells_draw (W, W, part, brightness);
  g_assert_true (vg_lifetime_synthetic.read (source, 0, frame, NULL));
  for (int i = 0; i < N; i++)
    {
      double count = 0.0, expected = ((float *) light->data)[i];

      g_assert_cmpfloat (((float *) lifetime->data)[i], ==, (float) ns[part[i]]);
      for (int j = 0; j < VG_LIFETIME_SYNTHETIC_BINS; j++)
        {
          count += frame[j * N + i];
          time[part[i]] += frame[j * N + i] * (0.1 * (j + 0.5));
        }
      photons[part[i]] += count;
      all += count;
      chi2 += (count - expected) * (count - expected) / expected / N;
    }
  g_test_message ("%.1f photons per pixel, chi2 %.3f", all / N, chi2);
  g_assert_cmpfloat_with_epsilon (all / N / VG_LIFETIME_SYNTHETIC_PHOTONS, 1.0, 0.005);
  g_assert_cmpfloat_with_epsilon (chi2, 1.0, 0.05);
  for (int k = 0; k < VG_LIFETIME_PARTS; k++)
    {
      /* the mean arrival time in a window of T is tau - T / (e^(T / tau) - 1) */
      double mean = ns[k] - 25.6 / expm1 (25.6 / ns[k]);

      g_test_message ("part %d: %.4f ns of %.4f", k, time[k] / photons[k], mean);
      g_assert_cmpfloat (fabs (time[k] / photons[k] - mean), <,
                         5.0 * ns[k] / sqrt (photons[k]) + 1e-3);
    }
  vg_lifetime_synthetic.close (source);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lifetime/cells/sizes", test_sizes);
  g_test_add_func ("/lifetime/cells/picture", test_picture);
  g_test_add_func ("/lifetime/cells/photons", test_photons);
  return g_test_run ();
}
