/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-reference.h"
#include "app/reading/vg-reading.h"
#include "app/report/vg-page.h"
/* Numbers of regions side by side, with their errors. */
G_BEGIN_DECLS

/* Adds tables with a row for each quantity and a column for each of the N READINGS, which are of
 * the regions NAMES, and says what the numbers are.  Of sums of data, these are the quantities with
 * a standard error, the one called FIRST (an output) before the others, in the regions that have
 * one.  VOLUME: the data are of voxels. */
void vg_page_add_readings (VgPage *self, const char *const *names, VgReading *const *readings,
                           guint n, const char *first, gboolean volume);
/* Adds what vg_page_add_readings leaves out, under a heading, if there is anything. */
void vg_page_add_other_readings (VgPage *self, const char *const *names, VgReading *const *readings,
                                 guint n);
/* Adds a table that compares the quantities with a standard error with those of the regions with
 * the same names in KEPT, which is called NAME; nothing if no region is in both. */
void vg_page_add_comparison (VgPage *self, const char *const *names, VgReading *const *readings,
                             guint n, const VgReference *kept, const char *name);
/* Adds a table of MARKS (of VgCurveMark, x in s; may be NULL), if there are any.  ANONYMOUS: their
 * texts are left out. */
void vg_page_add_marks (VgPage *self, const GArray *marks, gboolean anonymous);

G_END_DECLS
