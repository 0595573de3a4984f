/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* The scale of an image from its resolution in pixels per length.  Most programs write a print
 * resolution there, 72 or 300 dots per inch, which says nothing about the object, so only pixels
 * below 10 µm are believed. */
G_BEGIN_DECLS

/* Sets the pixel size of INFO from X and Y, pixels per centimetre, or appends a line to NOTES that
 * says why it is not known.  Values that are not positive numbers are ignored. */
void vg_resolution_set_scale (VgImageInfo *info, double x, double y, GString *notes);

G_END_DECLS
