/* SPDX-License-Identifier: MIT */
/* Writers of lifetime files, made from the formats' descriptions and apart
 * from the readers. */
#include "tests/support/io/decay-fixture.h"
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "io/source/vg-source.h"
#include "tests/support/io/tiff-fixture.h"

enum { MOST_FRAME = 4 << 20 };

void
fixture_put (GByteArray *bytes, gsize at, guint64 value, gsize size)
{
  g_assert_cmpuint (at + size, <=, bytes->len);
  for (gsize i = 0; i < size; i++)
    bytes->data[at + i] = (guint8) (value >> 8 * i);
}

void
fixture_put_float (GByteArray *bytes, gsize at, float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  fixture_put (bytes, at, bits, 4);
}

void
fixture_add (GByteArray *bytes, guint64 value, gsize size)
{
  g_byte_array_set_size (bytes, bytes->len + (guint) size);
  fixture_put (bytes, bytes->len - size, value, size);
}

static void
add_zeros (GByteArray *bytes, gsize n)
{
  guint from = bytes->len;

  g_byte_array_set_size (bytes, from + (guint) n);
  memset (bytes->data + from, 0, n);
}

void
fixture_write (const char *path, const GByteArray *bytes)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  g_assert_cmpint (write (fd, bytes->data, bytes->len), ==, (gssize) bytes->len);
  close (fd);
}

/* Reads the first and the last frame, unless they are large. */
static void
read_frames (VgSource *source, gboolean readable)
{
  gsize bytes = vg_image_info_frame_bytes (&source->info);
  g_autofree void *frame = bytes < MOST_FRAME ? g_malloc (bytes) : NULL;

  for (int last = 0; last < 2 && frame != NULL; last++)
    {
      g_autoptr (GError) error = NULL;

      if (vg_source_read (source, last ? source->info.frames - 1 : 0, frame, &error))
        continue;
      g_assert_false (readable);
      fixture_assert_message (error, "");
    }
}

void
fixture_mutate (const char *path, GByteArray *bytes, gsize head, const char *read_options,
                gboolean readable, int n)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (4711);

  for (int i = 0; i < n; i++)
    {
      gsize at = (gsize) g_rand_int_range (random, 0, (gint32) (i % 2 ? bytes->len : head));
      guint8 before = bytes->data[at];
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;

      bytes->data[at] = (guint8) g_rand_int (random);
      fixture_write (path, bytes);
      source = vg_source_open (
          path, &(VgSourceOptions){ .read_options = i % 4 < 2 ? NULL : read_options }, &error);
      if (source != NULL)
        read_frames (source, readable);
      else
        fixture_assert_message (error, "");
      bytes->data[at] = before;
    }
}

GByteArray *
fixture_deflate (const guint8 *bytes, gsize length)
{
  z_stream stream = { .next_in = (guint8 *) bytes, .avail_in = (uInt) length };
  GByteArray *packed = g_byte_array_new ();

  g_assert_cmpint (deflateInit2 (&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), ==,
                   Z_OK);
  g_byte_array_set_size (packed, (guint) deflateBound (&stream, length));
  stream.next_out = packed->data;
  stream.avail_out = packed->len;
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  g_byte_array_set_size (packed, (guint) stream.total_out);
  deflateEnd (&stream);
  return packed;
}

/* A local header and the data; the sizes are what they are. */
static void
add_entry (GByteArray *bytes, const char *name, const guint8 *data, gsize length, gboolean deflated)
{
  g_autoptr (GByteArray) packed = deflated ? fixture_deflate (data, length) : NULL;
  gsize n = packed ? packed->len : length;

  g_byte_array_append (bytes, (const guint8 *) "PK\3\4", 4);
  fixture_add (bytes, 20, 2);
  fixture_add (bytes, 0, 2);
  fixture_add (bytes, deflated ? 8 : 0, 2);
  fixture_add (bytes, 0, 4);
  fixture_add (bytes, crc32 (0, data, (uInt) length), 4);
  fixture_add (bytes, n, 4);
  fixture_add (bytes, length, 4);
  fixture_add (bytes, strlen (name), 2);
  fixture_add (bytes, 0, 2);
  g_byte_array_append (bytes, (const guint8 *) name, (guint) strlen (name));
  g_byte_array_append (bytes, packed ? packed->data : data, (guint) n);
}

