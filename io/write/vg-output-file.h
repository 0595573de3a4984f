/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* Writers of files that appear complete or not at all: a file is written under a temporary name in
 * the same folder, flushed and renamed.  Freeing a writer without a commit removes the temporary
 * file and leaves an earlier file as it was.  All fail with VG_IO_ERROR_WRITE. */
G_BEGIN_DECLS

typedef struct _VgOutputFile VgOutputFile;

VgOutputFile *vg_output_file_new (const char *path, GError **error);
/* The same for one of many files of a folder, which share the BASE of their temporary names, so
 * that the folder is searched once for those that a process left behind. */
VgOutputFile *vg_output_file_new_as (const char *path, const char *base, GError **error);
const char *vg_output_file_temporary (VgOutputFile *self); /* name to write to */
gboolean vg_output_file_commit (VgOutputFile *self, GError **error);
/* The same, but an earlier file is not replaced.  *EXISTS: there is one, which is an error too. */
gboolean vg_output_file_commit_new (VgOutputFile *self, gboolean *exists, GError **error);
void vg_output_file_free (VgOutputFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgOutputFile, vg_output_file_free)
/* Removes the temporary files of this process, which is about to end for lack of memory. */
void vg_output_files_give_up (void);

/* As rename, but fails with EEXIST instead of replacing a file.  Where the file system cannot do
 * this at once, the file is looked for first. */
int vg_rename_to_free (const char *from, const char *to);

/* A text file written piece by piece, plain or compressed with gzip. */
typedef struct _VgTextFile VgTextFile;

VgTextFile *vg_text_file_new (const char *path, gboolean gzip, GError **error);
/* Compresses less, in a third of the time. */
void vg_text_file_set_fast (VgTextFile *self);
/* Compresses all text that is added to a plain file from now on, as after the header of a NRRD. */
gboolean vg_text_file_begin_gzip (VgTextFile *self, GError **error);
gboolean vg_text_file_add (VgTextFile *self, const char *text, gsize length, GError **error);
gboolean vg_text_file_commit (VgTextFile *self, GError **error);
void vg_text_file_free (VgTextFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgTextFile, vg_text_file_free)

/* Writes a whole file. */
gboolean vg_write_bytes (const char *path, const void *bytes, gsize length, GError **error);

/* Locks a file while FD is open, so that other processes know that its writer is running.  FALSE:
 * another process has the lock and WAIT is FALSE, or the file system has no advisory locks, as on
 * servers of Windows, where a lock keeps readers and writers out. */
gboolean vg_file_lock (int fd, gboolean wait);

/* Reads a file back: its size in bytes and its CRC-32. */
gboolean vg_file_checksum (const char *path, guint64 *bytes, guint32 *checksum, GError **error);

/* Writes WIDTH x HEIGHT pixels of interleaved 8-bit RGBA, top row first. */
gboolean vg_write_png (const char *path, const guint8 *rgba, int width, int height, GError **error);
/* The same with the text DESCRIPTION (NULL: none) and DPI dots per inch (0: not known) in the file.
 */
gboolean vg_write_png_described (const char *path, const guint8 *rgba, int width, int height,
                                 const char *description, double dpi, GError **error);

/* NIfTI-1 of 32-bit floats in gzip, with the width, height, slices, frames and placement of INFO,
 * whose samples are added in this order, in pieces of any length. */
typedef struct _VgNiftiWriter VgNiftiWriter;
VgNiftiWriter *vg_nifti_writer_new (const char *path, const VgImageInfo *info,
                                    const char *description, GError **error);
gboolean vg_nifti_writer_add (VgNiftiWriter *self, const float *samples, gsize n, GError **error);
gboolean vg_nifti_writer_commit (VgNiftiWriter *self, GError **error);
void vg_nifti_writer_free (VgNiftiWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgNiftiWriter, vg_nifti_writer_free)
/* Whether the map of a data set with INFO is a volume whose placement NIfTI can hold. */
gboolean vg_nifti_can_write (const VgImageInfo *info);

/* NRRD of 32-bit floats in gzip, with the width, height, slices, frames and placement of INFO,
 * whose samples are added with vg_text_file_add in this order.  ID, LABEL and UNIT of the map are
 * in the header. */
VgTextFile *vg_nrrd_writer_new (const char *path, const VgImageInfo *info, const char *id,
                                const char *label, const char *unit, GError **error);

/* A TIFF of 32-bit float pages with deflate; missing values are NaN.  It is a BigTIFF if it may
 * exceed 4 GB or if PAGES_EXPECTED is -1, not known.  DESCRIPTION becomes the ImageDescription of
 * the first page, PIXEL_SIZE (or NULL) the resolution tags. */
typedef struct _VgTiffWriter VgTiffWriter;
VgTiffWriter *vg_tiff_writer_new (const char *path, int width, int height, gint64 pages_expected,
                                  const char *description, const double pixel_size[2],
                                  const char *pixel_unit, GError **error);
/* The same with one page of square tiles of BLOCK samples a side, a multiple of 16.  The tiles are
 * added in any order, all of them; memory holds one at a time. */
VgTiffWriter *vg_tiff_writer_new_blocks (const char *path, int width, int height, int block,
                                         const char *description, const double pixel_size[2],
                                         const char *pixel_unit, GError **error);
/* Stores the samples of a label image as TYPE, VG_U16 or VG_U32; NaN and negative samples become 0.
 * Called before the first sample is added. */
void vg_tiff_writer_set_whole (VgTiffWriter *self, VgType type);
/* Adds the tile whose corner is at (X, Y): BLOCK squared samples, also outside the page. */
gboolean vg_tiff_writer_add_block (VgTiffWriter *self, int x, int y, const float *samples,
                                   GError **error);
/* Reads the tiles of such a file row by row and calls TAKE with the samples of each, as float. */
typedef void (*VgTiffBlock) (gpointer data, int x, int y, const float *samples);
gboolean vg_tiff_read_blocks (const char *path, VgTiffBlock take, gpointer data, GError **error);
/* Adds a page. */
gboolean vg_tiff_writer_add (VgTiffWriter *self, const float *page, GError **error);
gboolean vg_tiff_writer_commit (VgTiffWriter *self, GError **error);
void vg_tiff_writer_free (VgTiffWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgTiffWriter, vg_tiff_writer_free)

G_END_DECLS
