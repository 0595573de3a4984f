/* SPDX-License-Identifier: MIT */
#pragma once
#include "tests/support/data-file.h"
#include "kernels/base/vg-image.h"
#include <gio/gio.h>
#include <string.h>

/* Reads a float NIfTI-1 file in gzip; supports only what these files use. */
static inline VgImage *
read_nifti (const char *name)
{
  g_autofree char *path = data_file ("perfusion", name), *packed = NULL;
  gsize length;
  gint16 dim[8], datatype;
  float offset;

  if (path == NULL)
    return NULL;
  g_assert_true (g_file_get_contents (path, &packed, &length, NULL));
  g_autoptr (GConverter)
      gunzip = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  g_autoptr (GInputStream)
      memory = g_memory_input_stream_new_from_data (packed, (gssize) length, NULL);
  g_autoptr (GInputStream) stream = g_converter_input_stream_new (memory, gunzip);
  g_autofree guint8 *bytes = g_malloc (64 << 20);
  g_assert_true (g_input_stream_read_all (stream, bytes, 64 << 20, &length, NULL, NULL));
  memcpy (dim, bytes + 40, sizeof dim);
  memcpy (&datatype, bytes + 70, sizeof datatype);
  memcpy (&offset, bytes + 108, sizeof offset);
  g_assert_cmpint (datatype, ==, 16);
  VgImageInfo info = { .type = VG_F32,
                       .width = dim[1],
                       .height = dim[2],
                       .channels = 1,
                       .bins = 1,
                       .slices = dim[3],
                       .frames = MAX (dim[4], 1) };
  gsize size = sizeof (float) * (gsize) dim[1] * (gsize) dim[2] * (gsize) dim[3] *
               (gsize) MAX (dim[4], 1);
  g_assert_cmpuint (length, >=, (gsize) offset + size);
  VgImage *image = vg_image_new (&info, name, NULL);
  memcpy (image->data, bytes + (gsize) offset, size);
  return image;
}
