/* SPDX-License-Identifier: MIT */
/* Options come from two tables, the command's and the operation's, so GOption
 * with its fixed entries and its own words for errors does not fit. */
#include "app/cli/vg-arguments.h"
#include <errno.h>
#include <string.h>
#include "kernels/base/vg-text.h"

static void
clear_setting (gpointer data)
{
  g_free (((VgSetting *) data)->text);
}

void
vg_arguments_free (VgArguments *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_options; i++)
    g_strfreev (self->values[i]);
  g_free (self->values);
  g_ptr_array_unref (self->plain);
  g_array_unref (self->settings);
  g_free (self);
}

static int
find_option (const VgOption *options, guint n, const char *name)
{
  for (guint i = 0; i < n; i++)
    if (vg_text_same_name (options[i].name, name))
      return (int) i;
  return -1;
}

static void
set_unknown_error (const VgArguments *self, const VgParamTable *table, const char *name,
                   GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *quoted = g_strdup_printf ("--%s", name);
  const VgParam *labelled = table != NULL ? vg_params_find_label (table, name) : NULL;
  const char *nearest;

  if (labelled != NULL)
    g_ptr_array_add (names, vg_param_option_name (labelled));
  for (guint i = 0; i < self->n_options; i++)
    g_ptr_array_add (names, g_strdup (self->options[i].name));
  for (guint i = 0; table != NULL && i < table->n_items; i++)
    g_ptr_array_add (names, vg_param_option_name (&table->items[i]));
  nearest = labelled != NULL
                ? names->pdata[0]
                : vg_text_nearest ((const char *const *) names->pdata, names->len, name);
  if (nearest != NULL)
    g_set_error (error, VG_USAGE_ERROR, 0, "unknown option %s; did you mean --%s?", quoted,
                 nearest);
  else
    g_set_error (error, VG_USAGE_ERROR, 0, "unknown option %s; --help lists all", quoted);
}

/* The value after "=", or the next argument; NULL: none. */
static const char *
take_value (const char *inline_value, int argc, char **argv, int *i)
{
  if (inline_value != NULL)
    return inline_value;
  if (*i + 1 >= argc || g_str_has_prefix (argv[*i + 1], "--"))
    return NULL;
  return argv[++*i];
}

static gboolean
add_setting (VgArguments *self, const VgParam *param, const char *inline_value, int argc,
             char **argv, int *i, GError **error)
{
  VgSetting setting = { .param = param };
  const char *value;
  gboolean on;

  /* a bare boolean is on: what follows may be a file */
  if (param->kind == VG_PARAM_BOOL && inline_value == NULL &&
      (*i + 1 >= argc || !vg_text_read_bool (argv[*i + 1], &on)))
    value = "on";
  else
    value = take_value (inline_value, argc, argv, i);
  if (value == NULL)
    {
      g_autofree char *name = vg_param_option_name (param), *range = vg_param_range_text (param);

      g_set_error (error, VG_USAGE_ERROR, 0, "--%s needs a value: %s", name, range);
      return FALSE;
    }
  setting.text = g_strdup (value);
  g_array_append_val (self->settings, setting);
  return TRUE;
}

static gboolean
add_option (VgArguments *self, int option, const char *inline_value, int argc, char **argv, int *i,
            GError **error)
{
  const VgOption *spec = &self->options[option];
  const char *value = "";
  guint n;

  if (spec->value == NULL && inline_value != NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "--%s takes no value", spec->name);
      return FALSE;
    }
  if (spec->value != NULL)
    value = take_value (inline_value, argc, argv, i);
  if (value == NULL || (spec->value != NULL && *value == '\0'))
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "--%s needs a value: %s", spec->name, spec->value);
      return FALSE;
    }
  n = self->values[option] != NULL ? g_strv_length (self->values[option]) : 0;
  self->values[option] = g_renew (char *, self->values[option], n + 2);
  self->values[option][n] = g_strdup (value);
  self->values[option][n + 1] = NULL;
  return TRUE;
}

