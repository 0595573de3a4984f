/* SPDX-License-Identifier: MIT */
/* Uploads by interop that fail: an error of OpenGL is returned, because the copy through the host
 * needs the same texture or buffer; after an error of CUDA everything is copied through the host.
 * OpenGL and CUDA are replaced where they fail, so no GPU is needed. */
#include <dlfcn.h>
#include <string.h>
#include "render/vg-gl.h"
#include "kernels/base/vg-error.h"
#include "render/vg-renderer.h"
#include "tests/support/ui/gl-fixture.h"

enum { WIDTH = 37, HEIGHT = 23 };

static gboolean is_full;    /* allocations of textures and buffers fail */
static gboolean cuda_fails; /* copies to textures and buffers fail */
static int n_allocations, n_updates, n_downloads;
static GLenum pending_error;
static PFNGLBUFFERDATAPROC real_buffer_data;

static gboolean
allocate (void)
{
  n_allocations++;
  if (is_full)
    pending_error = GL_OUT_OF_MEMORY;
  return !is_full;
}

/* These two take the place of the functions of libGL in the whole program. */
void GLAPIENTRY
glTexImage2D (GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
              GLint border, GLenum format, GLenum type, const void *pixels)
{
  void (GLAPIENTRY * real) (GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum,
                            const void *);

  *(void **) &real = dlsym (RTLD_NEXT, "glTexImage2D");
  if (allocate ())
    real (target, level, internal, width, height, border, format, type, pixels);
}

GLenum GLAPIENTRY
glGetError (void)
{
  GLenum (GLAPIENTRY * real) (void);
  GLenum error = pending_error;

  *(void **) &real = dlsym (RTLD_NEXT, "glGetError");
  pending_error = GL_NO_ERROR;
  return error != GL_NO_ERROR ? error : real ();
}

static void GLAPIENTRY
buffer_data (GLenum target, GLsizeiptr size, const void *data, GLenum usage)
{
  if (allocate ())
    real_buffer_data (target, size, data, usage);
}

/* ---- CUDA: "device" memory is host memory ---- */

struct _VgCudaTexture
{
  guint id;
  gboolean buffer;
};

static int
cuda_gl_device (GError **error)
{
  return 0;
}

static gboolean
cuda_device_info (int device, VgCudaDevice *info, GError **error)
{
  g_strlcpy (info->name, "fake GPU", sizeof info->name);
  return TRUE;
}

static VgCudaTexture *
cuda_register (guint id, gboolean buffer)
{
  VgCudaTexture *self = g_new0 (VgCudaTexture, 1);

  *self = (VgCudaTexture){ id, buffer };
  return self;
}

static VgCudaTexture *
cuda_texture_register (guint texture, GError **error)
{
  return cuda_register (texture, FALSE);
}

static VgCudaTexture *
cuda_buffer_register (guint buffer, GError **error)
{
  return cuda_register (buffer, TRUE);
}

static gboolean
cuda_texture_update (VgCudaTexture *self, const VgPlane *plane, int slice, GError **error)
{
  n_updates++;
  if (cuda_fails)
    {
      g_set_error_literal (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED, "the copy failed");
      return FALSE;
    }
  if (self->buffer)
    {
      glBindBuffer (GL_TEXTURE_BUFFER, self->id);
      glBufferSubData (GL_TEXTURE_BUFFER, 0, plane->width * (GLsizeiptr) sizeof (float),
                       plane->data);
      glBindBuffer (GL_TEXTURE_BUFFER, 0);
      return TRUE;
    }
  glBindTexture (GL_TEXTURE_2D, self->id);
  glTexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, plane->width, plane->height, GL_RED, GL_FLOAT,
                   plane->data);
  return TRUE;
}

static void
cuda_texture_free (VgCudaTexture *self)
{
  g_free (self);
}

static gboolean
cuda_download (const VgPlane *plane, float *host, GError **error)
{
  n_downloads++;
  memcpy (host, plane->data, (gsize) plane->width * (gsize) plane->height * sizeof (float));
  return TRUE;
}

static const VgCuda cuda = { .gl_device = cuda_gl_device,
                             .device_info = cuda_device_info,
                             .texture_register = cuda_texture_register,
                             .buffer_register = cuda_buffer_register,
                             .texture_update = cuda_texture_update,
                             .texture_free = cuda_texture_free,
                             .download = cuda_download };

/* ---- tests ---- */

/* A renderer with interop, for which allocations and copies are counted from 0. */
static VgRenderer *
renderer_new (void)
{
  g_autoptr (GError) error = NULL;
  VgRenderer *renderer = vg_renderer_new (VG_DISPLAY_AUTO, &cuda, &error);

  g_assert_no_error (error);
  g_assert_cmpint (vg_renderer_get_path (renderer), ==, VG_DISPLAY_INTEROP);
  real_buffer_data = __glewBufferData;
  __glewBufferData = buffer_data;
  is_full = cuda_fails = FALSE;
  n_allocations = n_updates = n_downloads = 0;
  return renderer;
}

