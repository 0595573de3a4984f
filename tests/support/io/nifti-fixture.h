/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* NIfTI files of any kind, with voxels that are known; made from the format's
 * description and apart from the reader. */
G_BEGIN_DECLS

typedef struct
{
  int version;  /* 1 or 2 */
  gboolean big; /* most significant byte first */
  int type;     /* NIfTI's code */
  int axes;
  gint64 extent[7]; /* x, y, z, t, ... */
  double slope, intercept;
  int units;       /* xyzt_units */
  double interval; /* pixdim[4] */
  double voxel[3];
  int extension; /* bytes between header and voxels, beyond the usual 4 */
  int members;   /* of gzip; 0: not compressed */
} NiftiVariant;

/* Of float32, little endian, 2 s apart, in mm: the base that tests change. */
NiftiVariant fixture_nifti_variant (int width, int height, int slices, int frames);
/* *VALUES (may be NULL): what the voxels mean, the scale applied. */
GByteArray *fixture_nifti (const NiftiVariant *variant, guint32 seed, double **values);
/* A field of the header: an integer of SIZE bytes; or a real number. */
void fixture_nifti_put (GByteArray *bytes, const NiftiVariant *variant, gsize at, gint64 value,
                        gsize size);
void fixture_nifti_real (GByteArray *bytes, const NiftiVariant *variant, gsize at, double value);
/* The bytes as gzip, in so many members. */
GByteArray *fixture_gzip (const GByteArray *bytes, int members);

G_END_DECLS
