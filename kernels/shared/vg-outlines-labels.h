/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-outlines.h"
/* The borders of a label image as outlines, drawn between the pixels. */
G_BEGIN_DECLS

typedef struct
{
  VgOutlines outlines; /* points into the other members */
  VgOutline *items;
  float *values;
} VgLabelOutlines;

/* Outlines of a label image of one slice in host memory, without lines at the image's edge.  NULL:
 * there is no label, or they would need too much memory. */
VgLabelOutlines *vg_label_outlines_new (const VgPlane *labels);
void vg_label_outlines_free (VgLabelOutlines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgLabelOutlines, vg_label_outlines_free)

G_END_DECLS
