/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The directories of a TIFF file, found by walking their chain: one small
 * read per page and no decoding, so a stack of 100 000 pages opens at once
 * and page k is then reached directly. */
G_BEGIN_DECLS

/* What has to be the same on all pages. */
typedef struct
{
  guint64 width, height;
  guint bits, format, samples; /* as in the tags; format 1 unsigned, 2 signed, 3 float */
} VgTiffShape;

typedef struct
{
  gboolean swap; /* the file's byte order is not this machine's */
  gboolean big;
  gint64 file_size;
  VgTiffShape shape; /* of every page */
  GArray *offsets;   /* of guint64, one per page; reduced copies and masks left out */
  guint skipped;     /* those left out */
  /* the file ends before its last page does: what is whole is here */
  gboolean cut;
} VgTiffIndex;

/* NULL and error: corrupt, cut short within the first page, or pages of different size. */
VgTiffIndex *vg_tiff_index_new (int fd, const char *name, GError **error);
/* The beginning of the ImageDescription of page I, with a 0 at its end; FALSE: it has none. */
gboolean vg_tiff_index_read_description (const VgTiffIndex *self, int fd, guint i, char *text,
                                         gsize size);
void vg_tiff_index_free (VgTiffIndex *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgTiffIndex, vg_tiff_index_free)

G_END_DECLS
