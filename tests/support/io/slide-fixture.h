/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
/* Pyramids that tests write: tiled TIFF with reduced copies, which OpenSlide
 * opens as "generic-tiff". */
G_BEGIN_DECLS

/* Fills SIDE x SIDE pixels of level 0 from (X, Y) on. */
typedef void (*SlideFill) (gint64 x, gint64 y, int side, guint8 *rgb, gpointer data);

enum { SLIDE_TILE = 256 };

/* LEVELS levels, each half as fine as the one before (the mean of four
 * pixels), deflated; holds a few tiles at a time. */
void slide_fixture_write (const char *path, int width, int height, int levels, SlideFill fill,
                          gpointer data);
/* The pixel that `slide_fixture_pattern` fills in. */
void slide_fixture_pixel (gint64 x, gint64 y, guint8 rgb[3]);
void slide_fixture_pattern (gint64 x, gint64 y, int side, guint8 *rgb, gpointer data);

G_END_DECLS
