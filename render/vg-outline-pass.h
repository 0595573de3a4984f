/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-cuda.h"
#include "render/vg-gl.h"
#include "render/vg-renderer.h"
/* Outlines of objects over the image: their samples in a buffer texture, one
 * rectangle each.  Internal to render/; the context is current. */
G_BEGIN_DECLS

typedef struct
{
  GLuint program; /* 0: not compiled yet */
  GLint viewport, zoom, center_whole, center_part, width, selected, on_top, disc;
  GLuint vertex_array, tiles, values, texture;
  gsize capacity;             /* bytes of `values` */
  VgCudaTexture *cuda_buffer; /* NULL: not registered */
  guint n;                    /* objects; 0: nothing to draw */
  gboolean plain;
  int picture_width, picture_height;
} VgOutlinePass;

/* Copies the outlines into the buffer, device to device with INTEROP if they are on the device.
 * NULL or none: nothing is drawn any more. */
gboolean vg_outline_pass_update (VgOutlinePass *self, const VgCuda *cuda, gboolean interop,
                                 const VgOutlines *outlines, GError **error);
/* Draws into the viewport, which is PANE's. */
gboolean vg_outline_pass_draw (VgOutlinePass *self, const VgPane *pane, GError **error);
void vg_outline_pass_clear (VgOutlinePass *self, const VgCuda *cuda);

G_END_DECLS
