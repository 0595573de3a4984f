/* SPDX-License-Identifier: MIT */
/* Copies planes into textures.  Interop: the texture is registered with CUDA
 * once per size and mapped for each copy.  Host: two pixel buffers, orphaned
 * before they are filled, so that the driver need not wait for the draw that
 * still reads the last one. */
#include "render/vg-texture.h"
#include <string.h>
#include "render/vg-renderer.h"

static void
unregister (VgTexture *self, const VgCuda *cuda)
{
  if (self->cuda_texture != NULL)
    cuda->texture_free (self->cuda_texture);
  self->cuda_texture = NULL;
}

void
vg_texture_clear (VgTexture *self, const VgCuda *cuda)
{
  unregister (self, cuda);
  if (self->id != 0)
    glDeleteTextures (1, &self->id);
  if (self->buffers[0] != 0)
    glDeleteBuffers (2, self->buffers);
  *self = (VgTexture){ 0 };
}

/* Allocates storage in place of the old one. */
static gboolean
make (VgTexture *self, const VgCuda *cuda, GLenum format, int width, int height, GError **error)
{
  GLint limit = 0;

  glGetIntegerv (GL_MAX_TEXTURE_SIZE, &limit);
  if (width > limit || height > limit)
    {
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_SIZE,
                   "a picture of %dx%d is larger than %s can show (%d pixels a side); crop it, or "
                   "take fewer pixels or bins, to see it; maps are written whole",
                   width, height, vg_gl_renderer_name (), limit);
      return FALSE;
    }
  vg_texture_clear (self, cuda);
  vg_gl_clear_errors ();
  glGenTextures (1, &self->id);
  glBindTexture (GL_TEXTURE_2D, self->id);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glTexImage2D (GL_TEXTURE_2D, 0, (GLint) format, width, height, 0,
                format == GL_R32F ? GL_RED : GL_RGBA,
                format == GL_R32F ? GL_FLOAT : GL_UNSIGNED_BYTE, NULL);
  if (!vg_gl_check ("making room for the picture", error))
    {
      vg_texture_clear (self, cuda);
      return FALSE;
    }
  self->width = width;
  self->height = height;
  return TRUE;
}

/* Allocates a new texture if the plane's size has changed, because CUDA keeps the old storage while
 * it is registered. */
static gboolean
set_size (VgTexture *self, const VgCuda *cuda, const VgPlane *plane, int slice, GError **error)
{
  if (plane->data == NULL || plane->width < 1 || plane->height < 1 || slice < 0 ||
      slice >= plane->slices)
    {
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_SIZE,
                   "there is no slice %d in a %dx%d picture of %d slices", slice, plane->width,
                   plane->height, plane->slices);
      return FALSE;
    }
  if ((self->id == 0 || self->width != plane->width || self->height != plane->height) &&
      !make (self, cuda, GL_R32F, plane->width, plane->height, error))
    return FALSE;
  self->mirrored = plane->mirrored;
  return TRUE;
}

gboolean
vg_texture_update_interop (VgTexture *self, const VgCuda *cuda, const VgPlane *plane, int slice,
                           GError **error)
{
  if (!set_size (self, cuda, plane, slice, error))
    return FALSE;
  if (self->cuda_texture == NULL)
    self->cuda_texture = cuda->texture_register (self->id, error);
  return self->cuda_texture != NULL &&
         cuda->texture_update (self->cuda_texture, plane, slice, error);
}

/* Copies one slice to mapped memory, from where it is. */
static gboolean
fill (float *target, const VgCuda *cuda, const VgPlane *plane, int slice, GError **error)
{
  gsize samples = (gsize) plane->width * plane->height;
  VgPlane part = *plane;

  part.data += samples * slice;
  part.slices = 1;
  if (plane->place == VG_DEVICE)
    return cuda->download (&part, target, error);
  memcpy (target, part.data, samples * sizeof (float));
  return TRUE;
}

gboolean
vg_texture_update_host (VgTexture *self, const VgCuda *cuda, const VgPlane *plane, int slice,
                        GError **error)
{
  gsize bytes = (gsize) plane->width * plane->height * sizeof (float);
  gboolean filled = FALSE, intact = FALSE;
  float *target;

  if (!set_size (self, cuda, plane, slice, error))
    return FALSE;
  if (plane->place == VG_DEVICE && cuda == NULL)
    {
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED,
                   "the picture is in GPU memory, but the CUDA module is not in use");
      return FALSE;
    }
  /* a texture that GL writes must not be registered with CUDA */
  unregister (self, cuda);
  vg_gl_clear_errors ();
  if (self->buffers[0] == 0)
    glGenBuffers (2, self->buffers);
  self->next_buffer ^= 1;
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, self->buffers[self->next_buffer]);
  glBufferData (GL_PIXEL_UNPACK_BUFFER, bytes, NULL, GL_STREAM_DRAW);
  target = glMapBufferRange (GL_PIXEL_UNPACK_BUFFER, 0, bytes,
                             GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
  if (target != NULL)
    {
      filled = fill (target, cuda, plane, slice, error);
      intact = glUnmapBuffer (GL_PIXEL_UNPACK_BUFFER);
    }
  if (filled && intact)
    {
      glBindTexture (GL_TEXTURE_2D, self->id);
      glTexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, self->width, self->height, GL_RED, GL_FLOAT, NULL);
    }
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, 0);
  if (target != NULL && !filled)
    return FALSE;
  if (!vg_gl_check ("uploading the picture", error))
    return FALSE;
  if (!intact)
    g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED,
                 "uploading the picture: %s lost the buffer", vg_gl_renderer_name ());
  return intact;
}

gboolean
vg_texture_update_rgba (VgTexture *self, const guint8 *rgba, int width, int height, GError **error)
{
  if ((self->id == 0 || self->width != width || self->height != height) &&
      !make (self, NULL, GL_RGBA8, width, height, error))
    return FALSE;
  vg_gl_clear_errors ();
  glBindTexture (GL_TEXTURE_2D, self->id);
  glPixelStorei (GL_UNPACK_ALIGNMENT, 4);
  glTexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  return vg_gl_check ("uploading the picture under the map", error);
}
