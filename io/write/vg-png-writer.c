/* SPDX-License-Identifier: MIT */
/* PNG images of 8-bit RGBA, written with libpng. */
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"
#include <errno.h>
#include <png.h>
#include <stdio.h>

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

static gboolean
encode (FILE *file, const guint8 *rgba, int width, int height, const char *description, double dpi,
        char message[128])
{
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, message, store_message,
                                             ignore_warning);
  png_infop info = png ? png_create_info_struct (png) : NULL;

  if (!info || setjmp (png_jmpbuf (png)))
    {
      png_destroy_write_struct (&png, &info);
      return FALSE;
    }
  png_init_io (png, file);
  png_set_compression_level (png, 6);
  png_set_IHDR (png, info, (png_uint_32) width, (png_uint_32) height, 8, PNG_COLOR_TYPE_RGBA,
                PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (dpi > 0)
    png_set_pHYs (png, info, (png_uint_32) (dpi / 0.0254 + 0.5), (png_uint_32) (dpi / 0.0254 + 0.5),
                  PNG_RESOLUTION_METER);
  if (description != NULL)
    png_set_text (png, info,
                  &(png_text){ .compression = PNG_ITXT_COMPRESSION_NONE,
                               .key = (char *) "Description",
                               .text = (char *) description },
                  1);
  png_write_info (png, info);
  for (int y = 0; y < height; y++)
    png_write_row (png, rgba + (gsize) y * (gsize) width * 4);
  png_write_end (png, info);
  png_destroy_write_struct (&png, &info);
  return TRUE;
}

gboolean
vg_write_png (const char *path, const guint8 *rgba, int width, int height, GError **error)
{
  return vg_write_png_described (path, rgba, width, height, NULL, 0, error);
}

gboolean
vg_write_png_described (const char *path, const guint8 *rgba, int width, int height,
                        const char *description, double dpi, GError **error)
{
  g_autoptr (VgOutputFile) output = vg_output_file_new (path, error);
  g_autofree char *name = g_filename_display_name (path);
  char message[128] = "there is not enough memory";
  FILE *file;
  gboolean good;
  int code;

  if (!output)
    return FALSE;
  errno = 0;
  file = fopen (vg_output_file_temporary (output), "wbe");
  good = file && encode (file, rgba, width, height, description, dpi, message);
  code = errno;
  if (file && fclose (file) != 0 && good)
    {
      good = FALSE;
      code = errno;
    }
  if (good)
    return vg_output_file_commit (output, error);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
               "cannot write \"%s\": %s; free some space, or choose another folder", name,
               code ? g_strerror (code) : message);
  return FALSE;
}
