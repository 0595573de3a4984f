/* SPDX-License-Identifier: MIT */
#include "tests/kernels/contour/support/contour-stained.h"

const ContourEllipse contour_nucleus = { 47.0, 50.0, 14.0, 11.0, 0.4 };

VgImage *
contour_stained (int channels, guint seed)
{
  static const int inside[] = { 90, 60, 140 }, outside[] = { 225, 180, 215 };
  VgImageInfo info = { .type = VG_U8,
                       .width = CONTOUR_SIDE,
                       .height = CONTOUR_SIDE,
                       .channels = channels,
                       .bins = 1,
                       .slices = 1,
                       .frames = 1 };
  VgImage *image = vg_image_new (&info, "test", NULL);
  GRand *rand = g_rand_new_with_seed (seed);
  guint8 *samples = image->data;

  for (int i = 0; i < CONTOUR_SIDE * CONTOUR_SIDE; i++)
    {
      const int *colour = contour_inside (&contour_nucleus, i % CONTOUR_SIDE + 0.5,
                                          i / CONTOUR_SIDE + 0.5)
                              ? inside
                              : outside;

      for (int c = 0; c < 4; c++)
        {
          int noise = g_rand_int_range (rand, 0, 256);

          if (c < channels)
            samples[i * channels + c] = (guint8) (c < 3 ? colour[c] + noise % 21 - 10 : noise);
        }
    }
  g_rand_free (rand);
  return image;
}

VgContourRun *
contour_finish (VgImage *image, VgContourParams *params)
{
  VgContourRun *run = vg_contour_run_new (
      &(VgContext){ .params = params, .info = &image->info, .image = image }, NULL);

  g_assert_nonnull (run);
  while (!run->standing.finished)
    g_assert_true (vg_contour_run_advance (run, vg_contour_run_chunk (run, 10), NULL));
  return run;
}

void
contour_check_nucleus (const VgContourRun *run)
{
  gint64 common = 0, found = 0, truth = 0;

  g_assert_cmpuint (run->scene->objects->len, ==, 1);
  for (int i = 0; i < CONTOUR_SIDE * CONTOUR_SIDE; i++)
    {
      gboolean in = contour_inside (&contour_nucleus, i % CONTOUR_SIDE + 0.5,
                                    i / CONTOUR_SIDE + 0.5);
      gboolean has = contour_has (vg_contour_scene_object (run->scene, 0), i % CONTOUR_SIDE,
                                  i / CONTOUR_SIDE);

      common += in && has;
      found += has;
      truth += in;
    }
  g_assert_cmpfloat (2.0 * (double) common / (double) (found + truth), >, 0.95);
}
