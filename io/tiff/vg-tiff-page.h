/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/tiff/vg-tiff-handle.h"
#include "io/tiff/vg-tiff-index.h"
#include "io/tiff/vg-tiff-samples.h"
/* Decodes the page whose directory is at a given offset. */
G_BEGIN_DECLS

typedef struct
{
  VgTiffHandle handle;
  VgTiffShape shape;
  VgTiffSamples samples;
  int channels;      /* of the decoded page, interleaved */
  int planes;        /* grey images in one page: samples per pixel that are no colour */
  gboolean rgba;     /* colour that libtiff turns into 8-bit RGB */
  guint photometric; /* of the first page */
  gboolean started;  /* photometric is set */
  guint64 current;   /* offset of the current directory; 0: none */
  void *scratch;     /* buffer for a strip, a tile or an RGBA page */
  gsize scratch_bytes;
} VgTiffPageReader;

/* Owns FD, also when it fails. */
gboolean vg_tiff_page_reader_init (VgTiffPageReader *self, int fd, const char *name,
                                   const VgTiffIndex *index, gboolean colour, GString *notes,
                                   GError **error);
void vg_tiff_page_reader_clear (VgTiffPageReader *self);
/* Reads planes * width * height * channels samples.  FALSE: handle.complaint says why. */
gboolean vg_tiff_page_read (VgTiffPageReader *self, guint64 directory, void *page);
/* The offset of the samples of an uncompressed, contiguous page without conversion; else 0. */
guint64 vg_tiff_page_plain_offset (VgTiffPageReader *self, guint64 directory);

G_END_DECLS
