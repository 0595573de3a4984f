/* SPDX-License-Identifier: MIT */
/* The renderer on a context without a display: what a texture holds, and how
 * zoom, pan and odd sizes map samples to pixels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "vg-renderer.h"
#include "vg-software.h"

static const float background[3] = { 10 / 255.f, 20 / 255.f, 30 / 255.f };

static VgPlane
plane_of (const float *data, int width, int height)
{
  return (VgPlane) { .place = VG_HOST, .data = data, .width = width, .height = height, .slices = 1 };
}

/* Values 0..255 as grey levels, told apart from their neighbours. */
static float *
make_levels (int width, int height)
{
  float *data = g_new (float, (gsize) width * height);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      data[(gsize) y * width + x] = (float) ((x * 7 + y * 29) % 256);
  return data;
}

static VgScene
make_scene (double zoom, double center_x, double center_y)
{
  VgScene scene = { .coloring = { .colormap = vg_colormap_find ("gray"), .low = 0, .high = 255, .gamma = 1,
                                  .invalid_rgb = { 255, 0, 0 } },
                    .zoom = zoom, .center_x = center_x, .center_y = center_y };

  memcpy (scene.background, background, sizeof background);
  return scene;
}

static VgRenderer *
make_renderer (void)
{
  g_autoptr(GError) error = NULL;
  VgRenderer *renderer = vg_renderer_new (VG_DISPLAY_AUTO, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (renderer);
  return renderer;
}

static void
upload (VgRenderer *renderer, int slot, const VgPlane *plane)
{
  g_autoptr(GError) error = NULL;
  gboolean ok = vg_renderer_upload (renderer, slot, plane, 0, &error);

  g_assert_no_error (error);
  g_assert_true (ok);
}

static guint8 *
capture (VgRenderer *renderer, const VgScene *scene, int width, int height)
{
  g_autoptr(GError) error = NULL;
  guint8 *rgba = vg_renderer_capture (renderer, scene, width, height, &error);

  g_assert_no_error (error);
  g_assert_nonnull (rgba);
  return rgba;
}

static void
test_values (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 37, 23 }, { 3, 641 }, { 512, 2 }, { 127, 131 } };
  VgRenderer *renderer = make_renderer ();

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      int width = sizes[s][0], height = sizes[s][1], n = width * height;
      g_autofree float *data = g_new (float, 3 * n), *back = g_new (float, n);
      VgPlane plane = plane_of (data, width, height);
      g_autoptr(GError) error = NULL;

      for (int i = 0; i < 3 * n; i++)
        data[i] = i % 11 == 3 ? NAN : i % 13 == 5 ? -INFINITY : (float) g_test_rand_double_range (-1e9, 1e9);
      plane.slices = 3;
      for (int slice = 0; slice < 3; slice++)
        {
          g_assert_true (vg_renderer_upload (renderer, slice % 2, &plane, slice, &error));
          g_assert_true (vg_renderer_read_plane (renderer, slice % 2, back, &error));
          for (int i = 0; i < n; i++)
            g_assert_true (back[i] == data[slice * n + i] || (isnan (back[i]) && isnan (data[slice * n + i])));
        }
      g_assert_false (vg_renderer_upload (renderer, 0, &plane, 3, &error));
      g_assert_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_SIZE);
    }
  vg_renderer_free (renderer);
}

/* The pixels that ZOOM and center promise, sample by sample. */
static void
check_view (VgRenderer *renderer, const float *data, int width, int height, double zoom, double cx, double cy, int view_w, int view_h)
{
  VgScene scene = make_scene (zoom, cx, cy);
  g_autofree guint8 *rgba = capture (renderer, &scene, view_w, view_h);

  for (int j = 0; j < view_h; j++)
    for (int i = 0; i < view_w; i++)
      {
        int x = (int) floor (cx + (i + 0.5 - view_w / 2.) / zoom), y = (int) floor (cy + (j + 0.5 - view_h / 2.) / zoom);
        gboolean inside = x >= 0 && x < width && y >= 0 && y < height;

        for (int k = 0; k < 3; k++)
          {
            int want = inside ? (int) data[y * width + x] : (int) lrintf (background[k] * 255);

            g_assert_cmpint (rgba[(j * view_w + i) * 4 + k], ==, want);
          }
        g_assert_cmpint (rgba[(j * view_w + i) * 4 + 3], ==, 255);
      }
}

