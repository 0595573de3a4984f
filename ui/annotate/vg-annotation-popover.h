/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/annotation/vg-annotation.h"
/* Words, colour and size of an annotation. */
G_BEGIN_DECLS

#define VG_TYPE_ANNOTATION_POPOVER (vg_annotation_popover_get_type ())
G_DECLARE_FINAL_TYPE (VgAnnotationPopover, vg_annotation_popover, VG, ANNOTATION_POPOVER,
                      GtkPopover)
/* Signals: "changed" (): by the user; "remove" (). */

GtkWidget *vg_annotation_popover_new (void);
/* Shows what ANNOTATION has; an arrow has no words. */
void vg_annotation_popover_set (VgAnnotationPopover *self, const VgAnnotation *annotation);
/* Gives ANNOTATION what the user has chosen; words without a letter leave its own. */
void vg_annotation_popover_apply (VgAnnotationPopover *self, VgAnnotation *annotation);

G_END_DECLS
