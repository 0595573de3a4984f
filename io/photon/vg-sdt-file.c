/* SPDX-License-Identifier: MIT */
/* Becker & Hickl .sdt: a header of 42 bytes, measurement descriptions, and a
 * chain of data blocks.  Little endian.  Descriptions grew over the years, so
 * only fields inside the length that the file gives are read. */
#include "io/photon/vg-sdt-file.h"
#include "io/source/vg-bytes.h"
#include "kernels/base/vg-error.h"
#include "io/source/vg-source-private.h"
#include <math.h>

enum {
  HEADER = 42,
  BLOCK_HEADER = 22,
  MAX_DESCRIPTION = 2048,
  MAX_BLOCKS = 65536,
  MAX_SIDE = 65535,
  MAX_BINS = 65536,
  MAX_ROUTED = 256,
  VALID = 0x5555,
  INVALID = 0x1111,
  MANY_BLOCKS = 0x7fff, /* the number is in the reserved field */
  TYPE_ZIP = 0x1000,
  TYPE_LZ4 = 0x4000,
  CONTENT_DECAY = 0,
  CONTENT_PAGE = 1,
  CONTENT_IMAGE = 6,
};

typedef struct
{
  int fd;
  const char *name;
  gint64 size;
  guint8 header[HEADER];
  VgSdtFile *file;
} Parser;

/* A measurement description; fields beyond its length are 0. */
typedef struct
{
  guint8 bytes[MAX_DESCRIPTION];
} Description;

typedef struct
{
  gint64 data, next;
  guint type, module;
  guint64 length;
} Block;

gboolean
vg_sdt_detect (const guint8 *head, gsize length, gint64 size)
{
  guint valid = length >= HEADER ? vg_get_u16 (head + 32) : 0;

  return (valid == VALID || valid == INVALID) && vg_get_i32 (head + 14) != 0 &&
         vg_get_i16 (head + 28) > 0;
}

static gboolean
fail (const Parser *self, GError **error, const char *why)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\", a Becker & Hickl file, %s. It is damaged or cut short; copy it again.",
               self->name, why);
  return FALSE;
}

static gboolean
read_description (const Parser *self, guint module, Description *description)
{
  gint64 offset = vg_get_i32 (self->header + 24), length = vg_get_i16 (self->header + 30);
  gsize wanted = (gsize) MIN (length, MAX_DESCRIPTION);

  memset (description, 0, sizeof *description);
  return module < (guint) vg_get_i16 (self->header + 28) && length >= 84 && offset >= HEADER &&
         vg_pread_all (self->fd, description->bytes, wanted, offset + (gint64) module * length) ==
             (gssize) wanted;
}

/* Reads the header of the block at OFFSET; offsets have 40 bits from revision 15 on. */
static gboolean
read_block (const Parser *self, gint64 offset, Block *block)
{
  guint8 bytes[BLOCK_HEADER];

  if (offset < HEADER || vg_pread_all (self->fd, bytes, sizeof bytes, offset) != sizeof bytes)
    return FALSE;
  *block = (Block){ .data = vg_get_u32 (bytes + 2),
                    .next = vg_get_u32 (bytes + 6),
                    .type = vg_get_u16 (bytes + 10),
                    .module = vg_get_u16 (bytes + 12),
                    .length = vg_get_u32 (bytes + 18) };
  if (self->file->revision >= 15)
    {
      block->data |= (gint64) bytes[0] << 32;
      block->next |= (gint64) bytes[1] << 32;
    }
  return TRUE;
}

static double
positive (double value)
{
  return isfinite (value) && value > 0 ? value : 0;
}

static gint64
power_of_two (gint64 value)
{
  gint64 power = 1;

  while (power < value)
    power *= 2;
  return power;
}

/* Whether CURVES decays are WIDTH x HEIGHT pixels of ROUTED channels, perhaps padded to powers of
 * two. */