static gboolean
add_long (VgArguments *self, const VgParamTable *table, int argc, char **argv, int *i,
          GError **error)
{
  g_auto (GStrv) parts = g_strsplit (argv[*i] + 2, "=", 2);
  const char *inline_value = parts[1];
  const VgParam *param = table == NULL ? NULL : vg_params_find (table, parts[0]);
  int option = find_option (self->options, self->n_options, parts[0]);

  if (param != NULL)
    return add_setting (self, param, inline_value, argc, argv, i, error);
  if (option >= 0)
    return add_option (self, option, inline_value, argc, argv, i, error);
  if (g_str_equal (parts[0], "help"))
    return self->help = TRUE;
  set_unknown_error (self, table, parts[0], error);
  return FALSE;
}

VgArguments *
vg_arguments_parse (int argc, char **argv, const VgOption *options, guint n_options,
                    const VgParamTable *table, GError **error)
{
  g_autoptr (VgArguments) self = g_new0 (VgArguments, 1);
  gboolean ended = FALSE;

  self->options = options;
  self->n_options = n_options;
  self->values = g_new0 (char **, MAX (n_options, 1));
  self->plain = g_ptr_array_new_with_free_func (g_free);
  self->settings = g_array_new (FALSE, TRUE, sizeof (VgSetting));
  g_array_set_clear_func (self->settings, clear_setting);
  for (int i = 0; i < argc; i++)
    {
      if (ended || argv[i][0] != '-' || argv[i][1] == '\0')
        g_ptr_array_add (self->plain, g_strdup (argv[i]));
      else if (g_str_equal (argv[i], "--"))
        ended = TRUE;
      else if (g_str_equal (argv[i], "-h"))
        self->help = TRUE;
      else if (argv[i][1] != '-')
        {
          g_set_error (error, VG_USAGE_ERROR, 0,
                       "unknown option %s; options begin with --, and a file whose name begins "
                       "with - comes after --",
                       argv[i]);
          return NULL;
        }
      else if (!add_long (self, table, argc, argv, &i, error))
        return NULL;
    }
  g_ptr_array_add (self->plain, NULL);
  return g_steal_pointer (&self);
}

const char *const *
vg_arguments_get_all (const VgArguments *self, const char *option)
{
  int i = find_option (self->options, self->n_options, option);

  return i < 0 ? NULL : (const char *const *) self->values[i];
}

const char *
vg_arguments_get (const VgArguments *self, const char *option)
{
  const char *const *values = vg_arguments_get_all (self, option);

  return values == NULL ? NULL : values[g_strv_length ((char **) values) - 1];
}

gboolean
vg_arguments_get_integer (const VgArguments *self, const char *option, gint64 min, gint64 max,
                          gint64 *value, GError **error)
{
  const char *text = vg_arguments_get (self, option);
  gint64 number;
  char *end;

  if (text == NULL)
    return TRUE;
  errno = 0;
  number = g_ascii_strtoll (text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || number < min || number > max)
    {
      g_autofree char *quoted = vg_text_quote (text);

      g_set_error (error, VG_USAGE_ERROR, 0,
                   "--%s is %s; it must be a whole number from %" G_GINT64_FORMAT
                   " to %" G_GINT64_FORMAT,
                   option, quoted, min, max);
      return FALSE;
    }
  *value = number;
  return TRUE;
}

int
vg_arguments_first_plain (int argc, char **argv, const VgOption *options, guint n_options,
                          const char *const *names)
{
  for (int i = 0; i < argc; i++)
    {
      int option;

      if (argv[i][0] != '-' || argv[i][1] == '\0')
        return i;
      if (g_str_equal (argv[i], "--"))
        return i + 1 < argc ? i + 1 : -1;
      if (strchr (argv[i], '=') != NULL || argv[i][1] != '-')
        continue;
      option = find_option (options, n_options, argv[i] + 2);
      if (option >= 0 ? options[option].value != NULL
                      : i + 1 < argc && !g_str_equal (argv[i], "--help") &&
                            !g_strv_contains (names, argv[i + 1]))
        i++;
    }
  return -1;
}
