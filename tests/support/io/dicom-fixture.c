/* SPDX-License-Identifier: MIT */
#include "tests/support/io/dicom-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <string.h>

typedef struct
{
  GByteArray *bytes;
  gboolean big, implicit;
} Writer;

static void
put (Writer *self, guint32 value, int size)
{
  for (int i = 0; i < size; i++)
    {
      guint8 byte = (guint8) (value >> 8 * (self->big ? size - 1 - i : i));

      g_byte_array_append (self->bytes, &byte, 1);
    }
}

static void
put_head (Writer *self, guint16 group, guint16 element, const char *vr, guint32 length)
{
  gboolean is_long = strcmp (vr, "OW") == 0 || strcmp (vr, "OB") == 0 || strcmp (vr, "SQ") == 0;

  put (self, group, 2);
  put (self, element, 2);
  if (self->implicit)
    {
      put (self, length, 4);
      return;
    }
  g_byte_array_append (self->bytes, (const guint8 *) vr, 2);
  if (is_long)
    put (self, 0, 2);
  put (self, length, is_long ? 4 : 2);
}

static void
put_text (Writer *self, guint16 group, guint16 element, const char *vr, const char *text)
{
  gsize length = strlen (text);

  put_head (self, group, element, vr, (guint32) (length + (length & 1)));
  g_byte_array_append (self->bytes, (const guint8 *) text, (guint) length);
  if (length & 1)
    g_byte_array_append (self->bytes, (const guint8 *) (strcmp (vr, "UI") == 0 ? "" : " "), 1);
}

static void
put_number (Writer *self, guint16 group, guint16 element, const char *vr, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  put_text (self, group, element, vr, g_ascii_formatd (text, sizeof text, "%.10g", number));
}

static void
put_short (Writer *self, guint16 group, guint16 element, guint16 value)
{
  put_head (self, group, element, "US", 2);
  put (self, value, 2);
}

/* The preamble and the elements of group 2, which are always explicit and little-endian. */
static void
put_preamble (GByteArray *bytes, const char *sop_class, const char *syntax)
{
  static const guint8 zeros[128];
  Writer meta = { .bytes = g_byte_array_new () }, writer = { .bytes = bytes };

  put_text (&meta, 2, 2, "UI", sop_class);
  put_text (&meta, 2, 3, "UI", "1.2.3.4");
  put_text (&meta, 2, 0x10, "UI", syntax);
  g_byte_array_append (bytes, zeros, sizeof zeros);
  g_byte_array_append (bytes, (const guint8 *) "DICM", 4);
  put_head (&writer, 2, 0, "UL", 4);
  put (&writer, meta.bytes->len, 4);
  g_byte_array_append (bytes, meta.bytes->data, meta.bytes->len);
  g_byte_array_unref (meta.bytes);
}

DicomVariant
fixture_dicom_variant (void)
{
  return (DicomVariant){ .series = 5,
                         .instance = 1,
                         .width = 6,
                         .height = 4,
                         .placed = TRUE,
                         .time_s = 3600,
                         .echo_ms = 1.5,
                         .slope = 1,
                         .study = 3 };
}

static void
put_origin (Writer *writer, const DicomVariant *self)
{
  g_autofree char *uid = g_strdup_printf ("1.2.3.4.%d.%d", self->series, self->instance);
  int time = (int) self->time_s;
  g_autofree char *clock = g_strdup_printf ("%02d%02d%02d.%02d", time / 3600, time / 60 % 60,
                                            time % 60, (int) (100 * (self->time_s - time) + 0.5));

  put_text (writer, 8, 8, "CS",
            self->tiles > 0 ? "ORIGINAL\\PRIMARY\\M\\MOSAIC" : "ORIGINAL\\PRIMARY\\M\\NORM");
  put_text (writer, 8, 0x16, "UI", "1.2.840.10008.5.1.4.1.1.4");
  if (self->instance > 0)
    put_text (writer, 8, 0x18, "UI", uid);
  if (self->time_s >= 0)
    {
      put_text (writer, 8, 0x22, "DA", "20240229");
      put_text (writer, 8, 0x32, "TM", clock);
    }
  put_text (writer, 8, 0x60, "CS", "MR");
  put_text (writer, 8, 0x70, "LO", "Nobody");
  put_text (writer, 8, 0x103e, "LO", "liver");
}

/* The number of tiles in an element of Siemens. */
static void
put_tiles (Writer *writer, const DicomVariant *self)
{
  if (self->owner != NULL)
    put_text (writer, 0x19, 0x10, "LO", self->owner);
  if (self->block != 0)
    put_text (writer, 0x19, self->block, "LO", "SIEMENS MR HEADER");
  put_short (writer, 0x19, (guint16) (MAX (self->block, 0x10) << 8 | 0x0a), (guint16) self->tiles);
}

