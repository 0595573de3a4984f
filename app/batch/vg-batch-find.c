/* SPDX-License-Identifier: MIT */
#include "app/batch/vg-batch-private.h"
#include "app/region/vg-found-region.h"
/* Regions that are not given and that the operation finds in the data. */

typedef struct
{
  void *params;
  GPtrArray *found, *outlines;
} Target;

static gboolean
set_param (gpointer data, const VgParam *param, const char *text, GPtrArray *outlines,
           GError **error)
{
  Target *target = data;

  if (outlines != NULL)
    g_ptr_array_extend_and_steal (target->outlines, g_ptr_array_ref (outlines));

  g_ptr_array_add (target->found, (gpointer) param->id);
  return vg_param_parse (param, target->params, text, error);
}

gboolean
vg_batch_find_regions (VgBatch *self, void *params, VgImage *image, GError **error)
{
  g_autoptr (GPtrArray) findings = vg_work_find (self->work, params, image, error);
  Target target = { params, g_ptr_array_new (),
                    g_ptr_array_new_with_free_func (vg_named_region_free) };
  guint n;

  g_clear_pointer (&self->found, g_ptr_array_unref);
  self->found = target.found;
  g_clear_pointer (&self->outlines, g_ptr_array_unref);
  self->outlines = target.outlines;
  if (findings == NULL || !vg_found_regions_use (&self->operation->params, findings, params,
                                                 set_param, NULL, &target, &n, error))
    return FALSE;
  if (findings->len == 0)
    vg_batch_add_note (self, g_strdup ("--find-regions had no effect, because all regions are "
                                       "given"));
  for (guint i = 0; i < findings->len; i++)
    vg_batch_add_note (self, vg_found_region_describe (findings->pdata[i],
                                                       "The region is not used. If it is right, "
                                                       "give it as a parameter.",
                                                       NULL));
  return TRUE;
}
