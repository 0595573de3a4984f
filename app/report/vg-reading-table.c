/* SPDX-License-Identifier: MIT */
#include "app/report/vg-reading-table.h"
#include <math.h>
#include <string.h>
#include "app/reading/vg-region-sums.h"
#include "kernels/base/vg-text.h"
#include "kernels/tables/vg-curves.h"

enum { ABREAST = 6 };

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

static gboolean
has_error (const VgReadingItem *item)
{
  return isfinite (item->value) && isfinite (item->error);
}

/* Whether SELF is the sum of a region's data, which a model describes. */
static gboolean
is_fitted (const VgReading *self)
{
  gboolean fitted = FALSE;

  for (guint i = 0; self->summed && i < self->items->len && !fitted; i++)
    fitted = has_error (&g_array_index (self->items, VgReadingItem, i)) &&
             !g_array_index (self->items, VgReadingItem, i).figure;
  return fitted;
}

/* Whether the first tables have it: of fits, what has a standard error, and the size. */
static gboolean
is_answer (const VgReadingItem *item, VgReading *const *readings, guint n, gboolean fitted)
{
  gboolean answer = !fitted || item->figure;

  for (guint k = 0; k < n && !answer; k++)
    {
      const VgReadingItem *same = find_item (readings[k], item->id);

      answer = same != NULL && has_error (same);
    }
  return answer;
}

/* The items of all READINGS, each once, in the order of the first that has it, but FIRST (NULL:
 * none) before the others. */
static GPtrArray *
list_items (VgReading *const *readings, guint n, const char *first)
{
  GPtrArray *items = g_ptr_array_new ();

  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < readings[k]->items->len; i++)
      {
        VgReadingItem *item = &g_array_index (readings[k]->items, VgReadingItem, i);
        gboolean known = FALSE;

        for (guint j = 0; j < items->len && !known; j++)
          known = g_str_equal (((VgReadingItem *) items->pdata[j])->id, item->id);
        if (!known)
          g_ptr_array_insert (items, g_strcmp0 (item->id, first) == 0 ? 0 : -1, item);
      }
  return items;
}

/* "Total inflow, ml/100g/min" */
static char *
name_item (const VgReadingItem *item)
{
  return item->unit != NULL && *item->unit != '\0'
             ? g_strdup_printf ("%s, %s", item->label, item->unit)
             : g_strdup (item->label);
}

/* Of ITEMS (of VgReadingItem). */
static void
add_table (VgPage *self, const GPtrArray *items, const char *const *names,
           VgReading *const *readings, guint n)
{
  const char *cells[1 + ABREAST] = { "Quantity" };

  memcpy (cells + 1, names, n * sizeof *names);
  vg_page_begin_table (self, cells, n + 1);
  for (guint i = 0; i < items->len; i++)
    {
      const VgReadingItem *item = items->pdata[i];
      g_autofree char *name = name_item (item);
      char *values[ABREAST] = { NULL };

      cells[0] = name;
      for (guint k = 0; k < n; k++)
        cells[1 + k] = values[k] = format_item (find_item (readings[k], item->id));
      vg_page_add_row (self, cells, n + 1);
      for (guint k = 0; k < n; k++)
        g_free (values[k]);
    }
  vg_page_end_table (self);
}

static void
add_tables (VgPage *self, const GPtrArray *items, const char *const *names,
            VgReading *const *readings, guint n)
{
  const guint tables = (n + ABREAST - 1) / ABREAST; /* of about the same width */

  for (guint t = 0; t < tables && items->len > 0; t++)
    {
      guint first = n * t / tables;

      add_table (self, items, names + first, readings + first, n * (t + 1) / tables - first);
    }
}

