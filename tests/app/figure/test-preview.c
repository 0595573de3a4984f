/* SPDX-License-Identifier: MIT */
/* preview.png: the colours of the map, at every size. */
#include "tests/support/app/preview-fixture.h"
#include "app/figure/vg-canvas.h"
#include "kernels/shared/vg-colormap.h"
#include "app/session/vg-display.h"

static void
check_pixel (const guint8 *rgba, int width, int x, int y, const VgDisplay *display, float value)
{
  const guint8 *pixel = rgba + ((gsize) y * width + x) * 4;
  VgColoring coloring;
  guint8 want[4];

  vg_display_get_coloring (display, &output, NULL, &coloring);
  vg_coloring_apply (&coloring, &value, 1, want);
  g_assert_cmpmem (pixel, 3, want, 3);
  g_assert_cmpint (pixel[3], ==, 255);
}

/* A small map is magnified by whole pixels. */
static void
test_small (void)
{
  const float data[] = { 0, 1, 2, NAN, 4, 5 };
  VgPlane plane = { .data = data, .width = 3, .height = 2, .slices = 1 };
  VgDisplay display = fixed_display (0, 5);
  int width, height, zoom = 256 / 3;
  g_autofree guint8 *rgba = draw (&plane, &display, &width, &height);

  g_assert_cmpint (height, ==, 2 * zoom);
  g_assert_cmpint (width, >, 3 * zoom);
  for (int y = 0; y < 2; y++)
    for (int x = 0; x < 3; x++)
      {
        check_pixel (rgba, width, x * zoom, y * zoom, &display, data[y * 3 + x]);
        check_pixel (rgba, width, x * zoom + zoom - 1, y * zoom + zoom - 1, &display,
                     data[y * 3 + x]);
      }
}

/* Samples that are five times as wide as high are drawn so. */
static void
test_proportions (void)
{
  const float data[] = { 0, 1, 2, 3, 4, 5 };
  VgPlane plane = {
    .data = data, .width = 2, .height = 3, .slices = 1, .pixel_size = { 0.01, 0.002 }, .unit = "cm"
  };
  VgDisplay display = fixed_display (0, 5);
  int width, height;
  g_autofree guint8 *rgba = draw (&plane, &display, &width, &height);

  g_assert_cmpint (height, ==, 3 * (256 / 10));
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 2; x++)
      check_pixel (rgba, width, x * 5 * (256 / 10) + 4 * 25, y * 25 + 12, &display,
                   data[y * 2 + x]);
}

/* A long one is reduced to means. */
static void
test_long (void)
{
  enum { N = 5000, FACTOR = 3 };
  g_autofree float *data = g_new (float, N * 2);
  VgPlane plane = { .data = data, .width = N, .height = 2, .slices = 1 };
  VgDisplay display = fixed_display (0, 2 * N);
  g_autofree guint8 *rgba = NULL;
  int width, height;

  for (int i = 0; i < 2 * N; i++)
    data[i] = i;
  rgba = draw (&plane, &display, &width, &height);
  g_assert_cmpint (width, <, 2048 + 100);
  check_pixel (rgba, width, 10, 0, &display, 31 + N / 2.0f);
}

static void
test_extremes (void)
{
  const float one[] = { 3 }, none[] = { NAN, NAN };
  VgPlane plane = { .data = one, .width = 1, .height = 1, .slices = 1 };
  VgDisplay fixed = fixed_display (3, 3), automatic = fixed_display (0, 1);
  int width, height;

  automatic.auto_limits = TRUE;
  automatic.auto_low_percent = 1;
  automatic.auto_high_percent = 99;
  g_free (draw (&plane, &fixed, &width, &height));
  g_free (draw (&plane, &automatic, &width, &height));
  plane = (VgPlane){ .data = none, .width = 1, .height = 2, .slices = 1 };
  {
    g_autofree guint8 *rgba = draw (&plane, &automatic, &width, &height);

    g_assert_cmpmem (rgba, 3, automatic.invalid_rgb, 3);
  }
}

