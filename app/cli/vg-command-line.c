/* SPDX-License-Identifier: MIT */
/* Finds the command; everything else is the commands' own. */
#include "app/cli/vg-command.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <gio/gio.h>
#include "vg-config.h"
#include "io/source/vg-read-options.h"
#include "kernels/base/vg-text.h"

static const VgCommand *const commands[] = {
  &vg_command_run,      &vg_command_demo, &vg_command_bench,
  &vg_command_describe, &vg_command_info, &vg_command_devices,
};

static const VgOption window_options[] = {
  { "operation", "ID", "the view to begin with" },
  { "session", "FILE", "restore a saved session" },
  VG_READ_OPTIONS_OPTIONS,
  { "backend", "auto|cpu|cuda", "where to compute" },
  { "run", "N", "of a file that holds several runs this one, from 1" },
  { "display", "auto|interop|host", "how maps reach the screen" },
};

const VgOption *
vg_command_window_options (guint *n)
{
  *n = G_N_ELEMENTS (window_options);
  return window_options;
}

const VgCommand *const *
vg_commands (guint *n)
{
  *n = G_N_ELEMENTS (commands);
  return commands;
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
  g_autofree char *line = g_strdelimit (g_strdup (error->message), "\r\n", ' ');

  fprintf (stderr, "vivograph: %s%s\n", line,
           g_error_matches (error, VG_IO_ERROR, VG_IO_ERROR_UNKNOWN)
               ? " If it holds bare frames, give their size, such as --geometry 1392x1040:u16."
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

char *
vg_command_read_options (const VgArguments *arguments, const char *read_options, GError **error)
{
  const char *geometry = vg_arguments_get (arguments, "geometry");
  g_auto (VgReadOptions) self = { 0 };

  if (!vg_read_options_parse (&self, read_options, error))
    return NULL;
  if (geometry != NULL && *geometry == '\0')
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "--geometry is empty; write it like 1392x1040:u16");
      return NULL;
    }
  if (geometry != NULL)
    {
      g_free (self.geometry);
      self.geometry = g_strdup (geometry);
    }
  for (guint i = 0; i < vg_read_options_table.n_items; i++)
    {
      const VgParam *param = &vg_read_options_table.items[i];
      g_autofree char *name = vg_param_option_name (param);
      const char *text = vg_arguments_get (arguments, name);

      if (text != NULL && !vg_param_parse (param, &self, text, error))
        return NULL;
    }
  return vg_read_options_format (&self);
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

static void
append_options (GString *text, const VgOption *options, guint n)
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
  append_options (text, command->options, command->n_options);
  if (operation != NULL)
    {
      g_string_append_printf (text, "\nParameters of %s:\n", operation->id);
      vg_describe_append_parameters (text, operation);
    }
  fputs (text->str, stdout);
}

static void
print_help (void)
{
  g_autoptr (GString) options = g_string_new (NULL);
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  append_options (options, window_options, G_N_ELEMENTS (window_options));
  puts ("Usage: vivograph [FILE...] [OPTION...]      the window\n"
        "       vivograph COMMAND [ARGUMENT...]\n\nCommands:");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    printf ("  %-10s %s\n", commands[i]->name, commands[i]->summary);
  puts ("\nOperations:");
  for (guint i = 0; i < n; i++)
    printf ("  %-10s %s\n", operations[i]->id, operations[i]->summary);
  printf ("\nOptions of the window:\n%s", options->str);
  puts ("  --help, --version\n\n"
        "\"vivograph COMMAND --help\" says more; \"vivograph run OPERATION --help\" lists the "
        "parameters.\n"
        "Exit status: 0 done, 1 failed, 2 bad usage, 3 unreadable input, 130 cancelled.");
}

/* A word that is no file but nearly a command would open an empty window. */
static gboolean
check_typo (const char *word)
{
  const char *names[G_N_ELEMENTS (commands)], *nearest;

  if (word[0] == '-' || g_file_test (word, G_FILE_TEST_EXISTS))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    names[i] = commands[i]->name;
  nearest = vg_text_nearest (names, G_N_ELEMENTS (names), word);
  if (nearest != NULL)
    fprintf (stderr, "vivograph: no file or command \"%s\"; did you mean %s?\n", word, nearest);
  return nearest != NULL;
}

/* Anywhere before a lone "--", as the commands take it. */
static gboolean
wants_help (char **words)
{
  for (; *words != NULL && !g_str_equal (*words, "--"); words++)
    if (g_str_equal (*words, "--help") || g_str_equal (*words, "-h"))
      return TRUE;
  return FALSE;
}

/* What was printed counts only when it got out: the disk behind > may be full. */
static int
finish_output (int status)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return status;
  fprintf (stderr,
           "vivograph: cannot write to standard output: %s; free some space, or write elsewhere\n",
           g_strerror (errno));
  return status == VG_EXIT_DONE ? VG_EXIT_FAILED : status;
}

int
vg_command_line_run (int argc, char **argv, VgDisplayBench display_bench)
{
  if (argc < 2)
    return -1;
  if (g_str_equal (argv[1], "--version"))
    {
      printf ("vivograph %s\n", VG_VERSION);
      return finish_output (VG_EXIT_DONE);
    }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (argv[1], commands[i]->name))
      return finish_output (commands[i] == &vg_command_bench
                                ? vg_bench_run (argc - 2, argv + 2, display_bench)
                                : commands[i]->run (argc - 2, argv + 2));
  if (g_str_equal (argv[1], "help") || wants_help (argv + 1))
    {
      print_help ();
      return finish_output (VG_EXIT_DONE);
    }
  return check_typo (argv[1]) ? VG_EXIT_USAGE : -1;
}
