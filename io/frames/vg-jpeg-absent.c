/* SPDX-License-Identifier: MIT */
/* In a build without libjpeg, a message says what is missing. */
#include "io/frames/vg-jpeg.h"
#include "io/source/vg-source-private.h"
#include <unistd.h>

static VgSource *
jpeg_open (const VgSourceFile *file, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
               "\"%s\" is a JPEG image, which this build of Vivograph cannot read; save it as PNG "
               "or TIFF, or install libjpeg62-turbo-dev and build again",
               file->name);
  close (file->fd);
  return NULL;
}

const VgFormat vg_jpeg_format = { .id = "jpeg",
                                  .name = "JPEG",
                                  .suffixes = { ".jpg", ".jpeg" },
                                  .detect = vg_jpeg_detect,
                                  .open = jpeg_open };
