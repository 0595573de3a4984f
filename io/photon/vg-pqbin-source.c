/* SPDX-License-Identifier: MIT */
/* PicoQuant .bin, the pre-histogrammed images of SymPhoTime.  Little endian:
 * i32 width and height, f32 pixel size (µm), i32 bins, f32 bin width (ns),
 * then u32 counts, pixel after pixel with the bin fastest.  The format has no
 * magic number: a file is recognised because its header gives its exact size. */
#include "io/source/vg-bytes.h"
#include "io/photon/vg-decay-cube.h"
#include "io/source/vg-source-private.h"
#include <math.h>

enum { HEADER = 20, MAX_SIDE = 65535, MAX_BINS = 65536 };

typedef struct
{
  VgSource parent;
  gint64 size;
} VgPqbinSource;

static gint64
promised_bytes (const guint8 *head, gsize length)
{
  gint64 width, height, bins;
  double pixel, bin_ns;

  if (length < HEADER)
    return 0;
  width = vg_get_i32 (head);
  height = vg_get_i32 (head + 4);
  bins = vg_get_i32 (head + 12);
  pixel = vg_get_f32 (head + 8);
  bin_ns = vg_get_f32 (head + 16);
  if (width < 1 || width > MAX_SIDE || height < 1 || height > MAX_SIDE || bins < 1 ||
      bins > MAX_BINS || !isfinite (pixel) || !isfinite (bin_ns))
    return 0;
  return HEADER + 4 * width * height * bins;
}

static gboolean
pqbin_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  VgPqbinSource *self = (VgPqbinSource *) source;
  const VgImageInfo *info = &source->info;
  VgDecayCube cube = { .type = VG_COUNTS_U32,
                       .width = info->width,
                       .height = info->height,
                       .bins = info->bins,
                       .stored_width = info->width };
  g_autoptr (VgInflate)
      stream = vg_inflate_new (source->fd, source->name, HEADER, self->size, VG_PACKED_NONE);

  return vg_decay_cube_read (&cube, stream, frame, error);
}

static const VgSourceClass pqbin_class = { .read = pqbin_read };

static VgSource *
pqbin_open (const VgSourceFile *file, GError **error)
{
  g_autoptr (VgSource) source = vg_source_new (sizeof (VgPqbinSource), &pqbin_class, file->name,
                                               "PicoQuant BIN", file->fd);
  VgPqbinSource *self = (VgPqbinSource *) source;
  VgImageInfo *info = &source->info;
  guint8 head[HEADER] = { 0 };
  double pixel_um, bin_ns;

  self->size = file->size;
  vg_pread_all (file->fd, head, sizeof head, 0);
  info->type = VG_U32;
  info->width = vg_get_i32 (head);
  info->height = vg_get_i32 (head + 4);
  info->bins = vg_get_i32 (head + 12);
  info->significant_bits = 32;
  pixel_um = vg_get_f32 (head + 8);
  bin_ns = vg_get_f32 (head + 16);
  if (pixel_um > 0)
    {
      info->pixel_size[0] = info->pixel_size[1] = pixel_um;
      g_strlcpy (info->pixel_unit, "µm", sizeof info->pixel_unit);
    }
  info->bin_width_ns = MAX (bin_ns, 0);
  source->details = g_strdup_printf ("Pre-histogrammed image.\n%sLaser period: not in the file.",
                                     bin_ns > 0 ? "" : "Bin width: not in the file.\n");
  return vg_source_frame_bytes (info, file->name, error) ? g_steal_pointer (&source) : NULL;
}

const VgFormat vg_pqbin_format = { .id = "bin",
                                   .name = "PicoQuant BIN",
                                   .suffixes = { ".bin" },
                                   .promised_bytes = promised_bytes,
                                   .open = pqbin_open };
