/* SPDX-License-Identifier: MIT */
/* The text is English in every language of the window, as papers are. */
#include "app/export/vg-methods-text.h"
#include "vg-config.h"

enum { MOST_ROWS = 4 }; /* of a table that is written out */

static char *
format_table (const VgParam *param, const void *params)
{
  const VgTable *table = *(VgTable *const *) ((const char *) params + param->offset);
  g_autoptr (GString) text = g_string_new (NULL);

  if (table == NULL || table->rows == 0)
    return g_strdup ("none");
  if (table->rows > MOST_ROWS)
    return g_strdup_printf ("%d rows", table->rows);
  for (int row = 0; row < table->rows; row++)
    for (int column = 0; column < table->columns; column++)
      {
        const VgColumn *spec = &param->table.columns[column];
        char number[G_ASCII_DTOSTR_BUF_SIZE];

        g_ascii_formatd (number, sizeof number, "%.7g",
                         table->values[row * table->columns + column]);
        g_string_append_printf (text, "%s%s %s%s%s",
                                column > 0 ? ", "
                                : row > 0  ? "; "
                                           : "",
                                spec->symbol != NULL ? spec->symbol : spec->id, number,
                                spec->unit != NULL && *spec->unit != '\0' ? " " : "",
                                spec->unit != NULL ? spec->unit : "");
      }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
format_number (const VgParam *param, const void *params)
{
  g_autofree char *text = vg_param_format (param, params);

  if (vg_param_get_number (param, params) == 0.0 && param->zero != NULL)
    return g_ascii_strdown (param->zero, -1);
  if (vg_param_get_number (param, params) == 0.0 && param->auto_metric != NULL)
    return g_strdup ("automatic");
  if (param->unit == NULL || *param->unit == '\0')
    return g_steal_pointer (&text);
  return g_strdup_printf ("%s %s", text, param->unit);
}

char *
vg_methods_text_value (const VgParam *param, const void *params)
{
  g_autofree char *text = vg_param_format (param, params);
  int choice;

  switch (param->kind)
    {
    case VG_PARAM_INT:
    case VG_PARAM_FLOAT:
    case VG_PARAM_DOUBLE:
    case VG_PARAM_ACTION:
      return format_number (param, params);
    case VG_PARAM_BOOL:
      return g_strdup (vg_param_get_number (param, params) != 0.0 ? "on" : "off");
    case VG_PARAM_CHOICE:
      choice = (int) vg_param_get_number (param, params);
      return g_strdup (param->choice_labels != NULL ? param->choice_labels[choice] : text);
    case VG_PARAM_TABLE:
      return format_table (param, params);
    case VG_PARAM_FILE:
    case VG_PARAM_REGION:
      break;
    }
  if (*text == '\0')
    return g_strdup ("none");
  return g_file_test (text, G_FILE_TEST_EXISTS) ? g_path_get_basename (text)
                                                : g_steal_pointer (&text);
}

gboolean
vg_methods_text_tells (const VgOperation *operation, const VgParam *param, const void *params)
{
  return param->kind != VG_PARAM_ACTION && g_strcmp0 (param->id, operation->view.step_param) != 0 &&
         vg_param_is_shown (&operation->params, param, params);
}

GPtrArray *
vg_methods_text_references (const VgOperation *operation, const void *params)
{
  GPtrArray *references = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (references, g_strdup (operation->citation));
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      void *preset = NULL;

      if (param->table.presets == NULL || !vg_param_is_shown (&operation->params, param, params))
        continue;
      preset = vg_params_copy (&operation->params, params);
      for (const VgPreset *row = param->table.presets; row->id != NULL; row++)
        if (row->source != NULL && vg_param_parse (param, preset, row->id, NULL) &&
            vg_param_equal (param, preset, params) &&
            !g_ptr_array_find_with_equal_func (references, row->source, g_str_equal, NULL))
          g_ptr_array_add (references, g_strdup (row->source));
      vg_params_free (&operation->params, preset);
    }
  return references;
}

/* The usual settings, and the others where they are not the defaults. */
static void
add_settings (GString *text, const VgOperation *operation, const void *params)
{
  void *defaults = vg_params_new (&operation->params);
  gboolean first = TRUE;

  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      g_autofree char *value = NULL;

      if (!vg_methods_text_tells (operation, param, params) ||
          (vg_param_equal (param, params, defaults) &&
           (param->advanced || vg_param_is_per_dataset (param, params) ||
            param->kind == VG_PARAM_FILE || param->kind == VG_PARAM_REGION)))
        continue;
      value = vg_methods_text_value (param, params);
      g_string_append_printf (text, "%s%s: %s", first ? " Settings: " : "; ", param->label, value);
      first = FALSE;
    }
  g_string_append (text, first ? " All settings had their defaults."
                               : "; all other settings had their defaults.");
  vg_params_free (&operation->params, defaults);
}

static void
add_inputs (GString *text, VgSession *session)
{
  const char *const *inputs = vg_session_get_inputs (session);
  const char *read_options = vg_session_get_read_options (session);

  if (inputs[0] != NULL)
    g_string_append (text, " from ");
  for (guint i = 0; i < 3 && inputs[i] != NULL; i++)
    {
      g_autofree char *name = g_path_get_basename (inputs[i]),
                      *valid = g_utf8_make_valid (name, -1);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", valid);
    }
  if (g_strv_length ((char **) inputs) > 3)
    g_string_append_printf (text, " and %u more files", g_strv_length ((char **) inputs) - 3);
  if (inputs[0] != NULL && read_options != NULL)
    g_string_append_printf (text, " (read with %s)", read_options);
}

char *
vg_methods_text_new (VgSession *session, const char *device)
{
  const VgOperation *operation = vg_session_get_operation (session);
  const void *params = vg_session_get_params (session);
  g_autoptr (GPtrArray) references = vg_methods_text_references (operation, params);
  g_autofree char *title = g_ascii_strdown (operation->title, -1);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "Maps of %s were computed", title);
  add_inputs (text, session);
  g_string_append (text, " with Vivograph " VG_VERSION);
  if (device != NULL)
    g_string_append_printf (text, " (%s)", device);
  g_string_append_c (text, '.');
  add_settings (text, operation, params);
  g_string_append (text, references->len > 1 ? " References: " : " Reference: ");
  for (guint i = 0; i < references->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", (char *) references->pdata[i]);
  g_string_append (text, ".");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What changes the results most comes first: choices, then what differs from its default. */
static void
list_settings (GString *text, const VgOperation *operation, const void *params,
               const void *defaults, gboolean first)
{
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      g_autofree char *value = NULL, *usual = NULL, *plain = vg_param_format (param, params);
      VgRegion region;

      if (!vg_methods_text_tells (operation, param, params))
        continue;
      value = vg_methods_text_value (param, params);
      usual = vg_methods_text_value (param, defaults);
      if ((param->kind == VG_PARAM_CHOICE || !g_str_equal (value, usual)) != first)
        continue;
      if (param->kind == VG_PARAM_FILE && *plain != '\0')
        {
          g_free (value);
          value = g_strdup (vg_region_parse (&region, plain, NULL) ? "a region" : "a file");
        }
      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "; " : "", param->label, value);
    }
}

char *
vg_methods_text_settings (const VgOperation *operation, const void *params)
{
  void *defaults = vg_params_new (&operation->params);
  GString *text = g_string_new (NULL);

  list_settings (text, operation, params, defaults, TRUE);
  list_settings (text, operation, params, defaults, FALSE);
  vg_params_free (&operation->params, defaults);
  return g_string_free (text, FALSE);
}
