/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/figure/vg-canvas.h"
#include "kernels/core/vg-operation.h"
/* What stands around and in a preview's map to read it by. */
G_BEGIN_DECLS

/* The numbers that names of the OVERLAY's lines begin with, at the left of a
 * map HEIGHT pixels high; those of lines close to each other in a row. */
void vg_preview_put_names (VgCanvas *canvas, const VgOverlay *overlay, const VgPlane *plane,
                           double per_sample, int height);
/* Axes in the plane's unit around the map at the canvas's upper left, WIDTH x
 * HEIGHT pixels: then the canvas is a larger one, whose pixels are *FRAMED, to
 * be freed; NULL where OUTPUT's map has no named axes.  FALSE: no memory. */
gboolean vg_preview_frame (VgCanvas *canvas, const VgOutput *output, const VgPlane *plane,
                           const double per_sample[2], int width, int height, guint8 **framed);

G_END_DECLS