GByteArray *
fixture_zip (gboolean deflated, ...)
{
  GByteArray *bytes = g_byte_array_new (), *directory = g_byte_array_new ();
  const char *name;
  guint entries = 0, start;
  va_list arguments;

  va_start (arguments, deflated);
  while ((name = va_arg (arguments, const char *)))
    {
      const GByteArray *file = va_arg (arguments, const GByteArray *);
      guint header = bytes->len;

      add_entry (bytes, name, file->data, file->len, deflated);
      g_byte_array_append (directory, (const guint8 *) "PK\1\2", 4);
      fixture_add (directory, 20, 2);
      /* version to the lengths of name and extra */
      g_byte_array_append (directory, bytes->data + header + 4, 26);
      add_zeros (directory, 10); /* comment, disk, attributes */
      fixture_add (directory, header, 4);
      g_byte_array_append (directory, (const guint8 *) name, (guint) strlen (name));
      entries++;
    }
  va_end (arguments);
  start = bytes->len;
  g_byte_array_append (bytes, directory->data, directory->len);
  g_byte_array_append (bytes, (const guint8 *) "PK\5\6\0\0\0\0", 8);
  fixture_add (bytes, entries, 2);
  fixture_add (bytes, entries, 2);
  fixture_add (bytes, directory->len, 4);
  fixture_add (bytes, start, 4);
  fixture_add (bytes, 0, 2);
  g_byte_array_unref (directory);
  return bytes;
}

/* --- Becker & Hickl .sdt --- */

SdtVariant
fixture_sdt_variant (void)
{
  return (SdtVariant){ .revision = 14,
                       .description_length = 512,
                       .content = 1,
                       .entry = "data_block",
                       .blocks = 1,
                       .scan = { 7, 5, 1, 1 },
                       .image = { 7, 5, 1, 1 },
                       .stored = { 7, 5 },
                       .routed = 1,
                       .bins = 64,
                       .tac_range_s = 5e-8f,
                       .tac_gain = 4,
                       .sync_rate = 8e7f };
}

static void
add_description (GByteArray *bytes, const SdtVariant *variant)
{
  guint at = bytes->len;

  add_zeros (bytes, 2048);
  fixture_put (bytes, at + 36, 9, 2);
  fixture_put_float (bytes, at + 64, variant->tac_range_s);
  fixture_put (bytes, at + 68, (guint64) variant->tac_gain, 2);
  fixture_put (bytes, at + 82, (guint64) variant->bins & 0xffff, 2);
  for (gsize i = 0; i < 4; i++)
    {
      fixture_put (bytes, at + 173 + 4 * i, (guint64) variant->scan[i], 4);
      fixture_put (bytes, at + 309 + 4 * i, (guint64) variant->image[i], 4);
    }
  fixture_put_float (bytes, at + 211 + 36, variant->sync_rate);
  g_byte_array_set_size (bytes, at + variant->description_length);
}

/* Random counts of one block, as bytes; VALUES gets them too. */
static GByteArray *
random_block (const SdtVariant *variant, GRand *random, double *values)
{
  static const gsize sizes[] = { 2, 4, 8 };
  gsize n = (gsize) variant->routed * (gsize) variant->stored[0] * (gsize) variant->stored[1] *
            (gsize) variant->bins;
  GByteArray *bytes = g_byte_array_new ();

  add_zeros (bytes, n * sizes[variant->type]);
  for (gsize i = 0; i < n; i++)
    {
      /* mostly small, as counts are, and now and then the largest there is */
      guint32 count = g_rand_int (random) >> (g_rand_int (random) % 64 ? 28
                                              : variant->type == 0     ? 16
                                                                       : 0);
      double value = variant->type == 2 ? (double) (count & 0xffff) + 0.5 : (double) count;
      guint64 bits = count;

      if (variant->type == 2)
        memcpy (&bits, &value, 8);
      values[i] = value;
      fixture_put (bytes, i * sizes[variant->type], bits, sizes[variant->type]);
    }
  return bytes;
}

