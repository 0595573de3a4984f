/* SPDX-License-Identifier: MIT */
/* One volume of floats as NIfTI-1 in gzip, with the placement of the input. */
#include "io/nifti/vg-nifti-header.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"
#include <string.h>
#include <zlib.h>

enum { HEAD = VG_NIFTI_1_BYTES + 4, CHUNK = 1 << 20, LEVEL = 1 };

static void
put_short (guint8 *head, gsize at, int value)
{
  gint16 number = (gint16) value;

  memcpy (head + at, &number, sizeof number);
}

static void
put_real (guint8 *head, gsize at, double value)
{
  float number = (float) value;

  memcpy (head + at, &number, sizeof number);
}

/* Fills the header in the byte order of this machine, which its first number shows to readers. */
static void
fill_head (guint8 head[HEAD], const VgImageInfo *info, const char *description)
{
  const VgPlacement *placement = &info->placement;
  const gint32 size = VG_NIFTI_1_BYTES;
  const int extent[] = { 3, info->width, info->height, (int) info->slices, 1, 1, 1, 1 };

  memset (head, 0, HEAD);
  memcpy (head, &size, sizeof size);
  head[38] = 'r';
  for (gsize i = 0; i < G_N_ELEMENTS (extent); i++)
    put_short (head, 40 + 2 * i, extent[i]);
  put_short (head, 70, VG_NIFTI_F32);
  put_short (head, 72, 32);
  for (gsize i = 0; i < 4; i++)
    put_real (head, 76 + 4 * i, placement->pixdim[i]);
  put_real (head, 108, HEAD);
  put_real (head, 112, 1);
  head[123] = (guint8) placement->unit;
  g_strlcpy ((char *) head + 148, description, 80);
  put_short (head, 252, placement->qform_code);
  put_short (head, 254, placement->sform_code);
  for (gsize i = 0; i < 3; i++)
    {
      put_real (head, 256 + 4 * i, placement->quatern[i]);
      put_real (head, 268 + 4 * i, placement->offset[i]);
      for (gsize k = 0; k < 4; k++)
        put_real (head, 280 + 16 * i + 4 * k, placement->srow[i][k]);
    }
  memcpy (head + 344, "n+1", 4);
}

/* Compresses LENGTH bytes and appends them to PACKED; LAST ends the stream. */
static gboolean
pack (z_stream *stream, const void *bytes, gsize length, gboolean last, GByteArray *packed)
{
  g_autofree guint8 *chunk = g_malloc (CHUNK);

  for (gsize done = 0; done < length;)
    {
      gsize n = MIN (length - done, CHUNK);
      int flush = last && done + n == length ? Z_FINISH : Z_NO_FLUSH;

      stream->next_in = (guint8 *) bytes + done;
      stream->avail_in = (uInt) n;
      done += n;
      do
        {
          stream->next_out = chunk;
          stream->avail_out = CHUNK;
          if (deflate (stream, flush) == Z_STREAM_ERROR || packed->len > G_MAXUINT32 - CHUNK)
            return FALSE;
          g_byte_array_append (packed, chunk, CHUNK - stream->avail_out);
        }
      while (stream->avail_out == 0);
    }
  return TRUE;
}

gboolean
vg_nifti_can_write (const VgImageInfo *info)
{
  return info->placement.known && info->width <= G_MAXINT16 && info->height <= G_MAXINT16 &&
         info->slices <= G_MAXINT16;
}

gboolean
vg_write_nifti (const char *path, const VgImageInfo *info, const float *samples,
                const char *description, GError **error)
{
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  gsize n = (gsize) info->width * (gsize) info->height * (gsize) info->slices;
  guint8 head[HEAD];
  z_stream stream = { .next_in = NULL };
  gboolean good = deflateInit2 (&stream, LEVEL, Z_DEFLATED, 16 + MAX_WBITS, 8,
                                Z_DEFAULT_STRATEGY) == Z_OK;

  fill_head (head, info, description);
  good = good && pack (&stream, head, HEAD, FALSE, packed) &&
         pack (&stream, samples, n * sizeof (float), TRUE, packed);
  deflateEnd (&stream);
  if (good)
    return vg_write_bytes (path, packed->data, packed->len, error);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
               "cannot write \"%s\": it cannot be compressed; there may not be enough memory",
               path);
  return FALSE;
}
