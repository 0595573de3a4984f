/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Sorting of numbers in ascending order. */
G_BEGIN_DECLS

/* Sort N VALUES in place.  NaN has no order: remove missing values first. */
void vg_sort_doubles (double *values, gsize n);
void vg_sort_floats (float *values, gsize n);

G_END_DECLS
