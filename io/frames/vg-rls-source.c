/* SPDX-License-Identifier: MIT */
/* RLS, the raw laser-speckle recordings of the Boston University and Aarhus
 * groups.  Little endian: u64 width, height, frames, sampling (ms between
 * frames); optionally "Ver." and u64 version and (from version 2) bytes per
 * sample; from byte 30 * 1024 on, for every frame, a u64 time stamp in
 * microseconds and the samples.  Files with a version are stored column by
 * column, older ones row by row. */
#include "io/source/vg-source-private.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { RLS_DATA = 30 * 1024, RLS_STAMP = 8, RLS_MAX_SIDE = 1 << 16 };

static guint64
get_u64 (const guint8 *bytes)
{
  guint64 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT64_FROM_LE (value);
}

static gboolean
rls_detect (const guint8 *head, gsize length, gint64 size)
{
  return length >= 32 && size > RLS_DATA && get_u64 (head) - 1 < RLS_MAX_SIDE &&
         get_u64 (head + 8) - 1 < RLS_MAX_SIDE && get_u64 (head + 16) - 1 < G_MAXUINT32 &&
         get_u64 (head + 24) < G_MAXUINT32;
}

/* The mean frame interval in seconds, from the first and last time stamp; or 0. */
static double
interval_from_stamps (int fd, const VgLayout *layout, gint64 frames)
{
  guint8 first[RLS_STAMP], last[RLS_STAMP];
  guint64 from, to;

  if (frames < 2 || vg_pread_all (fd, first, RLS_STAMP, layout->first - RLS_STAMP) != RLS_STAMP ||
      vg_pread_all (fd, last, RLS_STAMP,
                    layout->first - RLS_STAMP + (frames - 1) * layout->stride) != RLS_STAMP)
    return 0;
  from = get_u64 (first);
  to = get_u64 (last);
  return to > from ? (double) (to - from) / (double) (frames - 1) * 1e-6 : 0;
}

static VgSource *
rls_open (const VgSourceFile *file, GError **error)
{
  guint8 head[56] = { 0 };
  VgImageInfo info;
  gboolean versioned;
  guint64 sample_bytes = 1, width, height, frames;
  VgLayout layout;
  double sampling_s, stamps_s;
  char *details;

  vg_pread_all (file->fd, head, sizeof head, 0);
  width = get_u64 (head);
  height = get_u64 (head + 8);
  frames = get_u64 (head + 16);
  versioned = memcmp (head + 32, "Ver.", 4) == 0;
  if (versioned && get_u64 (head + 36) > 1)
    sample_bytes = get_u64 (head + 44);
  if (sample_bytes != 1 && sample_bytes != 2)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "\"%s\" is an RLS file with %" G_GUINT64_FORMAT
                   " bytes per sample; only 1 and 2 can be read",
                   file->name, sample_bytes);
      close (file->fd);
      return NULL;
    }
  info = vg_image_info_grey (sample_bytes == 2 ? VG_U16 : VG_U8, (int) width, (int) height);
  info.significant_bits = 8 * (int) sample_bytes;
  info.frames = (gint64) frames;
  layout = (VgLayout){ .first = RLS_DATA + RLS_STAMP,
                       .stride = (gint64) (width * height * sample_bytes) + RLS_STAMP,
                       .swap = sample_bytes == 2 && G_BYTE_ORDER == G_BIG_ENDIAN,
                       .transpose = versioned };
  sampling_s = (double) get_u64 (head + 24) * 1e-3;
  stamps_s = file->size / layout.stride >= info.frames
                 ? interval_from_stamps (file->fd, &layout, info.frames)
                 : 0;
  /* time stamps are finer than whole milliseconds; used if they agree with the sampling interval */
  info.frame_interval_s = stamps_s > 0 && fabs (stamps_s - sampling_s) <= MAX (sampling_s, 2e-3)
                              ? stamps_s
                              : sampling_s;
  details = g_strdup_printf (
      "RLS%s, %" G_GUINT64_FORMAT " bytes per sample\nsampling %g ms, time stamps %g ms apart",
      versioned ? " with version, stored column by column" : ", stored row by row", sample_bytes,
      sampling_s * 1e3, stamps_s * 1e3);
  return vg_layout_source_new (file->fd, file->name, "RLS", &info, &layout, details,
                               file->read_options, error);
}

const VgFormat vg_rls_format = {
  .id = "rls", .name = "RLS", .suffixes = { ".rls" }, .detect = rls_detect, .open = rls_open
};
