/* SPDX-License-Identifier: MIT */
#include "app/export/vg-export-options.h"
#include "app/session/vg-session-annotations.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"

/* A name for a bit. */
typedef struct
{
  guint bit;
  const char *name; /* NULL: the end */
} Name;

static const Name formats[] = {
  { VG_FORMAT_TIFF, "tiff" },   { VG_FORMAT_NIFTI, "nifti" },
  { VG_FORMAT_CSV, "csv" },     { VG_FORMAT_PNG, "png" },
  { VG_FORMAT_DICOM, "dicom" }, { VG_FORMAT_NRRD, "nrrd" },
  { VG_FORMAT_NONE, "none" },   { 0 },
};

static const Name figures[] = {
  { VG_FIGURE_PNG, "png" },
  { VG_FIGURE_SVG, "svg" },
  { VG_FIGURE_PDF, "pdf" },
  { 0 },
};

VgExportOptions *
vg_export_options_copy (const VgExportOptions *self)
{
  VgExportOptions *copy = g_new0 (VgExportOptions, 1);

  if (self == NULL)
    return copy;
  *copy = *self;
  copy->compared_run = g_strdup (self->compared_run);
  copy->left_out = g_strdupv (self->left_out);
  copy->events = self->events != NULL ? g_array_ref (self->events) : NULL;
  copy->marks = self->marks != NULL ? g_array_ref (self->marks) : NULL;
  copy->courses = self->courses != NULL ? g_ptr_array_ref (self->courses) : NULL;
  copy->annotations = self->annotations != NULL ? g_ptr_array_ref (self->annotations) : NULL;
  copy->movie = vg_movie_options_copy (self->movie);
  copy->comparison = vg_export_comparison_copy (self->comparison);
  copy->displays = g_memdup2 (self->displays, sizeof *self->displays * self->n_displays);
  return copy;
}

void
vg_export_options_free (VgExportOptions *self)
{
  if (self == NULL)
    return;
  g_free (self->compared_run);
  g_strfreev (self->left_out);
  vg_movie_options_free (self->movie);
  vg_export_comparison_free (self->comparison);
  g_clear_pointer (&self->annotations, g_ptr_array_unref);
  g_clear_pointer (&self->courses, g_ptr_array_unref);
  g_clear_pointer (&self->events, g_array_unref);
  g_clear_pointer (&self->marks, g_array_unref);
  g_free (self->displays);
  g_free (self);
}

void
vg_export_options_set_displays (VgExportOptions *self, VgSession *session)
{
  g_clear_pointer (&self->annotations, g_ptr_array_unref);
  self->annotations = vg_session_copy_annotations (session);
  g_free (self->displays);
  self->n_displays = vg_session_get_operation (session)->n_outputs;
  self->displays = g_new (VgDisplay, MAX (self->n_displays, 1));
  for (guint i = 0; i < self->n_displays; i++)
    self->displays[i] = *vg_session_get_display_of (session, (int) i);
}

/* Sets *BITS to those that TEXT names, with commas between them.  OPTION and CHOICE are for the
 * message. */
static gboolean
read_names (const Name *all, const char *text, const char *option, const char *choice, guint *bits,
            GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  guint found = 0;

  for (guint i = 0; names[i] != NULL || i == 0; i++)
    {
      const char *name = names[i] != NULL ? g_strstrip (names[i]) : "";
      const Name *entry = all;

      while (entry->name != NULL && g_ascii_strcasecmp (entry->name, name) != 0)
        entry++;
      if (entry->name == NULL)
        {
          g_autofree char *quoted = vg_text_quote (name);

          g_set_error (error, VG_USAGE_ERROR, 0,
                       "%s does not know %s; give one or more of %s, separated by commas", option,
                       quoted, choice);
          return FALSE;
        }
      found |= entry->bit;
    }
  *bits = found;
  return TRUE;
}

gboolean
vg_export_options_set_formats (VgExportOptions *self, const char *text, GError **error)
{
  guint bits;

  if (!read_names (formats, text, "--format",
                   "tiff, nifti, nrrd, dicom, csv and png, or none alone", &bits, error))
    return FALSE;
  if ((bits & VG_FORMAT_NONE) != 0 && bits != VG_FORMAT_NONE)
    {
      g_set_error_literal (
          error, VG_USAGE_ERROR, 0,
          "--format combines none with other formats; give none alone to write no maps");
      return FALSE;
    }
  self->formats = bits;
  return TRUE;
}

gboolean
vg_export_options_set_figures (VgExportOptions *self, const char *text, GError **error)
{
  return read_names (figures, text, "--figure", "png, svg and pdf", &self->figures, error);
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

static void
add_names (GString *words, const Name *all, const char *option, guint bits)
{
  gboolean first = TRUE;

  for (const Name *entry = all; entry->name != NULL; entry++)
    if ((bits & entry->bit) != 0)
      {
        g_string_append_printf (words, first ? " --%s %s" : "%s,%s", first ? option : "",
                                entry->name);
        first = FALSE;
      }
}

char *
vg_export_options_to_words (const VgExportOptions *self)
{
  g_autoptr (GString) words = g_string_new (NULL);
  guint bits;

  if (self == NULL)
    return g_strdup ("");
  /* a command knows no kept result */
  bits = vg_export_comparison_is_shown (self->comparison) ? 0 : self->figures;
  add_names (words, formats, "format", self->formats);
  if (self->dicom_anonymous)
    g_string_append (words, " --dicom-anonymous");
  add_names (words, figures, "figure", bits);
  if (bits != 0 && self->figure_mm > 0)
    g_string_append_printf (words, " --figure-mm %d", self->figure_mm);
  if ((bits & VG_FIGURE_PNG) != 0 && self->figure_dpi > 0)
    g_string_append_printf (words, " --figure-dpi %d", self->figure_dpi);
  if (self->report)
    g_string_append (words, " --report");
  if ((bits != 0 || self->report) && self->slice >= 0)
    g_string_append_printf (words, " --figure-slice %d", self->slice + 1);
  return g_string_free (g_steal_pointer (&words), FALSE);
}
