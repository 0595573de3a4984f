/* SPDX-License-Identifier: MIT */
/* The renderer on a context without a display: what a texture holds, and how
 * zoom, pan and odd sizes map samples to pixels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/support/ui/gl-fixture.h"
#include "render/vg-software.h"

static void
test_values (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 37, 23 }, { 3, 641 }, { 512, 2 }, { 127, 131 } };
  VgRenderer *renderer = gl_renderer ();

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      int width = sizes[s][0], height = sizes[s][1], n = width * height;
      g_autofree float *data = g_new (float, 3 * n), *back = g_new (float, n);
      VgPlane plane = gl_plane (data, width, height);
      g_autoptr (GError) error = NULL;

      for (int i = 0; i < 3 * n; i++)
        data[i] = i % 11 == 3   ? NAN
                  : i % 13 == 5 ? -INFINITY
                                : (float) g_test_rand_double_range (-1e9, 1e9);
      plane.slices = 3;
      for (int slice = 0; slice < 3; slice++)
        {
          g_assert_true (vg_renderer_upload (renderer, slice % 2, &plane, slice, &error));
          g_assert_true (vg_renderer_read_plane (renderer, slice % 2, back, &error));
          for (int i = 0; i < n; i++)
            g_assert_true (back[i] == data[slice * n + i] ||
                           (isnan (back[i]) && isnan (data[slice * n + i])));
        }
      g_assert_false (vg_renderer_upload (renderer, 0, &plane, 3, &error));
      g_assert_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_SIZE);
    }
  vg_renderer_free (renderer);
}

/* The pixels that ZOOM and center promise, sample by sample. */
static void
check_view (VgRenderer *renderer, const float *data, int width, int height, double zoom, double cx,
            double cy, int view_w, int view_h)
{
  VgScene scene = gl_scene (zoom, cx, cy);
  g_autofree guint8 *rgba = gl_capture (renderer, &scene, view_w, view_h);

  for (int j = 0; j < view_h; j++)
    for (int i = 0; i < view_w; i++)
      {
        int x = (int) floor (cx + (i + 0.5 - view_w / 2.) / zoom),
            y = (int) floor (cy + (j + 0.5 - view_h / 2.) / zoom);
        gboolean inside = x >= 0 && x < width && y >= 0 && y < height;

        for (int k = 0; k < 3; k++)
          {
            int want = inside ? (int) data[y * width + x] : (int) lrintf (gl_background[k] * 255);

            g_assert_cmpint (rgba[(j * view_w + i) * 4 + k], ==, want);
          }
        g_assert_cmpint (rgba[(j * view_w + i) * 4 + 3], ==, 255);
      }
}

static void
test_zoom_pan (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 37, 23 }, { 64, 48 }, { 301, 203 } };
  VgRenderer *renderer = gl_renderer ();

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      int width = sizes[s][0], height = sizes[s][1];
      g_autofree float *data = gl_levels (width, height);
      VgPlane plane = gl_plane (data, width, height);

      gl_upload (renderer, 0, &plane);
      for (double zoom = 1; zoom <= 2; zoom++)
        {
          check_view (renderer, data, width, height, zoom, 0.5 * width, 0.5 * height, 64, 48);
          check_view (renderer, data, width, height, zoom, 0, 0, 65, 47);
          check_view (renderer, data, width, height, zoom, width, height - 3, 64, 48);
        }
      check_view (renderer, data, width, height, 16, 0.5 * width, 0.5 * height, 64, 48);
    }
  vg_renderer_free (renderer);
}

