/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* Pixels per length, as pictures have it.  Most programs write a print size
 * there by habit, 72 or 300 dots per inch, which says nothing about the
 * object; only pixels below 10 µm are taken as a scale. */
G_BEGIN_DECLS

/* X and Y: pixels per centimetre, 0 or nonsense where they are not known.
 * Fills in the pixel size, or appends a line to NOTES that says why not. */
void vg_resolution_take (VgImageInfo *info, double x, double y, GString *notes);

G_END_DECLS
