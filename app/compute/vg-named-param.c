/* SPDX-License-Identifier: MIT */
#include "app/compute/vg-named-param.h"
#include <string.h>

/* Not within a word or the name of a file. */
static gboolean
stands_alone (const char *text, const char *at, gsize length)
{
  char before = at > text ? at[-1] : ' ', after = at[length];

  if (strchr (" (", before) == NULL)
    return FALSE;
  return after == '\0' || strchr (" ,;:)'", after) != NULL ||
         (after == '.' && (at[length + 1] == '\0' || at[length + 1] == ' '));
}

/* The label at AT of TEXT, one word of the sentence, is part of another term: the pulse of "laser
 * pulse".  Words that say how to change a value, as in "a larger radius", make no term. */
static gboolean
is_in_term (const char *text, const char *at, const char *label)
{
  static const char *const others[] = { "a",      "an",      "and",     "change", "check", "choose",
                                        "fewer",  "for",     "higher",  "in",     "its",   "larger",
                                        "longer", "lower",   "more",    "no",     "of",    "or",
                                        "set",    "shorter", "smaller", "that",   "the",   "this",
                                        "to",     "use",     "with",    NULL };
  const char *begin = at > text && at[-1] == ' ' ? at - 1 : at;
  g_autofree char *before = NULL;

  if (!g_ascii_islower (*at) || strchr (label, ' ') != NULL)
    return FALSE;
  while (begin > text && g_ascii_islower (begin[-1]))
    begin--;
  if (begin >= at - 1 || (begin > text && begin[-1] != ' '))
    return FALSE;
  before = g_strndup (begin, (gsize) (at - 1 - begin));
  return !g_strv_contains (others, before);
}

const VgParam *
vg_named_param (const VgParamTable *table, const void *params, const char *text)
{
  g_autofree char *lower = g_utf8_strdown (text, -1);
  const gboolean alike = strlen (lower) == strlen (text); /* but for rare letters */
  const VgParam *found = NULL;
  const char *first = NULL;
  gsize longest = 0;

  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      g_autofree char *label = param->label != NULL && vg_param_is_shown (table, param, params)
                                   ? g_utf8_strdown (param->label, -1)
                                   : NULL;
      gsize length = label != NULL ? strlen (label) : 0;
      const char *at = length > 0 ? strstr (lower, label) : NULL;

      while (at != NULL && (!stands_alone (lower, at, length) ||
                            (alike && is_in_term (text, text + (at - lower), label))))
        at = strstr (at + 1, label);
      if (at != NULL && (found == NULL || at < first || (at == first && length > longest)))
        {
          found = param;
          first = at;
          longest = length;
        }
    }
  return found;
}

/* The length of LABEL if it begins at AT of TEXT; else 0. */
static gsize
match_label (const char *text, const char *at, const char *label)
{
  gsize length = label != NULL && label[0] == *at ? strlen (label) : 0;

  return length > 0 && strncmp (at, label, length) == 0 && stands_alone (text, at, length) ? length
                                                                                           : 0;
}

/* The id for the longest label at AT, and its LENGTH: a parameter, which *CHOSEN becomes, or a
 * choice of the parameter *CHOSEN.  NULL: there is none. */
static const char *
find_id (const VgParamTable *table, const char *text, const char *at, const VgParam **chosen,
         gsize *length)
{
  const VgParam *before = *chosen;
  const char *id = NULL;
  gsize found;

  *length = 0;
  /* most characters are passed over quickly: a call of the library may be as short as 30 us */
  if (g_ascii_islower (*at) || (at > text && strchr (" (", at[-1]) == NULL))
    return NULL;
  for (guint k = 0; before != NULL && before->choice_labels != NULL && before->choices[k] != NULL;
       k++)
    if ((found = match_label (text, at, before->choice_labels[k])) > *length)
      {
        id = before->choices[k];
        *length = found;
      }
  for (guint i = 0; i < table->n_items; i++)
    if ((found = match_label (text, at, table->items[i].label)) > *length)
      {
        *chosen = &table->items[i];
        id = table->items[i].id;
        *length = found;
      }
  return id;
}

char *
vg_named_param_use_ids (const VgParamTable *table, const char *text)
{
  GString *named = g_string_new (NULL);
  const VgParam *chosen = NULL;
  gboolean quoted = FALSE; /* the name of a file, or a value */

  for (const char *at = text; *at != '\0';)
    {
      gsize length;
      const char *id = quoted ? NULL : find_id (table, text, at, &chosen, &length);

      quoted ^= *at == '"';
      if (strchr (".;", *at) != NULL)
        chosen = NULL;
      if (id != NULL)
        g_string_append (named, id);
      else
        g_string_append_c (named, *at);
      at += id != NULL ? length : 1;
    }
  return g_string_free (named, FALSE);
}
