/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/reading/vg-reading.h"
#include "app/report/vg-page.h"
/* Numbers of regions side by side, with their errors. */
G_BEGIN_DECLS

/* Adds tables with a row for each quantity and a column for each of the N READINGS, which are of
 * the regions NAMES, and says what the numbers are.  VOLUME: the data are of voxels. */
void vg_page_add_readings (VgPage *self, const char *const *names, VgReading *const *readings,
                           guint n, gboolean volume);
/* Adds a table of MARKS (of VgCurveMark, x in s; may be NULL), if there are any.  ANONYMOUS: their
 * texts are left out. */
void vg_page_add_marks (VgPage *self, const GArray *marks, gboolean anonymous);

G_END_DECLS