static void
test_zoom_pan (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 37, 23 }, { 64, 48 }, { 301, 203 } };
  VgRenderer *renderer = make_renderer ();

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      int width = sizes[s][0], height = sizes[s][1];
      g_autofree float *data = make_levels (width, height);
      VgPlane plane = plane_of (data, width, height);

      upload (renderer, 0, &plane);
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
  VgRenderer *renderer = make_renderer ();
  g_autofree float *data = g_new (float, 64 * 32);
  VgPlane plane = plane_of (data, 64, 32);
  VgScene scene = make_scene (0.5, 32, 16);
  g_autofree guint8 *rgba = NULL;

  for (int y = 0; y < 32; y++)
    for (int x = 0; x < 64; x++)
      data[y * 64 + x] = x < 32 ? ((x + y) % 2) * 200.f : x % 2 ? NAN : 100;
  upload (renderer, 0, &plane);
  rgba = capture (renderer, &scene, 32, 16);
  for (int i = 0; i < 32 * 16; i++)
    {
      const guint8 *pixel = rgba + 4 * i;

      if (i % 32 < 16)
        g_assert_cmpint (pixel[0], ==, 100);
      else   /* half grey 100, half the colour of NaN */
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
  VgRenderer *renderer = make_renderer ();
  VgPlane plane = plane_of (data, 5, 1);
  VgScene scene = make_scene (1, 0, 0.5);
  g_autofree guint8 *rgba = NULL;

  plane.mirrored = TRUE;
  upload (renderer, 0, &plane);
  rgba = capture (renderer, &scene, 12, 1);
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
  VgRenderer *renderer = make_renderer ();
  VgPlane plane = plane_of (data, 4, 1);
  VgScene scene = make_scene (8, 2, 0.5);
  guint8 *rgba;

  scene.smooth = TRUE;
  upload (renderer, 0, &plane);
  rgba = capture (renderer, &scene, 32, 8);
  g_assert_cmpint (abs (rgba[4 * 8] - 113), <=, 1);     /* 1/16 beyond the middle of 0 and 200 */
  g_assert_cmpint (rgba[0], ==, 0);
  g_assert_cmpint (rgba[4 * 31], ==, 50);
  g_free (rgba);

  data[2] = NAN;
  upload (renderer, 0, &plane);
  rgba = capture (renderer, &scene, 32, 8);
  for (int i = 0; i < 32; i++)
    g_assert_cmpint (rgba[4 * i + 1] == 0 && rgba[4 * i] == 255, ==, i / 8 == 2);
  g_assert_cmpint (rgba[4 * 15], ==, 200);
  g_free (rgba);
  vg_renderer_free (renderer);
}

static void
test_isolines (void)
{
  VgRenderer *renderer = make_renderer ();
  g_autofree float *data = g_new (float, 40 * 20);
  VgPlane plane = plane_of (data, 40, 20);
  VgScene scene = make_scene (4, 20, 10);
  g_autofree guint8 *plain = NULL, *lined = NULL;

  for (int i = 0; i < 40 * 20; i++)
    data[i] = 100 + i % 40;       /* at a sample's middle: 100 + x */
  upload (renderer, 0, &plane);
  plain = capture (renderer, &scene, 160, 80);
  scene.n_isolines = 2;
  scene.isolines[0] = 110;        /* pixel (110 - 100 + 0.5) * 4 = 42 */
  scene.isolines[1] = 500;        /* nowhere */
  lined = capture (renderer, &scene, 160, 80);
  for (int y = 4; y < 76; y++)
    for (int x = 0; x < 160; x++)
      {
        int at = 4 * (y * 160 + x), change = abs (plain[at] - lined[at]);

        if (x == 41 || x == 42)
          g_assert_cmpint (change, >, 40);
        else if (x < 39 || x > 44)
          g_assert_cmpint (change, ==, 0);
      }
  vg_renderer_free (renderer);
}

