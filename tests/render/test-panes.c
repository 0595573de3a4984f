/* SPDX-License-Identifier: MIT */
/* Panes: where they are, what a point of them shows, and that each draws its own source, with
 * OpenGL and without, as a picture of its own would. */
#include <math.h>
#include <string.h>
#include "render/vg-software.h"
#include "tests/support/ui/gl-fixture.h"

enum { WIDTH = 96, HEIGHT = 64, SIDE = 40 };

static void
test_cut (void)
{
  VgScene scene = gl_scene (2.5, 10, 7);
  VgPane whole = vg_pane_of (&scene, WIDTH, HEIGHT), part;

  scene.aspect = whole.scene.aspect = 0.5;
  part = vg_pane_cut (&whole, 70, -5, 100, 30);
  g_assert_cmpint (part.x, ==, 70);
  g_assert_cmpint (part.y, ==, 0);
  g_assert_cmpint (part.width, ==, WIDTH - 70);
  g_assert_cmpint (part.height, ==, 25);
  for (int i = 0; i < 20; i++)
    {
      double x = 71 + i, y = i, a[2], b[2];

      vg_pane_to_image (&whole, x, y, &a[0], &a[1]);
      vg_pane_to_image (&part, x, y, &b[0], &b[1]);
      g_assert_cmpfloat_with_epsilon (a[0], 10 + (x - WIDTH / 2) / 2.5, 1e-9);
      g_assert_cmpfloat_with_epsilon (a[1], 7 + (y - HEIGHT / 2) / 1.25, 1e-9);
      g_assert_cmpfloat_with_epsilon (a[0], b[0], 1e-9);
      g_assert_cmpfloat_with_epsilon (a[1], b[1], 1e-9);
    }
  g_assert_cmpint (vg_pane_cut (&whole, 200, 0, 10, 10).width, ==, 0);
}

static void
test_wipe (void)
{
  VgScene scene = gl_scene (1, 0, 0);
  VgPane whole = vg_pane_of (&scene, WIDTH, HEIGHT), panes[3];

  vg_panes_wipe (panes, &whole, 3, 0.25, FALSE);
  panes[2] = vg_pane_cut (&whole, 40, 20, 20, 20);
  panes[2].round = TRUE;
  g_assert_cmpint (panes[0].source, ==, 3);
  g_assert_cmpint (panes[1].source, ==, 0);
  g_assert_cmpint (vg_panes_find (panes, 2, 23.9, 0), ==, 0);
  g_assert_cmpint (vg_panes_find (panes, 2, 24, 63), ==, 1);
  g_assert_cmpint (vg_panes_find (panes, 2, 50, 30), ==, 1);
  g_assert_cmpint (vg_panes_find (panes, 3, 50, 30), ==, 2);
  g_assert_cmpint (vg_panes_find (panes, 3, 41, 21), ==, 1); /* beside the disc */
  g_assert_cmpint (vg_panes_find (panes, 3, 96, 30), ==, -1);
  g_assert_cmpint (vg_panes_find (panes, 3, -1, 30), ==, -1);
  vg_panes_wipe (panes, &whole, 1, 1, TRUE);
  g_assert_cmpint (panes[0].height, ==, HEIGHT);
  g_assert_cmpint (panes[1].height, ==, 0);
  g_assert_cmpint (vg_panes_find (panes, 2, 5, 63.9), ==, 0);
  vg_panes_wipe (panes, &whole, 1, -1, TRUE);
  g_assert_cmpint (vg_panes_find (panes, 2, 5, 0), ==, 1);
}

static void
test_cells (void)
{
  VgCells cells = vg_cells_fit (2, 800, 400, 4, 1);
  int x, y;

  g_assert_cmpint (cells.columns, ==, 2);
  cells = vg_cells_fit (2, 400, 800, 4, 1);
  g_assert_cmpint (cells.columns, ==, 1);
  cells = vg_cells_fit (9, 904, 604, 2, 1.5);
  g_assert_cmpint (cells.columns, ==, 3);
  g_assert_cmpint (cells.width, ==, 300);
  g_assert_cmpint (cells.height, ==, 200);
  for (int i = 0; i < 9; i++)
    {
      vg_cells_corner (&cells, i, &x, &y);
      g_assert_cmpint (x, ==, i % 3 * 302);
      g_assert_cmpint (y, ==, i / 3 * 202);
      g_assert_cmpint (vg_cells_at (&cells, x, y), ==, i);
      g_assert_cmpint (vg_cells_at (&cells, x + 299.5, y + 199.5), ==, i);
      g_assert_cmpint (vg_cells_at (&cells, x + 301, y), ==, -1); /* the gap */
    }
  g_assert_cmpint (vg_cells_at (&cells, -1, 5), ==, -1);
  g_assert_cmpint (vg_cells_at (&cells, 5, 606), ==, -1);
  cells = vg_cells_fit (3, 600, 600, 0, 1);
  g_assert_cmpint (cells.columns, ==, 2);
  g_assert_cmpint (vg_cells_at (&cells, 450, 450), ==, -1); /* the fourth is not there */
}

