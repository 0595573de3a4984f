/* SPDX-License-Identifier: MIT */
/* `describe`: the tables of one operation, or of all. */
#include <stdio.h>
#include "app/cli/vg-command.h"
#include "kernels/base/vg-text.h"

static const VgOption options[] = {
  { "format", "text|md|json|man",
    "text (the default), the Markdown of docs/operations, JSON, or the manual page of the "
    "program" },
};

static char *
describe_one (const VgOperation *operation, const char *format)
{
  return g_str_equal (format, "md")     ? vg_describe_markdown (operation)
         : g_str_equal (format, "json") ? vg_describe_json (operation)
                                        : vg_describe_text (operation);
}

static void
describe_all (const char *format)
{
  gboolean json = g_str_equal (format, "json");
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  if (json)
    fputs ("[\n", stdout);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = describe_one (operations[i], format);

      printf ("%s%s", text, i + 1 == n ? "" : json ? ",\n" : "\n");
    }
  if (json)
    fputs ("\n]\n", stdout);
}

static gboolean
describe (const VgArguments *arguments, VgDisplayBench display_bench, GError **error)
{
  const char *format = vg_arguments_get (arguments, "format");
  const VgOperation *operation;
  g_autofree char *text = NULL;

  if (format == NULL)
    format = "text";
  if (!g_strv_contains ((const char *const[]){ "text", "md", "json", "man", NULL }, format))
    {
      g_autofree char *quoted = vg_text_quote (format);

      g_set_error (error, VG_USAGE_ERROR, 0, "--format is %s; choose text, md, json or man",
                   quoted);
      return FALSE;
    }
  if (g_str_equal (format, "man"))
    {
      if (arguments->plain->pdata[0] != NULL)
        {
          g_set_error (error, VG_USAGE_ERROR, 0,
                       "the manual page describes the whole program; omit the operation, or choose "
                       "text, md or json");
          return FALSE;
        }
      text = vg_describe_man ();
      fputs (text, stdout);
      return TRUE;
    }
  if (!vg_command_take_operation (&vg_command_describe, arguments, &operation, error))
    return FALSE;
  if (operation == NULL)
    {
      describe_all (format);
      return TRUE;
    }
  text = describe_one (operation, format);
  printf (g_str_equal (format, "json") ? "%s\n" : "%s", text);
  return TRUE;
}

const VgCommand vg_command_describe = {
  "describe",
  "[OPERATION] [--format text|md|json|man]",
  "List the parameters and outputs of an operation.",
  options,
  G_N_ELEMENTS (options),
  describe,
};
