/* SPDX-License-Identifier: MIT */
/* Becker & Hickl .sdt as a source: one channel of one block is the frame, or all of them are frames
 * or slices if the read options ask for it. */
#include "io/photon/vg-sdt-file.h"
#include "io/source/vg-source-private.h"
#include <sys/stat.h>

/* Limits for counting photons to find the brightest channel: bytes of a channel, and channels. */
#define MOST_COUNTED ((gsize) 1 << 30)
enum { MOST_LOOKED_INTO = 32 };

typedef struct
{
  VgSource parent;
  VgSdtFile *file;
  guint first; /* channel of the first page */
} VgSdtSource;

static gboolean
read_channel (VgSdtSource *self, guint i, void *pages, GError **error)
{
  const VgSdtChannel *channel = &g_array_index (self->file->channels, VgSdtChannel, i);
  const VgDecayCube *cube = &channel->cube;
  guint64 pixels = channel->length / ((guint64) cube->bins * vg_counts_size (cube->type));
  g_autoptr (VgInflate)
      stream = vg_inflate_new (self->parent.fd, self->parent.name, channel->offset, channel->end,
                               channel->deflated ? VG_PACKED_DEFLATE : VG_PACKED_NONE);

  if (!vg_decay_cube_read (cube, stream, pages, error))
    return FALSE;
  /* a block that was read completely must end there */
  if ((guint64) cube->skip + (guint64) cube->stored_width * (guint64) (cube->height - 1) +
              (guint64) cube->width <
          pixels ||
      vg_inflate_at_end (stream))
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\": data block %d unpacks to more than the %" G_GUINT64_FORMAT
               " bytes it declares. The file is damaged; copy it again.",
               self->parent.name, channel->block, channel->length);
  return FALSE;
}

static gboolean
sdt_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  VgSdtSource *self = (VgSdtSource *) source;
  gsize slice_bytes = vg_image_info_frame_bytes (&source->info) / (gsize) source->info.slices;

  for (gint64 slice = 0; slice < source->info.slices; slice++)
    {
      g_autoptr (GError) local = NULL;

      if (read_channel (self, self->first + (guint) (index * source->info.slices + slice),
                        (guint8 *) frame + (gsize) slice * slice_bytes, &local))
        continue;
      /* each channel is stored separately */
      if (g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_FORMAT))
        local->code = VG_IO_ERROR_FRAME;
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return TRUE;
}

static void
sdt_clear (VgSource *source)
{
  g_clear_pointer (&((VgSdtSource *) source)->file, vg_sdt_file_free);
}

static const VgSourceClass sdt_class = { .read = sdt_read, .clear = sdt_clear };

/* Makes all channels one series; they must have the same size. */
static gboolean
set_series (VgSdtSource *self, VgPages pages, GError **error)
{
  GArray *channels = self->file->channels;
  const VgSdtChannel *first = &g_array_index (channels, VgSdtChannel, 0);
  VgImageInfo *info = &self->parent.info;

  for (guint i = 1; i < channels->len; i++)
    {
      const VgSdtChannel *other = &g_array_index (channels, VgSdtChannel, i);

      if (other->cube.type == first->cube.type && other->cube.width == first->cube.width &&
          other->cube.height == first->cube.height && other->cube.bins == first->cube.bins)
        continue;
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "\"%s\": channel %u has %dx%d pixels and %" G_GINT64_FORMAT
                   " bins, but the first has %dx%d and %" G_GINT64_FORMAT
                   ", so they do not form a series; choose one under Channel",
                   self->parent.name, i + 1, other->cube.width, other->cube.height,
                   other->cube.bins, first->cube.width, first->cube.height, first->cube.bins);
      return FALSE;
    }
  self->first = 0;
  *(pages == VG_PAGES_SLICES ? &info->slices : &info->frames) = channels->len;
  info->channel = info->channels_available = 0;
  return TRUE;
}

