/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-cuda.h"
#include "render/vg-gl.h"
/* One plane as an R32F texture, filled by CUDA or through two pixel buffers;
 * or a picture as RGBA8, filled by GL itself.
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

/* One slice of a device plane, on the device. */
gboolean vg_texture_update_interop (VgTexture *self, const VgCuda *cuda, const VgPlane *plane,
                                    int slice, GError **error);
/* One slice of a host plane, or of a device plane by way of the host. */
gboolean vg_texture_update_host (VgTexture *self, const VgCuda *cuda, const VgPlane *plane,
                                 int slice, GError **error);
/* WIDTH * HEIGHT * 4 bytes; a texture is of planes or of such pictures all its life. */
gboolean vg_texture_update_rgba (VgTexture *self, const guint8 *rgba, int width, int height,
                                 GError **error);
/* Back to empty. */
void vg_texture_clear (VgTexture *self, const VgCuda *cuda);

G_END_DECLS
