/* SPDX-License-Identifier: MIT */
/* PNG images of grey up to 16 bits or RGB of 8 or 16 bits, decoded with libpng.  Opening reads the
 * header; the rows are read with the frame. */
#include "io/source/vg-resolution.h"
#include "io/source/vg-source-private.h"
#include <png.h>
#include <stdio.h>

typedef struct
{
  VgSource parent;
  FILE *file;
} VgPngSource;

typedef struct
{
  png_structp png;
  png_infop info;
  char message[128];
} Decoder;

static void
store_message (png_structp png, png_const_charp text)
{
  g_strlcpy (png_get_error_ptr (png), text, 128);
  png_longjmp (png, 1);
}

static void
ignore_warning (png_structp png, png_const_charp text)
{
}

static void
clear_decoder (Decoder *self)
{
  png_destroy_read_struct (&self->png, &self->info, NULL);
}

/* Reads the header and sets the conversion of rows to samples; FALSE: the message says why it
 * failed. */
static gboolean
start (Decoder *self, FILE *file)
{
  *self = (Decoder){ .message = "there is not enough memory" };
  self->png = png_create_read_struct (PNG_LIBPNG_VER_STRING, self->message, store_message,
                                      ignore_warning);
  self->info = self->png ? png_create_info_struct (self->png) : NULL;
  rewind (file);
  if (!self->info || setjmp (png_jmpbuf (self->png)))
    return FALSE;
  /* the caller checks sizes before memory is allocated */
  png_set_user_limits (self->png, G_MAXINT32, G_MAXINT32);
  png_init_io (self->png, file);
  png_read_info (self->png, self->info);
  png_set_packing (self->png);
  png_set_strip_alpha (self->png);
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (self->png);
  return TRUE;
}

static gboolean
decode (Decoder *self, FILE *file, const VgImageInfo *info, guint8 *frame)
{
  gsize row_bytes = vg_image_info_page_bytes (info) / (gsize) info->height;
  volatile int passes;

  if (!start (self, file))
    return FALSE;
  if (setjmp (png_jmpbuf (self->png)))
    return FALSE;
  if (png_get_color_type (self->png, self->info) == PNG_COLOR_TYPE_PALETTE && info->channels == 3)
    png_set_palette_to_rgb (self->png);
  passes = png_set_interlace_handling (self->png);
  png_read_update_info (self->png, self->info);
  /* the file may have changed since it was opened */
  if (png_get_rowbytes (self->png, self->info) != row_bytes ||
      png_get_image_height (self->png, self->info) != (png_uint_32) info->height)
    png_error (self->png, "its size has changed since it was opened");
  for (int pass = 0; pass < passes; pass++)
    for (int y = 0; y < info->height; y++)
      png_read_row (self->png, frame + (gsize) y * row_bytes, NULL);
  png_read_end (self->png, NULL);
  return TRUE;
}

static gboolean
png_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  Decoder decoder;
  gboolean good = decode (&decoder, ((VgPngSource *) source)->file, &source->info, frame);

  clear_decoder (&decoder);
  if (!good)
    g_set_error (
        error, VG_IO_ERROR, VG_IO_ERROR_FRAME,
        "\"%s\" cannot be decoded (%s); the file is damaged or cut short, so copy it again",
        source->name, decoder.message);
  return good;
}

static void
png_clear (VgSource *source)
{
  fclose (((VgPngSource *) source)->file);
}

static const VgSourceClass png_class = { .read = png_read, .clear = png_clear };

static gboolean
parse_header (VgPngSource *self, Decoder *decoder, gboolean colour, GString *notes, GError **error)
{
  VgImageInfo *info = &self->parent.info;
  int kind = png_get_color_type (decoder->png, decoder->info),
      bits = png_get_bit_depth (decoder->png, decoder->info);
  png_uint_32 x = 0, y = 0;
  int unit = PNG_RESOLUTION_UNKNOWN;

  if ((kind & PNG_COLOR_MASK_COLOR) && kind != PNG_COLOR_TYPE_PALETTE && !colour)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "\"%s\" is a colour image, but a grey one is needed; export the camera's raw "
                   "frames, or convert it to grey",
                   self->parent.name);
      return FALSE;
    }
  info->type = bits == 16 ? VG_U16 : VG_U8;
  info->width = (int) png_get_image_width (decoder->png, decoder->info);
  info->height = (int) png_get_image_height (decoder->png, decoder->info);
  info->channels = colour && (kind & PNG_COLOR_MASK_COLOR) ? 3 : 1;
  info->significant_bits = info->channels == 3 ? MAX (bits, 8) : bits;
  if (kind == PNG_COLOR_TYPE_PALETTE && !colour)
    g_string_append (notes, "The colour table is ignored; its indices are read as grey values.\n");
  if (kind & PNG_COLOR_MASK_ALPHA)
    g_string_append (notes, "The alpha channel is ignored.\n");
  if (png_get_pHYs (decoder->png, decoder->info, &x, &y, &unit) && unit == PNG_RESOLUTION_METER)
    vg_resolution_set_scale (info, x / 100.0, y / 100.0, notes);
  return TRUE;
}

static gboolean
png_detect (const guint8 *head, gsize length, gint64 size)
{
  return length >= 8 && memcmp (head, "\211PNG\r\n\032\n", 8) == 0;
}

static VgSource *
png_open (const VgSourceFile *file, GError **error)
{
  g_autoptr (VgSource)
      source = vg_source_new (sizeof (VgPngSource), &png_class, file->name, "PNG", -1);
  VgPngSource *self = (VgPngSource *) source;
  g_autoptr (GString) notes = g_string_new (NULL);
  Decoder decoder;
  gboolean good;

  self->file = fdopen (file->fd, "rb");
  good = start (&decoder, self->file);
  if (!good)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\" is damaged (%s); copy or export it again", file->name, decoder.message);
  good = good && parse_header (self, &decoder, file->options->colour, notes, error);
  clear_decoder (&decoder);
  if (!good || !vg_source_check_claim (&source->info, file->size, file->name, error))
    return NULL;
  source->details = notes->len ? g_strndup (notes->str, notes->len - 1) : NULL;
  return g_steal_pointer (&source);
}

const VgFormat vg_png_format = {
  .id = "png", .name = "PNG", .suffixes = { ".png" }, .detect = png_detect, .open = png_open
};
