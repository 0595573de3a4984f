/* SPDX-License-Identifier: MIT */
/* Volumes of floats as NIfTI-1 in gzip, with the placement of the input. */
#include "io/nifti/vg-nifti-header.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"
#include <string.h>

enum { HEAD = VG_NIFTI_1_BYTES + 4 };

struct _VgNiftiWriter
{
  VgTextFile *file;
};

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
  const int frames = (int) info->frames;
  const int extent[] = {
    frames > 1 ? 4 : 3, info->width, info->height, (int) info->slices, frames, 1, 1, 1
  };

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

gboolean
vg_nifti_can_write (const VgImageInfo *info)
{
  return info->placement.known && info->width <= G_MAXINT16 && info->height <= G_MAXINT16 &&
         info->slices <= G_MAXINT16;
}

VgNiftiWriter *
vg_nifti_writer_new (const char *path, const VgImageInfo *info, const char *description,
                     GError **error)
{
  const gint64 extent[] = { info->width, info->height, info->slices, info->frames };
  g_autoptr (VgNiftiWriter) self = g_new0 (VgNiftiWriter, 1);
  guint8 head[HEAD];

  for (guint i = 0; i < G_N_ELEMENTS (extent); i++)
    if (extent[i] < 1 || extent[i] > G_MAXINT16)
      {
        g_autofree char *name = g_filename_display_name (path);

        g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                     "cannot write \"%s\": NIfTI holds at most %d pixels, slices or frames along "
                     "an axis, but this image has %" G_GINT64_FORMAT "; choose TIFF",
                     name, G_MAXINT16, extent[i]);
        return NULL;
      }
  self->file = vg_text_file_new (path, TRUE, error);
  if (self->file == NULL)
    return NULL;
  vg_text_file_set_fast (self->file);
  fill_head (head, info, description);
  return vg_text_file_add (self->file, (const char *) head, HEAD, error) ? g_steal_pointer (&self)
                                                                         : NULL;
}

gboolean
vg_nifti_writer_add (VgNiftiWriter *self, const float *samples, gsize n, GError **error)
{
  return vg_text_file_add (self->file, (const char *) samples, n * sizeof (float), error);
}

gboolean
vg_nifti_writer_commit (VgNiftiWriter *self, GError **error)
{
  return vg_text_file_commit (self->file, error);
}

void
vg_nifti_writer_free (VgNiftiWriter *self)
{
  if (self == NULL)
    return;
  vg_text_file_free (self->file);
  g_free (self);
}
