/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Pixels to draw a preview on; digits are drawn in a built-in dot font, because the command line
 * must also work where no font is installed. */
G_BEGIN_DECLS

enum { VG_CANVAS_GLYPH_W = 5, VG_CANVAS_GLYPH_H = 7 };

typedef struct
{
  guint8 *rgba;
  int width, height;
} VgCanvas;

/* Outside: nothing. */
void vg_canvas_put_pixel (VgCanvas *self, int x, int y, const guint8 rgb[3]);
/* Digits and the letters of numbers, sides and units; others leave a blank. */
void vg_canvas_put_text (VgCanvas *self, int x, int y, const char *text);

G_END_DECLS
