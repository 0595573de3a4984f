/* SPDX-License-Identifier: MIT */
#include "app/export/vg-export-options.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"

static const struct
{
  VgExportFormat format;
  const char *name;
} formats[] = {
  { VG_FORMAT_TIFF, "tiff" }, { VG_FORMAT_NIFTI, "nifti" }, { VG_FORMAT_CSV, "csv" },
  { VG_FORMAT_PNG, "png" },   { VG_FORMAT_NONE, "none" },
};

VgExportOptions *
vg_export_options_copy (const VgExportOptions *self)
{
  VgExportOptions *copy = g_new0 (VgExportOptions, 1);

  if (self == NULL)
    return copy;
  *copy = *self;
  copy->left_out = g_strdupv (self->left_out);
  copy->displays = g_memdup2 (self->displays, sizeof *self->displays * self->n_displays);
  return copy;
}

void
vg_export_options_free (VgExportOptions *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->left_out);
  g_free (self->displays);
  g_free (self);
}

void
vg_export_options_set_displays (VgExportOptions *self, VgSession *session)
{
  g_free (self->displays);
  self->n_displays = vg_session_get_operation (session)->n_outputs;
  self->displays = g_new (VgDisplay, MAX (self->n_displays, 1));
  for (guint i = 0; i < self->n_displays; i++)
    self->displays[i] = *vg_session_get_display_of (session, (int) i);
}

gboolean
vg_export_options_set_formats (VgExportOptions *self, const char *text, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  guint found = 0;

  for (guint i = 0; names[i] != NULL || i == 0; i++)
    {
      const char *name = names[i] != NULL ? g_strstrip (names[i]) : "";
      guint k = 0;

      while (k < G_N_ELEMENTS (formats) && g_ascii_strcasecmp (formats[k].name, name) != 0)
        k++;
      if (k == G_N_ELEMENTS (formats))
        {
          g_autofree char *quoted = vg_text_quote (name);

          g_set_error (error, VG_USAGE_ERROR, 0,
                       "--format names %s; give one or more of tiff, nifti, csv and png, with "
                       "commas between them, or none",
                       quoted);
          return FALSE;
        }
      found |= formats[k].format;
    }
  if ((found & VG_FORMAT_NONE) != 0 && found != VG_FORMAT_NONE)
    {
      g_set_error_literal (error, VG_USAGE_ERROR, 0,
                           "--format names none beside others; give none alone for no maps");
      return FALSE;
    }
  self->formats = found;
  return TRUE;
}

gboolean
vg_export_options_wants (const VgExportOptions *self, VgExportFormat format, gboolean placed)
{
  if (self == NULL || self->formats == 0)
    return format == VG_FORMAT_TIFF || (format == VG_FORMAT_NIFTI && placed);
  return (self->formats & format) != 0;
}

gboolean
vg_export_options_leaves_out (const VgExportOptions *self, const char *name)
{
  return self != NULL && self->left_out != NULL &&
         g_strv_contains ((const char *const *) self->left_out, name);
}

gboolean
vg_export_options_leaves_out_map (const VgExportOptions *self, const char *id)
{
  g_autofree char *name = g_strconcat (id, ".tif", NULL);

  return vg_export_options_leaves_out (self, name);
}

char *
vg_export_options_to_words (const VgExportOptions *self)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; self != NULL && i < G_N_ELEMENTS (formats); i++)
    if ((self->formats & formats[i].format) != 0)
      g_string_append_printf (words, "%s%s", words->len == 0 ? " --format " : ",", formats[i].name);
  return g_string_free (g_steal_pointer (&words), FALSE);
}
