/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "io/source/vg-inflate.h"
/* Converts decays from the order of the instruments, pixel by pixel with the time bin fastest, to
 * the order of the program, one page per time bin. */
G_BEGIN_DECLS

typedef enum { VG_COUNTS_U16, VG_COUNTS_U32, VG_COUNTS_F64 } VgCounts;

typedef struct
{
  VgCounts type;
  gint64 skip;         /* stored pixels before the first one that is read */
  gint64 stored_width; /* pixels in a stored row, >= width */
  int width, height;
  gint64 bins;
} VgDecayCube;

static inline gsize
vg_counts_size (VgCounts type)
{
  return type == VG_COUNTS_U16 ? 2 : type == VG_COUNTS_U32 ? 4 : 8;
}

/* The sample type after reading; doubles are rounded to floats. */
static inline VgType
vg_counts_type (VgCounts type)
{
  return type == VG_COUNTS_U16 ? VG_U16 : type == VG_COUNTS_U32 ? VG_U32 : VG_F32;
}

/* Reads the decays from STREAM into PAGES: bins * height * width samples of vg_counts_type. */
gboolean vg_decay_cube_read (const VgDecayCube *self, VgInflate *stream, void *pages,
                             GError **error);

G_END_DECLS
