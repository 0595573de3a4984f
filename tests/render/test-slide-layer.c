/* SPDX-License-Identifier: MIT */
/* Tiles of a slide below the plane that is a part of it: their places and
 * order, the plane's edge, a slide far larger than a float counts, the bound
 * of textures, and that the CPU draws the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/support/ui/gl-fixture.h"
#include "render/vg-slide-layer.h"
#include "render/vg-software.h"

enum { WIDTH = 260, HEIGHT = 180 };

/* The colour of a pixel of level LEVEL. */
static void
paint (VgSlideTile *tile)
{
  for (int y = 0; y < tile->height; y++)
    for (int x = 0; x < tile->width; x++)
      {
        guint8 *rgb = tile->rgb + 3 * ((gsize) y * (gsize) tile->width + (gsize) x);

        rgb[0] = (guint8) (40 * tile->level + 60);
        rgb[1] = (guint8) ((gint64) (tile->x / (1 << tile->level) + x) % 200);
        rgb[2] = (guint8) ((gint64) (tile->y / (1 << tile->level) + y) % 200);
      }
}

static void
add (GPtrArray *tiles, int level, double x, double y, int width, int height, double right,
     double bottom)
{
  VgSlideTile *tile = vg_slide_tile_new (level, x, y, width, height);

  tile->right = right;
  tile->bottom = bottom;
  paint (tile);
  g_ptr_array_add (tiles, tile);
}

static GPtrArray *
tiles_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) vg_slide_tile_unref);
}

static const guint8 *
at (const guint8 *rgba, int x, int y)
{
  return rgba + 4 * (y * WIDTH + x);
}

static void
assert_rgb (const guint8 *rgb, int r, int g, int b)
{
  g_assert_cmpint (abs (rgb[0] - r), <=, 2);
  g_assert_cmpint (abs (rgb[1] - g), <=, 2);
  g_assert_cmpint (abs (rgb[2] - b), <=, 2);
}

/* FROM on: far out, floats of the whole coordinates would be off by pixels. */
static void
check_places (double from)
{
  g_autoptr (GPtrArray) tiles = tiles_new ();
  VgRenderer *renderer = gl_renderer ();
  /* a part of 60 x 40 pixels of level 1, from (64, 32) on; one screen pixel for each pixel of the
   * slide */
  VgScene scene = gl_scene (2, 30, 20);
  g_autofree float *levels = gl_levels (60, 40);
  VgPlane plane = gl_plane (levels, 60, 40);
  g_autofree guint8 *rgba = NULL, *alone = NULL;

  scene.place = (VgSlidePlace){ { from + 64, 32 }, 2 };
  add (tiles, 2, from, 0, 128, 128, from + 512, 512); /* coarse, below */
  add (tiles, 0, from, 0, 128, 100, from + 128, 100); /* fine, a part of it */
  vg_renderer_set_tiles (renderer, tiles);
  alone = gl_capture (renderer, &scene, WIDTH, HEIGHT);
  /* the viewport's middle is (from + 124, 72) on the slide */
  assert_rgb (at (alone, 130 - 10, 90), 60, (gint64) (from + 114) % 200, 72);
  /* the last column of the fine one */
  assert_rgb (at (alone, 130 + 3, 90), 60, (gint64) (from + 127) % 200, 72);
  /* and beside it the coarse one */
  g_assert_cmpint (at (alone, 130 + 4, 90)[0], ==, 140);
  assert_rgb (at (alone, 130 + 66, 90), 140, (gint64) ((from + 190) / 4) % 200, 72 / 4);
  /* the background left of the slide */
  g_assert_cmpint (at (alone, 130 - 124 - 1, 90)[0], ==, 10);
  assert_rgb (at (alone, 130 - 124, 90), 60, (gint64) from % 200, 72);
  gl_upload (renderer, 0, &plane);
  rgba = gl_capture (renderer, &scene, WIDTH, HEIGHT);
  /* exactly 120 x 80 screen pixels from (130 - 60, 90 - 40) on are the plane's */
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        const guint8 *now = at (rgba, x, y);

        if (x < 70 || x >= 190 || y < 50 || y >= 130)
          g_assert_cmpint (memcmp (now, at (alone, x, y), 4), ==, 0);
        else
          assert_rgb (now, (int) levels[(y - 50) / 2 * 60 + (x - 70) / 2], now[0], now[0]);
      }
  vg_renderer_free (renderer);
}

static void
test_places (void)
{
  check_places (0);
  check_places (512 * 10000);
}

/* No plane yet, random views: what the CPU draws. */
static void
test_software (void)
{
  for (int round = 0; round < 10; round++)
    {
      g_autoptr (GPtrArray) tiles = tiles_new ();
      VgRenderer *renderer = gl_renderer ();
      /* not less than 1: the GPU interpolates where it makes things smaller */
      double zooms[] = { 1, 2, 3, 5 };
      VgScene scene = gl_scene (zooms[round % 4], g_test_rand_int_range (-20, 300),
                                g_test_rand_int_range (-20, 300));
      g_autofree guint8 *gl = NULL, *cpu = NULL;
      int differing = 0;

      scene.place = (VgSlidePlace){ { 10, 20 }, 1 };
      add (tiles, 0, 0, 0, 256, 300, 256, 300);
      add (tiles, 0, 256, 0, 77, 300, 333, 300);
      vg_renderer_set_tiles (renderer, tiles);
      gl = gl_capture (renderer, &scene, WIDTH, HEIGHT);
      cpu = vg_software_draw (&scene, NULL, NULL, NULL, 0, WIDTH, HEIGHT);
      vg_software_draw_tiles (&scene, NULL, tiles, cpu, WIDTH, HEIGHT);
      for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
        differing += abs (gl[i] - cpu[i]) > 1;
      g_assert_cmpint (differing, ==, 0);
      vg_renderer_free (renderer);
    }
}

