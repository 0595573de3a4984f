/* SPDX-License-Identifier: MIT */
#include "app/session/vg-checkpoint-text.h"
#include <string.h>
#include <zlib.h>
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-memory.h"
#include "kernels/core/vg-operation.h"

enum { CHUNK = 1 << 16, MOST_PACKED = 40 << 20, MOST_BYTES = 1 << 30 };

static gboolean
fail_memory (GError **error)
{
  if (error != NULL && *error == NULL)
    g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                         "there is not enough memory for the saved state of the computation");
  return FALSE;
}

/* Converts SIZE bytes at FROM.  NULL without an error: they are damaged, or the result has more
 * than MOST bytes. */
static GBytes *
convert (GConverter *converter, const guint8 *from, gsize size, gsize most, GError **error)
{
  g_autofree guint8 *to = NULL;
  gsize done = 0, full = 0, capacity = 0;

  for (;;)
    {
      g_autoptr (GError) local = NULL;
      gsize read = 0, written = 0;
      GConverterResult result;

      if (capacity - full < CHUNK)
        {
          gsize more = MAX (capacity, 2 * CHUNK);
          guint8 *grown = vg_memory_check (more, "the saved state of the computation", error)
                              ? g_try_realloc (to, capacity + more)
                              : NULL;

          if (grown == NULL)
            {
              fail_memory (error);
              return NULL;
            }
          to = grown;
          capacity += more;
        }
      result = g_converter_convert (converter, from + done, size - done, to + full, capacity - full,
                                    G_CONVERTER_INPUT_AT_END, &read, &written, &local);
      done += read;
      full += written;
      if (result == G_CONVERTER_ERROR || full > most)
        return NULL;
      if (result != G_CONVERTER_FINISHED)
        continue;
      return done == size
                 ? g_bytes_new_take (g_realloc (g_steal_pointer (&to), MAX (full, 1)), full)
                 : NULL;
    }
}

/* GLib's compressor would end the process if memory is short. */
static guint8 *
pack (const guint8 *data, gsize size, gsize *length, GError **error)
{
  uLongf full = compressBound (size);
  g_autofree guint8 *packed = vg_memory_check (full, "the saved state of the computation", error)
                                  ? g_try_malloc (full)
                                  : NULL;

  if (packed == NULL || compress2 (packed, &full, data, size, 1) != Z_OK)
    {
      fail_memory (error);
      return NULL;
    }
  *length = full;
  return g_steal_pointer (&packed);
}

char *
vg_checkpoint_format (GBytes *checkpoint, GError **error)
{
  g_autoptr (GError) local = NULL;
  gsize size, length = 0;
  const guint8 *data = g_bytes_get_data (checkpoint, &size);
  g_autofree guint8 *packed = pack (data, size, &length, &local);
  char *text = NULL;
  int state = 0, save = 0;

  if (packed != NULL && length > MOST_PACKED)
    g_set_error_literal (&local, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                         "the state of the computation is too large for a session");
  else if (packed != NULL && (text = g_try_malloc (length / 3 * 4 + 9)) == NULL)
    fail_memory (&local);
  if (text != NULL)
    {
      gsize n = g_base64_encode_step (packed, length, FALSE, text, &state, &save);

      text[n + g_base64_encode_close (FALSE, text + n, &state, &save)] = '\0';
    }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return text;
}

gboolean
vg_checkpoint_check (const char *text)
{
  gsize n = strspn (text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
        padding = strspn (text + n, "=");

  return n > 0 && padding <= 2 && text[n + padding] == '\0' && (n + padding) % 4 == 0;
}

GBytes *
vg_checkpoint_parse (const char *text, GError **error)
{
  g_autoptr (GConverter)
      converter = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
  g_autoptr (GError) local = NULL;
  gsize size = 0;
  g_autofree guint8 *packed = vg_checkpoint_check (text) ? g_base64_decode (text, &size) : NULL;
  GBytes *checkpoint = size == 0 ? NULL : convert (converter, packed, size, MOST_BYTES, &local);

  if (checkpoint == NULL && local == NULL)
    g_set_error_literal (
        &local, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
        "the saved state of the computation, \"outcome\", is cut short or damaged");
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return checkpoint;
}
