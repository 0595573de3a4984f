/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* A short tour: a popover that points at one widget after the other and says what it is for. */
G_BEGIN_DECLS

#define VG_TYPE_TOUR (vg_tour_get_type ())
G_DECLARE_FINAL_TYPE (VgTour, vg_tour, VG, TOUR, GtkPopover)
/* It is closed when it has ended or was skipped. */

/* PARENT, a GtkBox in the window of all targets, owns the tour. */
GtkWidget *vg_tour_new (GtkWidget *parent);
/* TITLE and TEXT about TARGET; the step is left out while TARGET is not in sight. */
void vg_tour_add (VgTour *self, GtkWidget *target, const char *title, const char *text);
/* From the first step; FALSE: none has its target in sight. */
gboolean vg_tour_start (VgTour *self);

G_END_DECLS
