/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* The header of an NRRD file, versions 1 to 5 (teem.sourceforge.net/nrrd/format.html): a volume, or
 * volumes over time, whose time may be the first or the last axis. */
G_BEGIN_DECLS

/* Bytes of the longest header. */
enum { VG_NRRD_MOST_HEADER = 1 << 20 };

typedef enum {
  VG_NRRD_I8,
  VG_NRRD_U8,
  VG_NRRD_I16,
  VG_NRRD_U16,
  VG_NRRD_I32,
  VG_NRRD_U32,
  VG_NRRD_I64,
  VG_NRRD_U64,
  VG_NRRD_F32,
  VG_NRRD_F64,
} VgNrrdType;

typedef struct
{
  VgNrrdType type;
  gsize sample_bytes;
  gboolean swap;   /* samples are of the other byte order */
  gboolean packed; /* samples are in gzip */
  gint64 width, height, slices, frames;
  gboolean interleaved; /* the samples of all frames at a voxel follow each other */
  gint64 skip;          /* bytes before the samples; -1: they end the file */
  gint64 bytes;         /* of all samples */
  char *file;           /* name of the file of the samples, owned; NULL: they follow the header */
  gboolean placed;
  double matrix[3][4]; /* from sample numbers to mm as in nifti1.h, if `placed` */
  double size[3];      /* of a voxel; 0: not known */
  gboolean in_mm;      /* the sizes are in mm */
  GArray *times_s;     /* double, one per frame; or NULL */
} VgNrrdHeader;

/* Whether a file that begins with the LENGTH bytes HEAD is NRRD; SIZE is not needed. */
gboolean vg_nrrd_detect (const guint8 *head, gsize length, gint64 size);
/* Parses TEXT, the lines of a header.  FALSE and an error: it is damaged or not supported; SELF is
 * to be cleared all the same. */
gboolean vg_nrrd_header_parse (VgNrrdHeader *self, const char *text, const char *name,
                               GError **error);
void vg_nrrd_header_clear (VgNrrdHeader *self);

G_END_DECLS