/* --- drawing --- */

static VgRenderer *
two_sources (const VgPlane planes[2])
{
  VgRenderer *renderer = gl_renderer ();

  for (int i = 0; i < 2; i++)
    {
      vg_renderer_choose_source (renderer, i);
      gl_upload (renderer, 0, &planes[i]);
    }
  return renderer;
}

static float *
levels (int factor)
{
  float *data = g_new (float, SIDE *SIDE);

  for (int i = 0; i < SIDE * SIDE; i++)
    data[i] = (float) ((i % SIDE * 7 + i / SIDE * 29 * factor) % 256);
  return data;
}

/* Each pixel is that of the pane on top, drawn alone with its source over the whole picture. */
static void
check (VgRenderer *renderer, const VgPlane *planes, const VgPane *panes, int n, int line)
{
  g_autofree guint8 *got = gl_capture_panes (renderer, panes, n, WIDTH, HEIGHT);
  g_autofree guint8 *cpu = g_malloc (4 * WIDTH * HEIGHT);
  int wrong = 0;

  vg_software_clear (&panes->scene, cpu, WIDTH, HEIGHT);
  for (int i = 0; i < n; i++)
    {
      g_autofree guint8 *part = vg_software_draw (&panes[i].scene, &planes[panes[i].source], NULL,
                                                  NULL, 0, panes[i].width, panes[i].height);

      vg_software_place (&panes[i], part, cpu, WIDTH, HEIGHT);
    }
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        int pane = vg_panes_find (panes, n, x + 0.5, y + 0.5);
        double u = -1, v = -1;
        gboolean inside;

        if (pane >= 0)
          vg_pane_to_image (&panes[pane], x + 0.5, y + 0.5, &u, &v);
        inside = u >= 0 && u < SIDE && v >= 0 && v < SIDE;
        for (int k = 0; k < 3; k++)
          {
            int want = inside ? (int) planes[panes[pane].source].data[(int) v * SIDE + (int) u]
                              : (int) lrintf (gl_background[k] * 255);

            wrong += got[4 * (y * WIDTH + x) + k] != want || cpu[4 * (y * WIDTH + x) + k] != want;
          }
      }
  if (wrong > 0)
    g_error ("line %d: %d samples differ", line, wrong);
}

static void
test_draw (void)
{
  g_autofree float *first = levels (1), *second = levels (3);
  VgPlane planes[2] = { gl_plane (first, SIDE, SIDE), gl_plane (second, SIDE, SIDE) };
  VgRenderer *renderer = two_sources (planes);
  VgScene scene = gl_scene (2, 19, 21);
  VgPane whole = vg_pane_of (&scene, WIDTH, HEIGHT), panes[4];

  check (renderer, planes, &whole, 1, __LINE__);
  for (int i = 0; i <= 8; i++)
    {
      vg_panes_wipe (panes, &whole, 1, i / 8., i % 2 == 1);
      check (renderer, planes, panes, 2, __LINE__);
      panes[2] = vg_pane_cut (&whole, 9 * i, 4 * i, 20, 24);
      panes[2].round = TRUE;
      panes[2].source = i % 2;
      check (renderer, planes, panes, 3, __LINE__);
    }
  /* side by side, each with a middle of its own, with gaps that show the background */
  for (int i = 0; i < 4; i++)
    {
      VgCells cells = { 4, 2, 6, (WIDTH - 6) / 2, (HEIGHT - 6) / 2 };

      panes[i] = (VgPane){ .width = cells.width,
                           .height = cells.height,
                           .source = i % 2,
                           .scene = gl_scene (1 + i % 3, 15.5 + i, 20) };
      vg_cells_corner (&cells, i, &panes[i].x, &panes[i].y);
    }
  check (renderer, planes, panes, 4, __LINE__);
  vg_renderer_free (renderer);
}