/* Larger along y than along x, both ways of drawing: each sample covers its rectangle; along an axis that
 * shrinks it is a mean. */
static void
test_aspect (void)
{
  enum { W = 12, H = 8, X = 3, Y = 6 };
  VgRenderer *renderer = make_renderer ();
  g_autofree float *data = g_new (float, W * H);
  VgPlane plane = plane_of (data, W, H);
  VgScene scene = make_scene (X, W / 2., H / 2.), square = make_scene (1, W / 2., H / 2.);
  g_autofree guint8 *rgba = NULL, *cpu = NULL, *plain = NULL, *narrow = NULL;

  for (int i = 0; i < W * H; i++)
    data[i] = (float) (100 + i * 7 % 96);
  upload (renderer, 0, &plane);
  scene.aspect = (double) Y / X;
  rgba = capture (renderer, &scene, W * X, H * Y);
  cpu = vg_software_draw (&scene, &plane, NULL, 0, W * X, H * Y);
  plain = capture (renderer, &square, W, H);
  for (int y = 0; y < H * Y; y++)
    for (int x = 0; x < W * X; x++)
      {
        g_assert_cmpint (rgba[4 * (y * W * X + x)], ==, plain[4 * (y / Y * W + x / X)]);
        g_assert_cmpint (abs (cpu[4 * (y * W * X + x)] - rgba[4 * (y * W * X + x)]), <=, 1);
      }
  for (int i = 0; i < W * H; i++)
    data[i] = 100 + 96 * (i / W % 2);      /* rows by turns: halved along y there is one grey */
  upload (renderer, 0, &plane);
  scene.aspect = 0.5 / X;
  narrow = capture (renderer, &scene, W * X, H / 2);
  for (int i = 1; i < W * X * H / 2; i++)
    g_assert_cmpint (narrow[4 * i], ==, narrow[0]);
  vg_renderer_free (renderer);
}

/* A ramp with noise as large as eight of its steps: a line is about one line, not a cloud; both ways of drawing. */
static void
test_isolines_noise (void)
{
  enum { W = 64, H = 64, ZOOM = 4 };
  VgRenderer *renderer = make_renderer ();
  g_autofree float *data = g_new (float, W * H);
  VgPlane plane = plane_of (data, W, H);
  VgScene scene = make_scene (ZOOM, W / 2., H / 2.);
  g_autofree guint8 *plain = NULL, *lined = NULL, *cpu_plain = NULL, *cpu_lined = NULL;
  int inked = 0, cpu_inked = 0;

  for (int i = 0; i < W * H; i++)
    data[i] = (float) (100 + i % W + g_test_rand_double_range (-4, 4));
  upload (renderer, 0, &plane);
  plain = capture (renderer, &scene, W * ZOOM, H * ZOOM);
  cpu_plain = vg_software_draw (&scene, &plane, NULL, 0, W * ZOOM, H * ZOOM);
  scene.n_isolines = 1;
  scene.isolines[0] = 132;
  lined = capture (renderer, &scene, W * ZOOM, H * ZOOM);
  cpu_lined = vg_software_draw (&scene, &plane, NULL, 0, W * ZOOM, H * ZOOM);
  for (int i = 0; i < W * ZOOM * H * ZOOM; i++)
    {
      inked += abs (plain[4 * i] - lined[4 * i]) > 30;
      cpu_inked += abs (cpu_plain[4 * i] - cpu_lined[4 * i]) > 30;
    }
  g_test_message ("inked %d and %d", inked, cpu_inked);
  g_assert_cmpint (inked, >, H * ZOOM);
  g_assert_cmpint (inked, <, 11 * H * ZOOM / 2);     /* 1000 of 16384 pixels; 1800 along the samples themselves */
  g_assert_cmpint (abs (inked - cpu_inked), <, inked / 4);
  vg_renderer_free (renderer);
}

/* On a log scale, where neighbours differ by decades: a line runs where the
 * map has its value and nowhere else; what is 0 takes none. */
