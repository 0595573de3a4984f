/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/picture/vg-image-view.h"
#include "ui/picture/vg-point-drawing.h"
#include "ui/picture/vg-region-drawing.h"
#include "io/slide/vg-tile-cache.h"
#include "render/vg-renderer.h"
#include "ui/layers/vg-view-transform.h"
/* The image view's fields, shared by its files.  A file may call those that stand above it here:
 *   vg-image-panes.c        what is drawn where
 *   vg-image-slide.c        the slide around the analysed region
 *   vg-image-navigation.c   zoom, pan and positions
 *   vg-image-marks.c        axes, tile numbers and isoline labels
 *   vg-image-scene.c        what is shown
 *   vg-image-slide-file.c   the file of the slide
 *   vg-image-probe.c        the value under the pointer
 *   vg-image-input.c        pointer
 *   vg-image-keys.c         keyboard
 *   vg-image-view.c         the widget */
G_BEGIN_DECLS

/* State of a drag, from press to release, and of the keys held. */
typedef struct
{
  gboolean panning, editing, pointing, stacking, moved;
  VgViewTransform pan_start;
  VgPoint press; /* widget coordinates */
  int n_press;
  guint32 last_press_time;
  gboolean space;
  gboolean entered; /* the focus came with Enter from a number, and nothing else has come since */
  double pinch_zoom;
} VgImageInput;

/* Kept results beside the present one, and the cells in which they are shown. */
typedef struct
{
  VgResult *results[VG_IMAGE_MOST_BESIDE];
  int n, chosen;                              /* the chosen one is beside the present one alone */
  GtkWidget *names[1 + VG_IMAGE_MOST_BESIDE]; /* in the corners; the first of the present one */
  GtkWidget *handle;                          /* of the wipe */
  const VgCuda *cuda;                         /* of the results in device memory; NULL: none are */
  VgCells cells;                              /* widget px; that of the present one is the last */
  int bar;                                    /* widget px at the right of them, for the bar */
  int foot;    /* widget px that something else covers at the lower edge */
  int pointed; /* the cell under the pointer; -1: none */
} VgImageBeside;

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
  GtkWidget *picture, *tint, *axes, *stack, *regions, *point_layer, *ruler, *strokes, *annotations,
      *color_bar, *scale_bar, *legend;

  VgResult *result; /* NULL: none; a slide may be shown without */
  VgImageBeside *beside;
  VgImageSlide *slide;           /* NULL: the data are of no slide */
  VgImageSlide *expected_slide;  /* the file being opened, in case it is a slide */
  GtkWidget *layer;              /* over the image of a plot; NULL: this is no plot */
  VgExtent fit;                  /* what a fit shows; empty: all of `extent` */
  gboolean fits_all;             /* the user has asked for all of it */
  double fit_to[2], fit_bins[4]; /* VgOverlay.fit of maps of these bins */
  double free_left;              /* vg_image_view_set_free() */
  int free_bottom;
  VgExtent extent;      /* of the slice, the mosaic or the slide shown */
  VgExtent tile_extent; /* of a slice */
  VgViewport viewport;
  VgViewTransform transform; /* of the slice, the mosaic or the slide shown */
  VgViewTransform tile;      /* of the current slice */
  VgScene scene;
  int slice;         /* current slice: regions, points and the chosen pixel belong to it */
  gboolean numbered; /* the labels are the numbers of tiles */
  /* text about axes and overlays for assistive technology */
  char *marks;

  VgImageInput input;
  VgPoint pointer; /* widget coordinates */
  gboolean pointer_inside;
  VgPoint chosen; /* pixel whose curve is shown */
  int chosen_slice;
  gboolean has_chosen;
  guint probe_tick;
  gint64 probe_time;
  guint bar_timeout;
};

/* From vg-image-probe.c and vg-image-navigation.c. */
void vg_image_probe_add_signals (GType type);
/* Position under the pointer, or the centre for the keyboard, px of a slice; FALSE: outside. */
gboolean vg_image_view_probe_point (VgImageView *self, VgPoint *at, int *slice);
void vg_image_view_queue_probe (VgImageView *self);
/* Widget coordinates to pixels of the current slice. */
VgPoint vg_image_view_to_image (VgImageView *self, VgPoint at);
/* Makes the slice current whose tile of the mosaic is at a widget point. */
void vg_image_view_enter_tile (VgImageView *self, VgPoint at);
void vg_image_view_zoom_at (VgImageView *self, VgPoint at, double zoom);
void vg_image_view_pan_from (VgImageView *self, const VgViewTransform *start, double dx, double dy);
void vg_image_view_choose_pixel (VgImageView *self, VgPoint at);
gboolean vg_image_view_remove_object (VgImageView *self); /* FALSE: no object is chosen */

