/* SPDX-License-Identifier: MIT */
/* The one file that knows both the command line and the window. */
#include <locale.h>
#include <signal.h>
#include <string.h>
#include "ui/window/vg-application.h"
#include "ui/words/vg-translation.h"
#include "app/cli/vg-arguments.h"
#include "app/cli/vg-command.h"
#include "app/provenance/vg-commit.h"
#include "kernels/base/vg-memory.h"
#include "render/vg-renderer.h"
#include "vg-build-commit.h"

static gboolean
parse_display (const char *text, int *path, GError **error)
{
  static const char *const names[] = {
    [VG_DISPLAY_AUTO] = "auto", [VG_DISPLAY_INTEROP] = "interop", [VG_DISPLAY_HOST] = "host"
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (text, names[i]))
      {
        *path = (int) i;
        return TRUE;
      }
  g_set_error (error, VG_USAGE_ERROR, 0, "--display is \"%s\"; choose auto, interop or host", text);
  return FALSE;
}

static gboolean
parse_options (const VgArguments *arguments, VgApplicationOptions *options, GError **error)
{
  const char *backend = vg_arguments_get (arguments, "backend"),
             *display = vg_arguments_get (arguments, "display");
  gint64 run = 0;

  options->session = vg_arguments_get (arguments, "session");
  options->operation = vg_arguments_get (arguments, "operation");
  if (options->operation != NULL && vg_operation_find (options->operation) == NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "no operation \"%s\"; vivograph describe lists all",
                   options->operation);
      return FALSE;
    }
  if (!vg_arguments_get_integer (arguments, "run", 1, 1000000, &run, error))
    return FALSE;
  options->run = (int) run;
  return (backend == NULL || vg_backend_parse (backend, &options->backend, error)) &&
         (display == NULL || parse_display (display, &options->display_path, error));
}

/* The words with settings of the one operation that has all of them, which is named or implied.
 * NULL and an error. */
static VgArguments *
parse_settings (int argc, char **argv, const VgOperation **operation, GError **error)
{
  guint n_options, n, found = 0;
  const VgOption *options = vg_command_window_options (&n_options);
  const VgOperation *const *operations = vg_operations (&n);
  g_autoptr (VgArguments) arguments = NULL;
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (VgArguments)
          words = vg_arguments_parse (argc, argv, options, n_options, &operations[i]->params, NULL);
      const char *named = words != NULL ? vg_arguments_get (words, "operation") : NULL;

      if (words == NULL || (named != NULL && !g_str_equal (named, operations[i]->id)))
        continue;
      g_string_append_printf (ids, "%s%s", found++ > 0 ? ", " : "", operations[i]->id);
      *operation = operations[i];
      g_clear_pointer (&arguments, vg_arguments_free);
      arguments = g_steal_pointer (&words);
    }
  if (found == 1)
    return g_steal_pointer (&arguments);
  if (found == 0)
    return vg_arguments_parse (argc, argv, options, n_options, NULL, error); /* why not */
  g_set_error (error, VG_USAGE_ERROR, 0,
               "these settings exist in several views; name one with --operation, such as %s",
               ids->str);
  return NULL;
}

/* The settings in ARGUMENTS as "id=value", each a valid one; NULL and an error. */
static char **
list_settings (const VgArguments *arguments, const VgOperation *operation, GError **error)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  void *params = vg_params_new (&operation->params);
  gboolean valid = TRUE;

  for (guint i = 0; valid && i < arguments->settings->len; i++)
    {
      const VgSetting *it = &g_array_index (arguments->settings, VgSetting, i);
      g_autofree char *text = g_strdup_printf ("%s=%s", it->param->id, it->text);

      valid = vg_param_parse (it->param, params, it->text, error);
      g_strv_builder_add (list, text);
    }
  vg_params_free (&operation->params, params);
  if (valid && (vg_arguments_get (arguments, "session") || vg_arguments_get (arguments, "run")))
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "--session and --run have settings of their own; omit them, or the settings");
      valid = FALSE;
    }
  return valid ? g_strv_builder_end (list) : NULL;
}

/* The window on the files that are named. */
static int
open_window (int argc, char **argv)
{
  VgApplicationOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *read_options = NULL;
  guint n;
  const VgOption *window_options = vg_command_window_options (&n);
  g_autoptr (VgArguments)
      arguments = vg_arguments_parse (argc - 1, argv + 1, window_options, n, NULL, NULL);
  const VgOperation *operation = NULL;
  g_auto (GStrv) settings = NULL;

  /* the window stays open for long, and what seeds take for a moment was held until its end */
  vg_memory_return_planes ();
  if (arguments == NULL)
    arguments = parse_settings (argc - 1, argv + 1, &operation, &error);
  if (arguments == NULL || !vg_command_read_options (arguments, NULL, &read_options, &error) ||
      !parse_options (arguments, &options, &error) ||
      (operation != NULL && (settings = list_settings (arguments, operation, &error)) == NULL))
    {
      g_printerr ("vivograph: %s\n", error->message);
      return VG_EXIT_USAGE;
    }
  if (operation != NULL)
    options.operation = operation->id;
  options.settings = (const char *const *) settings;
  options.read_options = read_options;
  options.files = (const char *const *) arguments->plain->pdata;
  return vg_application_run (&options);
}

int
main (int argc, char **argv)
{
  int status;

  setlocale (LC_ALL, "");
  /* Files and entries have a decimal point in every language. */
  setlocale (LC_NUMERIC, "C");
  vg_translation_init ();
  vg_commit_set (VG_BUILD_COMMIT);
  /* a file at its size limit is an error of writing, as on a full disk */
  signal (SIGXFSZ, SIG_IGN);
  status = vg_command_line_run (argc, argv, vg_render_bench);
  return status >= 0 ? status : open_window (argc, argv);
}
