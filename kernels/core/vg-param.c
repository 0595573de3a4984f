/* SPDX-License-Identifier: MIT */
/* One parameter: its value as a number, whether it is shown, and its words. */
#include "kernels/core/vg-param.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>

const VgParam *
vg_params_find (const VgParamTable *table, const char *id)
{
  for (guint i = 0; i < table->n_items; i++)
    if (vg_text_same_name (table->items[i].id, id))
      return &table->items[i];
  return NULL;
}

const VgParam *
vg_params_find_label (const VgParamTable *table, const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < table->n_items; i++)
    {
      g_autofree char *label = g_ascii_strdown (
          table->items[i].label != NULL ? table->items[i].label : "", -1);

      if (vg_text_same_name (g_strdelimit (label, " ", '-'), lower))
        return &table->items[i];
    }
  return NULL;
}

const char *
vg_params_nearest (const VgParamTable *table, const char *id)
{
  g_autofree const char **names = g_new (const char *, MAX (table->n_items, 1));
  const VgParam *labelled = vg_params_find_label (table, id);

  if (labelled != NULL)
    return labelled->id;
  for (guint i = 0; i < table->n_items; i++)
    names[i] = table->items[i].id;
  return vg_text_nearest (names, table->n_items, id);
}

double
vg_param_get_number (const VgParam *param, const void *params)
{
  const char *member = (const char *) params + param->offset;

  switch (param->kind)
    {
    case VG_PARAM_INT:
    case VG_PARAM_BOOL:
    case VG_PARAM_CHOICE:
    case VG_PARAM_ACTION:
      return *(const int *) member;
    case VG_PARAM_FLOAT:
      return *(const float *) member;
    case VG_PARAM_DOUBLE:
      return *(const double *) member;
    case VG_PARAM_FILE:
    case VG_PARAM_REGION:
    case VG_PARAM_TABLE:
    default:
      return NAN;
    }
}

static int
clamp_int (const VgParam *param, double value)
{
  double min = param->min, max = param->max;

  if (param->kind == VG_PARAM_CHOICE)
    {
      min = 0;
      max = g_strv_length ((char **) param->choices) - 1;
    }
  return (int) CLAMP (rint (value), MAX (min, G_MININT), MIN (max, G_MAXINT));
}

void
vg_param_set_number (const VgParam *param, void *params, double value)
{
  char *member = (char *) params + param->offset;

  if (isnan (value))
    return;
  switch (param->kind)
    {
    case VG_PARAM_INT:
    case VG_PARAM_CHOICE:
    case VG_PARAM_ACTION:
      *(int *) member = clamp_int (param, value);
      break;
    case VG_PARAM_BOOL:
      *(gboolean *) member = value != 0;
      break;
    case VG_PARAM_FLOAT:
      *(float *) member = (float) CLAMP (value, param->min, param->max);
      break;
    case VG_PARAM_DOUBLE:
      *(double *) member = CLAMP (value, param->min, param->max);
      break;
    case VG_PARAM_FILE:
    case VG_PARAM_REGION:
    case VG_PARAM_TABLE:
    default:
      g_return_if_reached ();
    }
}

static gboolean
has_value (const VgParamTable *table, const VgCondition *condition, const void *params)
{
  const VgParam *param = condition->id != NULL ? vg_params_find (table, condition->id) : NULL;
  double value;

  if (param == NULL)
    return TRUE;
  if (param->kind == VG_PARAM_FILE || param->kind == VG_PARAM_REGION ||
      param->kind == VG_PARAM_TABLE)
    value = *(void *const *) ((const char *) params + param->offset) != NULL;
  else
    value = vg_param_get_number (param, params);
  return value >= 0 && value < 32 && (condition->values >> (int) value & 1) != 0;
}

gboolean
vg_condition_holds (const VgParamTable *table, const VgCondition *condition, const void *params)
{
  for (; condition != NULL; condition = condition->also)
    if (!has_value (table, condition, params))
      return FALSE;
  return TRUE;
}

/* DEPTH ends a circle of conditions. */
static gboolean
is_shown (const VgParamTable *table, const VgParam *param, const void *params, guint depth)
{
  if (!vg_condition_holds (table, &param->shown_when, params))
    return FALSE;
  for (const VgCondition *it = &param->shown_when; it != NULL; it = it->also)
    {
      const VgParam *other = it->id != NULL ? vg_params_find (table, it->id) : NULL;

      if (other != NULL && depth < table->n_items && !is_shown (table, other, params, depth + 1))
        return FALSE;
    }
  return TRUE;
}

gboolean
vg_param_is_shown (const VgParamTable *table, const VgParam *param, const void *params)
{
  return is_shown (table, param, params, 0);
}

char *
vg_param_option_name (const VgParam *param)
{
  return g_strdelimit (g_strdup (param->id), "_", '-');
}

static void
append_range (GString *string, double min, double max, const char *unit)
{
  vg_text_append_number (string, min);
  g_string_append (string, " to ");
  vg_text_append_number (string, max);
  if (unit != NULL && *unit != '\0')
    g_string_append_printf (string, " %s", unit);
}

static void
append_columns (GString *string, const VgParam *param)
{
  g_string_append (string, "rows of ");
  for (const VgColumn *column = param->table.columns; column->id != NULL; column++)
    {
      if (column != param->table.columns)
        g_string_append (string, ", ");
      g_string_append_printf (string, "%s (", column->id);
      append_range (string, column->min, column->max, column->unit);
      g_string_append_c (string, ')');
    }
  if (param->table.max_rows > 0)
    g_string_append_printf (string, "; at most %d rows", param->table.max_rows);
  for (const VgPreset *preset = param->table.presets; preset != NULL && preset->id != NULL;
       preset++)
    g_string_append_printf (string, "%s%s", preset == param->table.presets ? "; or one of " : ", ",
                            preset->id);
}

char *
vg_param_range_text (const VgParam *param)
{
  GString *string = g_string_new (NULL);

  switch (param->kind)
    {
    case VG_PARAM_INT:
    case VG_PARAM_FLOAT:
    case VG_PARAM_DOUBLE:
      append_range (string, param->min, param->max, param->unit);
      break;
    case VG_PARAM_BOOL:
      g_string_append (string, "true, false");
      break;
    case VG_PARAM_CHOICE:
      for (guint i = 0; param->choices[i] != NULL; i++)
        g_string_append_printf (string, "%s%s", i == 0 ? "" : ", ", param->choices[i]);
      break;
    case VG_PARAM_ACTION:
      g_string_append (string, "a count, 0 or more");
      break;
    case VG_PARAM_FILE:
      g_string_append (
          string,
          param->file.or_region ? "a file name, or a region such as rect:X,Y,W,H"
          : param->file.multiple
              ? "a file name, or several separated by ; (write \\; for a semicolon in a name)"
              : "a file name");
      break;
    case VG_PARAM_REGION:
      g_string_append (string, "rect:X,Y,W,H, ellipse:CX,CY,RX,RY or polygon:X,Y;X,Y;X,Y");
      break;
    case VG_PARAM_TABLE:
      append_columns (string, param);
      break;
    default:
      g_assert_not_reached ();
    }
  return g_string_free (string, FALSE);
}
