/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "io/source/vg-inflate.h"
/* Histograms as instruments write them, pixel after pixel with the bin
 * fastest, into the program's order: a page for every bin. */
G_BEGIN_DECLS

typedef enum { VG_COUNTS_U16, VG_COUNTS_U32, VG_COUNTS_F64 } VgCounts;

typedef struct
{
  VgCounts type;
  gint64 skip;         /* pixels before the first, left out */
  gint64 stored_width; /* pixels in a stored row, >= width */
  int width, height;
  gint64 bins;
} VgDecayCube;

static inline gsize
vg_counts_size (VgCounts type)
{
  return type == VG_COUNTS_U16 ? 2 : type == VG_COUNTS_U32 ? 4 : 8;
}

/* What they become: doubles are rounded to floats. */
static inline VgType
vg_counts_type (VgCounts type)
{
  return type == VG_COUNTS_U16 ? VG_U16 : type == VG_COUNTS_U32 ? VG_U32 : VG_F32;
}

/* Fills PAGES, bins * height * width samples.  Holds a few pixels' decays. */
gboolean vg_decay_cube_read (const VgDecayCube *self, VgInflate *stream, void *pages,
                             GError **error);

G_END_DECLS