static void
test_isolines_log (void)
{
  enum { W = 48, H = 16, ZOOM = 6, LINES = 5 };
  VgRenderer *renderer = make_renderer ();
  g_autofree float *data = g_new (float, W * H);
  VgPlane plane = plane_of (data, W, H);
  VgScene scene = make_scene (ZOOM, W / 2., H / 2.);
  g_autofree guint8 *plain = NULL, *lined = NULL, *cpu_plain = NULL, *cpu_lined = NULL;

  for (int i = 0; i < W * H; i++)
    data[i] = i % W < 44 ? (float) pow (10, 3 - (i % W) / 8.) : 0;      /* 1000 at x = 0, a decade in 8 samples */
  scene.coloring.log_scale = TRUE;
  scene.coloring.low = 0.003;
  scene.coloring.high = 1000;
  upload (renderer, 0, &plane);
  plain = capture (renderer, &scene, W * ZOOM, H * ZOOM);
  cpu_plain = vg_software_draw (&scene, &plane, NULL, 0, W * ZOOM, H * ZOOM);
  scene.n_isolines = LINES;
  for (int i = 0; i < LINES; i++)
    scene.isolines[i] = pow (10, i - 2);                              /* 0.01 to 100 */
  lined = capture (renderer, &scene, W * ZOOM, H * ZOOM);
  cpu_lined = vg_software_draw (&scene, &plane, NULL, 0, W * ZOOM, H * ZOOM);
  for (int y = ZOOM; y < (H - 1) * ZOOM; y++)
    for (int x = 2; x < 43 * ZOOM; x++)
      {
        double decades = 3 - ((x + 0.5) / ZOOM - 0.5) / 8;            /* log10 of the map there */
        double away = fabs (decades - round (decades)) * 8 * ZOOM;    /* pixels to the nearest decade */
        int at = 4 * (y * W * ZOOM + x), change = abs (plain[at] - lined[at]), cpu = abs (cpu_plain[at] - cpu_lined[at]);

        if (round (decades) > 2 || round (decades) < -2)
          away = 99;
        if (away < 0.6)
          g_assert_cmpint (MIN (change, cpu), >, 40);
        else if (away > 3)
          g_assert_cmpint (MAX (change, cpu), ==, 0);
      }
  for (int x = 45 * ZOOM; x < W * ZOOM; x++)
    g_assert_cmpint (plain[4 * (ZOOM * W * ZOOM + x)], ==, lined[4 * (ZOOM * W * ZOOM + x)]);
  vg_renderer_free (renderer);
}

static void
test_brightness (void)
{
  static const float data[4] = { 200, 200, 200, 200 }, light[4] = { 0, 5, 10, NAN };
  static const int want[4] = { 0, 100, 200, 0 };
  VgRenderer *renderer = make_renderer ();
  VgPlane plane = plane_of (data, 4, 1), second = plane_of (light, 4, 1), other = plane_of (light, 3, 1);
  VgScene scene = make_scene (1, 2, 0.5);
  guint8 *rgba;

  scene.brightness = TRUE;
  scene.brightness_high = 10;
  upload (renderer, 0, &plane);
  upload (renderer, 1, &second);
  rgba = capture (renderer, &scene, 4, 1);
  for (int i = 0; i < 4; i++)
    g_assert_cmpint (abs (rgba[4 * i] - want[i]), <=, 1);
  g_free (rgba);
  rgba = vg_software_draw (&scene, &plane, &second, 0, 4, 1);
  for (int i = 0; i < 4; i++)
    g_assert_cmpint (abs (rgba[4 * i] - want[i]), <=, 1);
  g_free (rgba);
  upload (renderer, 1, &other);     /* of another size: not used */
  rgba = capture (renderer, &scene, 4, 1);
  g_assert_cmpint (rgba[0], ==, 200);
  g_free (rgba);
  vg_renderer_free (renderer);
}

