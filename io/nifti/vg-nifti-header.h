/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* The headers of NIfTI-1 and Analyze 7.5 (348 bytes) and NIfTI-2 (540 bytes), in either byte
 * order.  Values out of range are refused. */
G_BEGIN_DECLS

enum { VG_NIFTI_1_BYTES = 348, VG_NIFTI_2_BYTES = 540 };

/* Codes of the sample types that are supported. */
typedef enum {
  VG_NIFTI_U8 = 2,
  VG_NIFTI_I16 = 4,
  VG_NIFTI_I32 = 8,
  VG_NIFTI_F32 = 16,
  VG_NIFTI_F64 = 64,
  VG_NIFTI_RGB = 128,
  VG_NIFTI_I8 = 256,
  VG_NIFTI_U16 = 512,
  VG_NIFTI_U32 = 768,
  VG_NIFTI_I64 = 1024,
  VG_NIFTI_U64 = 1280,
  VG_NIFTI_RGBA = 2304,
} VgNiftiType;

typedef struct
{
  gboolean swap; /* samples are of the other byte order */
  int version;   /* 1 or 2; 0: Analyze 7.5 */
  gboolean pair; /* the samples are in a file of their own */
  gint64 width, height, slices, frames;
  gint64 channels; /* the axes beyond time */
  VgNiftiType type;
  const char *type_name;
  gsize sample_bytes;         /* of a voxel */
  gint64 volume_bytes, bytes; /* of one frame, and of all samples */
  gint64 first;               /* offset of the samples in their file, bytes */
  double slope, intercept;    /* value = slope * sample + intercept */
  double unused_scale;        /* a scale that some programs write to Analyze headers; 0: none */
  double interval_s;          /* frame interval as in the header; 0: not given */
  gboolean interval_unit;     /* the header gives its unit; else seconds are assumed */
  VgPlacement placement;
} VgNiftiHeader;

/* Size in bytes of the header that begins with BYTES; 0: it is no header. */
gsize vg_nifti_header_size (const guint8 bytes[4]);
/* Whether a file that begins with the LENGTH bytes HEAD may be NIfTI, Analyze 7.5 or either in
 * gzip; opening checks the rest.  SIZE is not needed. */
gboolean vg_nifti_detect (const guint8 *head, gsize length, gint64 size);
/* Parses the vg_nifti_header_size bytes of a header; FALSE and an error: it is not supported. */
gboolean vg_nifti_header_parse (VgNiftiHeader *self, const guint8 *bytes, const char *name,
                                GError **error);

G_END_DECLS
