/* SPDX-License-Identifier: MIT */
#include "tests/support/ui/gl-fixture.h"
#include <string.h>

const float gl_background[3] = { 10 / 255.f, 20 / 255.f, 30 / 255.f };

VgPlane
gl_plane (const float *data, int width, int height)
{
  return (VgPlane){ .place = VG_HOST, .data = data, .width = width, .height = height, .slices = 1 };
}

float *
gl_levels (int width, int height)
{
  float *data = g_new (float, (gsize) width *height);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      data[(gsize) y * width + x] = (float) ((x * 7 + y * 29) % 256);
  return data;
}

VgScene
gl_scene (double zoom, double center_x, double center_y)
{
  VgScene scene = { .coloring = { .colormap = vg_colormap_find ("gray"),
                                  .low = 0,
                                  .high = 255,
                                  .gamma = 1,
                                  .invalid_rgb = { 255, 0, 0 } },
                    .zoom = zoom,
                    .center_x = center_x,
                    .center_y = center_y };

  memcpy (scene.background, gl_background, sizeof gl_background);
  return scene;
}

VgRenderer *
gl_renderer (void)
{
  g_autoptr (GError) error = NULL;
  VgRenderer *renderer = vg_renderer_new (VG_DISPLAY_AUTO, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (renderer);
  return renderer;
}

void
gl_upload (VgRenderer *renderer, int slot, const VgPlane *plane)
{
  g_autoptr (GError) error = NULL;
  gboolean ok = vg_renderer_upload (renderer, slot, plane, 0, &error);

  g_assert_no_error (error);
  g_assert_true (ok);
}

guint8 *
gl_capture (VgRenderer *renderer, const VgScene *scene, int width, int height)
{
  g_autoptr (GError) error = NULL;
  guint8 *rgba = vg_renderer_capture (renderer, scene, width, height, &error);

  g_assert_no_error (error);
  g_assert_nonnull (rgba);
  return rgba;
}

int
gl_run (void)
{
  g_autoptr (GError) error = NULL;
  VgHeadless *headless = vg_headless_new (&error);
  int status;

  if (headless == NULL)
    {
      g_print ("1..0 # SKIP %s\n", error->message);
      return 77;
    }
  status = g_test_run ();
  vg_headless_free (headless);
  return status;
}
