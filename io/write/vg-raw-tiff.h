/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* Raw pages, one after the other, into a BigTIFF (the 64-bit variant of TIFF
 * 6.0): uncompressed, in the machine's byte order, in the frames' own type.
 *
 * It is written beside its place as NAME.part.tif and is a valid TIFF of all
 * frames so far from the first one on: samples and directories of a frame are
 * there before the link that leads to them. */
G_BEGIN_DECLS

typedef struct _VgRawTiff VgRawTiff;

/* A file at PATH is replaced by commit if it is there now; one that appears
 * later is not, and the recording takes another name. */
VgRawTiff *vg_raw_tiff_new (const char *path, const VgImageInfo *info, GError **error);
/* One time point: its slices * bins pages, each with TEXT as ImageDescription.
 * After an error the frames before are still there. */
gboolean vg_raw_tiff_add (VgRawTiff *self, const void *frame, const char *text, GError **error);
/* Waits until all that was added has reached the disk. */
gboolean vg_raw_tiff_sync (VgRawTiff *self, GError **error);
/* Size of the file so far. */
guint64 vg_raw_tiff_bytes (const VgRawTiff *self);
/* Where it is now: the part, or after commit what it became. */
const char *vg_raw_tiff_path (const VgRawTiff *self);
/* Gives it its name.  When that fails the part stays where it is. */
gboolean vg_raw_tiff_commit (VgRawTiff *self, GError **error);
/* A part without a frame is removed. */
void vg_raw_tiff_free (VgRawTiff *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgRawTiff, vg_raw_tiff_free)

/* Moves PART to PATH, or, where REPLACE is FALSE and something is there, to
 * the first of PATH-2, PATH-3 ... that is free; where it came to, or NULL. */
char *vg_part_rename (const char *part, const char *path, gboolean replace, GError **error);
/* "a.tif", ".part", 2: "a.part-2.tif"; 1: without a number. */
char *vg_part_name (const char *path, const char *word, int number);

G_END_DECLS