static void
add_block (GByteArray *bytes, const SdtVariant *variant, int number, const GByteArray *data)
{
  guint at = bytes->len;
  guint type = 3 | variant->content << 4 | variant->type << 8 |
               (variant->packing == SDT_PLAIN ? 0 : 0x1000);

  add_zeros (bytes, 22);
  if (variant->packing == SDT_PLAIN)
    g_byte_array_append (bytes, data->data, data->len);
  else
    add_entry (bytes, variant->entry, data->data, data->len, variant->packing == SDT_DEFLATED);
  if (variant->revision < 15)
    fixture_put (bytes, at, (guint64) number, 2);
  fixture_put (bytes, at + 2, at + 22, 4);
  fixture_put (bytes, at + 6, bytes->len, 4);
  fixture_put (bytes, at + 10, type, 2);
  fixture_put (bytes, at + 14, (guint64) number << 24 | 1, 4);
  fixture_put (bytes, at + 18, data->len, 4);
}

GByteArray *
fixture_sdt (const SdtVariant *variant, guint32 seed, double **values)
{
  static const char info[] = "*IDENTIFICATION\r\n  ID : SPC Setup & Data File\r\n*END\r\n\r\n";
  GByteArray *bytes = g_byte_array_new ();
  GRand *random = g_rand_new_with_seed (seed);
  gsize per_block = (gsize) variant->routed * (gsize) variant->stored[0] *
                    (gsize) variant->stored[1] * (gsize) variant->bins;
  guint description = 42 + sizeof info;

  *values = g_new (double, per_block *(gsize) variant->blocks);
  add_zeros (bytes, 42);
  g_byte_array_append (bytes, (const guint8 *) info, sizeof info);
  add_description (bytes, variant);
  fixture_put (bytes, 0, 0x280 | variant->revision, 2);
  fixture_put (bytes, 2, 42, 4);
  fixture_put (bytes, 6, sizeof info, 2);
  fixture_put (bytes, 14, bytes->len, 4);
  fixture_put (bytes, 18, (guint64) variant->blocks, 2);
  fixture_put (bytes, 24, description, 4);
  fixture_put (bytes, 28, 1, 2);
  fixture_put (bytes, 30, variant->description_length, 2);
  fixture_put (bytes, 32, 0x5555, 2);
  for (int block = 0; block < variant->blocks; block++)
    {
      g_autoptr (GByteArray)
          data = random_block (variant, random, *values + per_block * (gsize) block);

      add_block (bytes, variant, block + 1, data);
    }
  g_rand_free (random);
  return bytes;
}

/* --- PicoQuant .ptu --- */

PtuVariant
fixture_ptu_variant (guint record_type)
{
  return (PtuVariant){ .record_type = record_type,
                       .width = 13,
                       .height = 5,
                       .frames = 3,
                       .markers = PTU_FRAME_LAST,
                       .detectors = { 1, 3 },
                       .bin_s = 1e-10,
                       .period_s = 1.25e-8,
                       .photons_per_line = 200,
                       .line_syncs = 70000 };
}

int
fixture_ptu_bins (const PtuVariant *variant)
{
  return (int) lround (variant->period_s / variant->bin_s);
}

void
fixture_ptu_tag (GByteArray *bytes, const char *id, guint type, guint64 value)
{
  guint at = bytes->len;

  add_zeros (bytes, 48);
  memcpy (bytes->data + at, id, strlen (id));
  fixture_put (bytes, at + 32, 0xffffffff, 4);
  fixture_put (bytes, at + 36, type, 4);
  fixture_put (bytes, at + 40, value, 8);
}

void
fixture_ptu_real (GByteArray *bytes, const char *id, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  fixture_ptu_tag (bytes, id, 0x20000008, bits);
}

