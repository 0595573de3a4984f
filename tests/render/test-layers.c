/* SPDX-License-Identifier: MIT */
/* What is drawn with a plane: lines, brightness, what lies under it; and that
 * the CPU draws the same. */
#include <math.h>
#include <stdlib.h>
#include "tests/support/ui/gl-fixture.h"
#include "render/vg-software.h"

static void
test_isolines (void)
{
  VgRenderer *renderer = gl_renderer ();
  g_autofree float *data = g_new (float, 40 * 20);
  VgPlane plane = gl_plane (data, 40, 20);
  VgScene scene = gl_scene (4, 20, 10);
  g_autofree guint8 *plain = NULL, *lined = NULL;

  for (int i = 0; i < 40 * 20; i++)
    data[i] = 100 + i % 40; /* at a sample's middle: 100 + x */
  gl_upload (renderer, 0, &plane);
  plain = gl_capture (renderer, &scene, 160, 80);
  scene.n_isolines = 2;
  scene.isolines[0] = 110; /* pixel (110 - 100 + 0.5) * 4 = 42 */
  scene.isolines[1] = 500; /* nowhere */
  lined = gl_capture (renderer, &scene, 160, 80);
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

/* A ramp with noise as large as eight of its steps: a line is about one line, not a cloud; both
 * ways of drawing. LOGARITHMIC: of logarithms, where maps are noisier and more is smoothed. */
static void
test_isolines_noise (gconstpointer logarithmic)
{
  enum { W = 64, H = 64, ZOOM = 4 };
  int most = (logarithmic ? 6 : 11) * H * ZOOM / 2;
  VgRenderer *renderer = gl_renderer ();
  g_autofree float *data = g_new (float, W *H);
  VgPlane plane = gl_plane (data, W, H);
  VgScene scene = gl_scene (ZOOM, W / 2., H / 2.);
  g_autofree guint8 *plain = NULL, *lined = NULL, *cpu_plain = NULL, *cpu_lined = NULL;
  int inked = 0, cpu_inked = 0;

  for (int i = 0; i < W * H; i++)
    {
      data[i] = (float) (100 + i % W + g_test_rand_double_range (-4, 4));
      if (logarithmic)
        data[i] = expf (data[i] / 8);
    }
  if (logarithmic)
    scene.coloring = (VgColoring){ .low = expf (100 / 8.f),
                                   .high = expf (164 / 8.f),
                                   .gamma = 1,
                                   .colormap = scene.coloring.colormap,
                                   .log_scale = TRUE };
  gl_upload (renderer, 0, &plane);
  plain = gl_capture (renderer, &scene, W * ZOOM, H * ZOOM);
  cpu_plain = vg_software_draw (&scene, &plane, NULL, NULL, 0, W * ZOOM, H * ZOOM);
  scene.n_isolines = 1;
  scene.isolines[0] = logarithmic ? exp (132 / 8.) : 132;
  lined = gl_capture (renderer, &scene, W * ZOOM, H * ZOOM);
  cpu_lined = vg_software_draw (&scene, &plane, NULL, NULL, 0, W * ZOOM, H * ZOOM);
  for (int i = 0; i < W * ZOOM * H * ZOOM; i++)
    {
      inked += abs (plain[4 * i] - lined[4 * i]) > 30;
      cpu_inked += abs (cpu_plain[4 * i] - cpu_lined[4 * i]) > 30;
    }
  g_test_message ("inked %d and %d", inked, cpu_inked);
  g_assert_cmpint (inked, >, H * ZOOM);
  /* 1000 of 16384 pixels; 1800 along the samples themselves */
  g_assert_cmpint (inked, <, most);
  g_assert_cmpint (abs (inked - cpu_inked), <, inked / 4);
  vg_renderer_free (renderer);
}

/* On a log scale, where neighbours differ by decades: a line runs where the
 * map has its value and nowhere else; what is 0 takes none. */
static void
test_isolines_log (void)
{
  enum { W = 48, H = 16, ZOOM = 6, LINES = 5 };
  VgRenderer *renderer = gl_renderer ();
  g_autofree float *data = g_new (float, W *H);
  VgPlane plane = gl_plane (data, W, H);
  VgScene scene = gl_scene (ZOOM, W / 2., H / 2.);
  g_autofree guint8 *plain = NULL, *lined = NULL, *cpu_plain = NULL, *cpu_lined = NULL;

  for (int i = 0; i < W * H; i++)
    /* 1000 at x = 0, a decade in 8 samples */
    data[i] = i % W < 44 ? (float) pow (10, 3 - (i % W) / 8.) : 0;
  scene.coloring.log_scale = TRUE;
  scene.coloring.low = 0.003;
  scene.coloring.high = 1000;
  gl_upload (renderer, 0, &plane);
  plain = gl_capture (renderer, &scene, W * ZOOM, H * ZOOM);
  cpu_plain = vg_software_draw (&scene, &plane, NULL, NULL, 0, W * ZOOM, H * ZOOM);
  scene.n_isolines = LINES;
  for (int i = 0; i < LINES; i++)
    scene.isolines[i] = pow (10, i - 2); /* 0.01 to 100 */
  lined = gl_capture (renderer, &scene, W * ZOOM, H * ZOOM);
  cpu_lined = vg_software_draw (&scene, &plane, NULL, NULL, 0, W * ZOOM, H * ZOOM);
  for (int y = ZOOM; y < (H - 1) * ZOOM; y++)
    for (int x = 2; x < 43 * ZOOM; x++)
      {
        double decades = 3 - ((x + 0.5) / ZOOM - 0.5) / 8; /* log10 of the map there */
        /* pixels to the nearest decade */
        double away = fabs (decades - round (decades)) * 8 * ZOOM;
        int at = 4 * (y * W * ZOOM + x), change = abs (plain[at] - lined[at]),
            cpu = abs (cpu_plain[at] - cpu_lined[at]);

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
  VgRenderer *renderer = gl_renderer ();
  VgPlane plane = gl_plane (data, 4, 1), second = gl_plane (light, 4, 1),
          other = gl_plane (light, 3, 1);
  VgScene scene = gl_scene (1, 2, 0.5);
  guint8 *rgba;

  scene.brightness = TRUE;
  scene.brightness_high = 10;
  gl_upload (renderer, 0, &plane);
  gl_upload (renderer, 1, &second);
  rgba = gl_capture (renderer, &scene, 4, 1);
  for (int i = 0; i < 4; i++)
    g_assert_cmpint (abs (rgba[4 * i] - want[i]), <=, 1);
  g_free (rgba);
  rgba = vg_software_draw (&scene, &plane, &second, NULL, 0, 4, 1);
  for (int i = 0; i < 4; i++)
    g_assert_cmpint (abs (rgba[4 * i] - want[i]), <=, 1);
  g_free (rgba);
  gl_upload (renderer, 1, &other); /* of another size: not used */
  rgba = gl_capture (renderer, &scene, 4, 1);
  g_assert_cmpint (rgba[0], ==, 200);
  g_free (rgba);
  vg_renderer_free (renderer);
}

/* The CPU's picture is the same one. */
static void
test_software (void)
{
  VgRenderer *renderer = gl_renderer ();
  g_autofree float *data = gl_levels (37, 23);
  VgPlane plane = gl_plane (data, 37, 23);

  data[40] = NAN;
  for (int mirrored = 0; mirrored < 2; mirrored++)
    for (double zoom = 1; zoom <= 3; zoom += 0.5)
      {
        VgScene scene = gl_scene (zoom, 17.25, 11.25);
        g_autofree guint8 *gl = NULL, *cpu = NULL;

        plane.mirrored = mirrored;
        gl_upload (renderer, 0, &plane);
        gl = gl_capture (renderer, &scene, 90, 70);
        cpu = vg_software_draw (&scene, &plane, NULL, NULL, 0, 90, 70);
        g_assert_cmpmem (gl, 90 * 70 * 4, cpu, 90 * 70 * 4);
      }
  vg_renderer_free (renderer);
}

/* Over a picture: OPACITY of the map, nothing of it where it has no value; the
 * CPU's picture is the same one, whatever the size of the pixels. */
static void
test_underlay (void)
{
  enum { W = 37, H = 23, SLICES = 2 };
  static const double zooms[] = { 1, 2, 3.5 };
  VgImageInfo info = {
    .type = VG_U8, .width = W, .height = H, .channels = 3, .bins = 1, .slices = SLICES, .frames = 1
  };
  VgRenderer *renderer = gl_renderer ();
  g_autofree float *data = gl_levels (W, H * SLICES);
  g_autofree guint8 *rgb = g_malloc (W * H * SLICES * 3);
  g_autoptr (VgUnderlay) underlay = NULL;
  g_autoptr (GError) error = NULL;
  VgPlane plane = gl_plane (data, W, H);

  plane.slices = SLICES;
  for (int i = 0; i < W * H * SLICES * 3; i++)
    rgb[i] = (guint8) g_test_rand_int_range (0, 256);
  for (int i = 0; i < W * H * SLICES; i += 5)
    data[i] = i % 2 ? NAN : 0;
  underlay = vg_underlay_new (&info, rgb, 1, (double[]){ 0, 255 }, &error);
  g_assert_no_error (error);
  for (int run = 0; run < 12; run++)
    {
      int slice = run % SLICES;
      VgScene scene = gl_scene (zooms[run % 3], W / 2., H / 2.);
      g_autofree guint8 *gl = NULL, *cpu = NULL;

      scene.underlay = TRUE;
      scene.opacity = run / 3 / 3.;
      scene.skip_zero = run % 4 > 1;
      g_assert_true (vg_renderer_upload (renderer, 0, &plane, slice, &error));
      g_assert_true (vg_renderer_set_underlay (renderer, underlay, slice, &error));
      gl = gl_capture (renderer, &scene, 90, 70);
      cpu = vg_software_draw (&scene, &plane, NULL, underlay->rgba, slice, 90, 70);
      for (int i = 0; i < 90 * 70; i++)
        {
          int x = (int) floor (scene.center_x + (i % 90 + 0.5 - 45) / scene.zoom);
          int y = (int) floor (scene.center_y + (i / 90 + 0.5 - 35) / scene.zoom);
          int at = (slice * H + y) * W + x;

          for (int k = 0; k < 3; k++)
            {
              double want = gl_background[k] * 255;

              if (x >= 0 && x < W && y >= 0 && y < H)
                want = isnan (data[at]) || (scene.skip_zero && data[at] == 0)
                           ? rgb[3 * at + k]
                           : (1 - scene.opacity) * rgb[3 * at + k] + scene.opacity * data[at];
              g_assert_cmpfloat_with_epsilon (gl[4 * i + k], want, 1.01);
              g_assert_cmpfloat_with_epsilon (cpu[4 * i + k], want, 1.01);
            }
        }
    }
  {
    /* reduced: the mean of what a pixel covers */
    VgScene scene = gl_scene (0.5, W / 2., H / 2.);
    g_autofree guint8 *gl = NULL;
    const guint8 *under = underlay->rgba;

    scene.underlay = TRUE;
    scene.center_x = scene.center_y = 10;
    g_assert_true (vg_renderer_set_underlay (renderer, underlay, 0, &error));
    gl = gl_capture (renderer, &scene, 10, 10);
    for (int k = 0; k < 3; k++) /* opacity 0: the underlay alone */
      g_assert_cmpfloat_with_epsilon (gl[4 * 11 + k],
                                      (under[4 * (2 * W + 2) + k] + under[4 * (2 * W + 3) + k] +
                                       under[4 * (3 * W + 2) + k] + under[4 * (3 * W + 3) + k]) /
                                          4.,
                                      1.01);
  }
  {
    VgScene scene = gl_scene (1, 2, 0.5);
    VgPlane other = gl_plane (data, 4, 1); /* of another size: not over it */
    g_autofree guint8 *gl = NULL;

    scene.underlay = TRUE;
    gl_upload (renderer, 0, &other);
    gl = gl_capture (renderer, &scene, 4, 1);
    g_assert_cmpint (gl[4], ==, (int) data[1]);
    g_assert_true (vg_renderer_set_underlay (renderer, NULL, 0, &error));
  }
  vg_renderer_free (renderer);
}

/* Every sample of every slice where its tile is, nothing between and behind
 * them, over the picture under it; the CPU's picture is the same. */
static void
test_mosaic (void)
{
  enum { W = 13, H = 9 };
  VgRenderer *renderer = gl_renderer ();

  for (int run = 0; run < 8; run++)
    {
      int slices = run % 2 ? 7 : 1 + run, aspect = 1 + run / 4;
      VgImageInfo info = { .type = VG_U8,
                           .width = W,
                           .height = H,
                           .channels = 1,
                           .bins = 1,
                           .slices = slices,
                           .frames = 1 };
      g_autofree float *data = gl_levels (W, H * slices);
      g_autofree guint8 *below = g_malloc0 (W * H * slices), *gl = NULL, *cpu = NULL;
      g_autoptr (VgUnderlay) underlay = NULL;
      g_autoptr (GError) error = NULL;
      VgPlane plane = gl_plane (data, W, H * slices), volume = gl_plane (data, W, H);
      VgScene scene = gl_scene (2, 20, 12);
      int found = 0;

      volume.slices = slices;
      for (int i = 0; i < W * H * slices; i += 3)
        {
          data[i] = NAN;
          below[i] = (guint8) (i % 251);
        }
      scene.aspect = aspect;
      vg_mosaic_init (&scene.mosaic, &volume, 200, 100, aspect);
      g_assert_cmpint (vg_mosaic_rows (&scene.mosaic) * scene.mosaic.columns, >=, slices);
      scene.center_x = 0.5 * vg_mosaic_width (&scene.mosaic);
      scene.center_y = 0.5 * vg_mosaic_height (&scene.mosaic);
      underlay = vg_underlay_new (&info, below, 1, (double[]){ 0, 255 }, &error);
      scene.underlay = TRUE;
      scene.opacity = 1;
      gl_upload (renderer, 0, &plane);
      g_assert_true (vg_renderer_set_underlay (renderer, underlay, -1, &error));
      gl = gl_capture (renderer, &scene, 200, 160);
      cpu = vg_software_draw (&scene, &volume, NULL, underlay->rgba, 0, 200, 160);
      for (int i = 0; i < 200 * 160; i++)
        {
          double x = scene.center_x + (i % 200 + 0.5 - 100) / 2,
                 y = scene.center_y + (i / 200 + 0.5 - 80) / (2. * aspect);
          int slice = vg_mosaic_slice_at (&scene.mosaic, x, y),
              want = (int) lrint (gl_background[0] * 255);
          double left = 0, top = 0;

          if (slice >= 0)
            {
              int at;

              vg_mosaic_corner (&scene.mosaic, slice, &left, &top);
              at = (slice * H + (int) floor (y - top)) * W + (int) floor (x - left);
              want = isnan (data[at]) ? below[at] : (int) data[at];
              found++;
            }
          g_assert_cmpint (gl[4 * i], ==, want);
          g_assert_cmpint (cpu[4 * i], ==, want);
        }
      g_assert_cmpint (found, ==, 4 * aspect * W * H * slices); /* all of it is in sight */
    }
  vg_renderer_free (renderer);
}

/* Turned and swapped, each slice is seen as one whose samples lie so is
 * without that: colours, what is under them, brightness, lines. */
static void
test_turned (void)
{
  enum { W = 13, H = 9, SLICES = 3, N = W * H * SLICES, SIZE = 160 };
  VgRenderer *renderer = gl_renderer ();

  for (int run = 0; run < 48; run++)
    {
      gboolean swapped = run >= 24;
      float data[2][N], light[2][N];
      guint8 below[2][N], *gl[2], *cpu[2];
      VgScene scene = gl_scene (run % 3 ? 3.5 : 0.7, 6, 5);

      for (int i = 0; i < N; i++)
        {
          int x = i % W, y = i / W % H, across = run & 1 ? W - 1 - x : x,
              down = run & 2 ? H - 1 - y : y;
          int to = i / (W * H) * W * H + (swapped ? across * H + down : down * W + across);

          data[0][i] = data[1][to] = i % 7 ? (float) g_test_rand_int_range (0, 256) : NAN;
          light[0][i] = light[1][to] = (float) g_test_rand_int_range (0, 256);
          below[0][i] = below[1][to] = (guint8) g_test_rand_int_range (0, 256);
        }
      scene.underlay = scene.brightness = TRUE;
      scene.opacity = 0.6;
      scene.brightness_high = 255;
      scene.smooth = run % 5 == 0;
      scene.isolines[0] = 100;
      scene.n_isolines = run % 4 == 3;
      for (int k = 0; k < 2; k++)
        {
          g_autoptr (GError) error = NULL;
          int width = k && swapped ? H : W, height = k && swapped ? W : H;
          VgImageInfo size = { .type = VG_U8,
                               .width = width,
                               .height = height,
                               .channels = 1,
                               .bins = 1,
                               .slices = SLICES,
                               .frames = 1 };
          g_autoptr (VgUnderlay)
              underlay = vg_underlay_new (&size, below[k], 1, (double[]){ 0, 255 }, &error);
          gboolean all = run % 2;
          VgPlane plane = gl_plane (data[k], width, all ? height * SLICES : height),
                  dim = gl_plane (light[k], width, all ? height * SLICES : height);
          VgPlane volume = gl_plane (data[k], width, height),
                  dim_volume = gl_plane (light[k], width, height), seen = volume;

          volume.slices = dim_volume.slices = SLICES;
          seen.width = swapped ? H : W;
          seen.height = swapped ? W : H;
          seen.slices = SLICES;
          if (all)
            vg_mosaic_init (&scene.mosaic, &seen, SIZE, SIZE, 1);
          scene.swapped = k == 0 && swapped;
          scene.turned[0] = k == 0 && run & 1;
          scene.turned[1] = k == 0 && run & 2;
          gl_upload (renderer, 0, &plane);
          gl_upload (renderer, 1, &dim);
          g_assert_true (vg_renderer_set_underlay (renderer, underlay, all ? -1 : 0, &error));
          gl[k] = gl_capture (renderer, &scene, SIZE, SIZE);
          cpu[k] = vg_software_draw (&scene, &volume, &dim_volume, underlay->rgba, 0, SIZE, SIZE);
        }
      for (int i = 0; i < 4 * SIZE * SIZE; i++)
        {
          g_assert_cmpint (abs (gl[0][i] - gl[1][i]), <=, 2); /* sums in another order */
          g_assert_cmpint (abs (cpu[0][i] - cpu[1][i]), <=, 2);
        }
      for (int k = 0; k < 2; k++)
        {
          g_free (gl[k]);
          g_free (cpu[k]);
        }
    }
  vg_renderer_free (renderer);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gl/isolines", test_isolines);
  g_test_add_data_func ("/gl/isolines-noise", GINT_TO_POINTER (FALSE), test_isolines_noise);
  g_test_add_data_func ("/gl/isolines-noise-logarithms", GINT_TO_POINTER (TRUE),
                        test_isolines_noise);
  g_test_add_func ("/gl/isolines-log", test_isolines_log);
  g_test_add_func ("/gl/brightness", test_brightness);
  g_test_add_func ("/gl/software", test_software);
  g_test_add_func ("/gl/underlay", test_underlay);
  g_test_add_func ("/gl/mosaic", test_mosaic);
  g_test_add_func ("/gl/turned", test_turned);
  return gl_run ();
}
