/* SPDX-License-Identifier: MIT */
/* What the commands share: their options and help, and the exit status of an error. */
#include "app/cli/vg-command.h"
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include "io/source/vg-read-options.h"
#include "kernels/base/vg-text.h"

static const VgOption window_options[] = {
  { "operation", "ID", "the view that opens first" },
  { "session", "FILE", "restore a saved session" },
  VG_READ_OPTIONS_OPTIONS,
  VG_SAMPLE_OPTION,
  { "backend", "auto|cpu|cuda", "where to compute" },
  { "run", "N", "number of the run to open in a file with several runs, from 1" },
  { "display", "auto|interop|host", "how maps reach the screen" },
};

const VgOption *
vg_command_window_options (guint *n)
{
  *n = G_N_ELEMENTS (window_options);
  return window_options;
}

static int
exit_status (const GError *error)
{
  if (error->domain == VG_USAGE_ERROR)
    return VG_EXIT_USAGE;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return VG_EXIT_CANCELLED;
  if (error->domain == VG_IO_ERROR)
    return error->code == VG_IO_ERROR_WRITE ? VG_EXIT_FAILED : VG_EXIT_INPUT;
  if (g_error_matches (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT))
    return VG_EXIT_INPUT;
  return VG_EXIT_FAILED;
}

int
vg_command_fail (const GError *error)
{
  g_autofree char *line = g_strdup (error->message);

  fprintf (stderr, "vivograph: %s%s\n", vg_text_clean (line),
           g_error_matches (error, VG_IO_ERROR, VG_IO_ERROR_UNKNOWN)
               ? " If it contains raw frames, give their size, such as --geometry 1392x1040:u16."
               : "");
  return exit_status (error);
}

const char **
vg_command_operation_ids (void)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);
  const char **ids = g_new0 (const char *, n + 1);

  for (guint i = 0; i < n; i++)
    ids[i] = operations[i]->id;
  return ids;
}

gboolean
vg_command_read_options (const VgArguments *arguments, const char *read_options, char **text,
                         GError **error)
{
  const char *geometry = vg_arguments_get (arguments, "geometry"),
             *sample = vg_arguments_get (arguments, "sample");
  g_auto (VgReadOptions) self = { 0 };

  if (!vg_read_options_parse (&self, read_options, error))
    return FALSE;
  if (geometry != NULL && *geometry == '\0')
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "--geometry is empty; write it like 1392x1040:u16");
      return FALSE;
    }
  if (geometry != NULL)
    {
      g_free (self.geometry);
      self.geometry = g_strdup (geometry);
    }
  if (sample != NULL)
    {
      g_free (self.sample);
      self.sample = g_strdup (sample);
    }
  for (guint i = 0; i < vg_read_options_table.n_items; i++)
    {
      const VgParam *param = &vg_read_options_table.items[i];
      g_autofree char *name = vg_param_option_name (param);
      const char *value = vg_arguments_get (arguments, name);
      gboolean is_uid = value != NULL && g_str_equal (param->id, "series") &&
                        strchr (value, '.') != NULL;

      if (is_uid && !vg_read_options_set_uid (&self, value, error))
        return FALSE;
      if (value != NULL && !is_uid && !vg_param_parse (param, &self, value, error))
        return FALSE;
    }
  *text = vg_read_options_format (&self);
  return TRUE;
}

gboolean
vg_command_set_camera (const VgArguments *arguments, const char *input, char **address,
                       GError **error)
{
  const char *settings = vg_arguments_get (arguments, "camera-set");

  if (settings == NULL || g_str_has_prefix (input, "camera:") || g_str_has_prefix (input, "test:"))
    {
      *address = settings == NULL
                     ? g_strdup (input)
                     : g_strjoin (strchr (input, '#') != NULL ? " " : "#", input, settings, NULL);
      return TRUE;
    }
  g_set_error (error, VG_USAGE_ERROR, 0,
               "--camera-set applies to cameras only, but \"%s\" is not a camera; omit the option",
               input);
  return FALSE;
}

gboolean
vg_command_parse_seconds (const char *option, const char *text, double most, double *seconds,
                          GError **error)
{
  char *end = NULL;
  g_autofree char *quoted = NULL;

  *seconds = g_ascii_strtod (text, &end);
  if (end != text && *end == '\0' && *seconds > 0 && *seconds <= most)
    return TRUE;
  quoted = vg_text_quote (text);
  g_set_error (error, VG_USAGE_ERROR, 0, "--%s is %s; give a time in seconds, above 0 and up to %g",
               option, quoted, most);
  return FALSE;
}

gboolean
vg_command_limits (const VgArguments *arguments, gint64 *max_frames, double *seconds,
                   GError **error)
{
  const char *text = vg_arguments_get (arguments, "seconds");

  *seconds = 0;
  *max_frames = 0;
  return vg_arguments_get_integer (arguments, "max-frames", 1, G_MAXINT32, max_frames, error) &&
         (text == NULL || vg_command_parse_seconds ("seconds", text, 1e9, seconds, error));
}

const VgOperation *
vg_command_find_operation (const char *id, GError **error)
{
  const VgOperation *operation = vg_operation_find (id);
  g_autofree const char **ids = NULL;
  g_autofree char *quoted = NULL, *list = NULL;
  const char *nearest;

  if (operation != NULL)
    return operation;
  ids = vg_command_operation_ids ();
  quoted = vg_text_quote (id);
  list = g_strjoinv (", ", (char **) ids);
  nearest = vg_text_nearest (ids, g_strv_length ((char **) ids), id);
  if (nearest != NULL)
    g_set_error (error, VG_USAGE_ERROR, 0, "no operation %s; did you mean %s?", quoted, nearest);
  else
    g_set_error (error, VG_USAGE_ERROR, 0, "no operation %s; there is %s", quoted, list);
  return NULL;
}

gboolean
vg_command_take_operation (const VgCommand *command, const VgArguments *arguments,
                           const VgOperation **operation, GError **error)
{
  const char *const *plain = (const char *const *) arguments->plain->pdata;

  *operation = NULL;
  if (plain[0] == NULL)
    return TRUE;
  if (plain[1] == NULL)
    return (*operation = vg_command_find_operation (plain[0], error)) != NULL;
  g_set_error (error, VG_USAGE_ERROR, 0, "%s takes one operation, or none for all", command->name);
  return FALSE;
}

void
vg_command_append_options (GString *text, const VgOption *options, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf (options[i].value == NULL ? "--%s" : "--%s %s",
                                               options[i].name, options[i].value);

      g_string_append_printf (text, "  %-32s %s\n", name, options[i].help);
    }
}

void
vg_command_help (const VgCommand *command, const VgOperation *operation)
{
  g_autoptr (GString) text = g_string_new (command->usage);

  if (operation != NULL)
    g_string_replace (text, "OPERATION", operation->id, 1);
  g_string_prepend_c (text, ' ');
  g_string_prepend (text, command->name);
  g_string_prepend (text, "Usage: vivograph ");
  g_string_append_printf (text, "\n\n%s\n", command->summary);
  if (command->n_options > 0)
    g_string_append (text, "\nOptions:\n");
  vg_command_append_options (text, command->options, command->n_options);
  if (operation != NULL)
    {
      g_string_append_printf (text, "\nParameters of %s:\n", operation->id);
      vg_describe_append_parameters (text, operation);
    }
  fputs (text->str, stdout);
}