/* A part of a coarser level, seen close: what lies under its map is the slide's finest, on both
 * ways of drawing. */
static void
test_see_through (void)
{
  g_autoptr (GPtrArray) tiles = tiles_new ();
  VgRenderer *renderer = gl_renderer ();
  VgScene scene = gl_scene (4, 30, 20);
  g_autofree float *levels = gl_levels (60, 40);
  g_autofree guint8 *own = g_malloc0 (60 * 40 * 4), *gl = NULL, *cpu = NULL, *below = NULL,
                    *alone = NULL;
  g_autoptr (VgUnderlay) underlay = NULL;
  VgImageInfo info = {
    .type = VG_U8, .width = 60, .height = 40, .channels = 3, .bins = 1, .slices = 1, .frames = 1
  };
  const double limits[2] = { 0, 255 };
  VgPlane plane = gl_plane (levels, 60, 40);

  for (int i = 0; i < 60 * 40; i++)
    levels[i] = i % 3 == 0 ? 0 : levels[i]; /* nothing there: the slide alone */
  underlay = vg_underlay_new (&info, own, 1, limits, NULL);
  g_assert_nonnull (underlay);
  scene.place = (VgSlidePlace){ { 64, 32 }, 4 };
  scene.underlay = scene.see_through = scene.skip_zero = TRUE;
  scene.opacity = 0.25;
  add (tiles, 0, 0, 0, 400, 300, 400, 300);
  vg_renderer_set_tiles (renderer, tiles);
  alone = gl_capture (renderer, &scene, WIDTH, HEIGHT);
  gl_upload (renderer, 0, &plane);
  g_assert_true (vg_renderer_set_underlay (renderer, underlay, 0, NULL));
  gl = gl_capture (renderer, &scene, WIDTH, HEIGHT);
  below = vg_software_draw (&scene, NULL, NULL, NULL, 0, WIDTH, HEIGHT);
  vg_software_draw_tiles (&scene, NULL, tiles, below, WIDTH, HEIGHT);
  cpu = vg_software_draw (&scene, &plane, NULL, below, 0, WIDTH, HEIGHT);
  vg_software_draw_tiles (&scene, &plane, tiles, cpu, WIDTH, HEIGHT);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        int u = (int) floor (30 + (x + 0.5 - WIDTH / 2) / 4),
            v = (int) floor (20 + (y + 0.5 - HEIGHT / 2) / 4);
        gboolean inside = u >= 0 && v >= 0 && u < 60 && v < 40;
        double level = inside ? levels[v * 60 + u] : 0;

        for (int c = 0; c < 4; c++)
          {
            double slide = at (alone, x, y)[c], expected = c == 3      ? 255
                                                           : level > 0 ? 0.75 * slide + 0.25 * level
                                                                       : slide;

            g_assert_cmpfloat (fabs (at (gl, x, y)[c] - expected), <=, 2);
            g_assert_cmpint (abs (at (gl, x, y)[c] - at (cpu, x, y)[c]), <=, 1);
          }
      }
  vg_renderer_free (renderer);
}

static gboolean
draw_layer (VgSlideLayer *layer, const VgScene *scene, GError **error)
{
  VgPane pane = vg_pane_of (scene, WIDTH, HEIGHT);

  return vg_slide_layer_draw (layer, &pane, error);
}

/* Many new tiles come a few at a time, and what was not drawn for long goes. */
static void
test_bound (void)
{
  VgSlideLayer layer = { 0 };
  VgScene scene = gl_scene (0.01, 0, 0);
  VgRenderer *renderer = gl_renderer (); /* loads GL's functions */
  g_autoptr (GError) error = NULL;
  int pictures = 0;

  scene.place = (VgSlidePlace){ { 0, 0 }, 1 };
  for (int block = 0; block < 8; block++)
    {
      g_autoptr (GPtrArray) tiles = tiles_new ();

      for (int i = 0; i < 40; i++)
        {
          VgSlideTile *tile = vg_slide_tile_new (0, 512 * i, 512 * block, 512, 512);

          g_ptr_array_add (tiles, tile);
        }
      vg_slide_layer_set (&layer, tiles);
      do
        {
          g_assert_true (draw_layer (&layer, &scene, &error));
          g_assert_no_error (error);
          g_assert_cmpuint (layer.bytes, <=, VG_SLIDE_LAYER_BYTES);
          pictures++;
        }
      while (layer.late);
      g_assert_cmpuint (g_hash_table_size (layer.textures), >=, 40);
    }
  g_assert_cmpint (pictures, ==, 8 * 3);
  g_assert_cmpuint (g_hash_table_size (layer.textures), <=, VG_SLIDE_LAYER_BYTES / (512 * 512 * 4));
  vg_slide_layer_set (&layer, NULL);
  g_assert_true (draw_layer (&layer, &scene, &error));
  vg_slide_layer_clear (&layer);
  vg_renderer_free (renderer);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gl/slide-layer/places", test_places);
  g_test_add_func ("/gl/slide-layer/software", test_software);
  g_test_add_func ("/gl/slide-layer/see-through", test_see_through);
  g_test_add_func ("/gl/slide-layer/bound", test_bound);
  return gl_run ();
}
