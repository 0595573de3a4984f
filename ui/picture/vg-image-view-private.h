/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/picture/vg-image-view.h"
#include "ui/picture/vg-point-drawing.h"
#include "ui/picture/vg-region-drawing.h"
#include "io/slide/vg-tile-cache.h"
#include "render/vg-renderer.h"
#include "ui/layers/vg-view-transform.h"
/* Shared by the widget (vg-image-view.c) and its hands (vg-image-input.c). */
G_BEGIN_DECLS

/* Between a press and its release, and of the keys held. */
typedef struct
{
  gboolean panning, editing, pointing, moved;
  VgViewTransform pan_start;
  VgPoint press; /* widget coordinates */
  int n_press;
  guint32 last_press_time;
  gboolean space;
  double pinch_zoom;
} VgImageInput;

typedef struct _VgImageSlide VgImageSlide;

struct _VgImageSlide
{
  VgImageView *view;
  char *path;
  gint64 changed_us; /* modification time of the file when it was opened */
  VgTileCache *cache;
  GSource *arrived;     /* threads wake it when a tile has been read */
  VgImageInfo info;     /* of the analysed region */
  double width, height; /* of the slide at its finest level, px; 0: not known yet */
  VgTileLook look;      /* the visible rectangle that tiles were requested for last */
  gboolean stale;       /* tiles have arrived since then */
  gboolean troubled;    /* a tile could not be read */
  gboolean expected;    /* the pipeline has not opened the slide yet */
  gboolean fit;         /* fit the slide to the view once its size is known */
  VgView before;        /* restored if the opening fails */
};

struct _VgImageView
{
  GtkWidget parent_instance;

  VgSession *session;
  VgRegionDrawing *drawing;
  VgPointDrawing *points;
  GtkWidget *picture, *axes, *regions, *point_layer, *color_bar, *scale_bar;

  VgResult *result;             /* NULL: empty, but for a slide */
  VgImageSlide *slide;          /* NULL: what is shown is no part of one */
  VgImageSlide *expected_slide; /* being opened, if it is one */
  VgExtent extent;              /* of all that is shown: a slice, the mosaic, or a slide */
  VgExtent tile_extent;         /* of a slice */
  VgViewport viewport;
  VgViewTransform transform; /* of all that is shown */
  VgViewTransform tile;      /* of the slice at hand */
  VgScene scene;
  int slice;         /* at hand: what is drawn, chosen and edited belongs to it */
  gboolean numbered; /* labels are those of tiles */
  /* the axes and what is drawn over the map, as told to assistive technology */
  char *marks;

  VgImageInput input;
  VgPoint pointer; /* widget coordinates */
  gboolean pointer_inside;
  VgPoint chosen; /* the pixel whose data are looked at, of a slice */
  int chosen_slice;
  gboolean has_chosen;
  guint probe_tick;
  gint64 probe_time;
  guint bar_timeout;
};

/* From vg-image-probe.c and vg-image-navigation.c. */
void vg_image_probe_add_signals (GType type);
/* Where the pointer, or without one the keyboard, is looking; pixels of a slice. */
gboolean vg_image_view_probe_point (VgImageView *self, VgPoint *at, int *slice);
void vg_image_view_queue_probe (VgImageView *self);
/* On the slice at hand. */
VgPoint vg_image_view_to_image (VgImageView *self, VgPoint at);
/* The slice whose tile of a mosaic is at a widget point is at hand from now on. */
void vg_image_view_enter_tile (VgImageView *self, VgPoint at);
void vg_image_view_zoom_at (VgImageView *self, VgPoint at, double zoom);
void vg_image_view_pan_from (VgImageView *self, const VgViewTransform *start, double dx, double dy);
void vg_image_view_choose_pixel (VgImageView *self, VgPoint at);
gboolean vg_image_view_remove_object (VgImageView *self); /* FALSE: none is chosen */

/* From vg-image-slide.c and vg-image-slide-file.c. */
void vg_image_slide_add_signals (GType type);
void vg_image_slide_free (VgImageSlide *self);
gboolean vg_image_slide_is_known (VgImageView *self); /* there is one, and how large it is */
gboolean vg_image_slide_has_part (VgImageView *self); /* and which part is worked on */
/* Of what is shown on it; downsample 0: nowhere. */
VgSlidePlace vg_image_slide_place (VgImageView *self);
/* AT, a pixel of that part, lies outside it: TRUE, and "outside-part" is emitted. */
gboolean vg_image_slide_refuses (VgImageView *self, VgPoint at);
/* the part that is open, without data; there is a slide */
VgPlane vg_image_slide_part (VgImageView *self);
/* of its pixels' size; "": not known, or no slide */
const char *vg_image_slide_unit (VgImageView *self);
void vg_image_slide_set_extent (VgImageView *self, const VgSlidePlace *place, VgExtent *extent);
gboolean vg_image_slide_follow (VgImageView *self, const VgSlidePlace *place);
/* The tiles of what is visible now. */
void vg_image_slide_look (VgImageView *self);

/* From vg-image-scene.c. */
/* A result or a slide. */
gboolean vg_image_view_has_picture (VgImageView *self);
/* All that follows from the view, the display and the result. */
void vg_image_scene_update (VgImageView *self);
/* And of the size of the bars. */
void vg_image_scene_update_all (VgImageView *self);
void vg_image_scene_update_bar (VgImageView *self);
/* The bar and the labels follow a little later. */
void vg_image_scene_queue_bars (VgImageView *self);
/* Large enough for the bars, and something to show. */
gboolean vg_image_view_has_bars (VgImageView *self);

/* From vg-image-marks.c. */
enum { VG_IMAGE_MARGIN = 12 };
extern const char vg_image_view_keys[];                /* what keys do, in words */
void vg_image_marks_set_margins (VgImageView *self);   /* before the transform */
void vg_image_marks_update (VgImageView *self);        /* after it */
void vg_image_marks_update_labels (VgImageView *self); /* asks the device */

/* From vg-image-input.c: adds the event controllers. */
void vg_image_input_connect (VgImageView *self);

G_END_DECLS
