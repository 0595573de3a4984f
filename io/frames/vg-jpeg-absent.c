/* SPDX-License-Identifier: MIT */
/* A build without libjpeg says what is missing. */
#include "io/source/vg-source-private.h"
#include <unistd.h>

VgSource *
vg_jpeg_source_open (int fd, const char *name, gint64 size, gboolean colour, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
               "%s is a JPEG picture, which this build cannot read; save it as PNG or TIFF, or "
               "install libjpeg62-turbo-dev and build again",
               name);
  close (fd);
  return NULL;
}