/* A mirrored map is shown whole, with the lines where they belong. */
static void
test_mirrored (void)
{
  enum { W = 16, H = 64 };
  float data[W * H];
  VgPlane plane = { .data = data,
                    .width = W,
                    .height = H,
                    .slices = 1,
                    .origin = { 0.05, 0.25 },
                    .pixel_size = { 0.1, 0.5 },
                    .unit = "cm",
                    .mirrored = TRUE };
  VgDisplay display = fixed_display (0, W);
  g_autoptr (VgOverlay) lines = vg_overlay_new ();
  int width, height, zoom = 1; /* a sample is five times as high as wide */
  guint8 *plain, *lined;

  for (int i = 0; i < W * H; i++)
    data[i] = (float) (i % W);
  plain = draw (&plane, &display, &width, &height);
  g_assert_cmpint (height, ==, 5 * H * zoom);
  for (int x = 0; x < 2 * W; x++)
    check_pixel (plain, width, x * zoom, 7, &display, x < W ? W - 1 - x : x - W);
  vg_overlay_line (lines, -INFINITY, 5, INFINITY, 5, "across"); /* row 10 begins there */
  vg_overlay_line (lines, -0.8, 0, -0.8, INFINITY, NULL);       /* 8 left of the axis */
  overlay = lines;
  lined = draw (&plane, &display, &width, &height);
  overlay = NULL;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < 2 * W * zoom; x++)
      {
        gsize at = ((gsize) y * width + x) * 4;
        gboolean on_line = y == 5 * 10 * zoom || x == (W - 8) * zoom;

        g_assert_cmpint (memcmp (plain + at, lined + at, 3) != 0, ==, on_line);
      }
  g_free (plain);
  g_free (lined);
}

/* Dimmed by a second plane, from 0 to its 99th percentile, where the display says so. */
static void
test_brightness (void)
{
  const float data[] = { 5, 5, 5, 5, NAN, 5 }, light[] = { 0, 50, 100, 200, 200, NAN };
  VgPlane plane = { .data = data, .width = 3, .height = 2, .slices = 1 }, second = plane;
  VgDisplay display = fixed_display (0, 5);
  VgStatistics statistics;
  double limits[2];
  int width, height;

  second.data = light;
  brightness = &second;
  for (int on = 0; on < 2; on++)
    {
      g_autofree guint8 *rgba = NULL;
      const guint8 *full = vg_colormap_find ("viridis")->rgb[255];

      display.brightness = on;
      rgba = draw (&plane, &display, &width, &height);
      vg_statistics_compute (&statistics, &second, 0, 1);
      vg_display_get_brightness (&statistics, limits);
      g_assert_cmpfloat (limits[0], ==, 0);
      g_assert_cmpfloat_with_epsilon (limits[1], 200, 2);
      for (int i = 0; i < 6; i++)
        {
          const guint8 *pixel = rgba + ((gsize) (i / 3) * 85 * width + (i % 3) * 85) * 4;
          double part = !on ? 1 : isnan (light[i]) ? 0 : CLAMP (light[i] / limits[1], 0, 1);

          for (int k = 0; k < 3; k++)
            g_assert_cmpfloat_with_epsilon (
                pixel[k], part * (isnan (data[i]) ? display.invalid_rgb[k] : full[k]), 1);
        }
    }
  second.width = 2; /* of another size: not used */
  {
    g_autofree guint8 *rgba = draw (&plane, &display, &width, &height);

    check_pixel (rgba, width, 0, 0, &display, 5);
  }
  brightness = NULL;
}

/* Over a picture where the display says so; labels leave it alone where there is none. */
static void
test_underlay (void)
{
  const float data[] = { 5, 0, NAN, 5, 0, NAN };
  VgImageInfo info = {
    .type = VG_U8, .width = 3, .height = 2, .channels = 1, .bins = 1, .slices = 1, .frames = 1
  };
  VgPlane plane = { .data = data, .width = 3, .height = 2, .slices = 1 };
  VgDisplay display = fixed_display (0, 5);
  g_autoptr (VgUnderlay) under = vg_underlay_new (&info, (guint8[]){ 0, 50, 100, 150, 200, 250 }, 1,
                                                  (double[]){ 0, 255 }, NULL);
  int width, height;

  underlay = under;
  display.opacity = 0.25;
  for (int on = 0; on < 2; on++)
    {
      g_autofree guint8 *rgba = NULL;

      display.underlay = on;
      rgba = draw (&plane, &display, &width, &height);
      for (int i = 0; i < 6; i++)
        {
          const guint8 *pixel = rgba + ((gsize) (i / 3) * 85 * width + (i % 3) * 85) * 4;
          const guint8 *color = isnan (data[i])
                                    ? display.invalid_rgb
                                    : vg_colormap_find ("viridis")->rgb[data[i] > 0 ? 255 : 0];
          double part = !on ? 1 : isnan (data[i]) ? 0 : 0.25;

          for (int k = 0; k < 3; k++)
            g_assert_cmpfloat_with_epsilon (pixel[k], part * color[k] + (1 - part) * 50 * i, 1);
        }
    }
  underlay = NULL;
}