static void
put_geometry (Writer *writer, const DicomVariant *self)
{
  g_autofree char *series = g_strdup_printf ("1.2.3.4.%d", self->series),
                  *study = g_strdup_printf ("1.2.%d", self->study);
  char z[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *position = g_strdup_printf ("-10\\-20\\%s",
                                               g_ascii_formatd (z, sizeof z, "%.6g", self->z));

  if (self->patient != NULL)
    put_text (writer, 0x10, 0x20, "LO", self->patient);
  put_number (writer, 0x18, 0x50, "DS", 3);
  if (!self->no_pulses)
    put_number (writer, 0x18, 0x80, "DS", 4.5);
  put_number (writer, 0x18, 0x81, "DS", self->echo_ms);
  if (!self->no_pulses)
    put_number (writer, 0x18, 0x1314, "DS", 15);
  if (self->tiles > 0 && !self->csa)
    put_tiles (writer, self);
  put_text (writer, 0x20, 0xd, "UI", study);
  put_text (writer, 0x20, 0xe, "UI", series);
  put_number (writer, 0x20, 0x11, "IS", self->series);
  if (self->instance > 0)
    put_number (writer, 0x20, 0x13, "IS", self->instance);
  if (self->placed)
    {
      put_text (writer, 0x20, 0x32, "DS", position);
      put_text (writer, 0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0");
    }
  if (self->temporal > 0)
    put_number (writer, 0x20, 0x100, "IS", self->temporal);
}

/* Siemens' header with one entry of one item. */
static void
put_csa (Writer *writer, const DicomVariant *self)
{
  g_autofree char *text = g_strdup_printf ("%d", self->tiles);
  char name[64] = "NumberOfImagesInMosaic", padded[4] = "";
  const guint32 words[] = { 1, 0, 0, 1, 77 }, item[] = { 0, (guint32) strlen (text), 77, 0 };

  g_assert_cmpuint (strlen (text), <=, sizeof padded);
  memcpy (padded, text, strlen (text));
  put_head (writer, 0x29, 0x1010, "OB", 16 + 84 + 16 + sizeof padded);
  g_byte_array_append (writer->bytes, (const guint8 *) "SV10\4\3\2\1", 8);
  put (writer, 1, 4);
  put (writer, 77, 4);
  g_byte_array_append (writer->bytes, (const guint8 *) name, sizeof name);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    put (writer, words[i], 4);
  for (guint i = 0; i < G_N_ELEMENTS (item); i++)
    put (writer, item[i], 4);
  g_byte_array_append (writer->bytes, (const guint8 *) padded, sizeof padded);
}

static void
put_samples (Writer *writer, const DicomVariant *self)
{
  put_short (writer, 0x28, 2, 1);
  put_text (writer, 0x28, 4, "CS", "MONOCHROME2");
  if (self->declared > 0)
    put_number (writer, 0x28, 8, "IS", self->declared);
  put_short (writer, 0x28, 0x10, (guint16) self->height);
  put_short (writer, 0x28, 0x11, (guint16) self->width);
  put_text (writer, 0x28, 0x30, "DS", "2\\1.5");
  put_short (writer, 0x28, 0x100, 16);
  put_short (writer, 0x28, 0x101, 12);
  put_short (writer, 0x28, 0x102, 11);
  put_short (writer, 0x28, 0x103, 0);
  put_number (writer, 0x28, 0x1052, "DS", self->slope == 1 ? 0 : -7);
  put_number (writer, 0x28, 0x1053, "DS", self->slope);
  if (self->csa)
    put_csa (writer, self);
  put_head (writer, 0x7fe0, 0x10, "OW",
            (guint32) (2 * self->width * self->height * MAX (self->stored, 1)));
  for (int frame = 0; frame < MAX (self->stored, 1); frame++)
    for (int y = 0; y < self->height; y++)
      for (int x = 0; x < self->width; x++)
        put (writer, (guint32) (self->base + x + 10 * y + 1000 * frame), 2);
}

GByteArray *
fixture_dicom (const DicomVariant *self)
{
  static const char *const syntaxes[] = { "1.2.840.10008.1.2.1", "1.2.840.10008.1.2",
                                          "1.2.840.10008.1.2.2" };
  Writer writer = { .bytes = g_byte_array_new (),
                    .big = self->syntax == DICOM_BIG,
                    .implicit = self->syntax == DICOM_IMPLICIT };

  put_preamble (writer.bytes, "1.2.840.10008.5.1.4.1.1.4", syntaxes[self->syntax]);
  put_origin (&writer, self);
  put_geometry (&writer, self);
  put_samples (&writer, self);
  return writer.bytes;
}

void
fixture_dicom_write (const char *folder, const char *name, const DicomVariant *variant)
{
  g_autoptr (GByteArray) bytes = fixture_dicom (variant);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  fixture_put_file (path, bytes->data, bytes->len);
}

/* A sequence of one item with the elements of ITEM, which is consumed. */
static void
put_item (Writer *writer, guint16 group, guint16 element, Writer *item)
{
  put_head (writer, group, element, "SQ", item->bytes->len + 8);
  put (writer, 0xe000fffe, 4);
  put (writer, item->bytes->len, 4);
  g_byte_array_append (writer->bytes, item->bytes->data, item->bytes->len);
  g_byte_array_unref (item->bytes);
}

/* Adds an item with the elements of ITEM, which is consumed, to those of a sequence. */
static void
add_item (Writer *items, Writer *item)
{
  put (items, 0xe000fffe, 4);
  put (items, item->bytes->len, 4);
  g_byte_array_append (items->bytes, item->bytes->data, item->bytes->len);
  g_byte_array_unref (item->bytes);
}

static void
put_segment_list (Writer *writer)
{
  static const char *const labels[] = { "Artery", "Portal vein" };
  Writer items = { .bytes = g_byte_array_new () };

  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      Writer item = { .bytes = g_byte_array_new () };

      put_short (&item, 0x62, 4, (guint16) (1 + 3 * i));
      put_text (&item, 0x62, 5, "LO", labels[i]);
      add_item (&items, &item);
    }
  put_head (writer, 0x62, 2, "SQ", items.bytes->len);
  g_byte_array_append (writer->bytes, items.bytes->data, items.bytes->len);
  g_byte_array_unref (items.bytes);
}

static void
put_groups (Writer *writer, const DicomSegmentFrame *frames, guint n)
{
  Writer shared = { .bytes = g_byte_array_new () }, measures = { .bytes = g_byte_array_new () },
         turn = { .bytes = g_byte_array_new () }, items = { .bytes = g_byte_array_new () };

  put_text (&turn, 0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0");
  put_text (&measures, 0x18, 0x88, "DS", "3");
  put_text (&measures, 0x28, 0x30, "DS", "2\\1.5");
  put_item (&shared, 0x20, 0x9116, &turn);
  put_item (&shared, 0x28, 0x9110, &measures);
  put_item (writer, 0x5200, 0x9229, &shared);
  for (guint i = 0; i < n; i++)
    {
      Writer item = { .bytes = g_byte_array_new () }, place = { .bytes = g_byte_array_new () },
             identity = { .bytes = g_byte_array_new () };
      char z[G_ASCII_DTOSTR_BUF_SIZE];
      g_autofree char *position = g_strdup_printf (
          "-10\\-20\\%s", g_ascii_formatd (z, sizeof z, "%.6g", frames[i].z));

      put_text (&place, 0x20, 0x32, "DS", position);
      put_short (&identity, 0x62, 0xb, (guint16) frames[i].segment);
      put_item (&item, 0x20, 0x9113, &place);
      put_item (&item, 0x62, 0xa, &identity);
      add_item (&items, &item);
    }
  put_head (writer, 0x5200, 0x9230, "SQ", items.bytes->len);
  g_byte_array_append (writer->bytes, items.bytes->data, items.bytes->len);
  g_byte_array_unref (items.bytes);
}

GByteArray *
fixture_dicom_segments (const DicomSegmentFrame *frames, guint n)
{
  static const char sop_class[] = "1.2.840.10008.5.1.4.1.1.66.4";
  Writer writer = { .bytes = g_byte_array_new () };

  put_preamble (writer.bytes, sop_class, "1.2.840.10008.1.2.1");
  put_text (&writer, 8, 0x16, "UI", sop_class);
  put_text (&writer, 8, 0x18, "UI", "1.2.3.4.9.1");
  put_text (&writer, 8, 0x60, "CS", "SEG");
  put_text (&writer, 0x20, 0xe, "UI", "1.2.3.4.9");
  put_short (&writer, 0x28, 2, 1);
  put_number (&writer, 0x28, 8, "IS", n);
  put_short (&writer, 0x28, 0x10, 4);
  put_short (&writer, 0x28, 0x11, 6);
  put_short (&writer, 0x28, 0x100, 1);
  put_short (&writer, 0x28, 0x101, 1);
  put_short (&writer, 0x28, 0x102, 0);
  put_text (&writer, 0x62, 1, "CS", "BINARY");
  put_segment_list (&writer);
  put_groups (&writer, frames, n);
  put_head (&writer, 0x7fe0, 0x10, "OB", 3 * n + (n & 1));
  for (guint i = 0; i < n; i++)
    g_byte_array_append (writer.bytes, frames[i].bits, sizeof frames[i].bits);
  if (n & 1)
    put (&writer, 0, 1);
  return writer.bytes;
}

GByteArray *
fixture_dicomdir (const char *const *names, guint n)
{
  Writer items = { .bytes = g_byte_array_new () }, writer = { .bytes = g_byte_array_new () };

  for (guint i = 0; i < n; i++)
    {
      Writer item = { .bytes = g_byte_array_new () };

      put_text (&item, 4, 0x1430, "CS", "IMAGE");
      put_text (&item, 4, 0x1500, "CS", names[i]);
      put (&items, 0xe000fffe, 4);
      put (&items, item.bytes->len, 4);
      g_byte_array_append (items.bytes, item.bytes->data, item.bytes->len);
      g_byte_array_unref (item.bytes);
    }
  put_preamble (writer.bytes, "1.2.840.10008.1.3.10", "1.2.840.10008.1.2.1");
  put_text (&writer, 4, 0x1130, "CS", "DISC");
  put_head (&writer, 4, 0x1220, "SQ", items.bytes->len);
  g_byte_array_append (writer.bytes, items.bytes->data, items.bytes->len);
  g_byte_array_unref (items.bytes);
  return writer.bytes;
}
