/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/profile/vg-profile-line.h"
#include "kernels/base/vg-plane.h"
#include "kernels/tables/vg-curves.h"
/* The values of a map along a line, frame by frame: a row for each, and the width of the vessel
 * that the line crosses.  At most VG_KYMOGRAPH_BYTES of the newest rows are kept.  Safe from every
 * thread. */
G_BEGIN_DECLS

#define VG_KYMOGRAPH_BYTES ((gsize) 256 << 20)

typedef struct _VgKymograph VgKymograph;

/* Along LINE, whose length must not be 0. */
VgKymograph *vg_kymograph_new (const VgProfileLine *line);
void vg_kymograph_free (VgKymograph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgKymograph, vg_kymograph_free)

/* Adds the row of PLANE, which is in host memory, of frame FRAME. */
void vg_kymograph_add (VgKymograph *self, const VgPlane *plane, gint64 frame, double time_s);
/* The number of rows that were added, and of those that are kept. */
gint64 vg_kymograph_get_added (VgKymograph *self);
guint vg_kymograph_get_rows (VgKymograph *self);
/* A copy of the rows, the oldest at the top, as a plane whose samples are *OWNED (g_free).  FALSE:
 * there are none. */
gboolean vg_kymograph_get_plane (VgKymograph *self, VgPlane *plane, float **owned);
/* A row for each frame: number, time, diameter, and distance of the vessel's middle from the
 * beginning of the line; owned. */
char *vg_kymograph_to_csv (VgKymograph *self);

G_END_DECLS
