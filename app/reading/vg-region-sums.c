/* SPDX-License-Identifier: MIT */
#include "app/reading/vg-region-sums.h"
#include <math.h>
#include "app/reading/vg-reading.h"
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-group.h"

static void
sum_free (gpointer data)
{
  VgRegionSum *self = data;

  g_free (self->name);
  vg_curves_free (self->curves);
  g_array_unref (self->members);
  g_free (self->values);
  g_free (self->errors);
  g_free (self);
}

/* CURVES are taken. */
static VgRegionSum *
sum_new (VgWork *work, const VgNamedRegion *const *regions, const VgRegionGroup *group,
         VgCurves *curves)
{
  const VgOperation *operation = vg_work_get_operation (work);
  VgRegionSum *self = g_new (VgRegionSum, 1);

  self->name = vg_region_file_label (regions[g_array_index (group->members, guint, 0)]);
  self->members = g_array_ref (group->members);
  self->curves = curves;
  self->values = g_new (double, operation->n_outputs);
  self->errors = g_new (double, operation->n_outputs);
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      int error = vg_reading_find_error (work, i);

      self->values[i] = (double) curves->outputs[i];
      self->errors[i] = error >= 0
                            ? vg_reading_convert_error (work, i, (guint) error, self->values[i],
                                                        (double) curves->outputs[error])
                            : (double) NAN;
    }
  return self;
}

GPtrArray *
vg_region_sums_new (VgWork *work, const VgNamedRegion *const *regions, GError **error)
{
  const VgEngineCurves *curves = vg_work_get_operation (work)->cpu->curves;
  g_autoptr (GPtrArray)
      sums = g_ptr_array_new_with_free_func (sum_free),
      groups = vg_region_groups_new (regions, curves != NULL && curves->sample_regions != NULL);
  GError *local = NULL;

  for (guint g = 0; g < MIN (groups->len, VG_REGION_SUMS_MOST) && local == NULL; g++)
    {
      const VgRegionGroup *group = groups->pdata[g];
      const VgRegion *const *parts = (const VgRegion *const *) group->parts->pdata;
      g_autoptr (VgCurves)
          sum = group->parts->len > 1
                    ? vg_work_sample_regions (work, parts, group->parts->len, &local)
                    : vg_work_sample_region (work, parts[0], &local);

      if (sum != NULL && sum->outputs != NULL)
        g_ptr_array_add (sums, sum_new (work, regions, group, g_steal_pointer (&sum)));
    }
  if (local == NULL)
    return g_steal_pointer (&sums);
  g_propagate_error (error, local);
  return NULL;
}

gboolean
vg_region_sums_keep (VgReference *self, VgWork *work, const VgNamedRegion *const *regions,
                     GError **error)
{
  GPtrArray *sums = vg_region_sums_new (work, regions, error);

  if (sums != NULL)
    vg_reference_set_sums (self, sums);
  return sums != NULL;
}

void
vg_region_sums_find_kept (const VgReference *kept, const char *id, const char *unit,
                          const char *name, VgRegionFitted *fitted)
{
  const GPtrArray *sums = kept != NULL ? vg_reference_get_sums (kept) : NULL;
  int i = sums != NULL ? vg_operation_find_output (vg_reference_get_operation (kept), id) : -1;

  fitted->kept = fitted->kept_error = NAN;
  if (i < 0 || g_strcmp0 (vg_reference_get_unit (kept, (guint) i), unit) != 0)
    return;
  for (guint k = 0; k < sums->len; k++)
    {
      const VgRegionSum *sum = sums->pdata[k];

      if (!g_str_equal (sum->name, name))
        continue;
      fitted->kept = sum->values[i];
      fitted->kept_error = sum->errors[i];
      return;
    }
}

GArray *
vg_region_sums_list (VgWork *work, guint i, const VgNamedRegion *const *regions,
                     const VgReference *kept, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  g_autoptr (GPtrArray) sums = vg_region_sums_new (work, regions, error);
  const VgRegionFitted none = { NAN, NAN, NAN, NAN };
  GArray *rows;

  if (sums == NULL)
    return NULL;
  rows = g_array_new (FALSE, FALSE, sizeof (VgRegionFitted));
  for (guint n = 0; regions != NULL && regions[n] != NULL; n++)
    g_array_append_val (rows, none);
  for (guint k = 0; k < sums->len; k++)
    {
      const VgRegionSum *sum = sums->pdata[k];
      VgRegionFitted fitted = { .value = sum->values[i], .error = sum->errors[i] };

      vg_region_sums_find_kept (kept, operation->outputs[i].id,
                                vg_operation_output_unit (operation, i, vg_work_get_params (work)),
                                sum->name, &fitted);
      for (guint m = 0; m < sum->members->len; m++)
        g_array_index (rows, VgRegionFitted, g_array_index (sum->members, guint, m)) = fitted;
    }
  return rows;
}

double
vg_region_fitted_get_error (const VgRegionFitted *fitted)
{
  return hypot (fitted->error, fitted->kept_error);
}
