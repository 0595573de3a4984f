/* SPDX-License-Identifier: MIT */
#include "app/figure/vg-canvas.h"
#include <string.h>

/* Rows from the top, the leftmost dot in bit 4. */
static const char glyph_names[] = "0123456789.-+eRLAPSIcmunrzxy()";
static const guint8 glyph_rows[][VG_CANVAS_GLYPH_H] = {
  { 14, 17, 19, 21, 25, 17, 14 }, { 4, 12, 4, 4, 4, 4, 14 },      { 14, 17, 1, 2, 4, 8, 31 },
  { 31, 2, 4, 2, 1, 17, 14 },     { 2, 6, 10, 18, 31, 2, 2 },     { 31, 16, 30, 1, 1, 17, 14 },
  { 6, 8, 16, 30, 17, 17, 14 },   { 31, 1, 2, 4, 8, 8, 8 },       { 14, 17, 17, 14, 17, 17, 14 },
  { 14, 17, 17, 15, 1, 2, 12 },   { 0, 0, 0, 0, 0, 12, 12 },      { 0, 0, 0, 31, 0, 0, 0 },
  { 0, 4, 4, 31, 4, 4, 0 },       { 0, 0, 14, 17, 31, 16, 14 },   { 30, 17, 17, 30, 20, 18, 17 },
  { 16, 16, 16, 16, 16, 16, 31 }, { 14, 17, 17, 31, 17, 17, 17 }, { 30, 17, 17, 30, 16, 16, 16 },
  { 15, 16, 16, 14, 1, 1, 30 },   { 14, 4, 4, 4, 4, 4, 14 },      { 0, 0, 14, 16, 16, 17, 14 },
  { 0, 0, 26, 21, 21, 21, 21 },   { 0, 0, 17, 17, 17, 19, 13 },   { 0, 0, 22, 25, 17, 17, 17 },
  { 0, 0, 22, 25, 16, 16, 16 },   { 0, 0, 31, 2, 4, 8, 31 },      { 0, 0, 17, 10, 4, 10, 17 },
  { 0, 0, 17, 17, 15, 1, 14 },    { 2, 4, 8, 8, 8, 4, 2 },        { 8, 4, 2, 2, 2, 4, 8 },
};

void
vg_canvas_put_pixel (VgCanvas *self, int x, int y, const guint8 rgb[3])
{
  guint8 *at;

  if (x < 0 || y < 0 || x >= self->width || y >= self->height)
    return;
  at = self->rgba + ((gsize) y * self->width + x) * 4;
  memcpy (at, rgb, 3);
  at[3] = 255;
}

void
vg_canvas_put_text (VgCanvas *self, int x, int y, const char *text)
{
  static const guint8 ink[3] = { 230, 230, 230 };

  for (const char *c = text; *c != '\0'; c++, x += VG_CANVAS_GLYPH_W + 1)
    {
      const char *found = strchr (glyph_names, *c);

      for (int row = 0; found != NULL && row < VG_CANVAS_GLYPH_H; row++)
        for (int column = 0; column < VG_CANVAS_GLYPH_W; column++)
          if (glyph_rows[found - glyph_names][row] >> (VG_CANVAS_GLYPH_W - 1 - column) & 1)
            vg_canvas_put_pixel (self, x + column, y + row, ink);
    }
}