/* The CPU's picture is the same one. */
static void
test_software (void)
{
  VgRenderer *renderer = make_renderer ();
  g_autofree float *data = make_levels (37, 23);
  VgPlane plane = plane_of (data, 37, 23);

  data[40] = NAN;
  for (int mirrored = 0; mirrored < 2; mirrored++)
    for (double zoom = 1; zoom <= 3; zoom += 0.5)
      {
        VgScene scene = make_scene (zoom, 17.25, 11.25);
        g_autofree guint8 *gl = NULL, *cpu = NULL;

        plane.mirrored = mirrored;
        upload (renderer, 0, &plane);
        gl = capture (renderer, &scene, 90, 70);
        cpu = vg_software_draw (&scene, &plane, NULL, 0, 90, 70);
        g_assert_cmpmem (gl, 90 * 70 * 4, cpu, 90 * 70 * 4);
      }
  vg_renderer_free (renderer);
}

static void
test_limits (void)
{
  VgRenderer *renderer = make_renderer ();
  g_autofree float *data = g_new0 (float, 64);
  VgPlane plane = plane_of (data, 1 << 24, 1);
  VgScene scene = make_scene (1, 0, 0);
  g_autoptr(GError) error = NULL;
  guint8 *rgba;

  g_assert_false (vg_renderer_upload (renderer, 0, &plane, 0, &error));
  g_assert_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_SIZE);
  g_clear_error (&error);
  g_assert_false (vg_renderer_read_plane (renderer, 0, data, &error));
  g_clear_error (&error);
  g_assert_null (vg_renderer_capture (renderer, &scene, 0, 4, &error));
  g_assert_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_SIZE);
  g_clear_error (&error);
  rgba = capture (renderer, &scene, 2, 2);     /* nothing uploaded: the background */
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
  VgRenderer *renderer = make_renderer ();
  g_autofree float *data = make_levels (256, 256);
  VgPlane plane = plane_of (data, 256, 256);
  VgScene scene = make_scene (1, 128, 128);
  long before = 0;

  for (int i = 0; i < 1100; i++)
    {
      if (i == 100)
        before = resident_kb ();
      plane.width = i % 100 == 0 ? 255 : 256;    /* a change of size now and then */
      upload (renderer, 0, &plane);
      if (i % 50 == 0)
        g_free (capture (renderer, &scene, 256, 256));
    }
  g_assert_cmpint (resident_kb () - before, <, 8 * 1024);
  vg_renderer_free (renderer);
}

/* A lost context: everything is made again in another one. */
static void
test_again (void)
{
  g_autofree float *data = make_levels (16, 16);
  VgPlane plane = plane_of (data, 16, 16);

  for (int i = 0; i < 3; i++)
    {
      g_autoptr(GError) error = NULL;
      VgHeadless *headless = vg_headless_new (&error);
      VgRenderer *renderer;

      g_assert_no_error (error);
      renderer = make_renderer ();
      upload (renderer, 0, &plane);
      check_view (renderer, data, 16, 16, 1, 8, 8, 20, 20);
      vg_renderer_free (renderer);
      vg_headless_free (headless);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr(GError) error = NULL;
  VgHeadless *headless;
  int status;

  g_test_init (&argc, &argv, NULL);
  headless = vg_headless_new (&error);
  if (headless == NULL)
    {
      g_print ("1..0 # SKIP %s\n", error->message);
      return 77;
    }
  g_test_add_func ("/gl/values", test_values);
  g_test_add_func ("/gl/zoom-pan", test_zoom_pan);
  g_test_add_func ("/gl/reduced", test_reduced);
  g_test_add_func ("/gl/mirrored", test_mirrored);
  g_test_add_func ("/gl/smooth", test_smooth);
  g_test_add_func ("/gl/aspect", test_aspect);
  g_test_add_func ("/gl/isolines", test_isolines);
  g_test_add_func ("/gl/isolines-noise", test_isolines_noise);
  g_test_add_func ("/gl/isolines-log", test_isolines_log);
  g_test_add_func ("/gl/brightness", test_brightness);
  g_test_add_func ("/gl/software", test_software);
  g_test_add_func ("/gl/limits", test_limits);
  g_test_add_func ("/gl/growth", test_growth);
  g_test_add_func ("/gl/again", test_again);
  status = g_test_run ();
  vg_headless_free (headless);
  return status;
}
