/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* The marks of a recording on a time line. */
G_BEGIN_DECLS

/* Shows MARKS (of VgCurveMark; x is a value of SCALE, a GtkScale) as ticks.  Near a tick the
 * tooltip is the text of its mark.  Marks outside the range of SCALE are left out. */
void vg_mark_ticks_set (GtkWidget *scale, const GArray *marks);

G_END_DECLS