static gboolean
is_ink (const guint8 *rgba, int width, int x, int y)
{
  return rgba[((gsize) y * width + x) * 4] == 230;
}

/* Named axes stand around the map: 64 samples of 0.01 cm to each side, 32 down. The map is that of
 * a picture without them, but for the numbers of layers; isolines below the noise are left out. */
static void
test_axes (void)
{
  /* "z (cm)" and the ticks are LEFT wide, a line of text is TOP high */
  enum { W = 64, H = 32, ZOOM = 2, LEFT = 46, TOP = 13 };
  float data[W * H];
  VgPlane plane = { .data = data,
                    .width = W,
                    .height = H,
                    .slices = 1,
                    .pixel_size = { 0.01, 0.01 },
                    .origin = { 0.005, 0.005 },
                    .unit = "cm",
                    .mirrored = TRUE };
  VgDisplay display = fixed_display (1, 10000);
  g_autoptr (VgOverlay) layers = vg_overlay_new ();
  g_autofree guint8 *bare = NULL, *framed = NULL, *named = NULL, *quiet = NULL;
  int width[4], height[4], differences = 0;

  display.log_scale = TRUE;
  for (int i = 0; i < W * H; i++)
    data[i] = (float) pow (10, 4 - 0.05 * (i % W) - 0.05 * (i / W));
  bare = draw (&plane, &display, &width[0], &height[0]);
  output.hints.axes[0] = "r";
  output.hints.axes[1] = "z";
  framed = draw (&plane, &display, &width[1], &height[1]);
  vg_overlay_line (layers, -INFINITY, 0.1, INFINITY, 0.1, "12 dermis");
  overlay = layers;
  named = draw (&plane, &display, &width[2], &height[2]);
  overlay = NULL;
  display.decades = TRUE;
  noise = INFINITY;
  quiet = draw (&plane, &display, &width[3], &height[3]);
  noise = 0;
  output.hints.axes[0] = output.hints.axes[1] = NULL;

  g_assert_cmpint (width[1], ==, width[0] + LEFT);
  g_assert_true (width[3] == width[1] && height[3] == height[1]);
  g_assert_cmpmem (quiet, (gsize) width[3] * height[3] * 4, framed,
                   (gsize) width[1] * height[1] * 4);
  for (int y = 0; y < H * ZOOM; y++)
    {
      g_assert_cmpmem (bare + (gsize) y * width[0] * 4, 2 * W * ZOOM * 4,
                       framed + ((gsize) (TOP + y) * width[1] + LEFT) * 4, 2 * W * ZOOM * 4);
      g_assert_true (is_ink (framed, width[1], LEFT - 1, TOP + y));
    }
  for (int x = 0; x < 2 * W * ZOOM; x++)
    {
      g_assert_true (is_ink (framed, width[1], LEFT + x, TOP + H * ZOOM));
      /* from -0.64 to 0.64 cm a tick each 0.5 cm, which is 100 pixels */
      g_assert_cmpint (is_ink (framed, width[1], LEFT + x, TOP + H * ZOOM + 3), ==,
                       x == 28 || x == 128 || x == 228);
    }
  for (int y = 0; y < H * ZOOM; y++) /* each 0.2 cm down */
    g_assert_cmpint (is_ink (framed, width[1], LEFT - 4, TOP + y), ==, y == 0 || y == 40);
  for (int y = 22; y < H * ZOOM; y++) /* below the line, at the left */
    for (int x = 0; x < 2 * W * ZOOM; x++)
      if (memcmp (named + ((gsize) (TOP + y) * width[2] + LEFT + x) * 4,
                  framed + ((gsize) (TOP + y) * width[1] + LEFT + x) * 4, 3) != 0)
        {
          g_assert_cmpint (x, <, 20);
          differences++;
        }
  g_assert_cmpint (differences, >, 80);
}

/* Labels in category colours have a legend: each number's colour, once; more of them than there are
 * colours have none, and what is reduced is no mean of numbers. */