static int
fit_image (VgDecayCube *cube, gint64 curves, gint64 width, gint64 height, gint64 routed)
{
  gint64 wide = power_of_two (width), high = power_of_two (height);

  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE || width * height < 2)
    return 0;
  routed = CLAMP (routed, 1, MAX_ROUTED);
  for (int padded = 0; padded < 2; padded++)
    for (int all = 1; all >= 0; all--)
      {
        gint64 n = all ? routed : 1;

        if (n * (padded ? wide * high : width * height) != curves)
          continue;
        cube->width = (int) width;
        cube->height = (int) height;
        cube->stored_width = padded ? wide : width;
        cube->skip = padded ? wide * high : width * height;
        return (int) n;
      }
  return 0;
}

/* Sets the size of the image from the number of decays in the block; returns the number of
 * channels, with the pixels of each in skip.  The description gives the size of the scan or of the
 * image, and not always the stored one. */
static int
shape_block (VgSdtChannel *channel, const Description *description, gint64 curves)
{
  const guint8 *d = description->bytes;
  VgDecayCube *cube = &channel->cube;
  int n = fit_image (cube, curves, vg_get_i32 (d + 173), vg_get_i32 (d + 177),
                     (gint64) MAX (vg_get_i32 (d + 181), 1) * MAX (vg_get_i32 (d + 185), 1));

  if (n == 0)
    n = fit_image (cube, curves, vg_get_i32 (d + 309), vg_get_i32 (d + 313),
                   (gint64) MAX (vg_get_i32 (d + 317), 1) * MAX (vg_get_i32 (d + 321), 1));
  if (n == 0 && curves <= MAX_SIDE)
    {
      channel->line = TRUE;
      cube->width = (int) curves;
      cube->height = 1;
      cube->stored_width = cube->skip = curves;
      n = 1;
    }
  return n;
}

static void
set_times (VgSdtChannel *channel, const Description *description)
{
  const guint8 *d = description->bytes;
  double range_ns = 1e9 * positive (vg_get_f32 (d + 64)), gain = vg_get_i16 (d + 68),
         rate = vg_get_f32 (d + 211 + 36);

  channel->bin_width_ns = gain > 0 ? range_ns / (gain * (double) channel->cube.bins) : 0;
  /* some programs leave arbitrary values here, so only possible laser periods are used */
  channel->period_ns = isfinite (rate) && rate >= 1e6 && rate <= 2e8 ? 1e9 / rate : 0;
}

/* Finds the bytes of the block; FALSE: they are stored in a way that is not supported. */
static gboolean
find_bytes (const Parser *self, const Block *block, VgSdtChannel *channel)
{
  channel->length = block->length;
  channel->offset = block->data;
  channel->end = self->size;
  if ((block->type & TYPE_ZIP) &&
      !vg_zip_local_header (self->fd, block->data, &channel->offset, &channel->deflated))
    return FALSE;
  if (!channel->deflated)
    channel->end = channel->offset + (gint64) block->length;
  return channel->offset >= HEADER && channel->offset < self->size;
}

static void
note (const Parser *self, int number, const char *text)
{
  if (self->file->notes->len < 4096)
    g_string_append_printf (self->file->notes, "Block %d %s.\n", number, text);
}

/* Refuses a number of bytes that the file cannot contain, before memory is allocated. */
static gboolean
check_length (const Parser *self, const VgSdtChannel *channel, int number, GError **error)
{
  gint64 held = MIN (channel->end, self->size) - channel->offset;
  guint64 most = channel->deflated ? VG_DEFLATE_MAX_RATIO * (guint64) held + 64 : (guint64) held;

  if (channel->length <= most)
    return TRUE;
  g_set_error (
      error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
      "\"%s\": data block %d declares %" G_GUINT64_FORMAT " bytes, but only %" G_GINT64_FORMAT
      "%s are left. The file is damaged or cut short; copy it again.",
      self->name, number, channel->length, held, channel->deflated ? " compressed bytes" : "");
  return FALSE;
}

