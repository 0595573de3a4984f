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

const VgParam *
vg_named_param (const VgParamTable *table, const void *params, const char *text)
{
  g_autofree char *lower = g_utf8_strdown (text, -1);
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

      while (at != NULL && !stands_alone (lower, at, length))
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
