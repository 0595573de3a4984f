/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/tiff/vg-tiff-axes.h"
/* Helpers of the parsers of an ImageDescription. */
G_BEGIN_DECLS

/* A positive number, or 0 if TEXT is none. */
double vg_tiff_positive (const char *text);
/* The size of an axis, at least 1. */
gint64 vg_tiff_extent (const char *text);
/* Sets the axes if the product of their sizes is PAGES, else adds a line to NOTES.  ORDER is the
 * order of the axes, fastest first; FROM names the format. */
void vg_tiff_axes_set (VgTiffAxes *self, const gint64 size[VG_TIFF_N_AXES],
                       const VgTiffAxis order[VG_TIFF_N_AXES], gint64 pages, const char *from,
                       GString *notes);
/* vg-tiff-ome.c */
void vg_tiff_axes_parse_ome (VgTiffAxes *self, const char *description, gint64 pages, guint samples,
                             GString *notes);

G_END_DECLS
