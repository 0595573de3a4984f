/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-cuda.h"
#include "render/vg-gl.h"
/* A plane as an R32F texture, filled by CUDA or through two pixel buffers;
 * or an image as an RGBA8 texture, filled by OpenGL.
 * Internal to render/; the context is current in all calls. */
G_BEGIN_DECLS

typedef struct
{
  GLuint id; /* 0: nothing uploaded yet */
  int width, height;
  gboolean mirrored;
  VgCudaTexture *cuda_texture; /* NULL: not registered */
  GLuint buffers[2];           /* filled in turn, so that no upload waits for the one before */
  int next_buffer;
} VgTexture;

/* Copies one slice of a device plane, on the device. */
gboolean vg_texture_update_interop (VgTexture *self, const VgCuda *cuda, const VgPlane *plane,
                                    int slice, GError **error);
/* Copies one slice of a host plane, or of a device plane through host memory. */
gboolean vg_texture_update_host (VgTexture *self, const VgCuda *cuda, const VgPlane *plane,
                                 int slice, GError **error);
/* Copies WIDTH * HEIGHT * 4 bytes.  A texture holds either planes or such images, until it is
 * cleared. */
gboolean vg_texture_update_rgba (VgTexture *self, const guint8 *rgba, int width, int height,
                                 GError **error);
/* Frees the texture; it is empty then. */
void vg_texture_clear (VgTexture *self, const VgCuda *cuda);

G_END_DECLS
