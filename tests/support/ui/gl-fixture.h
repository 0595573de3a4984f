/* SPDX-License-Identifier: MIT */
#pragma once
#include "render/vg-renderer.h"
/* What the tests of the renderer share: planes, scenes and captures on a
 * context without a display. */
G_BEGIN_DECLS

extern const float gl_background[3];

VgPlane gl_plane (const float *data, int width, int height);
/* Values 0..255 as grey levels, told apart from their neighbours. */
float *gl_levels (int width, int height);
/* Grey from 0 to 255, invalid samples red. */
VgScene gl_scene (double zoom, double center_x, double center_y);
VgRenderer *gl_renderer (void);
void gl_upload (VgRenderer *renderer, int slot, const VgPlane *plane);
/* Draws into an offscreen buffer, until no tile of a slide is missing, and reads it back: RGBA, top
 * row first.  VG_RENDER_ERROR_SIZE: larger than a texture can be. */
guint8 *gl_try_capture (VgRenderer *renderer, const VgScene *scene, int width, int height,
                        GError **error);
guint8 *gl_capture (VgRenderer *renderer, const VgScene *scene, int width, int height);
/* The same for N panes. */
guint8 *gl_try_capture_panes (VgRenderer *renderer, const VgPane *panes, int n, int width,
                              int height, GError **error);
guint8 *gl_capture_panes (VgRenderer *renderer, const VgPane *panes, int n, int width, int height);
/* g_test_run with a context; 77 where there is none. */
int gl_run (void);

G_END_DECLS
