/* SPDX-License-Identifier: MIT */
/* JPEG images of 8-bit grey or colour, decoded with libjpeg.  Opening reads the header; the rows
 * are read with the frame. */
#include "io/frames/vg-jpeg.h"
#include "io/source/vg-resolution.h"
#include "io/source/vg-source-private.h"
#include <setjmp.h>
#include <stdio.h>
/* after stdio.h, which it needs */
#include <jpeglib.h>
#include <jerror.h>

typedef struct
{
  VgSource parent;
  FILE *file;
} VgJpegSource;

typedef struct
{
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  jmp_buf back;
  gboolean damaged;
  char message[JMSG_LENGTH_MAX];
} Decoder;

static void
leave (j_common_ptr jpeg)
{
  Decoder *self = jpeg->client_data;

  jpeg->err->format_message (jpeg, self->message);
  longjmp (self->back, 1);
}

/* After a warning libjpeg continues with invented samples, so a warning is an error here. */
static void
fail_on_warning (j_common_ptr jpeg, int level)
{
  Decoder *self = jpeg->client_data;

  if (level >= 0 || self->damaged || jpeg->err->msg_code == JWRN_EXTRANEOUS_DATA ||
      jpeg->err->msg_code == JWRN_ADOBE_XFORM)
    return;
  self->damaged = TRUE;
  jpeg->err->format_message (jpeg, self->message);
}

/* Reads the header; FALSE: the message says why it failed. */
static gboolean
start (Decoder *self, FILE *file)
{
  memset (self, 0, sizeof *self);
  self->jpeg.err = jpeg_std_error (&self->errors);
  self->jpeg.client_data = self;
  self->errors.error_exit = leave;
  self->errors.emit_message = fail_on_warning;
  rewind (file);
  if (setjmp (self->back))
    return FALSE;
  jpeg_create_decompress (&self->jpeg);
  self->jpeg.client_data = self;
  jpeg_stdio_src (&self->jpeg, file);
  jpeg_read_header (&self->jpeg, TRUE);
  return TRUE;
}

static gboolean
decode (Decoder *self, FILE *file, const VgImageInfo *info, guint8 *frame)
{
  if (!start (self, file))
    return FALSE;
  if (setjmp (self->back))
    return FALSE;
  self->jpeg.out_color_space = info->channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_start_decompress (&self->jpeg);
  /* the file may have changed since it was opened */
  if (self->jpeg.output_width != (JDIMENSION) info->width ||
      self->jpeg.output_height != (JDIMENSION) info->height ||
      self->jpeg.output_components != info->channels)
    {
      g_strlcpy (self->message, "its size has changed since it was opened", sizeof self->message);
      return FALSE;
    }
  while (self->jpeg.output_scanline < self->jpeg.output_height)
    {
      JSAMPROW row = frame + (gsize) self->jpeg.output_scanline * (gsize) info->width *
                                 (gsize) info->channels;

      jpeg_read_scanlines (&self->jpeg, &row, 1);
    }
  jpeg_finish_decompress (&self->jpeg);
  return !self->damaged;
}

static gboolean
jpeg_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  Decoder decoder;
  gboolean good = decode (&decoder, ((VgJpegSource *) source)->file, &source->info, frame);

  jpeg_destroy_decompress (&decoder.jpeg);
  if (!good)
    g_set_error (
        error, VG_IO_ERROR, VG_IO_ERROR_FRAME,
        "\"%s\" cannot be decoded (%s); the file is damaged or cut short, so copy it again",
        source->name, decoder.message);
  return good;
}

static void
jpeg_clear (VgSource *source)
{
  fclose (((VgJpegSource *) source)->file);
}

static const VgSourceClass jpeg_class = { .read = jpeg_read, .clear = jpeg_clear };

static gboolean
parse_header (VgJpegSource *self, const struct jpeg_decompress_struct *jpeg, gboolean colour,
              GString *notes, GError **error)
{
  /* JFIF's density: dots per inch or per centimetre */
  double per_cm = jpeg->saw_JFIF_marker && jpeg->density_unit == 1   ? 1 / 2.54
                  : jpeg->saw_JFIF_marker && jpeg->density_unit == 2 ? 1
                                                                     : 0;
  VgImageInfo *info = &self->parent.info;

  info->type = VG_U8;
  info->width = (int) jpeg->image_width;
  info->height = (int) jpeg->image_height;
  info->channels = jpeg->jpeg_color_space == JCS_GRAYSCALE ? 1 : 3;
  info->significant_bits = 8;
  if (jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK ||
      jpeg->jpeg_color_space == JCS_UNKNOWN)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "\"%s\" has printing colours (CMYK), which cannot be read; save it as RGB",
                 self->parent.name);
  else if (info->channels == 3 && !colour)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "\"%s\" is a colour image, but a grey one is needed; export the camera's raw "
                 "frames, or convert it to grey",
                 self->parent.name);
  else
    {
      g_string_append (notes, "JPEG compression has changed the values slightly.\n");
      vg_resolution_set_scale (info, per_cm * jpeg->X_density, per_cm * jpeg->Y_density, notes);
      return TRUE;
    }
  return FALSE;
}

static VgSource *
jpeg_open (const VgSourceFile *file, GError **error)
{
  g_autoptr (VgSource)
      source = vg_source_new (sizeof (VgJpegSource), &jpeg_class, file->name, "JPEG", -1);
  VgJpegSource *self = (VgJpegSource *) source;
  g_autoptr (GString) notes = g_string_new (NULL);
  Decoder decoder;
  gboolean good;

  self->file = fdopen (file->fd, "rb");
  good = start (&decoder, self->file);
  if (!good)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\" is damaged (%s); copy or export it again", file->name, decoder.message);
  good = good && parse_header (self, &decoder.jpeg, file->options->colour, notes, error);
  jpeg_destroy_decompress (&decoder.jpeg);
  if (!good || !vg_source_check_claim (&source->info, file->size, file->name, error))
    return NULL;
  source->details = g_strndup (notes->str, notes->len - 1);
  return g_steal_pointer (&source);
}

const VgFormat vg_jpeg_format = { .id = "jpeg",
                                  .name = "JPEG",
                                  .suffixes = { ".jpg", ".jpeg" },
                                  .detect = vg_jpeg_detect,
                                  .open = jpeg_open };