/* From vg-image-slide.c and vg-image-slide-file.c. */
void vg_image_slide_add_signals (GType type);
void vg_image_slide_free (VgImageSlide *self);
gboolean vg_image_slide_is_known (VgImageView *self); /* a slide is shown and its size is known */
gboolean vg_image_slide_has_part (VgImageView *self); /* and so is the analysed region */
/* Placement of the shown data on the slide; downsample 0: no slide. */
VgSlidePlace vg_image_slide_place (VgImageView *self);
/* TRUE, and "outside-part" is emitted, if AT, px of the analysed region, lies outside it. */
gboolean vg_image_slide_refuses (VgImageView *self, VgPoint at);
/* The analysed region as a plane without data.  A slide must be shown. */
VgPlane vg_image_slide_part (VgImageView *self);
/* Unit of the pixel size; "": not known, or no slide. */
const char *vg_image_slide_unit (VgImageView *self);
void vg_image_slide_set_extent (VgImageView *self, const VgSlidePlace *place, VgExtent *extent);
gboolean vg_image_slide_follow (VgImageView *self, const VgSlidePlace *place);
/* Requests the tiles that are visible now. */
void vg_image_slide_look (VgImageView *self);

/* From vg-image-panes.c. */
VgImageBeside *vg_image_beside_new (VgImageView *view);
void vg_image_beside_free (VgImageBeside *self);
void vg_image_panes_add_layers (VgImageView *self);
/* Gives the picture its panes, all with the scene. */
/* Whether a part of the map is fitted, and what is drawn ends at the margins. */
gboolean vg_image_panes_keep_margins (VgImageView *self);
void vg_image_panes_update (VgImageView *self);
/* Finds the cells and sets the viewport to that of the present result.  BAR: widget px that the
 * colour bar takes. */
void vg_image_panes_set_viewport (VgImageView *self, int bar);
void vg_image_panes_allocate (VgImageView *self);
/* Whether RESULT lies pixel by pixel on the present one, if there is one. */
gboolean vg_image_panes_fits (VgImageView *self, const VgResult *result);
int vg_image_panes_count (VgImageView *self);
/* Widget px below a single fitted picture for what lies over it. */
int vg_image_panes_get_foot (VgImageView *self);
/* The upper left corner of cell I, widget px; -1: of the present result. */
VgPoint vg_image_panes_corner (VgImageView *self, int i);
/* A point of the widget as one of the viewport: the same place in the cell of the present result.
 * The pointer is there. */
VgPoint vg_image_panes_enter (VgImageView *self, double x, double y);
/* As long as it is HELD a lens at the pointer shows the chosen kept map, or the input; TRUE. */
gboolean vg_image_panes_hold_lens (VgImageView *self, gboolean held);

/* From vg-image-scene.c. */
/* TRUE if there is a result or a slide. */
gboolean vg_image_view_has_picture (VgImageView *self);
/* Derives everything from the view, the display and the result; draws nothing itself. */
void vg_image_scene_update (VgImageView *self);
/* The same, and allocates the bars anew. */
void vg_image_scene_update_all (VgImageView *self);
void vg_image_scene_update_bar (VgImageView *self);
/* Updates the colour bar and the labels a little later, at a limited rate. */
void vg_image_scene_queue_bars (VgImageView *self);
/* TRUE if there is an image large enough for colour bar and scale bar. */
gboolean vg_image_view_has_bars (VgImageView *self);

/* From vg-image-marks.c. */
extern const char vg_image_view_keys[];              /* description of the keys */
void vg_image_marks_set_margins (VgImageView *self); /* called before the transform is set */
void vg_image_marks_update (VgImageView *self);      /* called after that */
void
vg_image_marks_update_labels (VgImageView *self); /* samples the map, on the GPU if it is there */

/* From vg-image-input.c and vg-image-keys.c. */
static const double vg_image_zoom_step = 1.25;
void vg_image_input_connect (VgImageView *self); /* adds the event controllers */
void vg_image_input_update_cursor (VgImageView *self);
gboolean vg_image_input_sets_points (VgImageView *self); /* with the tool in hand */
/* FALSE: nothing would come of a point there. */
gboolean vg_image_input_set_point (VgImageView *self, VgPoint at);
void vg_image_keys_connect (VgImageView *self);

G_END_DECLS
