/* SPDX-License-Identifier: MIT */
/* Saturation and sharpness of frames. */
#include "app/input/vg-frame-look.h"
#include <math.h>

enum { WIDTH = 40, HEIGHT = 30 };

static void
test_saturated (void)
{
  guint16 samples[WIDTH * HEIGHT] = { 0 };
  VgImageInfo info = vg_image_info_grey (VG_U16, WIDTH, HEIGHT);
  VgFrame frame = { .info = &info, .data = samples };
  g_autofree guint8 *none = NULL, *pixels = NULL;
  int width, height;

  info.significant_bits = 12;
  g_assert_cmpuint (vg_frame_saturation (&info), ==, 4095);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    samples[i] = 4094;
  none = vg_frame_saturated_pixels (&frame, 20, &width, &height);
  g_assert_null (none);
  g_assert_cmpfloat (vg_frame_look (&frame).saturated, ==, 0);
  g_assert_cmpfloat (vg_frame_look (&frame).focus, ==, 0);
  for (int y = 0; y < 10; y++)
    samples[y * WIDTH + 7] = 4095;
  g_assert_cmpfloat_with_epsilon (vg_frame_look (&frame).saturated, 10.0 / (HEIGHT * (WIDTH - 1)),
                                  1e-12);
  pixels = vg_frame_saturated_pixels (&frame, 20, &width, &height);
  g_assert_cmpint (width, ==, 20);
  g_assert_cmpint (height, ==, 15);
  g_assert_cmpint (pixels[4 * (4 * 20 + 3) + 3], ==, 255);
  g_assert_cmpint (pixels[4 * (5 * 20 + 3) + 3], ==, 0);
  g_assert_cmpint (pixels[4 * (4 * 20 + 4) + 3], ==, 0);
}

/* Blurring makes the figure smaller, brightness does not change it. */
static void
test_focus (void)
{
  guint8 sharp[WIDTH * HEIGHT], dim[WIDTH * HEIGHT], blurred[WIDTH * HEIGHT];
  VgImageInfo info = vg_image_info_grey (VG_U8, WIDTH, HEIGHT);
  VgFrame a = { .info = &info, .data = sharp }, b = { .info = &info, .data = dim },
          c = { .info = &info, .data = blurred };

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    {
      sharp[i] = i / 4 % 2 ? 200 : 100;
      dim[i] = sharp[i] / 2;
      blurred[i] = (guint8) (150 + 50 * sin (i * G_PI / 4));
    }
  g_assert_cmpfloat_with_epsilon (vg_frame_look (&a).focus, vg_frame_look (&b).focus, 1e-9);
  g_assert_cmpfloat (vg_frame_look (&c).focus, <, 0.7 * vg_frame_look (&a).focus);
  info.type = VG_F32;
  g_assert_true (isnan (vg_frame_look (&a).focus));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frame-look/saturated", test_saturated);
  g_test_add_func ("/frame-look/focus", test_focus);
  return g_test_run ();
}
