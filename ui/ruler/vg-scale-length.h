/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Lengths that are typed and shown with a unit. */
G_BEGIN_DECLS

/* Units of length, from small to large, ended by NULL: "nm", "µm", "mm" and "in". */
extern const char *const vg_scale_units[];

/* The width of a pixel in µm, of which N_PIXELS are as long as TEXT says, in unit UNIT of
 * vg_scale_units.  0 and WHY, a sentence to be freed: TEXT is no length. */
double vg_scale_read (const char *text, guint unit, double n_pixels, char **why);

G_END_DECLS
