/* SPDX-License-Identifier: MIT */
/* Outlines of known circles: where the line lies, how wide it is, that both of
 * two overlapping ones are seen, and that the CPU draws the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "render/vg-gl.h"
#include "kernels/shared/vg-outlines-draw.h"
#include "render/vg-renderer.h"
#include "tests/support/ui/gl-fixture.h"
#include "render/vg-software.h"

enum { W = 96, H = 72, MOST = 4 };

typedef struct
{
  double x, y, radius;
} Circle;

typedef struct
{
  VgOutline items[MOST];
  GArray *samples;
  VgOutlines outlines;
} Set;

/* Signed distances, clamped as an engine's band is; tiles reach SPARE samples
 * beyond the circle, cut at the picture. */
static void
set_make (Set *self, const Circle *circles, guint n, double spare)
{
  self->samples = g_array_new (FALSE, FALSE, sizeof (float));
  for (guint i = 0; i < n; i++)
    {
      const Circle *c = &circles[i];
      int x0 = MAX ((int) floor (c->x - c->radius - spare), 0),
          x1 = MIN ((int) ceil (c->x + c->radius + spare), W);
      int y0 = MAX ((int) floor (c->y - c->radius - spare), 0),
          y1 = MIN ((int) ceil (c->y + c->radius + spare), H);
      int stride = x1 - x0 + (int) i * 3; /* not the width: pools have rows of their own */

      self->items[i] = (VgOutline){
        x0, y0, x1 - x0, y1 - y0, self->samples->len, (guint32) stride, i + 1, TRUE
      };
      for (int y = y0; y < y1; y++)
        for (int x = x0; x < x0 + stride; x++)
          {
            float value = x < x1
                              ? (float) CLAMP (c->radius - hypot (x + 0.5 - c->x, y + 0.5 - c->y),
                                               -6.0, 6.0)
                              : NAN;

            g_array_append_val (self->samples, value);
          }
    }
  self->outlines = (VgOutlines){ self->items,
                                 n,
                                 { .place = VG_HOST,
                                   .data = (const float *) (const void *) self->samples->data,
                                   .width = (int) self->samples->len,
                                   .height = 1,
                                   .slices = 1 },
                                 W,
                                 H };
}

static VgRenderer *
make_renderer (const Set *set)
{
  g_autofree float *data = g_new0 (float, W *H);
  VgPlane plane = { .place = VG_HOST, .data = data, .width = W, .height = H, .slices = 1 };
  g_autoptr (GError) error = NULL;
  VgRenderer *renderer = vg_renderer_new (VG_DISPLAY_AUTO, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (vg_renderer_upload (renderer, 0, &plane, 0, &error));
  g_assert_true (vg_renderer_set_outlines (renderer, &set->outlines, &error));
  g_assert_no_error (error);
  return renderer;
}

static VgScene
make_scene (double zoom, double x, double y)
{
  return (VgScene){
    .coloring = { .colormap = vg_colormap_find ("gray"), .low = -1, .high = 1, .gamma = 1 },
    .zoom = zoom,
    .center_x = x,
    .center_y = y,
    .outlines = TRUE,
    .outline_width = 1.5
  };
}

static guint8 *
capture (VgRenderer *renderer, const VgScene *scene, int width, int height)
{
  g_autoptr (GError) error = NULL;
  guint8 *rgba = gl_try_capture (renderer, scene, width, height, &error);

  g_assert_no_error (error);
  return rgba;
}

/* Like COLOR, and not the picture's grey. */
static double
likeness (const guint8 *at, const guint8 *color)
{
  int grey = 128, top = 0, bottom = 0;

  for (int k = 0; k < 3; k++)
    {
      top += (at[k] - grey) * (color[k] - grey);
      bottom += (color[k] - grey) * (color[k] - grey);
    }
  return CLAMP ((double) top / bottom, 0.0, 1.0);
}

/* Along rays from the middle, the line's centre of weight is on the circle. */
static double
worst_place (const guint8 *rgba, int width, int height, const VgScene *scene, const Circle *circle,
             const guint8 *color)
{
  double worst = 0;

  for (int ray = 0; ray < 360; ray += 5)
    {
      double dx = cos (ray * G_PI / 180), dy = sin (ray * G_PI / 180), sum = 0, weights = 0;

      for (double away = -3; away <= 3; away += 0.05) /* viewport pixels */
        {
          double r = circle->radius * scene->zoom + away;
          double px = 0.5 * width + (circle->x - scene->center_x) * scene->zoom + r * dx;
          double py = 0.5 * height + (circle->y - scene->center_y) * scene->zoom + r * dy;
          double weight;

          g_assert_true (px >= 0 && py >= 0 && px < width && py < height);
          weight = likeness (rgba + 4 * ((gsize) py * (gsize) width + (gsize) px), color);
          sum += weight * away;
          weights += weight;
        }
      g_assert_cmpfloat (weights * 0.05, >, 1.0); /* about 1.5 pixels are inked */
      g_assert_cmpfloat (weights * 0.05, <, 2.4);
      worst = MAX (worst, fabs (sum / weights));
    }
  return worst;
}

static void
test_place (void)
{
  static const double zooms[] = { 2, 3.7, 6 };
  const Circle circle = { 46.3, 35.8, 17.4 };
  Set set;
  VgRenderer *renderer;
  guint8 color[3];

  set_make (&set, &circle, 1, 5);
  renderer = make_renderer (&set);
  vg_outlines_color (1, TRUE, color);
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      VgScene scene = make_scene (zooms[i], 45.1, 36.4);
      int width = (int) (W * zooms[i]), height = (int) (H * zooms[i]);
      g_autofree guint8 *rgba = capture (renderer, &scene, width, height);
      double worst = worst_place (rgba, width, height, &scene, &circle, color);

      g_test_message ("zoom %g: the line is %.3f px off at most", zooms[i], worst);
      g_assert_cmpfloat (worst, <, 0.5);
    }
  vg_renderer_free (renderer);
  g_array_unref (set.samples);
}

