/* SPDX-License-Identifier: MIT */
#include "app/scatter/vg-scatter-text.h"
#include "kernels/base/vg-text.h"

static void
add_title (GString *csv, const char *what, const char *name, const char *unit)
{
  g_autofree char *title = g_strdup_printf (*unit != '\0' ? "%s of %s (%s)" : "%s of %s", what,
                                            name, unit);

  g_string_append_c (csv, ',');
  vg_text_append_cell (csv, title);
}

static void
add_row (GString *csv, const char *what, const VgScatterSummary *summary)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (csv, "%s,%" G_GUINT64_FORMAT, what, summary->n);
  for (int k = 0; k < 2; k++)
    {
      g_ascii_formatd (number, sizeof number, "%.9g", summary->mean[k]);
      g_string_append_printf (csv, ",%s", number);
      g_ascii_formatd (number, sizeof number, "%.9g", summary->sd[k]);
      g_string_append_printf (csv, ",%s", number);
    }
  g_ascii_formatd (number, sizeof number, "%.6f", summary->correlation);
  g_string_append_printf (csv, ",%s\n", number);
}

char *
vg_scatter_to_csv (const VgScatter *self, const char *const names[2], const char *const units[2])
{
  GString *csv = g_string_new ("samples,n");

  for (int k = 0; k < 2; k++)
    {
      add_title (csv, "mean", names[k], units[k]);
      add_title (csv, "SD", names[k], units[k]);
    }
  g_string_append (csv, ",correlation\n");
  add_row (csv, "all", &self->all);
  if (self->tint != NULL)
    add_row (csv, "inside the lasso", &self->inside);
  return g_string_free (csv, FALSE);
}
