/* SPDX-License-Identifier: MIT */
/* The manual page, from the tables that --help is made of. */
#include "app/cli/vg-command.h"
#include "vg-config.h"

/* What troff would take for its own: hyphens are to be searched for as typed. */
static void
append (GString *page, const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    switch (*c)
      {
      case '\\':
        g_string_append (page, "\\e");
        break;
      case '-':
        g_string_append (page, "\\-");
        break;
      case '.':
      case '\'':
        if (c == text)
          g_string_append (page, "\\&");
        G_GNUC_FALLTHROUGH;
      default:
        g_string_append_c (page, *c);
      }
}

/* NAME, with the VALUE that it takes or NULL, and a paragraph. */
static void
append_item (GString *page, const char *name, const char *value, const char *text)
{
  g_string_append (page, ".TP\n\\fB");
  append (page, name);
  g_string_append (page, "\\fR");
  if (value != NULL)
    {
      g_string_append (page, " \\fI");
      append (page, value);
      g_string_append (page, "\\fR");
    }
  g_string_append_c (page, '\n');
  append (page, text);
  g_string_append_c (page, '\n');
}

static void
append_options (GString *page, const VgOption *options, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strconcat ("--", options[i].name, NULL);

      append_item (page, name, options[i].value, options[i].help);
    }
}

static void
append_command (GString *page, const VgCommand *command)
{
  g_string_append (page, ".SS vivograph ");
  append (page, command->name);
  g_string_append_c (page, ' ');
  append (page, command->usage);
  g_string_append_c (page, '\n');
  append (page, command->summary);
  g_string_append_c (page, '\n');
  append_options (page, command->options, command->n_options);
}

char *
vg_describe_man (void)
{
  static const char *const exits[][2] = { { "0", "done" },
                                          { "1", "failed" },
                                          { "2", "bad usage" },
                                          { "3", "unreadable input" },
                                          { "130", "cancelled" } };
  GString *page = g_string_new (".\\\" Made from the program's tables by scripts/update-docs.\n");
  guint n_commands, n_operations, n_options;
  const VgCommand *const *commands = vg_commands (&n_commands);
  const VgOperation *const *operations = vg_operations (&n_operations);
  const VgOption *options = vg_command_window_options (&n_options);

  g_string_append_printf (page, ".TH VIVOGRAPH 1 \"\" \"Vivograph %s\" \"User Commands\"\n",
                          VG_VERSION);
  g_string_append (page,
                   ".SH NAME\nvivograph \\- GPU imaging of living tissue\n"
                   ".SH SYNOPSIS\n.B vivograph\n[\\fIFILE\\fR...] [\\fIOPTION\\fR...]\n.br\n.B "
                   "vivograph\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n"
                   ".SH DESCRIPTION\nWithout a command the window opens, with the files in the "
                   "view that accepts them.\n"
                   "Settings of the view are options too: \\fBvivograph\\fR \\fIFILE\\fR "
                   "\\fB\\-\\-operation flow \\-\\-radius 3\\fR.\n"
                   "The commands do the same without a window.\n"
                   ".SH OPTIONS OF THE WINDOW\n");
  append_options (page, options, n_options);
  g_string_append (
      page, ".SH COMMANDS\n\\fBvivograph\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR says the same;\n"
            "\\fBvivograph run\\fR \\fIOPERATION\\fR \\fB\\-\\-help\\fR lists the parameters of an "
            "operation.\n");
  for (guint i = 0; i < n_commands; i++)
    append_command (page, commands[i]);
  g_string_append (page, ".SH OPERATIONS\n");
  for (guint i = 0; i < n_operations; i++)
    append_item (page, operations[i]->id, NULL, operations[i]->summary);
  g_string_append (page, ".SH EXIT STATUS\n");
  for (guint i = 0; i < G_N_ELEMENTS (exits); i++)
    append_item (page, exits[i][0], NULL, exits[i][1]);
  g_string_append (page, ".SH FILES\n.TP\n.I $XDG_CONFIG_HOME/vivograph\nPreferences, and the "
                         "session that the last window closed with.\n");
  return g_string_free (page, FALSE);
}
