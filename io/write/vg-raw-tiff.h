/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* A BigTIFF (the 64-bit variant of TIFF 6.0) of uncompressed pages, in the byte order of this
 * machine and in the sample type of the frames.
 *
 * It is written as NAME.part.tif beside its final name.  After each frame it is a valid TIFF of all
 * frames so far, because the samples and directories of a frame are written before the link to
 * them. */
G_BEGIN_DECLS

typedef struct _VgRawTiff VgRawTiff;

/* Begins a file for frames of INFO.  Commit replaces a file at PATH that exists now, but none that
 * appears later: then the stack gets another name. */
VgRawTiff *vg_raw_tiff_new (const char *path, const VgImageInfo *info, GError **error);
/* Adds a frame: its slices * bins pages, each with TEXT as ImageDescription.  After an error the
 * earlier frames are still valid. */
gboolean vg_raw_tiff_add (VgRawTiff *self, const void *frame, const char *text, GError **error);
/* Waits until all frames that were added have reached the disk. */
gboolean vg_raw_tiff_sync (VgRawTiff *self, GError **error);
/* Bytes written since the last sync that may be in the page cache only. */
guint64 vg_raw_tiff_in_memory (const VgRawTiff *self);
/* Size of the file so far, bytes. */
guint64 vg_raw_tiff_bytes (const VgRawTiff *self);
/* Path of the part file; after commit, of the final file. */
const char *vg_raw_tiff_path (const VgRawTiff *self);
/* Renames the part file to its final name; after an error it keeps its name. */
gboolean vg_raw_tiff_commit (VgRawTiff *self, GError **error);
/* Frees SELF; a part file without a frame is removed. */
void vg_raw_tiff_free (VgRawTiff *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgRawTiff, vg_raw_tiff_free)

/* Renames PART to PATH or, if REPLACE is FALSE and PATH exists, to the first free name of PATH-2,
 * PATH-3 and so on; the new name, owned, or NULL and an error. */
char *vg_part_rename (const char *part, const char *path, gboolean replace, GError **error);
/* Removes PART if the process that made it was killed before its first frame. */
gboolean vg_part_discard_empty (const char *part);

G_END_DECLS
