/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* Files that appear whole or not at all: written under a temporary name in
 * the same folder, flushed, then renamed.  Dropping one without commit
 * removes the temporary file and leaves what was there. */
G_BEGIN_DECLS

typedef struct _VgOutputFile VgOutputFile;

VgOutputFile *vg_output_file_new (const char *path, GError **error);
const char *vg_output_file_temporary (VgOutputFile *self); /* name to write to */
gboolean vg_output_file_commit (VgOutputFile *self, GError **error);
void vg_output_file_free (VgOutputFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgOutputFile, vg_output_file_free)

/* A text that comes piece by piece, in gzip or as it is. */
typedef struct _VgTextFile VgTextFile;

VgTextFile *vg_text_file_new (const char *path, gboolean gzip, GError **error);
gboolean vg_text_file_add (VgTextFile *self, const char *text, gsize length, GError **error);
gboolean vg_text_file_commit (VgTextFile *self, GError **error);
void vg_text_file_free (VgTextFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgTextFile, vg_text_file_free)

/* Bytes at once. */
gboolean vg_write_bytes (const char *path, const void *bytes, gsize length, GError **error);

/* Size and CRC-32 of a file, read once more. */
gboolean vg_file_checksum (const char *path, guint64 *bytes, guint32 *checksum, GError **error);

/* 8-bit RGBA, top row first. */
gboolean vg_write_png (const char *path, const guint8 *rgba, int width, int height, GError **error);

/* The slices of one map as NIfTI-1 in gzip, float32, placed as INFO says:
 * width, height, slices and placement of INFO are used. */
gboolean vg_nifti_can_write (const VgImageInfo *info);
gboolean vg_write_nifti (const char *path, const VgImageInfo *info, const float *samples,
                         const char *description, GError **error);

/* Float pages: 32-bit TIFF, deflate without a predictor (which ImageJ and many
 * others could not read), BigTIFF when large or when the number of pages is
 * not known (-1); NaN where there is no value.  DESCRIPTION goes to
 * ImageDescription of the first page, PIXEL_SIZE (or NULL) to the resolution
 * tags. */
typedef struct _VgTiffWriter VgTiffWriter;
VgTiffWriter *vg_tiff_writer_new (const char *path, int width, int height, gint64 pages_expected,
                                  const char *description, const double pixel_size[2],
                                  const char *pixel_unit, GError **error);
/* One page in square BLOCKs (of a multiple of 16 samples) that come in any
 * order, all of them; memory holds one at a time. */
VgTiffWriter *vg_tiff_writer_new_blocks (const char *path, int width, int height, int block,
                                         const char *description, const double pixel_size[2],
                                         const char *pixel_unit, GError **error);
/* Before the first sample: those that come, as float, are whole numbers, and are kept as TYPE,
 * VG_U16 or VG_U32.  What is none (NaN, below 0) is 0. */
void vg_tiff_writer_set_whole (VgTiffWriter *self, VgType type);
/* BLOCK squared samples from (X, Y) on, also beyond the page's edge. */
gboolean vg_tiff_writer_add_block (VgTiffWriter *self, int x, int y, const float *samples,
                                   GError **error);
/* All blocks of such a file once more, in rows, as float. */
typedef void (*VgTiffBlock) (gpointer data, int x, int y, const float *samples);
gboolean vg_tiff_read_blocks (const char *path, VgTiffBlock take, gpointer data, GError **error);
gboolean vg_tiff_writer_add (VgTiffWriter *self, const float *page, GError **error);
gboolean vg_tiff_writer_commit (VgTiffWriter *self, GError **error);
void vg_tiff_writer_free (VgTiffWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgTiffWriter, vg_tiff_writer_free)

G_END_DECLS
