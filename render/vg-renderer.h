/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/shared/vg-colormap.h"
#include "kernels/core/vg-cuda.h"
#include "render/vg-mosaic.h"
#include "kernels/shared/vg-slide-tile.h"
#include "kernels/shared/vg-underlay.h"
/* Draws planes with OpenGL 3.3 core.  All calls need the context current, on
 * one thread.  Values travel device to texture when CUDA and this context
 * share a GPU (interop), else through two pixel buffers (host). */
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

/* What to draw besides the plane. */
typedef struct
{
  VgColoring coloring;
  gboolean smooth; /* magnify linearly */
  VgMosaic mosaic; /* of the slices that planes hold one above the other */
  /* columns, rows of each slice the other way round; outlines are not */
  gboolean turned[2];
  /* and then rows as columns: mosaic, aspect and centre are of what is seen */
  gboolean swapped;
  double zoom;               /* framebuffer pixels per image pixel, along x */
  double aspect;             /* as many times that along y; 0: once */
  double center_x, center_y; /* image point at the middle of the viewport */
  double isolines[32];       /* values at which a line is drawn; above 0 on a log scale */
  int n_isolines;
  gboolean brightness; /* dim by the second plane */
  double brightness_low, brightness_high;
  gboolean outlines;    /* draw those that were given */
  double outline_width; /* framebuffer pixels */
  guint32 selected;     /* the object whose outline is thicker; 0: none */
  gboolean underlay;    /* over the picture that was set, */
  gboolean see_through; /* or over the slide's tiles in its place, */
  double opacity;       /* so much of the plane, */
  gboolean skip_zero;   /* nothing where it is 0 */
  VgSlidePlace place;   /* of the plane on the slide whose tiles were set */
  float background[3];
} VgScene;

static inline double
vg_scene_zoom_y (const VgScene *self)
{
  return self->aspect > 0 ? self->zoom * self->aspect : self->zoom;
}

VgRenderer *vg_renderer_new (VgDisplayPath path, const VgCuda *cuda, GError **error);
void vg_renderer_free (VgRenderer *self);
/* INTEROP or HOST: the choice made */
VgDisplayPath vg_renderer_get_path (VgRenderer *self);
/* "CUDA-GL interop, NVIDIA H200", and why not */
const char *vg_renderer_get_description (VgRenderer *self);
/* Slot 0: the plane; slot 1: its brightness. */
gboolean vg_renderer_upload (VgRenderer *self, int slot, const VgPlane *plane, int slice,
                             GError **error);
/* Outlines to draw over planes of their picture's size; NULL: none.  By the
 * way that planes take. */
gboolean vg_renderer_set_outlines (VgRenderer *self, const VgOutlines *outlines, GError **error);
/* Over those, whether or not the scene draws them: of what is compared with. */
gboolean vg_renderer_set_second_outlines (VgRenderer *self, const VgOutlines *outlines,
                                          GError **error);
/* The picture under the plane; a reference is kept, and nothing is done while
 * it and SLICE are the same; SLICE -1: all, one above the other.  NULL: none. */
gboolean vg_renderer_set_underlay (VgRenderer *self, VgUnderlay *underlay, int slice,
                                   GError **error);
/* Tiles of the slide that the plane is a part of (VgSlideTile; a reference is
 * kept), the lowest first: drawn below it where the scene says it lies. NULL: none. */
void vg_renderer_set_tiles (VgRenderer *self, GPtrArray *tiles);
/* The last image lacked tiles that were new: draw again. */
gboolean vg_renderer_is_late (VgRenderer *self);
void vg_renderer_clear (VgRenderer *self); /* nothing to draw but tiles */
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
