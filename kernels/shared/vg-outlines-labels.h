/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-outlines.h"
/* The borders of a map of labels as outlines: half a pixel's distance on
 * either side, so that lines run between the pixels. */
G_BEGIN_DECLS

typedef struct
{
  VgOutlines outlines; /* plain; borrowed from the rest */
  VgOutline *items;
  float *values;
} VgLabelOutlines;

/* Of one slice in host memory; at the picture's edge there is no line.  NULL: no
 * label, or so many or such scattered ones that memory for them is out of proportion. */
VgLabelOutlines *vg_label_outlines_new (const VgPlane *labels);
void vg_label_outlines_free (VgLabelOutlines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgLabelOutlines, vg_label_outlines_free)

G_END_DECLS
