/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/core/vg-cuda.h"
#include "render/vg-pane.h"
#include "kernels/shared/vg-underlay.h"
/* Draws planes with OpenGL 3.3 core.  All calls need the context current, on
 * one thread.  Samples are copied from the device to a texture if CUDA and
 * this context share a GPU (interop), else through host memory.
 *
 * A source is what one result gives: plane, brightness and outlines.  Panes draw sources from the
 * textures that hold them, so more panes cost drawing only. */
G_BEGIN_DECLS

typedef enum { VG_DISPLAY_AUTO, VG_DISPLAY_INTEROP, VG_DISPLAY_HOST } VgDisplayPath;

#define VG_RENDER_ERROR (vg_render_error_quark ())
GQuark vg_render_error_quark (void);
typedef enum {
  VG_RENDER_ERROR_ABSENT, /* no OpenGL 3.3, or no interop where it was asked for */
  VG_RENDER_ERROR_SIZE,   /* larger than a texture can be */
  VG_RENDER_ERROR_MEMORY,
  VG_RENDER_ERROR_FAILED,
} VgRenderError;

typedef struct _VgRenderer VgRenderer;

VgRenderer *vg_renderer_new (VgDisplayPath path, const VgCuda *cuda, GError **error);
void vg_renderer_free (VgRenderer *self);
/* How the last plane was uploaded: INTEROP or HOST. */
VgDisplayPath vg_renderer_get_path (VgRenderer *self);
/* Text such as "CUDA-GL interop, NVIDIA H200", or why there is no interop. */
const char *vg_renderer_get_description (VgRenderer *self);
/* The calls from here to vg_renderer_set_second_outlines are about this source from now on; 0 at
 * first. */
void vg_renderer_choose_source (VgRenderer *self, int source);
/* Uploads one slice of PLANE; slot 0: the plane; slot 1: its brightness.  After an error of CUDA in
 * interop, everything is copied through the host.  Errors: VG_RENDER_ERROR_SIZE: larger than a
 * texture; VG_RENDER_ERROR_MEMORY: the graphics memory is full; VG_RENDER_ERROR_FAILED: another
 * error of OpenGL; VG_GPU_ERROR: the device did not copy the plane. */
gboolean vg_renderer_upload (VgRenderer *self, int slot, const VgPlane *plane, int slice,
                             GError **error);
/* Sets the outlines, which are drawn over planes of their image's size; NULL: none.  The errors are
 * those of vg_renderer_upload. */
gboolean vg_renderer_set_outlines (VgRenderer *self, const VgOutlines *outlines, GError **error);
/* Outlines of the reference result, drawn over those, whatever the scene says. */
gboolean vg_renderer_set_second_outlines (VgRenderer *self, const VgOutlines *outlines,
                                          GError **error);
/* Frees the textures of the chosen source. */
void vg_renderer_clear_source (VgRenderer *self);
/* Sets the underlay of all sources, or NULL; does nothing while it and SLICE are the same.  SLICE
 * -1: all slices, one above the other.  Holds a reference. */
gboolean vg_renderer_set_underlay (VgRenderer *self, VgUnderlay *underlay, int slice,
                                   GError **error);
/* Sets the tiles (VgSlideTile) of the slide that are drawn below the plane, the lowest first; NULL:
 * none.  Holds a reference. */
void vg_renderer_set_tiles (VgRenderer *self, GPtrArray *tiles);
/* The last image lacked tiles that were new: draw again. */
gboolean vg_renderer_is_late (VgRenderer *self);
void vg_renderer_clear (VgRenderer *self); /* frees all but the tiles */
/* Draws N panes into the bound framebuffer of WIDTH x HEIGHT pixels, the last on top.  Where there
 * is none it has the background of the first. */
void vg_renderer_draw (VgRenderer *self, const VgPane *panes, int n, int width, int height);
/* The plane of the chosen source as the texture holds it, for tests. */
gboolean vg_renderer_read_plane (VgRenderer *self, int slot, float *values, GError **error);

/* A context without any display server (EGL), for tests and the bench. */
typedef struct _VgHeadless VgHeadless;
VgHeadless *vg_headless_new (GError **error);
void vg_headless_free (VgHeadless *self);

/* Rows of the bench that end in a texture. */
void vg_render_bench (const VgOperation *operation, VgBench *bench);

G_END_DECLS