static guint
count_ink (const guint8 *rgba, int n, const guint8 *color)
{
  guint count = 0;

  for (int i = 0; i < n; i++)
    count += abs (rgba[4 * i] - color[0]) < 3 && abs (rgba[4 * i + 1] - color[1]) < 3 &&
             abs (rgba[4 * i + 2] - color[2]) < 3;
  return count;
}

static guint
count_like (const guint8 *rgba, int n, guint32 id, gboolean converged)
{
  guint8 color[3];

  vg_outlines_color (id, converged, color);
  return count_ink (rgba, n, color);
}

/* A label map would hide one; here both go on inside the other, and the
 * selected one is thicker, a moving one pale. */
static void
test_overlap (void)
{
  const Circle circles[] = { { 40, 36, 16 }, { 55, 36, 16 } };
  enum { ZOOM = 5, WIDTH = W * ZOOM, HEIGHT = H * ZOOM };
  VgScene scene = make_scene (ZOOM, W / 2.0, H / 2.0);
  VgRenderer *renderer;
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *both = NULL, *thick = NULL, *off = NULL, *pale = NULL;
  guint counts[2];
  Set set;

  set_make (&set, circles, 2, 4);
  renderer = make_renderer (&set);
  scene.outline_width = 2;
  both = capture (renderer, &scene, WIDTH, HEIGHT);
  for (int i = 0; i < 2; i++)
    {
      /* the part of the circle that lies inside the other, at its middle */
      int x = (int) ((i == 0 ? 40 + 16 : 55 - 16) * ZOOM), y = 36 * ZOOM;
      const guint8 *at = both + 4 * ((gsize) y * WIDTH + (gsize) x);
      guint8 color[3];

      vg_outlines_color ((guint32) i + 1, TRUE, color);
      g_assert_cmpfloat (likeness (at, color), >, 0.8);
      counts[i] = count_like (both, WIDTH * HEIGHT, (guint32) i + 1, TRUE);
      g_assert_cmpuint (counts[i], >, 400);
    }
  scene.selected = 2;
  thick = capture (renderer, &scene, WIDTH, HEIGHT);
  g_assert_cmpuint (count_like (thick, WIDTH * HEIGHT, 2, TRUE), >, 2 * counts[1]);
  g_assert_cmpuint (count_like (thick, WIDTH * HEIGHT, 1, TRUE), <=, counts[0]);
  scene.outlines = FALSE;
  off = capture (renderer, &scene, WIDTH, HEIGHT);
  g_assert_cmpuint (count_like (off, WIDTH * HEIGHT, 1, TRUE), ==, 0);
  set.items[0].converged = FALSE;
  g_assert_true (vg_renderer_set_outlines (renderer, &set.outlines, &error));
  scene.outlines = TRUE;
  pale = capture (renderer, &scene, WIDTH, HEIGHT);
  g_assert_cmpuint (count_like (pale, WIDTH * HEIGHT, 1, TRUE), ==, 0);
  g_assert_cmpuint (count_like (pale, WIDTH * HEIGHT, 1, FALSE), >, 400);
  vg_renderer_free (renderer);
  g_array_unref (set.samples);
}

