/* SPDX-License-Identifier: MIT */
/* A params struct as a whole: defaults, deep copy, comparison. */
#include "kernels/core/vg-param.h"
#include <string.h>

static inline gpointer *
pointer_member (const VgParam *param, const void *params)
{
  return (gpointer *) ((char *) params + param->offset);
}

/* Whether the parameter's member is a pointer, which the struct owns. */
static gboolean
is_pointer (const VgParam *param)
{
  return param->kind == VG_PARAM_FILE || param->kind == VG_PARAM_REGION ||
         param->kind == VG_PARAM_TABLE;
}

static gpointer
copy_value (const VgParam *param, gconstpointer value)
{
  return param->kind == VG_PARAM_FILE     ? (gpointer) g_strdup (value)
         : param->kind == VG_PARAM_REGION ? g_memdup2 (value, sizeof (VgRegion))
                                          : (gpointer) vg_table_copy (value);
}

static void
free_value (const VgParam *param, gpointer value)
{
  if (param->kind == VG_PARAM_TABLE)
    vg_table_free (value);
  else
    g_free (value);
}

void *
vg_params_new (const VgParamTable *table)
{
  void *params = g_malloc0 (MAX (table->struct_size, 1));

  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];

      if (!is_pointer (param))
        vg_param_set_number (param, params, param->def);
      else if (param->kind == VG_PARAM_TABLE && param->table.presets != NULL &&
               param->table.presets[0].id != NULL)
        vg_param_parse (param, params, param->table.presets[0].id, NULL);
    }
  return params;
}

void *
vg_params_copy (const VgParamTable *table, const void *params)
{
  void *copy = g_memdup2 (params, MAX (table->struct_size, 1));

  for (guint i = 0; i < table->n_items; i++)
    if (is_pointer (&table->items[i]))
      {
        gpointer *member = pointer_member (&table->items[i], copy);

        *member = copy_value (&table->items[i], *member);
      }
  return copy;
}

gboolean
vg_param_is_per_dataset (const VgParam *param, const void *params)
{
  g_autofree char *text = param->file.or_region ? vg_param_format (param, params) : NULL;
  VgRegion region;

  return param->per_dataset || param->kind == VG_PARAM_REGION ||
         (text != NULL && vg_region_parse (&region, text, NULL));
}

void
vg_params_free (const VgParamTable *table, void *params)
{
  if (params == NULL)
    return;
  for (guint i = 0; i < table->n_items; i++)
    if (is_pointer (&table->items[i]))
      free_value (&table->items[i], *pointer_member (&table->items[i], params));
  g_free (params);
}

gboolean
vg_param_equal (const VgParam *param, const void *a, const void *b)
{
  gpointer *p = pointer_member (param, a), *q = pointer_member (param, b);

  if (param->kind == VG_PARAM_FILE)
    return g_strcmp0 (*p, *q) == 0;
  if (param->kind == VG_PARAM_REGION)
    return vg_region_equal (*p, *q);
  if (param->kind == VG_PARAM_TABLE)
    return vg_table_equal (*p, *q);
  return vg_param_get_number (param, a) == vg_param_get_number (param, b);
}

void
vg_param_assign (const VgParam *param, void *params, const void *from)
{
  gpointer *member = pointer_member (param, params), *source = pointer_member (param, from);

  if (vg_param_equal (param, params, from))
    return;
  if (is_pointer (param))
    {
      free_value (param, *member);
      *member = copy_value (param, *source);
    }
  else
    vg_param_set_number (param, params, vg_param_get_number (param, from));
}

gboolean
vg_params_equal (const VgParamTable *table, const void *a, const void *b)
{
  for (guint i = 0; i < table->n_items; i++)
    if (!vg_param_equal (&table->items[i], a, b))
      return FALSE;
  return TRUE;
}
