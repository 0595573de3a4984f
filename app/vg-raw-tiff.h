/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-image.h"
/* Raw pages, one after the other, into a BigTIFF (the 64-bit variant of TIFF
 * 6.0): uncompressed, in the machine's byte order, in the frames' own type. */
G_BEGIN_DECLS

typedef struct _VgRawTiff VgRawTiff;

/* Replaces PATH; nothing is there before commit.  DESCRIPTION goes to the
 * first page. */
VgRawTiff *vg_raw_tiff_new    (const char *path, const VgImageInfo *info, const char *description, GError **error);
/* One time point: its slices * bins pages.  After an error the pages before
 * can still be committed. */
gboolean   vg_raw_tiff_add    (VgRawTiff *self, const void *frame, GError **error);
gboolean   vg_raw_tiff_commit (VgRawTiff *self, GError **error);
/* Without commit: removes what was written. */
void       vg_raw_tiff_free   (VgRawTiff *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgRawTiff, vg_raw_tiff_free)

G_END_DECLS
