/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include <tiffio.h>
/* A libtiff handle that never prints: the first complaint since the last
 * `forget` is kept for our own error. */
G_BEGIN_DECLS

/* The word by which this program knows its own files. */
#define VG_TIFF_SOFTWARE "Vivograph"

typedef struct
{
  TIFF *tiff;
  char *complaint; /* one line, or NULL */
} VgTiffHandle;

/* Takes over FD when it succeeds.  MODE as in TIFFOpen; MAX_ALLOCATION bounds
 * what a hostile header can make libtiff ask for at once. */
gboolean vg_tiff_handle_open (VgTiffHandle *self, int fd, const char *name, const char *mode,
                              gint64 max_allocation);
void vg_tiff_handle_close (VgTiffHandle *self);
void vg_tiff_handle_forget (VgTiffHandle *self);
const char *vg_tiff_handle_complaint (const VgTiffHandle *self); /* never NULL */

G_END_DECLS
