/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/tiff/vg-tiff-handle.h"
#include "io/tiff/vg-tiff-index.h"
#include "io/tiff/vg-tiff-samples.h"
/* Decodes one page, given the offset of its directory. */
G_BEGIN_DECLS

typedef struct
{
  VgTiffHandle handle;
  VgTiffShape shape;
  VgTiffSamples samples;
  int channels;      /* of the result, interleaved */
  int planes;        /* grey pages that one page of the file gives: samples that are bins */
  gboolean rgba;     /* colour that libtiff turns into 8-bit RGB */
  guint photometric; /* of the first page */
  gboolean started;  /* photometric is known */
  guint64 current;   /* offset of the directory in force; 0: none */
  void *scratch;     /* a strip, a tile, or an RGBA page */
  gsize scratch_bytes;
} VgTiffPageReader;

/* Owns FD from then on. */
gboolean vg_tiff_page_reader_init (VgTiffPageReader *self, int fd, const char *name,
                                   const VgTiffIndex *index, gboolean colour, GString *notes,
                                   GError **error);
void vg_tiff_page_reader_clear (VgTiffPageReader *self);
/* Fills planes * width * height * channels samples.  FALSE: handle.complaint says why. */
gboolean vg_tiff_page_read (VgTiffPageReader *self, guint64 directory, void *page);
/* Where an uncompressed page of plain samples begins that lies in one piece; 0: it is not that. */
guint64 vg_tiff_page_plain_offset (VgTiffPageReader *self, guint64 directory);

G_END_DECLS
