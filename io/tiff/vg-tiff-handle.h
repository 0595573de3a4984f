/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include <tiffio.h>
/* A libtiff handle that prints nothing.  The first error message since the last call of
 * vg_tiff_handle_forget is stored for the program's own error. */
G_BEGIN_DECLS

/* The Software tag of the files that this program writes. */
#define VG_TIFF_SOFTWARE "Vivograph"

typedef struct
{
  TIFF *tiff;
  char *complaint; /* one line, or NULL */
} VgTiffHandle;

/* Opens FD and owns it unless it fails.  MODE is that of TIFFOpen.  libtiff allocates at most
 * MAX_ALLOCATION bytes at once, whatever a hostile header says. */
gboolean vg_tiff_handle_open (VgTiffHandle *self, int fd, const char *name, const char *mode,
                              gint64 max_allocation);
void vg_tiff_handle_close (VgTiffHandle *self);
void vg_tiff_handle_forget (VgTiffHandle *self);
const char *vg_tiff_handle_complaint (const VgTiffHandle *self); /* never NULL */

G_END_DECLS
