/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/profile/vg-profile-line.h"
#include "kernels/core/vg-operation.h"
/* The values of a map along a line, frame by frame: a row for each, and the width of the vessel
 * that the line crosses.  Safe from every thread. */
G_BEGIN_DECLS

typedef struct _VgKymograph VgKymograph;

/* What its rows and columns cover. */
typedef struct
{
  double length; /* of the line, in `unit` */
  char unit[8];  /* "px" without a scale */
  double time_s[2];
} VgKymographExtent;

/* Of output OUTPUT along LINE, whose length must not be 0, with about MOST_ROWS of the newest rows.
 */
VgKymograph *vg_kymograph_new (guint output, const VgProfileLine *line, guint most_rows);
VgKymograph *vg_kymograph_ref (VgKymograph *self);
void vg_kymograph_unref (VgKymograph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgKymograph, vg_kymograph_unref)

guint vg_kymograph_get_output (const VgKymograph *self);
/* TRUE: it is of this output and this line. */
gboolean vg_kymograph_is_of (const VgKymograph *self, guint output, const VgProfileLine *line);
/* Adds the row of PLANE, of the output of OPERATION and in host memory, of frame FRAME. */
void vg_kymograph_add (VgKymograph *self, const VgPlane *plane, const VgOperation *operation,
                       gint64 frame, double time_s);
/* The number of rows that were added so far. */
gint64 vg_kymograph_get_added (VgKymograph *self);
/* A copy of the rows, the oldest at the top, as a plane whose samples are *OWNED (g_free).  EXTENT
 * may be NULL.  FALSE: there are none. */
gboolean vg_kymograph_get_plane (VgKymograph *self, VgPlane *plane, VgKymographExtent *extent,
                                 float **owned);
/* A row for each frame: number, time, diameter with its standard error, and distance of the
 * vessel's middle from the beginning of the line; the last three are empty where the diameter is
 * not reliable; WITH_VALUES: also the values along the line, in columns whose titles are the
 * distances from its beginning.  Owned. */
char *vg_kymograph_to_csv (VgKymograph *self, gboolean with_values);

G_END_DECLS
