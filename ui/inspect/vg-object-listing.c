/* SPDX-License-Identifier: MIT */
#include "ui/inspect/vg-object-listing.h"
#include <glib/gi18n.h>
#include <math.h>
#include "app/region/vg-region-index.h"
#include "app/region/vg-region-objects.h"
#include "ui/common/vg-number-format.h"
#include "ui/pages/vg-object-list.h"

enum { MOST_REGIONS = 8 }; /* in the note */

VgObjectListing *
vg_object_listing_new (char *text, const VgObjectColumn *columns, VgSession *session,
                       const VgImageInfo *info)
{
  VgObjectListing *self = g_new0 (VgObjectListing, 1);
  guint n = vg_session_get_n_regions (session);

  self->text = text != NULL ? text : g_strdup ("");
  self->columns = columns;
  if (info != NULL)
    self->info = *info;
  self->regions = g_ptr_array_new_with_free_func (vg_named_region_free);
  for (guint i = 0; i < n && info != NULL; i++)
    {
      const VgNamedRegion *region = vg_session_get_region (session, i);
      VgNamedRegion *copy = g_memdup2 (region, sizeof *region);

      copy->name = g_strdup (region->name);
      g_ptr_array_add (self->regions, copy);
    }
  return self;
}

/* "12, 2 800 per mm²"; WHOLE: of the image. */
static void
add_count (GString *note, gboolean whole, const char *count, guint n, double area_mm2)
{
  g_autofree char *density = vg_format_number (n / area_mm2);

  if (!(area_mm2 > 0))
    g_string_append (note, count);
  else if (whole)
    g_string_append_printf (note, _ ("%s, %s per mm² of the image"), count, density);
  else
    g_string_append_printf (note, _ ("%s, %s per mm²"), count, density);
}

static guint
count_in (const VgObjectListing *self, const VgRegion *region)
{
  const VgImageInfo *info = &self->info;
  double scale = info->downsample > 0 ? info->downsample : 1;
  g_autoptr (VgRegionIndex) index = vg_region_index_new (region);
  guint n = 0;

  for (guint i = 0; i < self->rows->len && index != NULL; i++)
    {
      VgObjectRow *row = self->rows->pdata[i];

      n += vg_region_index_contains (
          index, (vg_object_row_get_value (row, VG_OBJECT_X) - info->origin[0]) / scale,
          (vg_object_row_get_value (row, VG_OBJECT_Y) - info->origin[1]) / scale);
    }
  return n;
}

static void
describe (VgObjectListing *self)
{
  guint n = self->rows->len, listed = MIN (self->regions->len, MOST_REGIONS);
  g_autofree char *number = vg_format_number (n),
                  *all = g_strdup_printf (ngettext ("%s object", "%s objects", n), number);
  GString *note = g_string_new (NULL);

  add_count (note, TRUE, all, n, vg_region_objects_area_mm2 (NULL, &self->info));
  for (guint i = 0; i < listed; i++)
    {
      const VgNamedRegion *region = self->regions->pdata[i];
      guint inside = count_in (self, &region->region);
      g_autofree char *count = vg_format_number (inside),
                      *named = g_strdup_printf ("%s: %s", region->name, count);

      g_string_append (note, "; ");
      add_count (note, FALSE, named, inside,
                 vg_region_objects_area_mm2 (&region->region, &self->info));
    }
  if (listed < self->regions->len)
    g_string_append (note, "; …");
  self->note = g_string_free (note, FALSE);
}

void
vg_object_listing_read (VgObjectListing *self)
{
  g_autofree const VgNamedRegion **regions = g_new0 (const VgNamedRegion *, self->regions->len + 1);
  g_autofree char *bare = NULL;

  for (guint i = 0; i < self->regions->len; i++)
    regions[i] = self->regions->pdata[i];
  if (regions[0] != NULL && *self->text != '\0')
    {
      bare = self->text;
      self->text = vg_region_objects_to_csv (bare, regions, &self->info);
    }
  self->rows = vg_object_rows_parse (self->text, self->columns);
  self->decimals = vg_object_rows_find_decimals (self->rows, self->columns);
  describe (self);
}

void
vg_object_listing_free (gpointer data)
{
  VgObjectListing *self = data;

  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->decimals, g_array_unref);
  g_ptr_array_unref (self->regions);
  g_free (self->text);
  g_free (self->note);
  g_free (self);
}
