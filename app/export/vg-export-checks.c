/* SPDX-License-Identifier: MIT */
/* Warnings about regions whose values are to be doubted. */
#include "app/reading/vg-region-check.h"
#include "app/export/vg-export-private.h"
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-group.h"

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
  GError *local = NULL;

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