/* An object of a pixel or less on the screen is a dot, from the card and from the processor: a line
 * about it would hardly cover anything. */
static void
test_dots (void)
{
  static const double zooms[] = { 0.08, 0.2, 0.3 };
  const Circle circle = { 48, 36, 4 };
  Set set;
  VgRenderer *renderer;
  guint8 color[3];

  set_make (&set, &circle, 1, 4);
  set.items[0].look = VG_OUTLINE_MISSED; /* whose line has gaps, and whose dot has none */
  memcpy (color, vg_outlines_ink (VG_OUTLINE_MISSED)->rgb, 3);
  renderer = make_renderer (&set);
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      enum { WIDTH = 48, HEIGHT = 36 };
      VgScene scene = make_scene (zooms[i], 48, 36);
      g_autofree guint8 *card = capture (renderer, &scene, WIDTH, HEIGHT),
                        *processor = g_malloc (4 * WIDTH * HEIGHT);
      guint of_card = 0, of_processor = 0;

      memset (processor, 128, 4 * WIDTH * HEIGHT);
      vg_software_draw_outlines (&scene, &set.outlines, processor, WIDTH, HEIGHT);
      for (int k = 0; k < WIDTH * HEIGHT; k++)
        {
          of_card += likeness (card + 4 * k, color) > 0.5;
          of_processor += likeness (processor + 4 * k, color) > 0.5;
        }
      g_test_message ("zoom %g: %u pixels, %u by the processor", zooms[i], of_card, of_processor);
      g_assert_cmpuint (of_card, >=, 4);
      g_assert_cmpuint (of_card, <=, 12);
      g_assert_cmpuint (of_processor, ==, of_card);
    }
  vg_renderer_free (renderer);
  g_array_unref (set.samples);
}

/* Each look has its colour, and as much of the line as its dashes say, from the card and from the
 * processor; to compare with, solid lines are thinner and dashed ones are not. */
static void
test_looks (void)
{
  const Circle circle = { 48, 36, 24 };
  enum { ZOOM = 6, WIDTH = W * ZOOM, HEIGHT = H * ZOOM };
  VgScene scene = make_scene (ZOOM, W / 2.0, H / 2.0);
  VgRenderer *renderer;
  g_autoptr (GError) error = NULL;
  guint whole = 0;
  Set set;

  set_make (&set, &circle, 1, 6);
  renderer = make_renderer (&set);
  scene.outline_width = 4;
  for (int plain = 0; plain < 2; plain++)
    for (VgOutlineLook look = VG_OUTLINE_CORRECT; look < VG_OUTLINE_LOOKS; look++)
      {
        const VgOutlineInk *ink = vg_outlines_ink (look);
        g_autofree guint8 *rgba = NULL, *software = g_malloc (4 * WIDTH * HEIGHT);
        double share = 0;
        guint card, processor;

        for (int k = 0; k < 8; k++)
          share += (ink->dashes >> k & 1) / 8.0;
        set.items[0].look = look;
        set.outlines.plain = plain;
        g_assert_true (vg_renderer_set_outlines (renderer, &set.outlines, &error));
        rgba = capture (renderer, &scene, WIDTH, HEIGHT);
        memset (software, 128, 4 * WIDTH * HEIGHT);
        vg_software_draw_outlines (&scene, &set.outlines, software, WIDTH, HEIGHT);
        card = count_ink (rgba, WIDTH * HEIGHT, ink->rgb);
        processor = count_ink (software, WIDTH * HEIGHT, ink->rgb);
        g_test_message ("%s: %u pixels, %u by the processor", ink->name, card, processor);
        if (look == VG_OUTLINE_CORRECT && !plain)
          whole = card;
        g_assert_cmpuint (whole, >, 1000);
        if (plain && ink->dashes == 0xff)
          g_assert_cmpfloat (card, <, 0.75 * whole);
        else
          g_assert_cmpfloat_with_epsilon ((double) card / whole, share, 0.05);
        g_assert_cmpfloat_with_epsilon ((double) processor / card, 1, 0.05);
      }
  vg_renderer_free (renderer);
  g_array_unref (set.samples);
}

/* How far from LOW to HIGH a byte is, beyond what rounding to bytes does. */
static gboolean
is_beyond (int value, int low, int high)
{
  return value < low - 3 || value > high + 3;
}

/* What the processor draws when the picture lies up to REACH pixels off to either side: the least
 * and the most of each byte. The card places corners of rectangles on a grid of REACH pixels; where
 * slopes are steep, or at a tile's edge, that changes a pixel by much, elsewhere by nothing. */
