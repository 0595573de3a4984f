/* SPDX-License-Identifier: MIT */
#include "io/dicom/vg-dicom-decoder.h"
#include "kernels/base/vg-error.h"
#include <string.h>

typedef struct
{
  const VgDicomModule *module;
  VgDicomFile *file;
  int frames;
  char **names; /* of a DICOMDIR, or NULL */
} File;

static void
decoder_close (gpointer data)
{
  File *self = data;

  if (self->file != NULL)
    self->module->close (self->file);
  g_strfreev (self->names);
  g_free (self);
}

/* Takes REASON. */
static gboolean
fail (char *reason, GError **error)
{
  g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                       reason != NULL ? reason : "it cannot be read");
  g_free (reason);
  return FALSE;
}

static gpointer
decoder_open (const char *path, gpointer facts, GError **error)
{
  g_autofree char *why = NULL, *no_directory = NULL;
  VgDicomHead *head = facts;
  const char *absent = NULL;
  char *reason = NULL;
  File *self = g_new0 (File, 1);

  self->module = vg_dicom_module_get (&absent);
  self->file = self->module != NULL ? self->module->open (path, &reason) : NULL;
  if (self->file == NULL)
    {
      fail (absent != NULL ? g_strdup (absent) : reason, error);
      decoder_close (self);
      return NULL;
    }
  self->names = self->module->list (self->file, VG_DICOM_MOST_NAMES, &no_directory);
  head->names = self->names != NULL ? (int) g_strv_length (self->names) : -1;
  for (int i = 0; i < head->names; i++)
    head->names_bytes += (gint64) strlen (self->names[i]) + 1;
  head->frames = self->frames = self->module->count (self->file, &why);
  if (head->frames > 0)
    self->module->describe (self->file, 0, &head->first);
  g_strlcpy (head->why, why != NULL ? why : "", sizeof head->why);
  return self;
}

static gboolean
copy_names (const File *self, char *to, gsize length, GError **error)
{
  for (guint i = 0; self->names != NULL && self->names[i] != NULL; i++)
    {
      gsize n = strlen (self->names[i]) + 1;

      if (n > length)
        return fail (g_strdup ("it has changed"), error);
      memcpy (to, self->names[i], n);
      to += n;
      length -= n;
    }
  return TRUE;
}

static gboolean
decoder_read (gpointer file, const gint64 numbers[VG_DECODER_NUMBERS], gpointer result,
              gsize length, GError **error)
{
  File *self = file;
  gsize n = length / sizeof (VgDicomFrame);
  gint64 first = numbers[1];
  char *reason = NULL;

  if (numbers[0] == VG_DICOM_NAMES)
    return copy_names (self, result, length, error);
  if (numbers[0] == VG_DICOM_PATIENT && length == sizeof (VgDicomPatient))
    {
      memset (result, 0, length);
      self->module->patient (self->file, result);
      return TRUE;
    }
  if (first < 0 || first >= self->frames ||
      (numbers[0] == VG_DICOM_FRAMES && n > (gsize) (self->frames - first)))
    return fail (g_strdup ("it has changed"), error);
  if (numbers[0] == VG_DICOM_SAMPLES)
    return self->module->read (self->file, (int) first, result, length / sizeof (float), &reason) ||
           fail (reason, error);
  for (gsize i = 0; i < n; i++)
    self->module->describe (self->file, (int) first + (int) i, (VgDicomFrame *) result + i);
  return TRUE;
}

const VgDecoder vg_dicom_decoder = {
  .name = "dicom",
  .facts = sizeof (VgDicomHead),
  .seconds = 30,
  .memory = G_GINT64_CONSTANT (4) << 30,
  .open = decoder_open,
  .read = decoder_read,
  .close = decoder_close,
};
