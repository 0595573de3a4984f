/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The positions of all directories of a TIFF file.  Following their chain takes one small read per
 * page and no decoding, so a stack of 100 000 pages opens at once and any page is reached
 * directly. */
G_BEGIN_DECLS

/* The properties that all pages must share. */
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
  GArray *offsets;   /* guint64, one per page, without reduced copies and masks */
  guint skipped;     /* number of reduced copies and masks */
  /* the file is cut short; the index has its complete pages */
  gboolean cut;
} VgTiffIndex;

/* NULL and an error: the file is damaged, cut short in its first page, or its pages differ in
 * size. */
VgTiffIndex *vg_tiff_index_new (int fd, const char *name, GError **error);
/* Reads up to SIZE - 1 bytes of the ImageDescription of page I as a string; FALSE: it has none. */
gboolean vg_tiff_index_read_description (const VgTiffIndex *self, int fd, guint i, char *text,
                                         gsize size);
/* Whether any directory is tiled, or the first is that of a scanner of Hamamatsu: OpenSlide reads
 * no other TIFF. */
gboolean vg_tiff_index_may_be_slide (int fd, gint64 size);
void vg_tiff_index_free (VgTiffIndex *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgTiffIndex, vg_tiff_index_free)

G_END_DECLS
