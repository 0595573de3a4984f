/* SPDX-License-Identifier: MIT */
/* The input as a picture: means, limits, colours, and what is seen of a map over it. */
#include <math.h>
#include "kernels/shared/vg-underlay.h"

static VgImageInfo
grey (VgType type, int width, int height, gint64 slices, gint64 bins, gint64 frames)
{
  return (VgImageInfo){ .type = type,
                        .width = width,
                        .height = height,
                        .channels = 1,
                        .bins = bins,
                        .slices = slices,
                        .frames = frames };
}

/* Mean over frames and bins of each slice, between the limits. */
static void
test_mean (void)
{
  enum { W = 7, H = 5, SLICES = 3, BINS = 2, FRAMES = 4, PAGE = W * H };
  VgImageInfo info = grey (VG_U16, W, H, SLICES, BINS, FRAMES);
  guint16 data[FRAMES * SLICES * BINS * PAGE];
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (data); i++)
    data[i] = (guint16) g_test_rand_int_range (0, 4096);
  for (int n = 1; n <= FRAMES; n += FRAMES - 1)
    {
      g_autoptr (VgUnderlay)
          underlay = vg_underlay_new (&info, data, n, (double[]){ 1000, 3000 }, &error);

      g_assert_no_error (error);
      g_assert_cmpint (underlay->width * underlay->height * underlay->slices, ==, PAGE * SLICES);
      for (int i = 0; i < PAGE * SLICES; i++)
        {
          double sum = 0, want;

          for (int frame = 0; frame < n; frame++)
            for (int bin = 0; bin < BINS; bin++)
              sum += data[((frame * SLICES + i / PAGE) * BINS + bin) * PAGE + i % PAGE];
          want = CLAMP ((sum / (n * BINS) - 1000) / 2000 * 255, 0, 255);
          for (int k = 0; k < 3; k++)
            g_assert_cmpfloat_with_epsilon (underlay->rgba[4 * i + k], want, 0.51);
          g_assert_cmpint (underlay->rgba[4 * i + 3], ==, 255);
        }
    }
}

/* Another window is of the same means, and the first underlay stays as it is. */
static void
test_window (void)
{
  enum { W = 3, SLICES = 2, N = W * SLICES };
  VgImageInfo info = grey (VG_U16, W, 1, SLICES, 1, 2), colour = info;
  const guint16 data[2 * N] = { 0, 100, 200, 300, 400, 500, 0, 200, 200, 300, 400, 500 };
  const double want[N] = { 0, 150, 200, 300, 400, 500 };
  g_autoptr (VgUnderlay) automatic = NULL, other = NULL, painted = NULL, same = NULL;
  g_autoptr (GError) error = NULL;

  automatic = vg_underlay_new (&info, data, 2, (double[]){ 0, 500 }, &error);
  g_assert_no_error (error);
  other = vg_underlay_new_window (automatic, (double[]){ 150, 250 }, &error);
  g_assert_no_error (error);
  g_assert_true (other->grey == automatic->grey);
  for (int i = 0; i < N; i++)
    {
      g_assert_cmpfloat (other->grey[i], ==, want[i]);
      g_assert_cmpfloat_with_epsilon (automatic->rgba[4 * i], want[i] * 255 / 500, 0.51);
      g_assert_cmpfloat_with_epsilon (other->rgba[4 * i],
                                      CLAMP ((want[i] - 150) * 255 / 100, 0, 255), 0.51);
    }
  g_assert_cmpfloat (other->limits[0], ==, 150);
  g_assert_cmpfloat (other->automatic[1], ==, 500);
  colour.channels = 3;
  colour.slices = 1;
  colour.frames = 1;
  colour.width = 2;
  painted = vg_underlay_new (&colour, data, 1, (double[]){ 0, 500 }, &error);
  g_assert_no_error (error);
  g_assert_null (painted->grey);
  same = vg_underlay_new_window (painted, (double[]){ 1, 2 }, &error);
  g_assert_true (same == painted);
}

