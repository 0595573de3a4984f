/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/plot/vg-plot-scene.h"
/* A plot as a file. */
G_BEGIN_DECLS

typedef void (*VgPlotDrawing) (gpointer data, cairo_t *cr, int width, int height);

/* By the name's ending: .csv the numbers, .png, .svg or .pdf the picture on
 * white.  Whole or not at all; VG_IO_ERROR_WRITE. */
gboolean vg_plot_export (const VgPlotScene *scene, const char *path, int width, int height,
                         GError **error);
/* The same of what DRAW draws, which has no numbers. */
gboolean vg_plot_export_drawing (VgPlotDrawing draw, gpointer data, const char *path, int width,
                                 int height, GError **error);

G_END_DECLS
