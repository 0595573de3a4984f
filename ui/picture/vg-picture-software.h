/* SPDX-License-Identifier: MIT */
#pragma once
#include "render/vg-renderer.h"
#include "app/compute/vg-result.h"
/* The picture of a result without OpenGL, and what part of a volume a picture
 * shows. */
G_BEGIN_DECLS

/* SLICE of PLANE; VG_PICTURE_ALL_SLICES: all, one above the other. */
VgPlane vg_picture_part (const VgPlane *plane, int slice);
/* What a source of a picture (vg-pane.h) shows. */
typedef struct
{
  VgResult *result; /* NULL: nothing */
  int slice;
  gboolean pending; /* the textures do not hold it yet */
} VgPictureSource;

/* RGBA of N panes, at least one, to be freed with g_free: the background alone where there is
 * nothing to show, with an error when it can't be had from the device.  All have the underlay of
 * the first of SOURCES.  TILES (vg_picture_set_tiles) and CUDA may be NULL. */
guint8 *vg_picture_draw_software (const VgPane *panes, int n, const VgPictureSource *sources,
                                  GPtrArray *tiles, const VgCuda *cuda, int width, int height,
                                  GError **error);

G_END_DECLS
