/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/export/vg-export-options.h"
/* A line in which the formats and the size of a figure are chosen. */
G_BEGIN_DECLS

#define VG_TYPE_FIGURE_CHOICE (vg_figure_choice_get_type ())
G_DECLARE_FINAL_TYPE (VgFigureChoice, vg_figure_choice, VG, FIGURE_CHOICE, GtkWidget)
/* signal "changed" () */

GtkWidget *vg_figure_choice_new (void);
/* Sets the members of OPTIONS that are of figures. */
void vg_figure_choice_apply (VgFigureChoice *self, VgExportOptions *options);

G_END_DECLS
