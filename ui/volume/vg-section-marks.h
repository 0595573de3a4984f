/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/volume/vg-section.h"
/* What lies over a section: the crosshair, its name and slice, letters at the edges, and the frame
 * of the one that has the keyboard. */
G_BEGIN_DECLS

typedef struct
{
  const VgSection *section;
  double x, y;       /* of the crosshair, widget pixels */
  int slice, slices; /* the first is 1 */
} VgSectionMarks;

/* Translated. */
const char *vg_section_name (const VgSection *section);
void vg_section_draw_marks (GtkWidget *widget, GtkSnapshot *snapshot, const VgSectionMarks *marks);

G_END_DECLS
