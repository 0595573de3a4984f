/* SPDX-License-Identifier: MIT */
/* The text files of an export: the outputs of the operation that are texts, and the regions; and
 * warnings about the regions. */
#include "app/export/vg-export-private.h"
#include "app/reading/vg-compared-run.h"
#include "app/reading/vg-region-check.h"
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-group.h"
#include "app/region/vg-region-objects.h"
#include "io/write/vg-output-file.h"
#include <string.h>

/* There are objects to be assigned to regions. */
static gboolean
has_objects (const VgExport *self, const VgOperation *operation)
{
  return operation->objects != NULL && self->regions != NULL && self->regions[0] != NULL;
}

gboolean
vg_export_write_texts (VgExport *self, VgWork *work, gboolean gzip, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);

  for (guint i = 0; i < operation->n_outputs; i++)
    if (operation->outputs[i].kind == VG_OUTPUT_TEXT && !operation->outputs[i].view_only &&
        vg_operation_output_is_shown (operation, i, vg_work_get_params (work)))
      {
        g_autofree char *name = NULL, *text = vg_work_text (work, i, &name, error), *file = NULL,
                        *path = NULL;
        g_autoptr (VgTextFile) written = NULL;

        if (text == NULL)
          return FALSE;
        if (has_objects (self, operation) && (int) i == vg_operation_find_objects (operation))
          {
            g_autofree char *bare = g_steal_pointer (&text);

            text = vg_region_objects_to_csv (bare, self->regions, vg_work_get_info (work));
          }
        file = g_strconcat (name, gzip ? ".gz" : NULL, NULL);
        path = vg_export_stage (self, file, error);
        written = path == NULL ? NULL : vg_text_file_new (path, gzip, error);
        if (written == NULL || !vg_text_file_add (written, text, strlen (text), error) ||
            !vg_text_file_commit (written, error))
          return FALSE;
        self->maps[i].path = g_steal_pointer (&path);
      }
  return TRUE;
}

gboolean
vg_export_write_regions (VgExport *self, VgWork *work, GError **error)
{
  g_autofree char *path = self->log != NULL ? vg_export_stage (self, "regions.csv", error) : NULL;
  g_autofree char *shapes = NULL, *beside = NULL;
  const char *text;
  gsize length;

  if (self->log == NULL)
    return TRUE;
  text = vg_region_log_text (self->log, &length);
  if (path == NULL || !vg_write_bytes (path, text, length, error))
    return FALSE;
  if (!has_objects (self, vg_work_get_operation (work)))
    return TRUE;
  beside = vg_export_stage (self, "regions.geojson", error);
  shapes = vg_region_objects_to_geojson (self->regions, vg_work_get_info (work));
  return beside != NULL && vg_write_bytes (beside, shapes, strlen (shapes), error);
}

gboolean
vg_export_write_comparison (VgExport *self, VgWork *work, const VgExportInfo *info, GError **error)
{
  const char *other = info->options != NULL ? info->options->compared_run : NULL;
  gboolean anonymous = other != NULL && info->options->dicom_anonymous;
  g_autoptr (GPtrArray) renamed = NULL;
  g_autofree const VgNamedRegion **hidden = anonymous ? vg_region_file_hide_names (info->regions,
                                                                                   &renamed)
                                                      : NULL;
  g_autofree char *text = NULL, *path = NULL;

  if (other == NULL)
    return TRUE;
  text = vg_compared_run_to_csv (other, work, anonymous ? hidden : info->regions, error);
  path = text != NULL ? vg_export_stage (self, "comparison.csv", error) : NULL;
  return path != NULL && vg_write_bytes (path, text, strlen (text), error);
}

/* "Liver: " and the lines of REMARK as one. */
static char *
make_note (const char *region, const char *remark)
{
  g_auto (GStrv) lines = g_strsplit (remark, "\n", -1);
  g_autofree char *text = g_strjoinv (" ", lines);

  return g_strdup_printf ("%s: %s", region, text);
}

gboolean
vg_export_add_checks (VgWork *work, const VgExportInfo *info, GPtrArray *notes, GError **error)
{
  const VgEngineCurves *curves = vg_work_get_operation (work)->cpu->curves;
  gboolean anonymous = info->options != NULL && info->options->dicom_anonymous;
  g_autoptr (GPtrArray) renamed = NULL, groups = NULL;
  g_autofree const VgNamedRegion **hidden = anonymous ? vg_region_file_hide_names (info->regions,
                                                                                   &renamed)
                                                      : NULL;
  const char *other = info->options != NULL ? info->options->compared_run : NULL;
  GError *local = NULL;

  if (other != NULL &&
      !vg_compared_run_add_notes (other, work, anonymous ? hidden : info->regions, notes, error))
    return FALSE;
  if (info->regions == NULL || curves == NULL || curves->sample_region == NULL)
    return TRUE;
  groups = vg_region_groups_new (anonymous ? hidden : info->regions, TRUE);
  for (guint i = 0; i < groups->len && local == NULL; i++)
    {
      const VgRegionGroup *group = groups->pdata[i];
      const VgRegion *const *parts = (const VgRegion *const *) group->parts->pdata;
      guint n = group->parts->len; /* of several parts there may be no sum */
      g_autoptr (VgCurves) sum = n > 1 ? vg_work_sample_regions (work, parts, n, &local)
                                       : vg_work_sample_region (work, parts[0], &local);
      g_autofree char *remark = local == NULL ? vg_region_check_new (work, parts, n, sum, &local)
                                              : NULL;

      if (remark != NULL)
        g_ptr_array_add (notes, make_note (group->name, remark));
    }
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}
