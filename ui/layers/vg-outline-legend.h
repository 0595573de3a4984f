/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/core/vg-outlines.h"
/* What the colours and dashes of outlines mean, and how many there are of each: for outlines that
 * are compared with a ground truth. */
G_BEGIN_DECLS

#define VG_TYPE_OUTLINE_LEGEND (vg_outline_legend_get_type ())
G_DECLARE_FINAL_TYPE (VgOutlineLegend, vg_outline_legend, VG, OUTLINE_LEGEND, GtkWidget)

GtkWidget *vg_outline_legend_new (void);
/* Counts the looks of the outlines FOUND and of the true ones COMPARED.  If none has a look, the
 * legend is hidden. */
void vg_outline_legend_set (VgOutlineLegend *self, const VgOutlines *found,
                            const VgOutlines *compared);

G_END_DECLS
