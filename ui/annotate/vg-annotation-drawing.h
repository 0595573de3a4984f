/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/annotation/vg-annotation.h"
#include "ui/layers/vg-view-transform.h"
/* Where annotations are on a widget, and how they look there. */
G_BEGIN_DECLS

typedef enum { VG_GRIP_NONE, VG_GRIP_TAIL, VG_GRIP_TIP, VG_GRIP_WHOLE } VgAnnotationGrip;

typedef struct
{
  GtkWidget *widget;
  const VgViewTransform *transform;
} VgAnnotationPlace;

/* A size of image pixels in those of the widget. */
double vg_annotation_place_size (const VgAnnotationPlace *self, double size);
/* What is held at X, Y of the widget. */
VgAnnotationGrip vg_annotation_place_find (const VgAnnotationPlace *self,
                                           const VgAnnotation *annotation, double x, double y);
/* SELECTED: with its handles. */
void vg_annotation_place_draw (const VgAnnotationPlace *self, GtkSnapshot *snapshot,
                               const VgAnnotation *annotation, gboolean selected);

G_END_DECLS
