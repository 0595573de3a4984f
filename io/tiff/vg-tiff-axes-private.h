/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/tiff/vg-tiff-axes.h"
/* What the readers of the kinds of ImageDescription share. */
G_BEGIN_DECLS

/* A number above 0; anything else is 0: not said. */
double vg_tiff_positive (const char *text);
/* A count, at least 1. */
gint64 vg_tiff_extent (const char *text);
/* Takes the sizes if they make PAGES together; ORDER: fastest first. */
void vg_tiff_axes_set (VgTiffAxes *self, const gint64 size[VG_TIFF_N_AXES],
                       const VgTiffAxis order[VG_TIFF_N_AXES], gint64 pages, const char *from,
                       GString *notes);
/* vg-tiff-ome.c */
void vg_tiff_axes_parse_ome (VgTiffAxes *self, const char *description, gint64 pages, guint samples,
                             GString *notes);

G_END_DECLS
