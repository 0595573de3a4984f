/* SPDX-License-Identifier: MIT */
/* A parameter's value as text, and back.  Every text is hostile: a message
 * gives the parameter, the text and what is allowed. */
#include "kernels/base/vg-error.h"
#include "kernels/core/vg-param.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>

/* TEXT is not what PARAM takes: says PROBLEM, a hint, and the range. */
static gboolean
refuse (const VgParam *param, const char *text, const char *problem, const char *hint,
        GError **error)
{
  g_autofree char *range = vg_param_range_text (param);
  g_autofree char *quoted = vg_text_quote (text);
  g_autofree char *question = hint != NULL ? g_strdup_printf ("; did you mean %s?", hint)
                                           : g_strdup ("");

  g_set_error (error, VG_USAGE_ERROR, 0, "%s: %s %s; give %s%s", param->id, quoted, problem, range,
               question);
  return FALSE;
}

static gboolean
read_number (const VgParam *param, const char *text, double *value, GError **error)
{
  const char *cursor = text;

  if (!vg_text_read_number (&cursor, value) || !vg_text_at_end (cursor))
    return refuse (param, text, "is not a number", NULL, error);
  if (*value < param->min || *value > param->max)
    {
      /* the nearest float of a limit may lie just beyond it */
      if (param->kind != VG_PARAM_FLOAT || (float) *value < (float) param->min ||
          (float) *value > (float) param->max)
        return refuse (param, text, "is out of range", NULL, error);
    }
  return TRUE;
}

static gboolean
parse_int (const VgParam *param, int *member, const char *text, GError **error)
{
  double value;

  if (!read_number (param, text, &value, error))
    return FALSE;
  if (value != floor (value) || value < G_MININT || value > G_MAXINT)
    return refuse (param, text, "is not a whole number", NULL, error);
  *member = (int) value;
  return TRUE;
}

static gboolean
parse_bool (const VgParam *param, gboolean *member, const char *text, GError **error)
{
  if (vg_text_read_bool (text, member))
    return TRUE;
  return refuse (param, text, "is neither true nor false", NULL, error);
}

/* FOLDED is NAME in lower case. */
static gboolean
is_folded (const char *name, const char *folded)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return vg_text_same_name (lower, folded);
}

/* A choice has an id, and a label, by which the window calls it. */
static gboolean
parse_choice (const VgParam *param, int *member, const char *text, GError **error)
{
  g_autofree char *word = g_strstrip (g_strdup (text)), *folded = g_ascii_strdown (word, -1);
  guint n = g_strv_length ((char **) param->choices);

  for (guint i = 0; i < n; i++)
    if (is_folded (param->choices[i], folded) ||
        (param->choice_labels != NULL && is_folded (param->choice_labels[i], folded)))
      {
        *member = (int) i;
        return TRUE;
      }
  return refuse (param, text, "is not one of the choices",
                 vg_text_nearest (param->choices, n, word), error);
}

static gboolean
parse_file (const VgParam *param, char **member, const char *text, GError **error)
{
  VgRegion region;

  if (param->file.or_region && vg_region_is_meant (text) && !vg_region_parse (&region, text, error))
    {
      g_prefix_error (error, "%s: ", param->id);
      return FALSE;
    }
  g_free (*member);
  *member = *text != '\0' ? g_strdup (text) : NULL;
  return TRUE;
}

static gboolean
parse_region (const VgParam *param, VgRegion **member, const char *text, GError **error)
{
  VgRegion region;
  gboolean none = vg_text_at_end (text);

  if (!none && !vg_region_parse (&region, text, error))
    {
      g_prefix_error (error, "%s: ", param->id);
      return FALSE;
    }
  g_free (*member);
  *member = none ? NULL : g_memdup2 (&region, sizeof region);
  return TRUE;
}

static gboolean
check_table (const VgParam *param, const VgTable *table, GError **error)
{
  if (param->table.max_rows > 0 && table->rows > param->table.max_rows)
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "%s: %d rows are too many; give at most %d", param->id,
                   table->rows, param->table.max_rows);
      return FALSE;
    }
  for (int i = 0; i < table->rows * table->columns; i++)
    {
      const VgColumn *column = &param->table.columns[i % table->columns];
      const char *unit = column->unit != NULL ? column->unit : "";
      char value[G_ASCII_DTOSTR_BUF_SIZE], min[G_ASCII_DTOSTR_BUF_SIZE],
          max[G_ASCII_DTOSTR_BUF_SIZE];

      if (table->values[i] >= column->min && table->values[i] <= column->max)
        continue;
      g_ascii_formatd (value, sizeof value, "%.10g", table->values[i]);
      g_ascii_formatd (min, sizeof min, "%.10g", column->min);
      g_ascii_formatd (max, sizeof max, "%.10g", column->max);
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "%s: row %d has %s %s, out of range; give %s to %s%s%s", param->id,
                   i / table->columns + 1, column->id, value, min, max, *unit != '\0' ? " " : "",
                   unit);
      return FALSE;
    }
  return TRUE;
}

static const char *
preset_text (const VgParam *param, const char *text)
{
  for (const VgPreset *preset = param->table.presets; preset != NULL && preset->id != NULL;
       preset++)
    if (vg_text_same_name (preset->id, text))
      return preset->text;
  return text;
}

