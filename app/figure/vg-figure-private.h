/* SPDX-License-Identifier: MIT */
#pragma once
#include <pango/pangocairo.h>
#include "app/figure/vg-figure.h"
/* What the writers of figures share. */
G_BEGIN_DECLS

/* The pixels of an image, new; without memory it has an error status and no pixels. */
cairo_surface_t *vg_figure_item_to_surface (const VgFigureItem *item);
/* TEXT, laid out without rounding to pixels; new. */
PangoLayout *vg_figure_layout_new (const char *text, double size, gboolean bold);
/* Appends DATA to the GByteArray BYTES. */
cairo_status_t vg_figure_append (void *bytes, const unsigned char *data, unsigned int length);

G_END_DECLS
