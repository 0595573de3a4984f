/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/shared/vg-colormap.h"
#include "kernels/core/vg-cuda.h"
#include "render/vg-mosaic.h"
#include "kernels/shared/vg-slide-tile.h"
#include "kernels/shared/vg-underlay.h"
/* Draws planes with OpenGL 3.3 core.  All calls need the context current, on
 * one thread.  Samples are copied from the device to a texture if CUDA and
 * this context share a GPU (interop), else through host memory. */
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

/* How to draw the plane, and what besides. */
typedef struct
{
  VgColoring coloring;
  gboolean smooth; /* magnify linearly */
  VgMosaic mosaic; /* of the slices that planes hold one above the other */
  /* the columns, rows of each slice are reversed; outlines are not */
  gboolean turned[2];
  /* after that, rows and columns are exchanged; mosaic, aspect and centre describe the result */
  gboolean swapped;
  double zoom;               /* framebuffer pixels per image pixel, along x */
  double aspect;             /* zoom along y, divided by zoom; 0: 1 */
  double center_x, center_y; /* image point at the middle of the viewport */
  double isolines[32];       /* values at which a line is drawn; above 0 on a log scale */
  int n_isolines;
  gboolean brightness; /* dim by the second plane */
  double brightness_low, brightness_high;
  gboolean outlines;    /* draw those of vg_renderer_set_outlines */
  double outline_width; /* framebuffer pixels */
  guint32 selected;     /* the object whose outline is thicker; 0: none */
  gboolean underlay;    /* draw the plane over the underlay */
  gboolean see_through; /* over the tiles of the slide in place of the underlay */
  double opacity;       /* of the plane over it, 0 to 1 */
  gboolean skip_zero;   /* samples of 0 are transparent */
  VgSlidePlace place;   /* of the plane on the slide */
  float background[3];
} VgScene;

static inline double
vg_scene_zoom_y (const VgScene *self)
{
  return self->aspect > 0 ? self->zoom * self->aspect : self->zoom;
}

VgRenderer *vg_renderer_new (VgDisplayPath path, const VgCuda *cuda, GError **error);
void vg_renderer_free (VgRenderer *self);
/* How the last plane was uploaded: INTEROP or HOST. */
VgDisplayPath vg_renderer_get_path (VgRenderer *self);
/* Text such as "CUDA-GL interop, NVIDIA H200", or why there is no interop. */
const char *vg_renderer_get_description (VgRenderer *self);
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
/* Sets the underlay, or NULL; does nothing while it and SLICE are the same.  SLICE -1: all slices,
 * one above the other.  Holds a reference. */
gboolean vg_renderer_set_underlay (VgRenderer *self, VgUnderlay *underlay, int slice,
                                   GError **error);
/* Sets the tiles (VgSlideTile) of the slide that are drawn below the plane, the lowest first; NULL:
 * none.  Holds a reference. */
void vg_renderer_set_tiles (VgRenderer *self, GPtrArray *tiles);
/* The last image lacked tiles that were new: draw again. */
gboolean vg_renderer_is_late (VgRenderer *self);
void vg_renderer_clear (VgRenderer *self); /* frees all but the tiles */
void vg_renderer_draw (VgRenderer *self, const VgScene *scene, int width, int height);
/* The plane as the texture holds it, for tests. */
gboolean vg_renderer_read_plane (VgRenderer *self, int slot, float *values, GError **error);

/* A context without any display server (EGL), for tests and the bench. */
typedef struct _VgHeadless VgHeadless;
VgHeadless *vg_headless_new (GError **error);
void vg_headless_free (VgHeadless *self);

/* Rows of the bench that end in a texture. */
void vg_render_bench (const VgOperation *operation, VgBench *bench);

G_END_DECLS
