/* SPDX-License-Identifier: MIT */
#pragma once
#include "render/vg-gl.h"
#include "render/vg-renderer.h"
#include "render/vg-texture.h"
/* The colouring pass: resources/shaders/picture.frag with its uniforms, in as
 * many variants as are used.  Internal to render/; the context is current. */
G_BEGIN_DECLS

enum { VG_PASS_N_UNIFORMS = 27, VG_PASS_N_VARIANTS = 48 };

typedef struct
{
  GLuint id; /* 0: not compiled yet */
  GLint uniforms[VG_PASS_N_UNIFORMS];
} VgPassProgram;

typedef struct
{
  VgPassProgram programs[VG_PASS_N_VARIANTS];
  GLuint vertex_array, colormap_texture;
  const VgColormap *colormap; /* what is in colormap_texture */
} VgPass;

gboolean vg_pass_init (VgPass *self, GError **error);
void vg_pass_clear (VgPass *self);
/* Draws PLANE into the viewport, which is PANE's and shows the background already;
 * BRIGHTNESS and UNDER may be empty.  FALSE when the variant does not compile. */
gboolean vg_pass_draw (VgPass *self, const VgPane *pane, const VgTexture *plane,
                       const VgTexture *brightness, const VgTexture *under, GError **error);

G_END_DECLS
