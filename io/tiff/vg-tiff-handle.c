/* SPDX-License-Identifier: MIT */
/* libtiff's messages, per handle (libtiff 4.5 or later). */
#include "io/tiff/vg-tiff-handle.h"

G_GNUC_PRINTF (4, 0)
static int
store_complaint (TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
{
  VgTiffHandle *self = data;
  g_autofree char *text = NULL;

  if (self->complaint)
    return 1;
  text = g_strdup_vprintf (format, arguments);
  g_strdelimit (text, "\r\n\t", ' ');
  g_strchomp (text);
  self->complaint = g_utf8_make_valid (text, -1);
  return 1;
}

static int
ignore_warning (TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
{
  return 1;
}

gboolean
vg_tiff_handle_open (VgTiffHandle *self, int fd, const char *name, const char *mode,
                     gint64 max_allocation)
{
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc ();

  self->complaint = NULL;
  TIFFOpenOptionsSetErrorHandlerExtR (options, store_complaint, self);
  TIFFOpenOptionsSetWarningHandlerExtR (options, ignore_warning, self);
  TIFFOpenOptionsSetMaxSingleMemAlloc (options, max_allocation);
  self->tiff = TIFFFdOpenExt (fd, name, mode, options);
  TIFFOpenOptionsFree (options);
  return self->tiff != NULL;
}

void
vg_tiff_handle_close (VgTiffHandle *self)
{
  if (self->tiff)
    TIFFClose (self->tiff);
  self->tiff = NULL;
}

void
vg_tiff_handle_forget (VgTiffHandle *self)
{
  g_clear_pointer (&self->complaint, g_free);
}

const char *
vg_tiff_handle_complaint (const VgTiffHandle *self)
{
  return self->complaint ? self->complaint : "libtiff gives no reason";
}