static void
describe (VgSdtSource *self, const VgSdtChannel *channel)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const VgDecayCube *cube = &channel->cube;
  guint n = self->file->channels->len;

  g_string_append_printf (text, "Format revision %u, %u channel%s.", self->file->revision, n,
                          n == 1 ? "" : "s");
  for (guint i = 0; i < MIN (n, 32) && n > 1; i++)
    {
      const VgSdtChannel *other = &g_array_index (self->file->channels, VgSdtChannel, i);

      g_string_append_printf (
          text, "\nChannel %u: block %d, module %d, %dx%d pixels, %" G_GINT64_FORMAT " bins.",
          i + 1, other->block, other->module + 1, other->cube.width, other->cube.height,
          other->cube.bins);
    }
  if (channel->deflated)
    g_string_append (text, "\nThe block is compressed (deflate).");
  if (cube->type == VG_COUNTS_F64)
    g_string_append (text, "\n64-bit float samples are rounded to 32-bit float.");
  if (channel->line && cube->width > 1)
    g_string_append_printf (text,
                            "\n%d decays fit neither the scan nor the image size, so they are read "
                            "as a line of pixels.",
                            cube->width);
  if (cube->stored_width > cube->width)
    g_string_append (text, "\nRows are padded to a power of two; the padding is ignored.");
  if (channel->bin_width_ns == 0)
    g_string_append (text, "\nBin width: not in the file.");
  if (channel->period_ns == 0)
    g_string_append (text, "\nLaser period: not in the file.");
  if (self->file->notes->len)
    g_string_append_printf (text, "\n%.*s", (int) self->file->notes->len - 1,
                            self->file->notes->str);
  self->parent.details = g_string_free (g_steal_pointer (&text), FALSE);
}

/* The sum of all counts of a channel; negative: it cannot be read. */
static double
count_channel (VgSdtSource *self, guint i)
{
  const VgDecayCube *cube = &g_array_index (self->file->channels, VgSdtChannel, i).cube;
  VgImageInfo info = { .type = vg_counts_type (cube->type),
                       .width = cube->width,
                       .height = cube->height,
                       .channels = 1,
                       .bins = cube->bins,
                       .slices = 1,
                       .frames = 1 };
  gsize n = vg_image_info_page_samples (&info) * (gsize) info.bins,
        bytes = vg_image_info_frame_bytes (&info);
  g_autofree void *counts = bytes > 0 && bytes <= MOST_COUNTED ? g_try_malloc (bytes) : NULL;
  VgImage image = { .info = info, .data = counts };
  double sum = 0;

  if (counts == NULL || !read_channel (self, i, counts, NULL))
    return -1;
  for (gsize k = 0; k < n; k++)
    sum += vg_image_sample (&image, k);
  return sum;
}

/* The channel with the most photons, from 1. */
static guint
find_brightest (VgSdtSource *self)
{
  guint brightest_channel = 1;
  double most = count_channel (self, 0);

  for (guint i = 1; i < self->file->channels->len && i < MOST_LOOKED_INTO; i++)
    {
      double sum = count_channel (self, i);

      if (sum > most)
        {
          most = sum;
          brightest_channel = i + 1;
        }
    }
  return brightest_channel;
}

static gboolean
set_channel (VgSdtSource *self, const VgSourceFile *file, GError **error)
{
  const VgReadOptions *read_options = file->read_options;
  VgImageInfo *info = &self->parent.info;
  guint n = self->file->channels->len;
  gboolean series = read_options->pages == VG_PAGES_FRAMES ||
                    read_options->pages == VG_PAGES_SLICES;
  const VgSdtChannel *channel;

  info->readings = n > 1 ? VG_READ_OPTIONS_CHANNEL | VG_READ_OPTIONS_PAGES : 0;
  if (!vg_source_set_channel (&self->parent, file, n,
                              n > 1 && file->options->brightest_channel &&
                                      read_options->channel == 0 && !series
                                  ? find_brightest (self)
                                  : 1,
                              error))
    return FALSE;
  self->first = vg_source_channel (&self->parent);
  channel = &g_array_index (self->file->channels, VgSdtChannel, self->first);
  info->type = vg_counts_type (channel->cube.type);
  info->significant_bits = channel->cube.type == VG_COUNTS_F64
                               ? 0
                               : 8 * (int) vg_type_size (info->type);
  info->width = channel->cube.width;
  info->height = channel->cube.height;
  info->bins = channel->cube.bins;
  info->bin_width_ns = channel->bin_width_ns;
  info->period_ns = channel->period_ns;
  describe (self, channel);
  if (series)
    return set_series (self, read_options->pages, error);
  return TRUE;
}

static VgSource *
sdt_open (const VgSourceFile *file, GError **error)
{
  g_autoptr (VgSource) source = vg_source_new (sizeof (VgSdtSource), &sdt_class, file->name,
                                               "Becker & Hickl SDT", file->fd);
  VgSdtSource *self = (VgSdtSource *) source;

  self->file = vg_sdt_file_new (file->fd, file->name, file->size, error);
  if (!self->file || !set_channel (self, file, error) ||
      !vg_source_frame_bytes (&source->info, file->name, error))
    return NULL;
  return g_steal_pointer (&source);
}

const VgFormat vg_sdt_format = { .id = "sdt",
                                 .name = "Becker & Hickl SDT",
                                 .suffixes = { ".sdt" },
                                 .detect = vg_sdt_detect,
                                 .open = sdt_open };
