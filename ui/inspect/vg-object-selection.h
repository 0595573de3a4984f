/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
#include "ui/correct/vg-correction.h"
#include "ui/picture/vg-image-view.h"
/* The objects of a result: listed in a table, described beside the pointer, chosen by a click in
 * the table or in the image, and removed.  The compute thread makes the list. */
G_BEGIN_DECLS

#define VG_TYPE_OBJECT_SELECTION (vg_object_selection_get_type ())
G_DECLARE_FINAL_TYPE (VgObjectSelection, vg_object_selection, VG, OBJECT_SELECTION, GObject)
/* signal "listed" ()   a new list has come */

/* TABLE: a VgObjectTable, which outlives the selection. */
VgObjectSelection *vg_object_selection_new (VgSession *session, GtkWidget *table);
/* NULL when the window closes. */
void vg_object_selection_set_pipeline (VgObjectSelection *self, VgPipeline *pipeline);
/* The image that marks the chosen object; it replaces the one before. */
void vg_object_selection_set_image (VgObjectSelection *self, VgImageView *image);
/* The newest result, before it is shown; NULL: none. */
void vg_object_selection_set_result (VgObjectSelection *self, VgResult *result);
void vg_object_selection_set_pointer_inside (VgObjectSelection *self, gboolean inside);
/* Requests the list if it is needed and out of date; called a few times a second. */
void vg_object_selection_refresh (VgObjectSelection *self);
void vg_object_selection_clear (VgObjectSelection *self);
/* The objects of the newest result, of VgCorrectionObject; NULL: they are not listed yet. */
GArray *vg_object_selection_list (VgObjectSelection *self);
/* The number of the chosen object; 0: none. */
guint32 vg_object_selection_get_chosen (VgObjectSelection *self);
/* Chooses object NUMBER and brings it into the middle of the image. */
void vg_object_selection_show (VgObjectSelection *self, guint32 number);
/* Chooses the object at an image point, px, or none. */
void vg_object_selection_choose_at (VgObjectSelection *self, double x, double y);
/* Index of the output that holds the numbers of the objects; -1: none. */
int vg_object_selection_get_output (VgObjectSelection *self);
/* Name of object NUMBER, such as "Nucleus 12", owned by the caller; NULL: it is not listed. */
char *vg_object_selection_name (VgObjectSelection *self, double number);
/* Appends name and value of each property of object NUMBER to CELLS, of char *.  "Nucleus 12",
 * owned; NULL: it is not listed. */
char *vg_object_selection_add_cells (VgObjectSelection *self, double number, GPtrArray *cells);

G_END_DECLS
