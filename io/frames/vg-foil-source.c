/* SPDX-License-Identifier: MIT */
/* FOIL raw, the recordings of the University of Texas speckle software: four
 * little-endian u16 (height, width, frames, exposure in ms), then 8-bit
 * frames.  The format has no magic number: a file is recognised because its
 * header gives its exact size. */
#include "io/source/vg-source-private.h"
#include <string.h>

enum { FOIL_HEADER = 8 };

static void
get_header (const guint8 *head, guint16 header[4])
{
  memcpy (header, head, FOIL_HEADER);
  for (int i = 0; i < 4; i++)
    header[i] = GUINT16_FROM_LE (header[i]);
}

static gint64
promised_bytes (const guint8 *head, gsize length)
{
  guint16 header[4];

  if (length < FOIL_HEADER)
    return 0;
  get_header (head, header);
  if (header[0] == 0 || header[1] == 0 || header[2] == 0)
    return 0;
  return FOIL_HEADER + (gint64) header[0] * header[1] * header[2];
}

static VgSource *
foil_open (const VgSourceFile *file, GError **error)
{
  guint8 head[FOIL_HEADER] = { 0 };
  guint16 header[4];
  VgImageInfo info;
  VgLayout layout;

  vg_pread_all (file->fd, head, sizeof head, 0);
  get_header (head, header);
  info = vg_image_info_grey (VG_U8, header[1], header[0]);
  info.frames = header[2];
  info.significant_bits = 8;
  info.exposure_ms = header[3];
  layout = (VgLayout){ .first = FOIL_HEADER, .stride = (gint64) header[0] * header[1] };
  return vg_layout_source_new (file->fd, file->name, "FOIL raw", &info, &layout,
                               g_strdup_printf ("FOIL raw, exposure %u ms", header[3]),
                               file->read_options, error);
}

const VgFormat vg_foil_format = {
  .id = "foil", .name = "FOIL raw", .promised_bytes = promised_bytes, .open = foil_open
};