static void
renderer_free (VgRenderer *renderer)
{
  __glewBufferData = real_buffer_data;
  vg_renderer_free (renderer);
}

static VgPlane
device_plane (const float *data)
{
  VgPlane plane = gl_plane (data, WIDTH, HEIGHT);

  plane.place = VG_DEVICE;
  return plane;
}

static void
check_plane (VgRenderer *renderer, const float *data)
{
  g_autofree float *back = g_new (float, WIDTH *HEIGHT);
  g_autoptr (GError) error = NULL;

  g_assert_true (vg_renderer_read_plane (renderer, 0, back, &error));
  g_assert_cmpmem (back, WIDTH * HEIGHT * sizeof (float), data, WIDTH * HEIGHT * sizeof (float));
}

/* No memory for the texture: one attempt, no copy through the host, and interop remains. */
static void
test_memory (void)
{
  VgRenderer *renderer = renderer_new ();
  g_autofree float *data = gl_levels (WIDTH, HEIGHT);
  VgPlane plane = device_plane (data);
  g_autoptr (GError) error = NULL;

  is_full = TRUE;
  g_assert_false (vg_renderer_upload (renderer, 0, &plane, 0, &error));
  g_assert_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_MEMORY);
  g_assert_cmpint (n_allocations, ==, 1);
  g_assert_cmpint (n_updates + n_downloads, ==, 0);
  g_assert_cmpint (vg_renderer_get_path (renderer), ==, VG_DISPLAY_INTEROP);
  is_full = FALSE;
  gl_upload (renderer, 0, &plane);
  g_assert_cmpint (n_updates, ==, 1);
  g_assert_cmpint (n_downloads, ==, 0);
  g_assert_cmpint (vg_renderer_get_path (renderer), ==, VG_DISPLAY_INTEROP);
  check_plane (renderer, data);
  renderer_free (renderer);
}

/* CUDA fails: the plane is copied through the host, and so are the following ones. */
static void
test_cuda (void)
{
  VgRenderer *renderer = renderer_new ();
  g_autofree float *data = gl_levels (WIDTH, HEIGHT);
  VgPlane plane = device_plane (data);

  cuda_fails = TRUE;
  for (int i = 1; i <= 2; i++)
    {
      gl_upload (renderer, 0, &plane);
      g_assert_cmpint (n_updates, ==, 1);
      g_assert_cmpint (n_downloads, ==, i);
      g_assert_cmpint (vg_renderer_get_path (renderer), ==, VG_DISPLAY_HOST);
      g_assert_nonnull (strstr (vg_renderer_get_description (renderer), "the copy failed"));
      check_plane (renderer, data);
    }
  renderer_free (renderer);
}

typedef gboolean (*SetOutlines) (VgRenderer *renderer, const VgOutlines *outlines, GError **error);

static void
check_outlines (SetOutlines set_outlines)
{
  VgRenderer *renderer = renderer_new ();
  g_autofree float *data = gl_levels (WIDTH, HEIGHT);
  VgOutline item = { 0, 0, WIDTH, HEIGHT, 0, WIDTH, 1, TRUE };
  VgOutlines outlines = { &item, 1, device_plane (data), WIDTH, HEIGHT };
  VgPlane plane = device_plane (data);
  g_autoptr (GError) error = NULL;

  outlines.values.width = WIDTH * HEIGHT;
  outlines.values.height = 1;
  is_full = TRUE;
  g_assert_false (set_outlines (renderer, &outlines, &error));
  g_assert_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_MEMORY);
  g_clear_error (&error);
  g_assert_cmpint (n_allocations, ==, 1);
  g_assert_cmpint (n_updates + n_downloads, ==, 0);
  is_full = FALSE;
  g_assert_true (set_outlines (renderer, &outlines, &error));
  g_assert_cmpint (n_updates, ==, 1);
  g_assert_cmpint (n_downloads, ==, 0);
  cuda_fails = TRUE;
  g_assert_true (set_outlines (renderer, &outlines, &error));
  g_assert_no_error (error);
  g_assert_cmpint (n_updates, ==, 2);
  g_assert_cmpint (n_downloads, ==, 1);
  /* Planes are no longer copied by interop either. */
  gl_upload (renderer, 0, &plane);
  g_assert_cmpint (n_updates, ==, 2);
  g_assert_cmpint (vg_renderer_get_path (renderer), ==, VG_DISPLAY_HOST);
  renderer_free (renderer);
}

static void
test_outlines (void)
{
  check_outlines (vg_renderer_set_outlines);
  check_outlines (vg_renderer_set_second_outlines);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gl/upload/memory", test_memory);
  g_test_add_func ("/gl/upload/cuda", test_cuda);
  g_test_add_func ("/gl/upload/outlines", test_outlines);
  return gl_run ();
}
