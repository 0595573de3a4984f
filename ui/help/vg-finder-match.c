/* SPDX-License-Identifier: MIT */
#include "ui/help/vg-finder-match.h"
#include <string.h>

/* The weights of matches: an exact word always precedes a word with a typing error, and a word of
 * the title one of the explanation. */
enum { WHOLE = 32, START = 24, PART = 12, NEARLY = 1 };
enum { OF_MORE = 4, HERE = 24, BEGINS_TITLE = 20, IS_TITLE = 40, LEAST_NEARLY = 4, LEAST_PART = 3 };

char *
vg_finder_fold (const char *text)
{
  g_autofree char *plain = g_utf8_normalize (text != NULL ? text : "", -1, G_NORMALIZE_ALL);
  g_autofree char *small = g_utf8_casefold (plain != NULL ? plain : "", -1);
  GString *folded = g_string_new (NULL);

  for (const char *c = small; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar letter = g_utf8_get_char (c);

      if (g_unichar_isalnum (letter))
        g_string_append_unichar (folded, letter);
      else if (!g_unichar_ismark (letter) && letter != '\'' && folded->len > 0 &&
               folded->str[folded->len - 1] != ' ')
        g_string_append_c (folded, ' ');
    }
  if (folded->len > 0 && folded->str[folded->len - 1] == ' ')
    g_string_truncate (folded, folded->len - 1);
  return g_string_free (folded, FALSE);
}

static gboolean
starts (const char *text, const char *with)
{
  return strncmp (text, with, strlen (with)) == 0;
}

/* WORD with one letter too many, too few, wrong or exchanged with the next is the start of TEXT. */
static gboolean
starts_nearly (const char *text, const char *word)
{
  gsize i = 0;

  while (word[i] != '\0' && word[i] == text[i])
    i++;
  if (i == 0 || word[i] == '\0' || text[i] == '\0')
    return i > 0;
  return starts (text + i + 1, word + i + 1) || starts (text + i + 1, word + i) ||
         starts (text + i, word + i + 1) ||
         (word[i + 1] == text[i] && word[i] == text[i + 1] && starts (text + i + 2, word + i + 2));
}

static int
match_word (const char *text, const char *word)
{
  gsize length = strlen (word);
  int best = length >= LEAST_PART && strstr (text, word) != NULL ? PART : 0;

  for (const char *c = text; c != NULL; c = strchr (c, ' '))
    {
      c += *c == ' ';
      if (starts (c, word))
        best = MAX (best, c[length] == ' ' || c[length] == '\0' ? WHOLE : START);
      else if (length >= LEAST_NEARLY && best == 0 && starts_nearly (c, word))
        best = NEARLY;
    }
  return best;
}

int
vg_finder_match (const char *const *words, const char *title, const char *more, gboolean here)
{
  g_autofree char *all = g_strjoinv (" ", (char **) words);
  gboolean exact = words[0] != NULL;
  int sum = 1;

  if (words[0] != NULL && starts (title, words[0]))
    sum += BEGINS_TITLE;
  if (g_str_equal (all, title))
    sum += IS_TITLE;
  for (guint i = 0; words[i] != NULL; i++)
    {
      int found = match_word (title, words[i]), other = match_word (more, words[i]);

      if (other > NEARLY)
        other /= OF_MORE;
      if (found == 0 && other == 0)
        return 0;
      sum += MAX (found, other);
      exact = exact && MAX (found, other) > NEARLY;
    }
  return sum + (here && exact ? HERE : 0);
}
