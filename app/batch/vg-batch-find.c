/* SPDX-License-Identifier: MIT */
#include "app/batch/vg-batch-private.h"
#include "app/region/vg-found-region.h"
#include "app/volume/vg-mask.h"
/* Regions that are not given and that the operation finds in the data. */

typedef struct
{
  VgBatch *batch;
  void *params;
} Target;

static gboolean
set_param (gpointer data, const VgParam *param, const char *text, GPtrArray *outlines,
           GError **error)
{
  Target *target = data;

  if (outlines != NULL)
    g_ptr_array_extend_and_steal (target->batch->outlines, g_ptr_array_ref (outlines));
  g_ptr_array_add (target->batch->found, (gpointer) param->id);
  return vg_param_parse (param, target->params, text, error);
}

/* The mask is a result, such as "liver.nii.gz".  The work gets it from memory, so that a run needs
 * no other folder, and its summary names the file beside it. */
static char *
keep_mask (gpointer data, const VgParam *param, VgImage *image, GError **error)
{
  VgBatch *self = ((Target *) data)->batch;
  g_autofree char *lower = g_ascii_strdown (param->label, -1),
                  *file = g_strconcat (g_strdelimit (lower, " ", '-'), ".nii.gz", NULL),
                  *name = g_strconcat (self->prefix, file, NULL), *path = NULL;
  g_autoptr (VgMask) mask = NULL;

  if (self->staging != NULL)
    {
      mask = vg_mask_new_from_image (image, error);
      path = mask != NULL ? vg_staging_path (self->staging, name, error) : NULL;
      if (path == NULL || !vg_mask_save (mask, &image->info, path, error))
        return NULL;
    }
  vg_work_give_file (self->work, param, file, image);
  return g_steal_pointer (&file);
}

void
vg_batch_forget_found (VgBatch *self)
{
  const VgParamTable *table = &self->operation->params;

  for (guint i = 0; self->found != NULL && i < self->found->len; i++)
    vg_work_give_file (self->work, vg_params_find (table, self->found->pdata[i]), NULL, NULL);
  g_clear_pointer (&self->found, g_ptr_array_unref);
  g_clear_pointer (&self->outlines, g_ptr_array_unref);
}

gboolean
vg_batch_find_regions (VgBatch *self, void *params, VgImage *image, GError **error)
{
  g_autoptr (GPtrArray) findings = vg_work_find (self->work, params, image, error);
  Target target = { self, params };
  const VgFoundRegionUser user = { set_param, NULL, keep_mask, &target };
  guint n;

  vg_batch_forget_found (self);
  self->found = g_ptr_array_new ();
  self->outlines = g_ptr_array_new_with_free_func (vg_named_region_free);
  if (findings == NULL ||
      !vg_found_regions_use (&self->operation->params, findings, params, &user, &n, error))
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
