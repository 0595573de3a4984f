/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/scatter/vg-scatter.h"
/* A scatter plot with its picture and the tint of its pixels, made in a worker thread. */
G_BEGIN_DECLS

typedef struct
{
  VgScatter *scatter;
  cairo_surface_t *image; /* of the bins, from the highest y down */
  GdkTexture *tint;       /* over the map; NULL: there is no lasso */
} VgScatterDrawing;

/* What is drawn. */
typedef struct
{
  VgMapPair *pair;
  VgScatterRange range; /* of the plot before */
  gboolean has_range;
  VgRegion region, lasso; /* of kind NONE: there is none */
  guint8 rgb[3];          /* of the region */
} VgScatterRequest;

/* Colour of the lasso, and of the pixels inside it. */
extern const GdkRGBA vg_scatter_accent;

/* REQUEST is copied, its pair referenced. */
void vg_scatter_drawing_new_async (const VgScatterRequest *request, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer data);
/* NULL: cancelled. */
VgScatterDrawing *vg_scatter_drawing_new_finish (GAsyncResult *result);
void vg_scatter_drawing_free (VgScatterDrawing *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgScatterDrawing, vg_scatter_drawing_free)

G_END_DECLS