/* Keeps the items of which is_answer is ANSWER. */
static void
filter (GPtrArray *items, VgReading *const *readings, guint n, gboolean fitted, gboolean answer)
{
  for (guint i = items->len; i-- > 0;)
    if (is_answer (items->pdata[i], readings, n, fitted) != answer)
      g_ptr_array_remove_index (items, i);
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
                      const char *first, gboolean volume)
{
  gboolean summed = FALSE, counted = FALSE, rings = FALSE, fitted = FALSE;
  g_autoptr (GString) means = g_string_new (NULL); /* names of the regions without a fit */
  g_autoptr (GPtrArray) items = list_items (readings, n, first), of = g_ptr_array_new (),
                        called = g_ptr_array_new ();

  for (guint k = 0; k < n; k++)
    {
      summed |= readings[k]->summed;
      counted |= readings[k]->counted;
      rings |= readings[k]->rings;
      if (!readings[k]->summed)
        g_string_append_printf (means, "%s%s", means->len > 0 ? ", " : "", names[k]);
      fitted |= is_fitted (readings[k]);
      if (!readings[k]->summed)
        continue;
      g_ptr_array_add (of, readings[k]);
      g_ptr_array_add (called, (gpointer) names[k]);
    }
  filter (items, readings, n, fitted, TRUE);
  if (fitted)
    add_tables (self, items, (const char *const *) called->pdata, (VgReading *const *) of->pdata,
                of->len);
  else
    add_tables (self, items, names, readings, n);
  vg_page_add_text (self, describe_values (summed, counted, rings, volume));
  if (fitted && means->len > 0)
    {
      g_autofree char *text = g_strdup_printf (
          "These regions are not fitted, and their values are in the appendix: %s.", means->str);

      vg_page_add_text (self, text);
    }
  else if (summed && means->len > 0)
    {
      g_autofree char *text = g_strdup_printf (
          "The data of these regions are not fitted: %s. Their values are means of single %s "
          "with the standard deviation, or the median and quartiles.",
          means->str, volume ? "voxels" : "pixels");

      vg_page_add_text (self, text);
    }
}

void
vg_page_add_other_readings (VgPage *self, const char *const *names, VgReading *const *readings,
                            guint n)
{
  g_autoptr (GPtrArray) items = list_items (readings, n, NULL), rest = g_ptr_array_new (),
                        called = g_ptr_array_new (), sizes = g_ptr_array_new ();
  gboolean fitted = FALSE;

  for (guint k = 0; k < n; k++)
    {
      fitted |= is_fitted (readings[k]);
      if (readings[k]->summed)
        continue;
      g_ptr_array_add (rest, readings[k]);
      g_ptr_array_add (called, (gpointer) names[k]);
    }
  if (!fitted)
    return;
  for (guint i = 0; i < items->len; i++)
    if (((VgReadingItem *) items->pdata[i])->figure)
      g_ptr_array_add (sizes, items->pdata[i]);
  filter (items, readings, n, TRUE, FALSE);
  if (items->len == 0 && rest->len == 0)
    return;
  vg_page_add_heading (self, "Further values of the regions");
  add_tables (self, items, names, readings, n);
  if (rest->len > 0)
    {
      add_tables (self, sizes, (const char *const *) called->pdata,
                  (VgReading *const *) rest->pdata, rest->len);
      vg_page_add_text (self, "Values of regions that are not fitted are means with the standard "
                              "deviation, or the median and quartiles.");
    }
}

static void
add_compared (VgPage *self, const char *region, const VgReadingItem *item,
              const VgRegionFitted *fitted)
{
  g_autofree char *name = name_item (item),
                  *now = vg_text_with_error (fitted->value, fitted->error),
                  *kept = vg_text_with_error (fitted->kept, fitted->kept_error),
                  *change = vg_text_with_error (fitted->value - fitted->kept,
                                                vg_region_fitted_get_error (fitted));

  vg_page_add_row (self, (const char *const[]){ region, name, now, kept, change }, 5);
}

void
vg_page_add_comparison (VgPage *self, const char *const *names, VgReading *const *readings, guint n,
                        const VgReference *kept, const char *name)
{
  static const char *const headings[] = { "Region", "Quantity", "Now", "Kept", "Change" };
  g_autofree char *heading = g_strdup_printf ("Comparison (%s)", name);
  gboolean begun = FALSE;

  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < readings[k]->items->len; i++)
      {
        const VgReadingItem *item = &g_array_index (readings[k]->items, VgReadingItem, i);
        VgRegionFitted fitted = { .value = item->value, .error = item->error };

        if (!readings[k]->summed || item->figure || !has_error (item))
          continue;
        vg_region_sums_find_kept (kept, item->id, item->unit, names[k], &fitted);
        if (!isfinite (fitted.kept) || !isfinite (fitted.kept_error))
          continue;
        if (!begun)
          {
            vg_page_add_heading (self, heading);
            vg_page_begin_table (self, headings, G_N_ELEMENTS (headings));
          }
        begun = TRUE;
        add_compared (self, names[k], item, &fitted);
      }
  if (!begun)
    return;
  vg_page_end_table (self);
  vg_page_add_text (self,
                    "These are the fits of the mean curves of the regions with the same name, "
                    "with their standard errors. The standard error of the change is that of "
                    "two independent recordings.");
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
