/* SPDX-License-Identifier: MIT */
#pragma once
#include "render/vg-renderer.h"
#include "app/compute/vg-result.h"
/* The picture of a result without OpenGL, and what part of a volume a picture
 * shows. */
G_BEGIN_DECLS

/* SLICE of PLANE; VG_PICTURE_ALL_SLICES: all, one above the other. */
VgPlane vg_picture_part (const VgPlane *plane, int slice);
/* RGBA to be freed with g_free: the background alone where there is nothing
 * to show, with an error when it can't be had from the device.  RESULT,
 * TILES (vg_picture_set_tiles) and CUDA may be NULL. */
guint8 *vg_picture_draw_software (const VgScene *scene, const VgResult *result, int slice,
                                  GPtrArray *tiles, const VgCuda *cuda, int width, int height,
                                  GError **error);

G_END_DECLS
