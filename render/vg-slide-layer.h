/* SPDX-License-Identifier: MIT */
#pragma once
#include "render/vg-gl.h"
#include "render/vg-renderer.h"
/* Draws tiles of a slide below a plane that is a region of it.  The textures
 * drawn last stay allocated, up to VG_SLIDE_LAYER_BYTES.  Internal to render/;
 * the context is current in all calls except vg_slide_layer_set. */
G_BEGIN_DECLS

enum { VG_SLIDE_LAYER_BYTES = 256 << 20 };

typedef struct
{
  GLuint program; /* 0: not compiled yet */
  GLint box, viewport, part, disc;
  GLuint vertex_array;
  GPtrArray *tiles;     /* of VgSlideTile, the lowest first; NULL: none */
  GHashTable *textures; /* serial to texture */
  gsize bytes;          /* of them */
  guint64 drawn;        /* number of images drawn */
  gboolean late;        /* the last image lacks tiles that are not uploaded yet */
} VgSlideLayer;

/* Holds a reference to TILES. */
void vg_slide_layer_set (VgSlideLayer *self, GPtrArray *tiles);
/* New tiles are uploaded a few at a time; `late` says whether some are left. */
gboolean vg_slide_layer_draw (VgSlideLayer *self, const VgPane *pane, GError **error);
void vg_slide_layer_clear (VgSlideLayer *self);

G_END_DECLS
