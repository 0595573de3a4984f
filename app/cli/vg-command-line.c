/* SPDX-License-Identifier: MIT */
/* Finds the command that the command line names, or prints the help of the program. */
#include "app/cli/vg-command.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "vg-config.h"
#include "kernels/base/vg-text.h"

static const VgCommand *const commands[] = {
  &vg_command_run,  &vg_command_demo,    &vg_command_bench,  &vg_command_describe,
  &vg_command_info, &vg_command_devices, &vg_command_record,
};

const VgCommand *const *
vg_commands (guint *n)
{
  *n = G_N_ELEMENTS (commands);
  return commands;
}

static void
print_help (void)
{
  g_autoptr (GString) options = g_string_new (NULL);
  guint n, n_options;
  const VgOperation *const *operations = vg_operations (&n);
  const VgOption *window_options = vg_command_window_options (&n_options);

  vg_command_append_options (options, window_options, n_options);
  puts ("Usage: vivograph [FILE...] [OPTION...]      the window\n"
        "       vivograph COMMAND [ARGUMENT...]\n\nCommands:");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    printf ("  %-10s %s\n", commands[i]->name, commands[i]->summary);
  puts ("\nOperations:");
  for (guint i = 0; i < n; i++)
    printf ("  %-10s %s\n", operations[i]->id, operations[i]->summary);
  printf ("\nOptions of the window:\n%s", options->str);
  puts ("  --help, --version\n\n"
        "Settings of a view are options too, such as \"vivograph FILE --operation flow --radius "
        "3\".\n"
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

/* Parses the arguments of COMMAND and prints what they ask for, or its help. */
static int
print (const VgCommand *command, int argc, char **argv, VgDisplayBench display_bench)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgArguments) arguments = vg_arguments_parse (argc, argv, command->options,
                                                          command->n_options, NULL, &error);

  if (arguments != NULL && arguments->help)
    vg_command_help (command, NULL);
  else if (arguments == NULL || !command->print (arguments, display_bench, &error))
    return vg_command_fail (error);
  return VG_EXIT_DONE;
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
      return finish_output (commands[i]->print != NULL
                                ? print (commands[i], argc - 2, argv + 2, display_bench)
                                : commands[i]->run (argc - 2, argv + 2));
  if (g_str_equal (argv[1], "help") || wants_help (argv + 1))
    {
      print_help ();
      return finish_output (VG_EXIT_DONE);
    }
  return check_typo (argv[1]) ? VG_EXIT_USAGE : -1;
}