GByteArray *
fixture_ptu_header (const PtuVariant *variant)
{
  enum { BOOL = 0x8, WHOLE = 0x10000008, TEXT = 0x4001FFFF };
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes,
                       (const guint8 *) "PQTTTR\0\0"
                                        "1.0.00\0\0",
                       16);
  fixture_ptu_tag (bytes, "HW_Type", TEXT, 16);
  g_byte_array_append (bytes, (const guint8 *) "TestHarp 1\0\0\0\0\0", 16);
  fixture_ptu_tag (bytes, "Measurement_Mode", WHOLE, 3);
  fixture_ptu_tag (bytes, "Measurement_SubMode", WHOLE, 3);
  fixture_ptu_tag (bytes, "ImgHdr_PixX", WHOLE, (guint64) variant->width);
  fixture_ptu_tag (bytes, "ImgHdr_PixY", WHOLE, (guint64) variant->height);
  fixture_ptu_real (bytes, "ImgHdr_PixResol", 0.25);
  fixture_ptu_tag (bytes, "ImgHdr_LineStart", WHOLE, 1);
  if (!variant->no_stops)
    fixture_ptu_tag (bytes, "ImgHdr_LineStop", WHOLE, 2);
  if (variant->markers != PTU_FRAME_NONE)
    fixture_ptu_tag (bytes, "ImgHdr_Frame", WHOLE, 3);
  fixture_ptu_tag (bytes, "ImgHdr_BiDirect", BOOL, variant->bidirectional ? G_MAXUINT64 : 0);
  fixture_ptu_real (bytes, "ImgHdr_TimePerPixel",
                    1e3 * variant->period_s * variant->line_syncs / variant->width);
  fixture_ptu_real (bytes, "MeasDesc_Resolution", variant->bin_s);
  fixture_ptu_real (bytes, "MeasDesc_GlobalResolution", variant->period_s);
  fixture_ptu_tag (bytes, "TTResultFormat_TTTRRecType", WHOLE, variant->record_type);
  return bytes;
}

enum { PICOHARP = 0x00010303, HYDRAHARP_1 = 0x00010304 };

/* Turns of the counter until TIME can be written. */
static void
turn_counter (GByteArray *bytes, guint record_type, guint64 *overflow, guint64 time)
{
  guint64 turn = record_type == PICOHARP ? 65536 : 1024, turns = (time - *overflow) / turn;

  while (turns > 0)
    {
      guint64 n = record_type == PICOHARP || record_type == HYDRAHARP_1 ? 1 : MIN (turns, 1023);

      /* a turn by one may be written as none */
      fixture_add (bytes, record_type == PICOHARP ? 0xf0000000u : 0xfe000000u | (n == 1 ? 0 : n),
                   4);
      *overflow += n * turn;
      turns -= n;
    }
}

void
fixture_ptu_photon (GByteArray *bytes, guint record_type, guint64 *overflow, guint64 time,
                    guint detector, guint dtime)
{
  turn_counter (bytes, record_type, overflow, time);
  fixture_add (bytes,
               record_type == PICOHARP
                   ? (guint64) detector << 28 | dtime << 16 | (time - *overflow)
                   : (guint64) detector << 25 | dtime << 10 | (time - *overflow),
               4);
}

void
fixture_ptu_marker (GByteArray *bytes, guint record_type, guint64 *overflow, guint64 time,
                    guint markers)
{
  turn_counter (bytes, record_type, overflow, time);
  fixture_add (bytes,
               record_type == PICOHARP ? 0xf0000000u | markers << 16 | (time - *overflow)
                                       : 0x80000000u | markers << 25 | (time - *overflow),
               4);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  guint64 p = *(const guint64 *) a, q = *(const guint64 *) b;

  return p < q ? -1 : p > q;
}

typedef struct
{
  const PtuVariant *variant;
  GRand *random;
  GByteArray *bytes;
  guint64 overflow, time;
  guint32 *counts;
} PtuWriter;

