/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/figure/vg-figure.h"
#include "kernels/tables/vg-curves.h"
/* The figure of curves: lines, points with their errors, bars, and residuals in a strip below. */
G_BEGIN_DECLS

/* NULL: no series has a finite point. */
VgFigure *vg_curves_figure_new (const VgCurves *curves, double width_mm, double height_mm);

G_END_DECLS
