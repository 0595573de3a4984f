/* SPDX-License-Identifier: MIT */
#include "app/report/vg-anonymous-text.h"
#include <string.h>

/* Names that are shorter, such as "." and "..", may be part of any text. */
enum { LEAST_NAME = 3 };

/* Replaces what PATTERN matches in TEXT by WITH. */
static void
replace (GString *text, const char *pattern, const char *with)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autofree char *replaced = g_regex_replace_literal (regex, text->str, (gssize) text->len, 0,
                                                       with, 0, NULL);

  g_string_assign (text, replaced);
}

static void
hide_file (GString *text, const char *path)
{
  g_autofree char *name = g_filename_display_name (path),
                  *base = g_filename_display_basename (path),
                  *quoted = g_strdup_printf ("\"%s\"", name),
                  *quoted_base = g_strdup_printf ("\"%s\"", base),
                  *escaped = g_regex_escape_string (name, -1),
                  *whole = g_strdup_printf ("(?<![\\w./])%s(?!\\w)", escaped);

  /* a name may contain quotation marks */
  g_string_replace (text, quoted, "\"…\"", 0);
  g_string_replace (text, quoted_base, "\"…\"", 0);
  if (strchr (name, '/') != NULL && strlen (name) >= LEAST_NAME)
    replace (text, whole, "…");
}

char *
vg_anonymous_text (const char *text, const char *const *files, const char *const *more)
{
  const char *const *given[] = { files, more };
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *hidden = g_string_new (valid);

  for (guint k = 0; k < G_N_ELEMENTS (given); k++)
    for (guint i = 0; given[k] != NULL && given[k][i] != NULL; i++)
      hide_file (hidden, given[k][i]);
  replace (hidden, "\"[^\"]*\"", "\"…\"");
  /* a unit such as "/s" has no second part */
  replace (hidden, "(?<![\\w/])/[^\"\\s;#/]+/[^\"\\s;#]*", "…");
  return g_string_free (hidden, FALSE);
}