/* A ramp with a few samples far away, and samples that are no numbers. */
static void
test_limits (void)
{
  enum { N = 1000 };
  VgImageInfo info = grey (VG_F32, N, 1, 1, 1, 1), colour = { .type = VG_U16,
                                                              .width = 2,
                                                              .height = 1,
                                                              .channels = 3,
                                                              .bins = 1,
                                                              .slices = 1,
                                                              .frames = 1,
                                                              .significant_bits = 12 };
  g_autofree float *data = g_new (float, N);
  g_autoptr (VgUnderlay) underlay = NULL;
  double limits[2];

  for (int i = 0; i < N; i++)
    data[i] = 100 + i;
  data[3] = NAN;
  vg_underlay_limits (&info, data, 1, limits);
  g_assert_cmpfloat_with_epsilon (limits[0], 110, 6);
  g_assert_cmpfloat_with_epsilon (limits[1], 1095, 6);
  underlay = vg_underlay_new (&info, data, 1, limits, NULL);
  g_assert_cmpint (underlay->rgba[4 * 3], ==, 0);
  g_assert_cmpint (underlay->rgba[4 * 999], ==, 255);
  /* all that the camera can say */
  vg_underlay_limits (&colour, (guint16[6]){ 7, 9 }, 1, limits);
  g_assert_cmpfloat (limits[0], ==, 0);
  g_assert_cmpfloat (limits[1], ==, 4095);
  for (int i = 0; i < N; i++)
    data[i] = 5;
  /* constant: black, no division by 0 */
  vg_underlay_limits (&info, data, 1, limits);
  g_clear_pointer (&underlay, vg_underlay_unref);
  underlay = vg_underlay_new (&info, data, 1, limits, NULL);
  g_assert_cmpint (underlay->rgba[0], ==, 0);
}

static void
test_colour (void)
{
  for (int channels = 3; channels <= 4; channels++)
    {
      VgImageInfo info = { .type = VG_U8,
                           .width = 3,
                           .height = 2,
                           .channels = channels,
                           .bins = 1,
                           .slices = 1,
                           .frames = 1 };
      guint8 data[24];
      double limits[2];
      g_autoptr (VgUnderlay) underlay = NULL;

      for (int i = 0; i < 6 * channels; i++)
        data[i] = (guint8) g_test_rand_int_range (0, 256);
      vg_underlay_limits (&info, data, 1, limits);
      underlay = vg_underlay_new (&info, data, 1, limits, NULL);
      for (int i = 0; i < 6; i++)
        for (int k = 0; k < 4; k++)
          g_assert_cmpint (underlay->rgba[4 * i + k], ==, k == 3 ? 255 : data[channels * i + k]);
    }
}

static void
test_fits (void)
{
  VgImageInfo info = grey (VG_U8, 8, 6, 2, 1, 1);
  VgPlane plane = { .width = 8, .height = 6, .slices = 2 };

  g_assert_true (vg_underlay_fits (&info, &plane));
  plane.mirrored = TRUE;
  g_assert_false (vg_underlay_fits (&info, &plane));
  plane.mirrored = FALSE;
  plane.slices = 1;
  g_assert_false (vg_underlay_fits (&info, &plane));
  plane = (VgPlane){ .width = 6, .height = 8, .slices = 2 };
  g_assert_false (vg_underlay_fits (&info, &plane));
}

static void
test_mix (void)
{
  const float values[4] = { 1, NAN, 0, -INFINITY };
  const guint8 under[16] = { 10, 20, 30, 255, 10, 20, 30, 255, 10, 20, 30, 255, 10, 20, 30, 255 };

  for (int skip = 0; skip < 2; skip++)
    for (double opacity = 0; opacity <= 1; opacity += 0.25)
      {
        guint8 rgba[16];

        for (int i = 0; i < 16; i++)
          rgba[i] = 210;
        vg_underlay_mix (rgba, values, under, 4, opacity, skip);
        for (int i = 0; i < 4; i++)
          for (int k = 0; k < 3; k++)
            {
              double part = i == 0 || (i == 2 && !skip) ? opacity : 0;

              g_assert_cmpfloat_with_epsilon (rgba[4 * i + k], (1 - part) * under[k] + part * 210,
                                              0.51);
            }
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/underlay/mean", test_mean);
  g_test_add_func ("/underlay/window", test_window);
  g_test_add_func ("/underlay/limits", test_limits);
  g_test_add_func ("/underlay/colour", test_colour);
  g_test_add_func ("/underlay/fits", test_fits);
  g_test_add_func ("/underlay/mix", test_mix);
  return g_test_run ();
}
