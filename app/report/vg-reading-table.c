/* SPDX-License-Identifier: MIT */
#include "app/report/vg-reading-table.h"
#include <math.h>
#include <string.h>
#include "kernels/base/vg-text.h"
#include "kernels/tables/vg-curves.h"

enum { ABREAST = 4 };

static const VgReadingItem *
find_item (const VgReading *reading, const char *id)
{
  for (guint i = 0; reading != NULL && i < reading->items->len; i++)
    if (g_str_equal (g_array_index (reading->items, VgReadingItem, i).id, id))
      return &g_array_index (reading->items, VgReadingItem, i);
  return NULL;
}

static char *
format_item (const VgReadingItem *item)
{
  g_autofree char *median = NULL, *low = NULL, *high = NULL;

  if (item == NULL)
    return g_strdup ("–");
  if (item->word != NULL)
    return item->fraction < 1 ? g_strdup_printf ("%s (%.0f %%)", item->word, 100 * item->fraction)
                              : g_strdup (item->word);
  if (!isfinite (item->median))
    return vg_text_with_error (item->value, item->error);
  median = vg_text_with_error (item->median, NAN);
  low = vg_text_with_error (item->q25, NAN);
  high = vg_text_with_error (item->q75, NAN);
  return g_strdup_printf ("%s (%s to %s)", median, low, high);
}

/* The items of all READINGS, each once, in the order of the first that has it. */
static GPtrArray *
list_items (VgReading *const *readings, guint n)
{
  GPtrArray *items = g_ptr_array_new ();

  for (guint k = 0; k < n; k++)
    for (guint i = 0; readings[k] != NULL && i < readings[k]->items->len; i++)
      {
        VgReadingItem *item = &g_array_index (readings[k]->items, VgReadingItem, i);
        gboolean known = FALSE;

        for (guint j = 0; j < items->len && !known; j++)
          known = g_str_equal (((VgReadingItem *) items->pdata[j])->id, item->id);
        if (!known)
          g_ptr_array_add (items, item);
      }
  return items;
}

static void
add_table (VgPage *self, const char *const *names, VgReading *const *readings, guint n)
{
  const char *cells[2 + ABREAST] = { "Quantity", "Unit" };
  g_autoptr (GPtrArray) items = list_items (readings, n);

  memcpy (cells + 2, names, n * sizeof *names);
  vg_page_begin_table (self, cells, n + 2);
  for (guint i = 0; i < items->len; i++)
    {
      const VgReadingItem *item = items->pdata[i];
      char *values[ABREAST] = { NULL };

      cells[0] = item->label;
      cells[1] = item->unit;
      for (guint k = 0; k < n; k++)
        cells[2 + k] = values[k] = format_item (find_item (readings[k], item->id));
      vg_page_add_row (self, cells, n + 2);
      for (guint k = 0; k < n; k++)
        g_free (values[k]);
    }
  vg_page_end_table (self);
}

/* What the numbers of the table are. */
static const char *
describe_values (gboolean summed, gboolean counted, gboolean rings, gboolean volume)
{
  if (summed && volume)
    return "Each value is that of the fit of the region's mean curve, with its standard error if "
           "the fit has one. A dash means that the value does not exist, or that the data do not "
           "determine it. In regions.csv these are the columns \"of the sum\". The columns \"of "
           "pixels\" there are statistics of the fits of single voxels, which differ from it where "
           "noise, bounds or different tissues shift them.";
  if (summed)
    return "Each value is computed from the mean data of the region, and is given with its "
           "standard error if the fit has one. A dash means that the value does not exist, or that "
           "the data do not determine it. regions.csv also has the means, standard deviations and "
           "quartiles of the values of single pixels.";
  return counted ? "Each value counts or measures the objects in the region."
         : rings ? "Each value is the mean over the region, weighted by volume because a pixel is "
                   "a ring about the axis, with the standard deviation; skewed values are given as "
                   "the median and quartiles, likewise weighted."
                 : "Each value is the mean over the region, with the standard deviation; skewed "
                   "values are given as the median and quartiles.";
}

void
vg_page_add_readings (VgPage *self, const char *const *names, VgReading *const *readings, guint n,
                      gboolean volume)
{
  gboolean summed = FALSE, counted = FALSE, rings = FALSE;
  g_autoptr (GString) means = g_string_new (NULL); /* names of the regions without a fit */

  for (guint k = 0; k < n; k++)
    {
      summed |= readings[k] != NULL && readings[k]->summed;
      counted |= readings[k] != NULL && readings[k]->counted;
      rings |= readings[k] != NULL && readings[k]->rings;
      if (readings[k] != NULL && !readings[k]->summed)
        g_string_append_printf (means, "%s%s", means->len > 0 ? ", " : "", names[k]);
    }
  for (guint k = 0; k < n; k += ABREAST)
    add_table (self, names + k, readings + k, MIN (n - k, ABREAST));
  vg_page_add_text (self, describe_values (summed, counted, rings, volume));
  if (summed && means->len > 0)
    {
      g_autofree char *text = g_strdup_printf (
          "The data of these regions are not fitted: %s. Their values are means of single %s "
          "with the standard deviation, or the median and quartiles.",
          means->str, volume ? "voxels" : "pixels");

      vg_page_add_text (self, text);
    }
}

void
vg_page_add_marks (VgPage *self, const GArray *marks, gboolean anonymous)
{
  static const char *const headings[] = { "Time, s", "Mark" };

  if (marks == NULL || marks->len == 0)
    return;
  vg_page_add_heading (self, "Marks");
  vg_page_begin_table (self, headings, G_N_ELEMENTS (headings));
  for (guint i = 0; i < marks->len; i++)
    {
      const VgCurveMark *mark = &g_array_index (marks, VgCurveMark, i);
      char time[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (time, sizeof time, "%.3f", mark->x);
      vg_page_add_row (self, (const char *const[]){ time, anonymous ? "left out" : mark->label },
                       G_N_ELEMENTS (headings));
    }
  vg_page_end_table (self);
}