static void
test_labels (void)
{
  enum { N = 3000, FACTOR = 2 };
  g_autofree float *data = g_new0 (float, N * 4);
  VgPlane plane = { .data = data, .width = N, .height = 4, .slices = 1 };
  VgDisplay display = fixed_display (0, 15);
  g_autofree guint8 *few = NULL, *many = NULL;
  int width, height, x;
  guint8 rgb[3];

  g_strlcpy (display.colormap, "categories", sizeof display.colormap);
  output.kind = VG_OUTPUT_LABELS;
  for (int i = 0; i < 4 * N; i++)
    data[i] = (float) (i % N < N / 2 + 1 ? 3 : i % N == N - 1 ? 7 : 0);
  few = draw (&plane, &display, &width, &height);
  vg_colormap_category (3, rgb);
  g_assert_cmpmem (few + 4 * (N / 4), 3, rgb, 3);
  x = N / FACTOR + 8 + 5; /* in the bar */
  for (int label = 1; label <= 7; label++)
    {
      vg_colormap_category ((guint) label, rgb);
      g_assert_cmpmem (few + ((gsize) (3 + (height - 6) * (15 - 2 * label) / 14) * width + x) * 4,
                       3, rgb, 3);
    }
  data[0] = 16;
  many = draw (&plane, &display, &width, &height);
  g_assert_nonnull (many);
  g_assert_cmpint (width, ==, N / FACTOR); /* nor room for one */
  output.kind = VG_OUTPUT_MAP;
}

/* The other way round, with what is under it, and letters at the edges. */
static void
test_orientation (void)
{
  const float data[] = { 5, 0, NAN, 1, 2, 3 };
  VgImageInfo info = {
    .type = VG_U8, .width = 3, .height = 2, .channels = 1, .bins = 1, .slices = 1, .frames = 1
  };
  VgPlane plane = { .data = data, .width = 3, .height = 2, .slices = 1 };
  VgDisplay display = fixed_display (0, 5);
  g_autoptr (VgUnderlay) under = vg_underlay_new (&info, (guint8[]){ 0, 50, 100, 150, 200, 250 }, 1,
                                                  (double[]){ 0, 255 }, NULL);
  VgOrientation way = { .known = TRUE, .ends = { "LR", "PA", "IS" } };

  underlay = under;
  orientation = &way;
  display.underlay = TRUE;
  display.opacity = 0.5;
  for (int turned = 0; turned < 8; turned++)
    {
      int width, height, ink = 0;
      g_autofree guint8 *rgba = NULL;

      way.turned[0] = turned & 1;
      way.turned[1] = turned >> 1 & 1;
      way.swapped = turned >> 2;
      rgba = draw (&plane, &display, &width, &height);
      for (int i = 0; i < 6; i++)
        {
          int x = turned & 1 ? 2 - i % 3 : i % 3, y = turned & 2 ? 1 - i / 3 : i / 3;
          int across = way.swapped ? y : x, down = way.swapped ? x : y;
          const guint8 *pixel = rgba + ((gsize) (down * 85 + 20) * width + across * 85 + 20) * 4;
          int color = isnan (data[i]) ? 0
                                      : vg_colormap_find ("viridis")->rgb[lrint (data[i] * 51)][0];

          g_assert_cmpfloat_with_epsilon (pixel[0], isnan (data[i]) ? 50 * i : 0.5 * color + 25 * i,
                                          1);
        }
      /* L has ink in its lower row all along, R in the first column; its letter is the left one
       * when x is turned */
      for (int i = 0; i < 5 && !way.swapped; i++)
        ink +=
            rgba[((gsize) (height - 11) / 2 + 2 + 6) * (gsize) width * 4 + (gsize) (2 + i) * 4] ==
            230;
      /* swapped, it is the upper one */
      for (int i = 0; i < 5 && way.swapped; i++)
        ink += rgba[((gsize) (2 + 6) * (gsize) width +
                     (gsize) (85 * 2 - VG_CANVAS_GLYPH_W - 4) / 2 + 2 + (gsize) i) *
                    4] == 230;
      g_assert_cmpint (ink == 5, ==, !(turned & 1));
    }
  underlay = NULL;
  orientation = NULL;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/preview/proportions", test_proportions);
  g_test_add_func ("/preview/small", test_small);
  g_test_add_func ("/preview/long", test_long);
  g_test_add_func ("/preview/extremes", test_extremes);
  g_test_add_func ("/preview/mirrored", test_mirrored);
  g_test_add_func ("/preview/axes", test_axes);
  g_test_add_func ("/preview/brightness", test_brightness);
  g_test_add_func ("/preview/underlay", test_underlay);
  g_test_add_func ("/preview/labels", test_labels);
  g_test_add_func ("/preview/orientation", test_orientation);
  return g_test_run ();
}