static void
draw_envelope (const VgScene *scene, const VgPlane *plane, const VgOutlines *outlines, double reach,
               int width, int height, guint8 *low, guint8 *high)
{
  memset (low, 255, (gsize) width * (gsize) height * 4);
  memset (high, 0, (gsize) width * (gsize) height * 4);
  for (int k = 0; k < 9; k++)
    {
      VgScene moved = *scene;
      g_autofree guint8 *cpu = vg_software_draw (scene, plane, NULL, NULL, 0, width, height);

      moved.center_x += (k % 3 - 1) * reach / scene->zoom;
      moved.center_y += (k / 3 - 1) * reach / scene->zoom;
      vg_software_draw_outlines (&moved, outlines, cpu, width, height);
      for (int i = 0; i < width * height * 4; i++)
        {
          low[i] = MIN (low[i], cpu[i]);
          high[i] = MAX (high[i], cpu[i]);
        }
    }
}

/* Sizes of one and of no round number, cut at the picture's edge. */
static void
test_software (void)
{
  GLint bits = 0;

  glGetIntegerv (GL_SUBPIXEL_BITS, &bits);
  g_assert_cmpint (bits, >=, 4);
  static const double zooms[] = { 0.6, 1, 2.5, 7.3 };

  for (int round = 0; round < 12; round++)
    {
      Circle circles[MOST];
      double zoom = zooms[round % 4];
      VgScene scene = make_scene (zoom, g_test_rand_double_range (0, W),
                                  g_test_rand_double_range (0, H));
      int width = g_test_rand_int_range (1, 300), height = g_test_rand_int_range (1, 300),
          differing = 0;
      g_autofree float *zeros = g_new0 (float, W *H);
      VgPlane plane = { .place = VG_HOST, .data = zeros, .width = W, .height = H, .slices = 1 };
      g_autofree guint8 *gl = NULL, *low = g_malloc ((gsize) width * (gsize) height * 4),
                        *high = g_malloc ((gsize) width * (gsize) height * 4);
      VgRenderer *renderer;
      Set set;

      for (int i = 0; i < MOST; i++)
        circles[i] = (Circle){ g_test_rand_double_range (0, W), g_test_rand_double_range (0, H),
                               i == 0 ? 0.4 : g_test_rand_double_range (1, 30) };
      set_make (&set, circles, MOST, round % 3);
      renderer = make_renderer (&set);
      scene.selected = (guint32) round % 6;
      gl = capture (renderer, &scene, width, height);
      draw_envelope (&scene, &plane, &set.outlines, exp2 (-bits), width, height, low, high);
      for (int i = 0; i < width * height * 4; i++)
        differing += is_beyond (gl[i], low[i], high[i]);
      g_test_message ("zoom %g, %dx%d: %d of %d differ", zoom, width, height, differing,
                      width * height * 4);
      g_assert_cmpint (differing, ==, 0);
      vg_renderer_free (renderer);
      g_array_unref (set.samples);
    }
}

static void
test_hostile (void)
{
  const Circle circle = { 40, 36, 16 };
  g_autoptr (GError) error = NULL;
  VgRenderer *renderer;
  Set set;

  set_make (&set, &circle, 1, 4);
  renderer = make_renderer (&set);
  set.items[0].stride += 1;
  g_assert_false (vg_renderer_set_outlines (renderer, &set.outlines, &error));
  g_assert_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED);
  g_clear_error (&error);
  set.items[0].stride -= 1;
  set.items[0].offset = G_MAXUINT32;
  g_assert_false (vg_renderer_set_outlines (renderer, &set.outlines, &error));
  g_clear_error (&error);
  set.items[0].offset = 0;
  g_assert_true (vg_renderer_set_outlines (renderer, &set.outlines, &error));
  g_assert_true (vg_renderer_set_outlines (renderer, NULL, &error));
  vg_renderer_free (renderer);
  g_array_unref (set.samples);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  VgHeadless *headless;
  int status;

  g_test_init (&argc, &argv, NULL);
  headless = vg_headless_new (&error);
  if (headless == NULL)
    {
      g_print ("1..0 # SKIP %s\n", error->message);
      return 77;
    }
  g_test_add_func ("/gl/outlines/place", test_place);
  g_test_add_func ("/gl/outlines/overlap", test_overlap);
  g_test_add_func ("/gl/outlines/dots", test_dots);
  g_test_add_func ("/gl/outlines/looks", test_looks);
  g_test_add_func ("/gl/outlines/software", test_software);
  g_test_add_func ("/gl/outlines/hostile", test_hostile);
  status = g_test_run ();
  vg_headless_free (headless);
  return status;
}
