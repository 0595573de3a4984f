/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-outlines.h"
/* Software drawing of outlines, equal to the fragment shader, for preview.png and displays without
 * OpenGL. */
G_BEGIN_DECLS

typedef struct
{
  double left, top;      /* image coordinate of the upper left corner */
  double zoom_x, zoom_y; /* pixels per sample */
  double width;          /* of a line, pixels */
  guint32 selected;      /* id of the object whose line is thicker; 0: none */
} VgOutlineStyle;

/* Colour of object ID; neighbouring ids differ much.  Objects that still move are lighter. */
void vg_outlines_color (guint32 id, gboolean converged, guint8 rgb[3]);

/* Name, colour and dashes of a look.  Each bit of the dashes is an eighth of a period: 1 if the
 * line is drawn there.  Colour-blind readers can distinguish the colours, too. */
typedef struct
{
  const char *name;
  guint8 rgb[3], dashes;
} VgOutlineInk;

/* LOOK must not be VG_OUTLINE_NUMBERED. */
const VgOutlineInk *vg_outlines_ink (VgOutlineLook look);
/* Colour and dashes of ITEM; PLAIN: among outlines to compare with. */
VgOutlineInk vg_outlines_item_ink (const VgOutline *item, gboolean plain);
/* The periods of dashes around an object whose tile is SPAN pixels wide on the screen, with a line
 * of WIDTH pixels. */
double vg_outlines_periods (double span, double width);
/* Width of a solid line among those to compare with, where the contours' lines are WIDTH wide. */
double vg_outlines_plain_width (double width);
/* Opacity of the line around an object whose tile is SPAN pixels wide on the screen; *WIDTH is
 * scaled too.  Both decrease below a radius of about 2 pixels, so that the object stays visible;
 * even smaller objects are dots. */
double vg_outlines_strength (double span, double *width);
/* Radius of the dot, in pixels, that is drawn in place of an object whose tile is SPAN pixels wide
 * on the screen: smaller objects have a line that hardly covers anything.  0: it has a line. */
double vg_outlines_dot (double span);
/* Coverage of a pixel at DISTANCE pixels from a line by the line and by the dark seam beside it. */
void vg_outlines_cover (double distance, double width, double *line, double *seam);
/* Draws outlines with samples in host memory over RGBA, WIDTH x HEIGHT pixels in rows of STRIDE
 * bytes. */
void vg_outlines_draw (const VgOutlines *self, const VgOutlineStyle *style, guint8 *rgba, int width,
                       int height, gsize stride);

G_END_DECLS
