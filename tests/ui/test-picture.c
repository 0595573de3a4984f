/* SPDX-License-Identifier: MIT */
/* The drawn plane in a window: it comes back after the widget was taken out of
 * its window and put into one again, which makes its OpenGL context anew. */
#include "ui/picture/vg-picture.h"
#include <string.h>
#include "app/compute/vg-result-pool.h"

enum { SIDE = 64 };

static void
wait (int ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (2000);
}

/* The widget's pixels, RGBA by 4, premultiplied, as the window's renderer draws them. */
static gboolean
look (GtkWidget *picture, guint8 *pixels)
{
  GtkNative *native = gtk_widget_get_native (picture);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (picture);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  gdk_paintable_snapshot (paintable, snapshot, SIDE, SIDE);
  node = gtk_snapshot_to_node (snapshot);
  if (native == NULL || node == NULL)
    return FALSE;
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (native), node,
                                         &GRAPHENE_RECT_INIT (0, 0, SIDE, SIDE));
  gdk_texture_download (texture, pixels, SIDE * 4);
  return TRUE;
}

/* Grey in steps of four from left to right. */
static gboolean
is_ramp (GtkWidget *picture)
{
  guint8 pixels[SIDE * SIDE * 4];

  if (!look (picture, pixels))
    return FALSE;
  for (int i = 0; i < SIDE * SIDE; i++)
    if (pixels[4 * i] != 4 * (i % SIDE) || pixels[4 * i + 1] != pixels[4 * i])
      return FALSE;
  return TRUE;
}

static void
assert_ramp (GtkWidget *picture)
{
  for (int i = 0; i < 500 && !is_ramp (picture); i++)
    wait (100);
  g_assert_true (is_ramp (picture));
}

static GtkWidget *
show (GtkWidget *picture)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_child (GTK_WINDOW (window), picture);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static void
test_again (void)
{
  VgResultPool *pool = vg_result_pool_new ();
  GtkWidget *picture = g_object_ref_sink (vg_picture_new (VG_DISPLAY_AUTO)), *window;
  g_autofree float *values = g_new (float, SIDE *SIDE);
  VgPlane plane = { .data = values, .width = SIDE, .height = SIDE, .slices = 1 };
  VgScene scene;
  VgPane pane;
  VgResult *result;

  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = (float) (4 * (i % SIDE));
  memset (&scene, 0, sizeof scene);
  scene.coloring = (VgColoring){ .colormap = vg_colormap_find ("gray"), .high = 255, .gamma = 1 };
  scene.zoom = 1;
  scene.center_x = scene.center_y = SIDE / 2;
  result = vg_result_pool_copy (pool, &plane, NULL, NULL);
  gtk_widget_set_size_request (picture, SIDE, SIDE);
  gtk_widget_set_halign (picture, GTK_ALIGN_START);
  gtk_widget_set_valign (picture, GTK_ALIGN_START);
  pane = vg_pane_of (&scene, SIDE, SIDE);
  vg_picture_set_panes (VG_PICTURE (picture), &pane, 1);
  vg_picture_show (VG_PICTURE (picture), 0, result, 0);
  for (int i = 0; i < 3; i++)
    {
      window = show (picture);
      assert_ramp (picture);
      gtk_window_set_child (GTK_WINDOW (window), NULL);
      g_assert_false (gtk_widget_get_realized (picture));
      gtk_window_destroy (GTK_WINDOW (window));
      wait (50);
    }
  vg_picture_show (VG_PICTURE (picture), 0, NULL, 0);
  g_object_unref (picture);
  vg_result_unref (result);
  vg_result_pool_unref (pool);
}

static gboolean
tells (GtkWidget *picture, const char *text)
{
  for (GtkWidget *child = gtk_widget_get_first_child (picture); child;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LABEL (child) && gtk_widget_get_visible (child) &&
        strstr (gtk_label_get_text (GTK_LABEL (child)), text))
      return TRUE;
  return FALSE;
}

static gboolean
draws_on_cpu (GtkWidget *picture)
{
  return g_str_has_prefix (vg_picture_get_description (VG_PICTURE (picture)), "CPU");
}

/* A map that no texture holds: its place says so, until there is another. */
static void
test_too_large (void)
{
  enum { LENGTH = 1000000 };
  VgResultPool *pool = vg_result_pool_new ();
  GtkWidget *picture = g_object_ref_sink (vg_picture_new (VG_DISPLAY_AUTO)),
            *window = show (picture);
  g_autofree float *values = g_new0 (float, LENGTH);
  VgScene scene = { .coloring = { .colormap = vg_colormap_find ("gray"), .high = 255, .gamma = 1 },
                    .zoom = 1 };
  VgResult *large, *small;
  VgPane pane;

  large = vg_result_pool_copy (
      pool, &(VgPlane){ .data = values, .width = LENGTH, .height = 1, .slices = 1 }, NULL, NULL);
  small = vg_result_pool_copy (
      pool, &(VgPlane){ .data = values, .width = SIDE, .height = SIDE, .slices = 1 }, NULL, NULL);
  pane = vg_pane_of (&scene, SIDE, SIDE);
  vg_picture_set_panes (VG_PICTURE (picture), &pane, 1);
  vg_picture_show (VG_PICTURE (picture), 0, large, 0);
  for (int i = 0; i < 500 && !tells (picture, "1000000x1") && !draws_on_cpu (picture); i++)
    wait (100);
  g_assert_true (tells (picture, "1000000x1") || draws_on_cpu (picture));
  if (tells (picture, "1000000x1"))
    {
      vg_picture_show (VG_PICTURE (picture), 0, small, 0);
      for (int i = 0; i < 500 && tells (picture, ""); i++)
        wait (100);
      g_assert_false (tells (picture, ""));
    }
  else
    g_test_skip ("no OpenGL: the CPU draws maps of any size");
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (picture);
  vg_result_unref (large);
  vg_result_unref (small);
  vg_result_pool_unref (pool);
}

int
main (int argc, char **argv)
{
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 77;
    }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/picture/again", test_again);
  g_test_add_func ("/picture/too-large", test_too_large);
  return g_test_run ();
}
