/* SPDX-License-Identifier: MIT */
#include "tests/support/ui/gl-fixture.h"
#include "render/vg-gl.h"
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

static guint8 *
draw_and_read (VgRenderer *renderer, const VgPane *panes, int n, int width, int height,
               GError **error)
{
  gsize stride = (gsize) width * 4;
  g_autofree guint8 *rgba = g_malloc (stride * height), *row = g_malloc (stride);

  do
    vg_renderer_draw (renderer, panes, n, width, height);
  while (vg_renderer_is_late (renderer));
  glPixelStorei (GL_PACK_ALIGNMENT, 4);
  glReadPixels (0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  if (!vg_gl_check ("reading the capture", error))
    return NULL;
  for (int top = 0, bottom = height - 1; top < bottom; top++, bottom--)
    {
      memcpy (row, rgba + top * stride, stride);
      memcpy (rgba + top * stride, rgba + bottom * stride, stride);
      memcpy (rgba + bottom * stride, row, stride);
    }
  return g_steal_pointer (&rgba);
}

guint8 *
gl_try_capture_panes (VgRenderer *renderer, const VgPane *panes, int n, int width, int height,
                      GError **error)
{
  GLint limit = 0, bound = 0;
  GLuint framebuffer, target;
  guint8 *rgba = NULL;

  glGetIntegerv (GL_MAX_TEXTURE_SIZE, &limit);
  if (width < 1 || height < 1 || width > limit || height > limit)
    {
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_SIZE,
                   "a capture of %dx%d pixels is not between 1 and %d a side", width, height,
                   limit);
      return NULL;
    }
  vg_gl_clear_errors ();
  glGetIntegerv (GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  glGenFramebuffers (1, &framebuffer);
  glGenRenderbuffers (1, &target);
  glBindRenderbuffer (GL_RENDERBUFFER, target);
  glRenderbufferStorage (GL_RENDERBUFFER, GL_RGBA8, width, height);
  glBindFramebuffer (GL_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target);
  if (vg_gl_check ("making room for the capture", error))
    rgba = draw_and_read (renderer, panes, n, width, height, error);
  glBindFramebuffer (GL_FRAMEBUFFER, bound);
  glDeleteFramebuffers (1, &framebuffer);
  glDeleteRenderbuffers (1, &target);
  return rgba;
}

guint8 *
gl_try_capture (VgRenderer *renderer, const VgScene *scene, int width, int height, GError **error)
{
  VgPane pane = vg_pane_of (scene, width, height);

  return gl_try_capture_panes (renderer, &pane, 1, width, height, error);
}

guint8 *
gl_capture_panes (VgRenderer *renderer, const VgPane *panes, int n, int width, int height)
{
  g_autoptr (GError) error = NULL;
  guint8 *rgba = gl_try_capture_panes (renderer, panes, n, width, height, &error);

  g_assert_no_error (error);
  g_assert_nonnull (rgba);
  return rgba;
}

guint8 *
gl_capture (VgRenderer *renderer, const VgScene *scene, int width, int height)
{
  VgPane pane = vg_pane_of (scene, width, height);

  return gl_capture_panes (renderer, &pane, 1, width, height);
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
