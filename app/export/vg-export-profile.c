/* SPDX-License-Identifier: MIT */
#include "app/export/vg-export-profile.h"
#include "app/profile/vg-line-profile.h"
#include "kernels/base/vg-text.h"
#include <math.h>

static void
add_title (GString *csv, const char *name, const char *unit)
{
  g_autofree char *title = *unit != '\0' ? g_strdup_printf ("%s (%s)", name, unit)
                                         : g_strdup (name);

  vg_text_append_cell (csv, title);
}

/* One column for each of CURVES, whose distances are the same. */
static char *
format (const GPtrArray *curves, const GPtrArray *names)
{
  const VgCurves *first = curves->pdata[0];
  const VgSeries *distances = first->series->pdata[0];
  GString *csv = g_string_new (NULL);

  add_title (csv, "distance", first->x_unit);
  for (guint k = 0; k < curves->len; k++)
    {
      g_string_append_c (csv, ',');
      add_title (csv, names->pdata[k], ((const VgCurves *) curves->pdata[k])->y_unit);
    }
  for (int i = 0; i < distances->n; i++)
    {
      g_string_append_c (csv, '\n');
      vg_text_append_number (csv, distances->x[i]);
      for (guint k = 0; k < curves->len; k++)
        {
          const VgSeries *series = ((const VgCurves *) curves->pdata[k])->series->pdata[0];

          g_string_append_c (csv, ',');
          if (isfinite (series->y[i]))
            vg_text_append_number (csv, series->y[i]);
        }
    }
  g_string_append_c (csv, '\n');
  return g_string_free (csv, FALSE);
}

gboolean
vg_export_profile_to_csv (VgExport *export, VgWork *work, const VgProfileLine *line, char **csv,
                          GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  g_autoptr (GPtrArray) curves = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_curves_free),
                        names = g_ptr_array_new ();
  VgPlane plane, first = { 0 };

  for (guint i = 0; i < operation->n_outputs; i++)
    {
      VgCurves *values;
      gboolean found;

      if (operation->outputs[i].kind != VG_OUTPUT_MAP)
        continue;
      if (!vg_export_look (export, i, &plane, &found, error))
        return FALSE;
      if (!found ||
          (curves->len > 0 && (plane.width != first.width || plane.height != first.height)))
        continue;
      values = vg_line_profile_new (
          &plane, line, operation->outputs[i].id,
          vg_operation_output_unit (operation, i, vg_work_get_params (work)),
          operation->outputs[i].mixing_power, FALSE);
      if (values == NULL)
        continue;
      first = plane;
      g_ptr_array_add (curves, values);
      g_ptr_array_add (names, (gpointer) operation->outputs[i].id);
    }
  *csv = curves->len > 0 ? format (curves, names) : NULL;
  return TRUE;
}