/* Photons of a line that begins at START; LINE beyond the image counts nowhere. */
static void
write_photons (PtuWriter *self, int frame, int line, guint64 start)
{
  const PtuVariant *variant = self->variant;
  int bins = fixture_ptu_bins (variant);
  g_autofree guint64 *times = g_new (guint64, variant->photons_per_line);

  for (int i = 0; i < variant->photons_per_line; i++)
    times[i] = start + g_rand_int (self->random) % variant->line_syncs;
  qsort (times, (size_t) variant->photons_per_line, sizeof *times, compare_times);
  for (int i = 0; i < variant->photons_per_line; i++)
    {
      int which = g_rand_boolean (self->random),
          dtime = g_rand_int_range (self->random, 0, bins + 3);
      int x = (int) ((times[i] - start) * (guint64) variant->width / variant->line_syncs);

      fixture_ptu_photon (self->bytes, variant->record_type, &self->overflow, times[i],
                          variant->detectors[which], (guint) dtime);
      if (variant->bidirectional && line % 2)
        x = variant->width - 1 - x;
      if (dtime < bins && line < variant->height)
        self->counts[((((gsize) which * (gsize) variant->frames + (gsize) frame) * (gsize) bins +
                       (gsize) dtime) *
                          (gsize) variant->height +
                      (gsize) line) *
                         (gsize) variant->width +
                     (gsize) x]++;
    }
}

static void
write_frame (PtuWriter *self, int frame)
{
  const PtuVariant *variant = self->variant;
  guint type = variant->record_type;
  int lines = variant->height + variant->extra_lines;

  if (variant->markers == PTU_FRAME_FIRST)
    fixture_ptu_marker (self->bytes, type, &self->overflow, self->time, 4);
  for (int line = 0; line < lines; line++)
    {
      gboolean stop = !variant->no_stops &&
                      !(variant->no_last_stop && line == lines - 1 && frame == variant->frames - 1);

      /* light on the way back counts nowhere */
      self->time += 1 + g_rand_int (self->random) % 3000;
      fixture_ptu_photon (self->bytes, type, &self->overflow, self->time, variant->detectors[0], 5);
      self->time += 1;
      fixture_ptu_marker (self->bytes, type, &self->overflow, self->time, 1);
      write_photons (self, frame, line, self->time);
      self->time += variant->line_syncs;
      if (stop)
        fixture_ptu_marker (self->bytes, type, &self->overflow, self->time, 2);
    }
  self->time += 1000;
  if (variant->markers == PTU_FRAME_LAST)
    fixture_ptu_marker (self->bytes, type, &self->overflow, self->time, 4);
}

GByteArray *
fixture_ptu (const PtuVariant *variant, guint32 seed, guint32 **counts)
{
  gsize n = 2 * (gsize) variant->frames * (gsize) fixture_ptu_bins (variant) *
            (gsize) variant->height * (gsize) variant->width;
  PtuWriter self = { .variant = variant,
                     .random = g_rand_new_with_seed (seed),
                     .bytes = fixture_ptu_header (variant),
                     .counts = g_new0 (guint32, n) };

  fixture_ptu_tag (self.bytes, "Header_End", 0xffff0008, 0);
  for (int frame = 0; frame < variant->frames; frame++)
    write_frame (&self, frame);
  g_rand_free (self.random);
  *counts = self.counts;
  return self.bytes;
}

/* --- PicoQuant .bin --- */

GByteArray *
fixture_pqbin (int width, int height, int bins, float bin_ns)
{
  GByteArray *bytes = g_byte_array_new ();

  add_zeros (bytes, 20);
  fixture_put (bytes, 0, (guint64) width, 4);
  fixture_put (bytes, 4, (guint64) height, 4);
  fixture_put_float (bytes, 8, 0.5f);
  fixture_put (bytes, 12, (guint64) bins, 4);
  fixture_put_float (bytes, 16, bin_ns);
  for (guint i = 0; i < (guint) (width * height * bins); i++)
    fixture_add (bytes, i % 251, 4);
  return bytes;
}