/* A reduced picture shows means of what it covers, valid samples only. */
static void
test_reduced (void)
{
  VgRenderer *renderer = gl_renderer ();
  g_autofree float *data = g_new (float, 64 * 32);
  VgPlane plane = gl_plane (data, 64, 32);
  VgScene scene = gl_scene (0.5, 32, 16);
  g_autofree guint8 *rgba = NULL;

  for (int y = 0; y < 32; y++)
    for (int x = 0; x < 64; x++)
      data[y * 64 + x] = x < 32 ? ((x + y) % 2) * 200.f : x % 2 ? NAN : 100;
  gl_upload (renderer, 0, &plane);
  rgba = gl_capture (renderer, &scene, 32, 16);
  for (int i = 0; i < 32 * 16; i++)
    {
      const guint8 *pixel = rgba + 4 * i;

      if (i % 32 < 16)
        g_assert_cmpint (pixel[0], ==, 100);
      else /* half grey 100, half the colour of NaN */
        {
          g_assert_cmpint (abs (pixel[0] - 178), <=, 1);
          g_assert_cmpint (abs (pixel[1] - 50), <=, 1);
        }
    }
  vg_renderer_free (renderer);
}

static void
test_mirrored (void)
{
  static const float data[5] = { 10, 60, 110, 160, 210 };
  VgRenderer *renderer = gl_renderer ();
  VgPlane plane = gl_plane (data, 5, 1);
  VgScene scene = gl_scene (1, 0, 0.5);
  g_autofree guint8 *rgba = NULL;

  plane.mirrored = TRUE;
  gl_upload (renderer, 0, &plane);
  rgba = gl_capture (renderer, &scene, 12, 1);
  for (int i = 0; i < 12; i++)
    {
      int x = i < 6 ? 5 - i : i - 6;

      g_assert_cmpint (rgba[4 * i], ==, x < 5 ? (int) data[x] : 10);
      g_assert_cmpint (rgba[4 * i + 2], ==, x < 5 ? (int) data[x] : 30);
    }
  vg_renderer_free (renderer);
}

/* Linear between samples; an invalid one colours its own square only. */
static void
test_smooth (void)
{
  float data[4] = { 0, 200, 100, 50 };
  VgRenderer *renderer = gl_renderer ();
  VgPlane plane = gl_plane (data, 4, 1);
  VgScene scene = gl_scene (8, 2, 0.5);
  guint8 *rgba;

  scene.smooth = TRUE;
  gl_upload (renderer, 0, &plane);
  rgba = gl_capture (renderer, &scene, 32, 8);
  g_assert_cmpint (abs (rgba[4 * 8] - 113), <=, 1); /* 1/16 beyond the middle of 0 and 200 */
  g_assert_cmpint (rgba[0], ==, 0);
  g_assert_cmpint (rgba[4 * 31], ==, 50);
  g_free (rgba);

  data[2] = NAN;
  gl_upload (renderer, 0, &plane);
  rgba = gl_capture (renderer, &scene, 32, 8);
  for (int i = 0; i < 32; i++)
    g_assert_cmpint (rgba[4 * i + 1] == 0 && rgba[4 * i] == 255, ==, i / 8 == 2);
  g_assert_cmpint (rgba[4 * 15], ==, 200);
  g_free (rgba);
  vg_renderer_free (renderer);
}

/* Larger along y than along x, both ways of drawing: each sample covers its rectangle; along an
 * axis that shrinks it is a mean. */
static void
test_aspect (void)
{
  enum { W = 12, H = 8, X = 3, Y = 6 };
  VgRenderer *renderer = gl_renderer ();
  g_autofree float *data = g_new (float, W *H);
  VgPlane plane = gl_plane (data, W, H);
  VgScene scene = gl_scene (X, W / 2., H / 2.), square = gl_scene (1, W / 2., H / 2.);
  g_autofree guint8 *rgba = NULL, *cpu = NULL, *plain = NULL, *narrow = NULL;

  for (int i = 0; i < W * H; i++)
    data[i] = (float) (100 + i * 7 % 96);
  gl_upload (renderer, 0, &plane);
  scene.aspect = (double) Y / X;
  rgba = gl_capture (renderer, &scene, W * X, H * Y);
  cpu = vg_software_draw (&scene, &plane, NULL, NULL, 0, W * X, H * Y);
  plain = gl_capture (renderer, &square, W, H);
  for (int y = 0; y < H * Y; y++)
    for (int x = 0; x < W * X; x++)
      {
        g_assert_cmpint (rgba[4 * (y * W * X + x)], ==, plain[4 * (y / Y * W + x / X)]);
        g_assert_cmpint (abs (cpu[4 * (y * W * X + x)] - rgba[4 * (y * W * X + x)]), <=, 1);
      }
  for (int i = 0; i < W * H; i++)
    data[i] = 100 + 96 * (i / W % 2); /* rows by turns: halved along y there is one grey */
  gl_upload (renderer, 0, &plane);
  scene.aspect = 0.5 / X;
  narrow = gl_capture (renderer, &scene, W * X, H / 2);
  for (int i = 1; i < W * X * H / 2; i++)
    g_assert_cmpint (narrow[4 * i], ==, narrow[0]);
  vg_renderer_free (renderer);
}

