/* SPDX-License-Identifier: MIT */
#include "io/source/vg-format.h"
#include "kernels/base/vg-error.h"

#define VARIABLE "VIVOGRAPH_FORMATS"
#define IDS "bin, dicom, foil, jpeg, nifti, nrrd, png, ptu, rls, sdt, slide, spc, tiff and zip"

static gboolean
is_id (const char *word)
{
  g_auto (GStrv) ids = g_strsplit_set (IDS, ", ", -1);

  return *word != '\0' && !g_str_equal (word, "and") &&
         g_strv_contains ((const char *const *) ids, word);
}

gboolean
vg_format_is_on (const char *id, const char *name, GError **error)
{
  const char *list = g_getenv (VARIABLE);
  gboolean named = FALSE, off;
  g_auto (GStrv) words = NULL;

  if (list == NULL || *list == '\0')
    return TRUE;
  words = g_strsplit (list, ",", -1);
  off = *list == '-';
  for (char **word = words; *word != NULL; word++)
    {
      if ((**word == '-') != off || !is_id (*word + off))
        {
          g_set_error (error, VG_USAGE_ERROR, 0,
                       "\"%s\" is not opened, because the environment variable " VARIABLE
                       " is \"%s\"; give a list such as tiff,nifti to allow only these formats, "
                       "or such as -dicom,-slide to turn these formats off; the formats "
                       "are " IDS,
                       name, list);
          return FALSE;
        }
      named |= g_str_equal (*word + off, id);
    }
  if (named != off)
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
               "\"%s\" is not opened, because the environment variable " VARIABLE
               " turns the format %s off; change it if you trust the file",
               name, id);
  return FALSE;
}

void
vg_format_refuse_as (const char *name, const char *is, const char *advice, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
               "Cannot open \"%s\". It is %s, which Vivograph does not read. %s", name, is, advice);
}
