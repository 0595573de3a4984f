/* SPDX-License-Identifier: MIT */
#include "ui/inspect/vg-inspected.h"
#include <math.h>
#include "app/reading/vg-region-sums.h"
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-group.h"
#include "ui/inspect/vg-reading-text.h"
#include "ui/words/vg-translation.h"

static void
add_cell (GPtrArray *cells, const char *name, char *value)
{
  g_ptr_array_add (cells, g_strdup (name));
  g_ptr_array_add (cells, value);
}

static gboolean
is_volume (const VgInspected *self)
{
  return self->result->plane.slices > 1;
}

/* Whether regions of several slices count as one. */
static gboolean
can_join (const VgInspected *self)
{
  const VgEngineCurves *curves = vg_session_get_operation (self->session)->cpu->curves;

  return curves != NULL && curves->sample_regions != NULL;
}

static char *
describe_place (const VgInspected *self)
{
  char *place;

  if (self->region >= 0)
    {
      const VgNamedRegion *region = vg_session_get_region (self->session, (guint) self->region);
      g_autofree const VgNamedRegion **parts = vg_region_group_with (self->session,
                                                                     (guint) self->region);

      return parts != NULL && can_join (self) ? vg_region_file_label (region)
                                              : g_strdup (region->name);
    }
  place = vg_reading_text_place (vg_session_get_output (self->session), &self->result->plane,
                                 self->x, self->y,
                                 vg_session_get_view (self->session)->length_unit);
  if (place != NULL)
    return place;
  return is_volume (self)
             ? g_strdup_printf (_ ("Voxel %.0f, %.0f, slice %d"), floor (self->x), floor (self->y),
                                self->slice + 1)
             : g_strdup_printf (_ ("Pixel %.0f, %.0f"), floor (self->x), floor (self->y));
}

/* Of the kept result that the present one is compared with; NaN: there is none.  *ERROR: its
 * standard error, if it is the fit of a region's mean curve; else NaN. */
static double
read_kept (const VgInspected *self, const VgReading *reading, const VgReadingItem *item,
           double *error)
{
  VgReference *kept = vg_compare_bar_get_reference (self->compare);
  const int xyz[] = { (int) floor (self->x < 0 ? -1 - self->x : self->x), (int) floor (self->y),
                      self->slice };

  *error = NAN;
  if (kept == NULL || reading->counted || item->word != NULL)
    return NAN;
  if (reading->summed)
    {
      g_autofree char *name = vg_region_file_label (
          vg_session_get_region (self->session, (guint) self->region));
      VgRegionFitted fitted;

      vg_region_sums_find_kept (kept, item->id, item->unit, name, &fitted);
      *error = fitted.kept_error;
      return fitted.kept;
    }
  if (self->region >= 0)
    {
      const VgRegion shape = vg_session_get_shape (self->session, (guint) self->region);

      return vg_reference_get_mean (kept, item->id, item->unit, &self->result->plane, &shape,
                                    isfinite (item->median));
    }
  return vg_reference_get_value (kept, item->id, item->unit, &self->result->plane, xyz);
}

/* Adds the line of ITEM; returns whether it has a kept value. */
static gboolean
add_item (const VgInspected *self, const VgReading *reading, const VgReadingItem *item,
          GPtrArray *cells)
{
  double error, kept = read_kept (self, reading, item, &error);
  const char *label = vg_translate (item->label);
  g_autofree char *median = g_strdup_printf (_ ("%s, median"), label);

  add_cell (cells, isfinite (item->median) ? median : label,
            vg_reading_text_item (reading, item, kept, error));
  return isfinite (kept);
}

/* Whether ITEM is the number of the map that is shown. */
static gboolean
is_shown (const VgInspected *self, const VgReadingItem *item)
{
  const VgOutput *shown = vg_session_get_output (self->session);

  return item->word == NULL && isfinite (item->value) && shown != NULL &&
         g_strcmp0 (item->id, shown->id) == 0 && shown->kind == VG_OUTPUT_MAP;
}

/* The number that the picture shows is the first line. */
static gboolean
add_shown (const VgInspected *self, const VgReading *reading, GPtrArray *cells)
{
  for (guint i = 0; i < reading->items->len; i++)
    {
      const VgReadingItem *item = &g_array_index (reading->items, VgReadingItem, i);

      if (is_shown (self, item))
        return add_item (self, reading, item, cells);
    }
  return FALSE;
}

gboolean
vg_inspected_tell (const VgInspected *self, const VgReading *reading, VgCard *card)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *title = describe_place (self), *note = NULL, *differs = NULL;
  gboolean compared = FALSE, numbers = vg_reading_has_numbers (reading);
  int labels = vg_object_selection_get_output (self->objects);
  const VgOperation *operation = vg_session_get_operation (self->session);

  if (self->region >= 0)
    add_cell (cells, _ ("Size"),
              vg_reading_text_size (
                  &vg_session_get_region (self->session, (guint) self->region)->region,
                  &self->result->plane, vg_session_get_view (self->session)->length_unit));
  compared |= add_shown (self, reading, cells);
  for (guint i = 0; i < reading->items->len; i++)
    {
      const VgReadingItem *item = &g_array_index (reading->items, VgReadingItem, i);

      if (is_shown (self, item))
        continue;                         /* the first line */
      if (item->word == NULL && !numbers) /* the words say why there are none */
        continue;
      if (reading->summed && item->word == NULL && !isfinite (item->value))
        continue; /* no value of a sum, as of maps without a model */
      if (labels < 0 || g_strcmp0 (item->id, operation->outputs[labels].id) != 0)
        compared |= add_item (self, reading, item, cells);
      else if (item->value >= 1)
        {
          char *name = vg_object_selection_add_cells (self->objects, item->value, cells);

          if (name == NULL) /* not listed yet */
            add_cell (cells, vg_translate (item->label),
                      vg_reading_text_item (reading, item, NAN, NAN));
          else
            {
              g_free (title);
              title = name;
            }
        }
    }
  differs = compared ? vg_compare_bar_get_name (self->compare) : NULL;
  note = vg_reading_text_note (reading, is_volume (self), differs);
  vg_card_set (card, title, note, cells);
  return cells->len > 0;
}
