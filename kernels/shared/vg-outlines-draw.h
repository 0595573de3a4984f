/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-outlines.h"
/* Outlines over a coloured picture, as the fragment shader draws them: for
 * preview.png and where there is no OpenGL. */
G_BEGIN_DECLS

typedef struct
{
  double left, top;      /* image point at the picture's upper left corner */
  double zoom_x, zoom_y; /* pixels per sample */
  double width;          /* of a line, pixels */
  guint32 selected;      /* id that is drawn thicker; 0: none */
} VgOutlineStyle;

/* Colours that differ much between neighbouring numbers; lighter while the
 * object moves. */
void vg_outlines_color (guint32 id, gboolean resting, guint8 rgb[3]);
/* Of a line that is plain, where others are WIDTH wide. */
double vg_outlines_plain_width (double width);
/* Of the line about an object that is SPAN pixels wide and high on the screen with what lies about
 * it in its tile, 1 from a radius of some 4 pixels on: how strong it is, and by how much *WIDTH is
 * to be multiplied.  Small objects keep a hint of a line, through which what it is about is still
 * seen. */
double vg_outlines_strength (double span, double *width);
/* How much of a pixel at DISTANCE pixels from a line is the line's, and how
 * much the dark seam's on either side of it. */
void vg_outlines_cover (double distance, double width, double *line, double *seam);
/* SELF in host memory; RGBA of WIDTH x HEIGHT pixels, STRIDE bytes a row. */
void vg_outlines_draw (const VgOutlines *self, const VgOutlineStyle *style, guint8 *rgba, int width,
                       int height, gsize stride);

G_END_DECLS
