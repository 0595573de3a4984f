/* SPDX-License-Identifier: MIT */
/* The table of the fitted parameters of curves: one row for each curve with its name. */
#include "app/export/vg-export-private.h"
#include "kernels/base/vg-text.h"
#include <math.h>

/* Appends VALUE of OUTPUT: the name of its category, if it has names, or nothing if it is missing.
 */
static void
append_value (GString *row, const VgOutput *output, float value)
{
  const char *const *names = output->hints.categories;
  guint n = names != NULL ? g_strv_length ((char **) names) : 0;

  g_string_append_c (row, ',');
  if (value >= 0 && value < n && value == floorf (value))
    vg_text_append_cell (row, names[(guint) value]);
  else if (isfinite (value))
    vg_text_append_float (row, value);
}

gboolean
vg_export_write_curves (VgExport *self, VgWork *work, GError **error)
{
  const VgImage *image = vg_work_get_image (work);
  g_autoptr (GString) text = g_string_new ("name");
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  g_autofree char *path = NULL;
  GError *local = NULL;

  if (image == NULL || image->names == NULL)
    return TRUE;
  for (int x = 0; x < image->info.width; x++)
    {
      g_ptr_array_add (rows, g_string_new (NULL));
      vg_text_append_cell (rows->pdata[x], image->names[x]);
    }
  for (guint i = 0; i < self->n_maps; i++)
    {
      const VgOutput *output = self->maps[i].output;
      VgPlane plane;

      if (local != NULL || self->maps[i].writer == NULL ||
          !vg_export_load_plane (self, i, &plane, &local))
        continue;
      g_string_append_printf (text, ",%s", output->id);
      if (output->unit != NULL && *output->unit != '\0')
        g_string_append_printf (text, " [%s]", output->unit);
      for (guint x = 0; x < rows->len && (int) x < plane.width; x++)
        append_value (rows->pdata[x], output, plane.data[x]);
    }
  for (guint x = 0; x < rows->len; x++)
    {
      g_string_append_printf (text, "\n%s", ((GString *) rows->pdata[x])->str);
      g_string_free (rows->pdata[x], TRUE);
    }
  g_string_append_c (text, '\n');
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  path = vg_export_stage (self, "parameters.csv", error);
  return path != NULL && vg_write_bytes (path, text->str, text->len, error);
}