/* A source has its own outlines' size and limits; one that was freed shows the background. */
static void
test_sources (void)
{
  g_autofree float *first = levels (1), *second = levels (3), *back = g_new (float, SIDE *SIDE);
  VgPlane planes[2] = { gl_plane (first, SIDE, SIDE), gl_plane (second, SIDE, SIDE) };
  VgRenderer *renderer = two_sources (planes);
  VgScene scene = gl_scene (1, SIDE / 2, SIDE / 2);
  VgPane panes[2] = { vg_pane_of (&scene, SIDE, SIDE), vg_pane_of (&scene, SIDE, SIDE) };
  g_autoptr (GError) error = NULL;

  panes[1].x = SIDE;
  panes[1].source = 1;
  panes[1].scene.coloring.high = 510; /* half as bright */
  {
    g_autofree guint8 *rgba = gl_capture_panes (renderer, panes, 2, 2 * SIDE, SIDE);

    for (int i = 0; i < SIDE * SIDE; i++)
      {
        int x = i % SIDE, y = i / SIDE;

        g_assert_cmpint (rgba[4 * (y * 2 * SIDE + x)], ==, (int) first[i]);
        g_assert_cmpint (abs (rgba[4 * (y * 2 * SIDE + SIDE + x)] - (int) second[i] / 2), <=, 1);
      }
  }
  vg_renderer_choose_source (renderer, 1);
  g_assert_true (vg_renderer_read_plane (renderer, 0, back, &error));
  g_assert_cmpmem (back, sizeof (float) * SIDE * SIDE, second, sizeof (float) * SIDE * SIDE);
  vg_renderer_clear_source (renderer);
  g_assert_false (vg_renderer_read_plane (renderer, 0, back, &error));
  g_assert_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED);
  {
    g_autofree guint8 *rgba = gl_capture_panes (renderer, panes, 2, 2 * SIDE, SIDE);

    g_assert_cmpint (rgba[4 * 7], ==, (int) first[7]);
    g_assert_cmpint (rgba[4 * (SIDE + 7) + 2], ==, 30);
  }
  vg_renderer_free (renderer);
}

/* Milliseconds of one frame, the median of many, of panes of a large picture. */
static double
time_frame (VgRenderer *renderer, const VgPane *panes, int n)
{
  enum { N = 21, W = 1024, H = 768 };
  double times[N];

  for (int i = 0; i < N; i++)
    {
      gint64 start = g_get_monotonic_time ();
      g_autofree guint8 *rgba = gl_capture_panes (renderer, panes, n, W, H);
      double ms = (double) (g_get_monotonic_time () - start) / 1000;
      int k = i;

      for (; k > 0 && times[k - 1] > ms; k--)
        times[k] = times[k - 1];
      times[k] = ms;
    }
  return times[N / 2];
}

/* A wipe draws each pixel once, so it costs what one picture does, and no more than two. */
static void
test_speed (void)
{
  enum { LARGE = 1024, W = 1024, H = 768 };
  g_autofree float *data = gl_levels (LARGE, LARGE);
  VgPlane plane = gl_plane (data, LARGE, LARGE), planes[2] = { plane, plane };
  VgRenderer *renderer = two_sources (planes);
  VgScene scene = gl_scene (1, LARGE / 2, LARGE / 2);
  VgPane whole = vg_pane_of (&scene, W, H), panes[4];
  double one, wipe, lens, cells;

  scene.smooth = whole.scene.smooth = TRUE;
  one = time_frame (renderer, &whole, 1);
  vg_panes_wipe (panes, &whole, 1, 0.5, FALSE);
  wipe = time_frame (renderer, panes, 2);
  panes[0] = whole;
  panes[1] = vg_pane_cut (&whole, 400, 300, 220, 220);
  panes[1].round = TRUE;
  panes[1].source = 1;
  lens = time_frame (renderer, panes, 2);
  for (int i = 0; i < 4; i++)
    {
      panes[i] = vg_pane_cut (&whole, i % 2 * W / 2, i / 2 * H / 2, W / 2, H / 2);
      panes[i].source = i % 2;
    }
  cells = time_frame (renderer, panes, 4);
  g_test_minimized_result (wipe, "wipe %.2f ms, one picture %.2f ms, lens %.2f ms, cells %.2f ms",
                           wipe, one, lens, cells);
  g_assert_cmpfloat (wipe, <, 2 * one);
  g_assert_cmpfloat (lens, <, 2 * one);
  g_assert_cmpfloat (cells, <, 2 * one);
  vg_renderer_free (renderer);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/panes/cut", test_cut);
  g_test_add_func ("/panes/wipe", test_wipe);
  g_test_add_func ("/panes/cells", test_cells);
  g_test_add_func ("/panes/draw", test_draw);
  g_test_add_func ("/panes/sources", test_sources);
  if (g_test_perf ())
    g_test_add_func ("/panes/speed", test_speed);
  return gl_run ();
}
