/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/layers/vg-axes-layer.h"
#include "app/compute/vg-result.h"
/* Where the values of isolines are written: on the lines, by looking along a
 * few columns and rows of what is seen. */
G_BEGIN_DECLS

typedef struct
{
  const double *levels;
  int n_levels;
  gboolean log_scale;
  VgExtent extent;
  double left, top, right, bottom; /* image points at the corners of what is seen */
  double width, height;            /* of a label, in image pixels */
} VgIsolineSearch;

/* Fills one label a level at most; those that find no place of their own are
 * left out.  Asks the device once when the plane is there. */
guint vg_isoline_labels_find (const VgIsolineSearch *self, VgResult *result, int slice,
                              VgAxesLabel *labels);

G_END_DECLS