gboolean
vg_param_is_preset (const VgParam *param, const char *text)
{
  return preset_text (param, text) != text;
}

/* A word where rows should stand. */
static void
refuse_preset (const VgParam *param, const char *text, GError **error)
{
  g_autofree char *quoted = vg_text_quote (text);
  GString *known = g_string_new (NULL);

  for (const VgPreset *preset = param->table.presets; preset->id != NULL; preset++)
    g_string_append_printf (known, "%s%s", preset == param->table.presets ? "" : ", ", preset->id);
  g_clear_error (error);
  g_set_error (error, VG_USAGE_ERROR, 0,
               "%s: there is no preset %s; choose %s, or give rows of numbers", param->id, quoted,
               known->str);
  g_string_free (known, TRUE);
}

static gboolean
parse_table (const VgParam *param, VgTable **member, const char *text, GError **error)
{
  VgTable *table = NULL;
  int columns = 0;

  if (!vg_text_at_end (text))
    {
      while (param->table.columns[columns].id != NULL)
        columns++;
      table = vg_table_parse (preset_text (param, text), columns, error);
      if (table == NULL)
        {
          if (param->table.presets != NULL && g_ascii_isalpha (*text))
            refuse_preset (param, text, error);
          else
            g_prefix_error (error, "%s: ", param->id);
          return FALSE;
        }
      if (!check_table (param, table, error))
        {
          vg_table_free (table);
          return FALSE;
        }
    }
  vg_table_free (*member);
  *member = table;
  return TRUE;
}

char **
vg_param_split_files (const VgParam *param, const char *text)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GString) name = g_string_new (NULL);

  for (const char *at = text;; at++)
    if (param->file.multiple && at[0] == '\\' && at[1] == ';')
      g_string_append_c (name, *++at);
    else if (*at != '\0' && (*at != ';' || !param->file.multiple))
      g_string_append_c (name, *at);
    else
      {
        if (!param->file.multiple || *g_strstrip (name->str) != '\0')
          g_strv_builder_add (names, name->str);
        g_string_truncate (name, 0);
        if (*at == '\0')
          return g_strv_builder_end (names);
      }
}

char *
vg_param_join_files (const VgParam *param, const char *const *names)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i++)
    {
      gsize from = text->len;

      g_string_append_printf (text, "%s%s", i > 0 ? ";" : "", names[i]);
      for (gsize k = from + (i > 0); param->file.multiple && k < text->len; k++)
        if (text->str[k] == ';')
          g_string_insert_c (text, (gssize) k++, '\\');
    }
  return g_string_free (text, FALSE);
}

gboolean
vg_param_parse (const VgParam *param, void *params, const char *text, GError **error)
{
  void *member = (char *) params + param->offset;
  double value;

  switch (param->kind)
    {
    case VG_PARAM_INT:
    case VG_PARAM_ACTION:
      return parse_int (param, member, text, error);
    case VG_PARAM_FLOAT:
    case VG_PARAM_DOUBLE:
      if (!read_number (param, text, &value, error))
        return FALSE;
      if (param->kind == VG_PARAM_FLOAT)
        *(float *) member = (float) value;
      else
        *(double *) member = value;
      return TRUE;
    case VG_PARAM_BOOL:
      return parse_bool (param, member, text, error);
    case VG_PARAM_CHOICE:
      return parse_choice (param, member, text, error);
    case VG_PARAM_FILE:
      return parse_file (param, member, text, error);
    case VG_PARAM_REGION:
      return parse_region (param, member, text, error);
    case VG_PARAM_TABLE:
      return parse_table (param, member, text, error);
    default:
      g_return_val_if_reached (FALSE);
    }
}

char *
vg_param_format (const VgParam *param, const void *params)
{
  const void *member = (const char *) params + param->offset;
  GString *string;

  switch (param->kind)
    {
    case VG_PARAM_BOOL:
      return g_strdup (*(const gboolean *) member ? "true" : "false");
    case VG_PARAM_CHOICE:
      return g_strdup (param->choices[*(const int *) member]);
    case VG_PARAM_FILE:
      return g_strdup (*(char *const *) member != NULL ? *(char *const *) member : "");
    case VG_PARAM_REGION:
      return *(VgRegion *const *) member != NULL ? vg_region_format (*(VgRegion *const *) member)
                                                 : g_strdup ("");
    case VG_PARAM_TABLE:
      return *(VgTable *const *) member != NULL ? vg_table_format (*(VgTable *const *) member)
                                                : g_strdup ("");
    case VG_PARAM_INT:
    case VG_PARAM_ACTION:
      return g_strdup_printf ("%d", *(const int *) member);
    case VG_PARAM_FLOAT:
      string = g_string_new (NULL);
      vg_text_append_float (string, *(const float *) member);
      return g_string_free (string, FALSE);
    case VG_PARAM_DOUBLE:
      string = g_string_new (NULL);
      vg_text_append_number (string, *(const double *) member);
      return g_string_free (string, FALSE);
    default:
      g_return_val_if_reached (NULL);
    }
}