static gboolean
add_block (const Parser *self, const Block *block, int number, GError **error)
{
  static const VgCounts types[] = { VG_COUNTS_U16, VG_COUNTS_U32, VG_COUNTS_F64 };
  guint content = block->type >> 4 & 15, type = block->type >> 8 & 15;
  VgSdtChannel channel = { .block = number, .module = (int) block->module };
  Description description;
  guint64 decay_bytes;
  gint64 pixels;
  int n;

  if (content != CONTENT_DECAY && content != CONTENT_PAGE && content != CONTENT_IMAGE)
    return note (self, number,
                 "is ignored: it contains other data than decays, such as FCS or MCS"),
           TRUE;
  if (block->type & TYPE_LZ4)
    return note (self, number, "is ignored: its LZ4 compression cannot be read"), TRUE;
  if (type >= G_N_ELEMENTS (types))
    return note (self, number, "is ignored: its samples have an unknown type"), TRUE;
  if (!read_description (self, block->module, &description))
    return fail (self, error, "lacks the measurement description of a data block");
  if (!find_bytes (self, block, &channel))
    return fail (self, error, "has a data block whose data are missing or in an unknown form");
  channel.cube.type = types[type];
  channel.cube.bins = vg_get_u16 (description.bytes + 82);
  channel.cube.bins = channel.cube.bins == 0 ? MAX_BINS : channel.cube.bins;
  decay_bytes = (guint64) channel.cube.bins * vg_counts_size (channel.cube.type);
  if (block->length == 0 || block->length % decay_bytes != 0)
    return note (self, number, "is ignored: it is not a whole number of decays"), TRUE;
  if (!check_length (self, &channel, number, error))
    return FALSE;
  n = shape_block (&channel, &description, (gint64) (block->length / decay_bytes));
  if (n == 0)
    return note (self, number, "is ignored: it fits neither the scan nor the image size"), TRUE;
  set_times (&channel, &description);
  pixels = channel.cube.skip;
  for (int i = 0; i < n; i++)
    {
      channel.cube.skip = i * pixels;
      g_array_append_val (self->file->channels, channel);
    }
  return TRUE;
}

static gboolean
walk (const Parser *self, GError **error)
{
  guint blocks = vg_get_u16 (self->header + 18);
  gint64 offset = vg_get_u32 (self->header + 14);
  Block block;

  if (blocks == MANY_BLOCKS)
    blocks = MIN (vg_get_u32 (self->header + 34), MAX_BLOCKS);
  for (guint i = 0; i < blocks; i++)
    {
      if (!read_block (self, offset, &block))
        return fail (self, error, "lacks a data block that it declares");
      if (!add_block (self, &block, (int) i + 1, error))
        return FALSE;
      if (self->file->channels->len > MAX_BLOCKS)
        return fail (self, error, "declares an impossible number of channels");
      offset = block.next;
    }
  if (self->file->channels->len > 0)
    return TRUE;
  if (self->file->notes->len > 0) /* removes the newline of the last note */
    g_string_truncate (self->file->notes, self->file->notes->len - 1);
  g_strdelimit (self->file->notes->str, "\n", ',');
  g_set_error (
      error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
      "\"%s\" has no decays that can be read%s%.200s; export it again from SPCM or SPCImage",
      self->name, self->file->notes->len ? ": " : "", self->file->notes->str);
  return FALSE;
}

VgSdtFile *
vg_sdt_file_new (int fd, const char *name, gint64 size, GError **error)
{
  g_autoptr (VgSdtFile) file = g_new0 (VgSdtFile, 1);
  Parser self = { .fd = fd, .name = name, .size = size, .file = file };

  file->channels = g_array_new (FALSE, TRUE, sizeof (VgSdtChannel));
  file->notes = g_string_new (NULL);
  if (vg_pread_all (fd, self.header, HEADER, 0) != HEADER)
    return fail (&self, error, "ends inside its header"), NULL;
  file->revision = vg_get_u16 (self.header) & 15;
  if (vg_get_u16 (self.header + 32) == INVALID)
    g_string_append (file->notes, "The recording program marked the file as incomplete.\n");
  return walk (&self, error) ? g_steal_pointer (&file) : NULL;
}

void
vg_sdt_file_free (VgSdtFile *self)
{
  g_array_unref (self->channels);
  g_string_free (self->notes, TRUE);
  g_free (self);
}