static void
test_limits (void)
{
  VgRenderer *renderer = gl_renderer ();
  g_autofree float *data = g_new0 (float, 64);
  VgPlane plane = gl_plane (data, 1 << 24, 1);
  VgScene scene = gl_scene (1, 0, 0);
  g_autoptr (GError) error = NULL;
  guint8 *rgba;

  g_assert_false (vg_renderer_upload (renderer, 0, &plane, 0, &error));
  g_assert_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_SIZE);
  g_clear_error (&error);
  g_assert_false (vg_renderer_read_plane (renderer, 0, data, &error));
  g_clear_error (&error);
  g_assert_null (gl_try_capture (renderer, &scene, 0, 4, &error));
  g_assert_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_SIZE);
  g_clear_error (&error);
  rgba = gl_capture (renderer, &scene, 2, 2); /* nothing uploaded: the background */
  g_assert_cmpint (rgba[1], ==, 20);
  g_free (rgba);
  vg_renderer_free (renderer);

  g_assert_null (vg_renderer_new (VG_DISPLAY_INTEROP, NULL, &error));
  g_assert_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_ABSENT);
}

static long
resident_kb (void)
{
  g_autofree char *text = NULL;
  long pages = 0;

  g_file_get_contents ("/proc/self/statm", &text, NULL, NULL);
  if (text != NULL)
    sscanf (text, "%*d %ld", &pages);
  return pages * (sysconf (_SC_PAGESIZE) / 1024);
}

static void
test_growth (void)
{
  VgRenderer *renderer = gl_renderer ();
  g_autofree float *data = gl_levels (256, 256);
  VgPlane plane = gl_plane (data, 256, 256);
  VgScene scene = gl_scene (1, 128, 128);
  long before = 0;

  for (int i = 0; i < 1100; i++)
    {
      if (i == 100)
        before = resident_kb ();
      plane.width = i % 100 == 0 ? 255 : 256; /* a change of size now and then */
      gl_upload (renderer, 0, &plane);
      if (i % 50 == 0)
        g_free (gl_capture (renderer, &scene, 256, 256));
    }
  g_assert_cmpint (resident_kb () - before, <, 8 * 1024);
  vg_renderer_free (renderer);
}

/* A lost context: everything is made again in another one. */
static void
test_again (void)
{
  g_autofree float *data = gl_levels (16, 16);
  VgPlane plane = gl_plane (data, 16, 16);

  for (int i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;
      VgHeadless *headless = vg_headless_new (&error);
      VgRenderer *renderer;

      g_assert_no_error (error);
      renderer = gl_renderer ();
      gl_upload (renderer, 0, &plane);
      check_view (renderer, data, 16, 16, 1, 8, 8, 20, 20);
      vg_renderer_free (renderer);
      vg_headless_free (headless);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gl/values", test_values);
  g_test_add_func ("/gl/zoom-pan", test_zoom_pan);
  g_test_add_func ("/gl/reduced", test_reduced);
  g_test_add_func ("/gl/mirrored", test_mirrored);
  g_test_add_func ("/gl/smooth", test_smooth);
  g_test_add_func ("/gl/aspect", test_aspect);
  g_test_add_func ("/gl/limits", test_limits);
  g_test_add_func ("/gl/growth", test_growth);
  g_test_add_func ("/gl/again", test_again);
  return gl_run ();
}
