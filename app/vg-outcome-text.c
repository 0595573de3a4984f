/* SPDX-License-Identifier: MIT */
#include "vg-outcome-text.h"

enum { CHUNK = 1 << 16, MOST_PACKED = 40 << 20, MOST_BYTES = 1 << 30 };

/* All of the SIZE bytes at FROM through CONVERTER; NULL: they do not fit it, or are more than MOST. */
static GByteArray *
convert (GConverter *converter, const guint8 *from, gsize size, guint most)
{
  g_autoptr (GByteArray) to = g_byte_array_new ();
  gsize done = 0;
  guint full = 0;

  for (;;)
    {
      g_autoptr (GError) error = NULL;
      gsize read = 0, written = 0;
      GConverterResult result;

      if (full > most)
        return NULL;
      g_byte_array_set_size (to, full + CHUNK);
      result = g_converter_convert (converter, from + done, size - done, to->data + full, CHUNK, G_CONVERTER_INPUT_AT_END, &read, &written, &error);
      done += read;
      full += (guint) written;
      if (result == G_CONVERTER_ERROR)
        return NULL;
      if (result != G_CONVERTER_FINISHED)
        continue;
      g_byte_array_set_size (to, full);
      return done == size ? g_steal_pointer (&to) : NULL;
    }
}

char *
vg_outcome_format (GBytes *outcome)
{
  g_autoptr (GConverter) converter = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 1));
  gsize size;
  const guint8 *data = g_bytes_get_data (outcome, &size);
  g_autoptr (GByteArray) packed = convert (converter, data, size, MOST_PACKED);

  return packed == NULL ? NULL : g_base64_encode (packed->data, packed->len);
}

GBytes *
vg_outcome_parse (const char *text)
{
  g_autoptr (GConverter) converter = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
  gsize size = 0;
  g_autofree guint8 *packed = g_base64_decode (text, &size);
  GByteArray *data = packed == NULL || size == 0 ? NULL : convert (converter, packed, size, MOST_BYTES);

  return data == NULL ? NULL : g_byte_array_free_to_bytes (data);
}
