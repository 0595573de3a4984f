/* SPDX-License-Identifier: MIT */
#include "app/region/vg-region-settings.h"
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-labels.h"
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* A value of a setting. */
typedef struct
{
  const VgParam *param;
  const char *name; /* of the region in REGIONS that has this value, or the label */
  GPtrArray *regions;
} Value;

gboolean
vg_region_settings_is_mask (const VgImage *image, const VgImageInfo *data)
{
  return image->text == NULL && image->info.width == data->width &&
         image->info.height == data->height && image->info.channels == 1 &&
         vg_image_info_pages (&image->info) == data->slices;
}

gboolean
vg_region_settings_is_label (const char *label, const char *name)
{
  return g_str_equal (name, label) || g_str_equal (name, gettext (label));
}

gboolean
vg_region_settings_is_of (const VgNamedRegion *region, const char *label)
{
  g_autofree char *own = vg_region_file_label (region);

  return vg_region_settings_is_label (label, own);
}

static void
add_region (Value *value, const VgRegion *region, int slice, VgRegionOrigin origin, gboolean alone)
{
  VgNamedRegion *named = g_new0 (VgNamedRegion, 1);

  named->region = *region;
  named->region.slice = slice;
  named->origin = origin;
  named->of_setting = TRUE;
  named->name = alone ? g_strdup (value->name)
                      : g_strdup_printf (VG_REGION_IN_SLICE, value->name, slice + 1);
  g_ptr_array_add (value->regions, named);
}

/* Adds REGION, in all slices of DATA if it counts in all. */
static void
add_drawn (Value *value, const VgRegion *region, const VgNamedRegion *const *regions,
           const GPtrArray *found, const VgImageInfo *data)
{
  gboolean everywhere = value->param->file.or_region == VG_FILE_REGION_COLUMN && data->slices > 1;
  VgRegionOrigin origin = VG_REGION_DRAWN;

  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    if (vg_region_equal (&regions[i]->region, region))
      {
        origin = regions[i]->origin;
        if (vg_region_settings_is_of (regions[i], value->param->label))
          value->name = regions[i]->name;
      }
  for (guint i = 0; found != NULL && i < found->len; i++)
    if (strcmp (found->pdata[i], value->param->id) == 0)
      origin = VG_REGION_FOUND;
  add_region (value, region, everywhere ? VG_REGION_EVERY_SLICE : region->slice, origin, TRUE);
}

GPtrArray *
vg_region_settings_outlines (const VgParam *param, const VgImage *image,
                             const VgNamedRegion *const *regions)
{
  g_autoptr (GPtrArray) own = g_ptr_array_new ();
  const VgImageInfo *info = &image->info;
  gsize n = (gsize) info->width * (gsize) info->height;
  g_autofree guint8 *slice = g_try_malloc (n);

  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    if (vg_region_settings_is_of (regions[i], param->label))
      g_ptr_array_add (own, (gpointer) regions[i]);
  if (slice == NULL || own->len == 0)
    return NULL;
  for (gint64 z = 0; z < vg_image_info_pages (info); z++)
    {
      memset (slice, 0, n);
      for (guint i = 0; i < own->len; i++)
        {
          const VgRegion *region = &((const VgNamedRegion *) own->pdata[i])->region;

          if (region->slice == z)
            vg_region_mark (region, info->width, info->height, slice);
        }
      for (gsize i = 0; i < n; i++)
        {
          double sample = vg_image_sample (image, (gsize) z * n + i);

          if (slice[i] != (isfinite (sample) && sample != 0))
            return NULL;
        }
    }
  return g_steal_pointer (&own);
}

/* Adds the outlines of the mask: those among REGIONS, if they are exact, else new ones.  NOTES gets
 * a remark if these differ from the mask. */
static gboolean
add_mask (Value *value, const VgImage *image, const VgNamedRegion *const *regions, GPtrArray *notes,
          GError **error)
{
  g_autoptr (GPtrArray) given = vg_region_settings_outlines (value->param, image, regions);
  VgSimplified simplified = { 0 };

  if (given != NULL)
    {
      if (!g_str_has_prefix (((const VgNamedRegion *) given->pdata[0])->name, value->name))
        value->name = gettext (value->param->label);
      for (guint i = 0; i < given->len; i++)
        {
          const VgNamedRegion *named = given->pdata[i];

          add_region (value, &named->region, named->region.slice, named->origin, given->len == 1);
        }
      return TRUE;
    }
  g_autoptr (GPtrArray) outlines = vg_region_file_outline (image, value->name, &simplified, error);
  char *note = outlines != NULL ? vg_simplified_describe (&simplified, value->name) : NULL;

  if (note != NULL)
    g_ptr_array_add (notes, note);

  for (guint i = 0; outlines != NULL && i < outlines->len; i++)
    {
      const VgNamedRegion *outline = outlines->pdata[i];

      add_region (value, &outline->region, outline->region.slice, VG_REGION_DRAWN,
                  outlines->len == 1);
    }
  return outlines != NULL;
}

/* Whether REGION is in the place of a region of VALUE, and has its name. */
static gboolean
is_same (const Value *value, const VgNamedRegion *region)
{
  g_autofree char *label = vg_region_file_label (region);

  for (guint i = 0; i < value->regions->len; i++)
    {
      const VgNamedRegion *own = value->regions->pdata[i];
      VgRegion shape = own->region;

      /* wherever it was drawn */
      shape.slice = shape.slice == VG_REGION_EVERY_SLICE ? region->region.slice : shape.slice;
      if (vg_region_equal (&shape, &region->region) &&
          (g_str_equal (label, value->name) ||
           vg_region_settings_is_of (region, value->param->label)))
        return TRUE;
    }
  return FALSE;
}

/* Adds the regions of VALUE to OWN, and takes equal ones out of REST. */
static void
take (Value *value, GPtrArray *own, GPtrArray *rest)
{
  gboolean ambiguous = FALSE;

  for (guint i = rest->len; i-- > 0;)
    if (is_same (value, rest->pdata[i]))
      g_ptr_array_remove_index (rest, i);
  for (guint i = 0; i < rest->len && !ambiguous; i++)
    {
      g_autofree char *label = vg_region_file_label (rest->pdata[i]);

      ambiguous = g_str_equal (label, value->name);
    }
  for (guint i = 0; i < value->regions->len; i++)
    {
      VgNamedRegion *region = value->regions->pdata[i];

      if (ambiguous)
        {
          g_autofree char *name = g_strdup_printf (VG_REGION_OF_SETTING, value->name);

          g_free (region->name);
          region->name = value->regions->len == 1
                             ? g_strdup (name)
                             : g_strdup_printf (VG_REGION_IN_SLICE, name, region->region.slice + 1);
        }
      g_ptr_array_add (own, region);
    }
  g_ptr_array_set_free_func (value->regions, NULL);
}

const VgNamedRegion **
vg_region_settings_join (VgWork *work, const VgNamedRegion *const *regions, const GPtrArray *found,
                         GPtrArray **own, GPtrArray *notes, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  const VgParamTable *table = &operation->params;
  const void *params = vg_work_get_params (work);
  const VgImageInfo *data = vg_work_get_info (work);
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (vg_named_region_free);
  g_autoptr (GPtrArray) rest = g_ptr_array_new ();
  GPtrArray *all;

  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    g_ptr_array_add (rest, (gpointer) regions[i]);
  for (guint i = 0; i < table->n_items && operation->find != NULL && data != NULL; i++)
    {
      const VgParam *param = &table->items[i];
      const char *text = param->kind == VG_PARAM_FILE
                             ? *(char *const *) ((const char *) params + param->offset)
                             : NULL;
      const VgImage *image = vg_work_get_file (work, param->id);
      Value value = { .param = param, .name = param->label };
      VgRegion region;

      if (text == NULL || param->file.or_region == VG_FILE_NO_REGION ||
          !vg_param_is_shown (table, param, params))
        continue;
      value.regions = g_ptr_array_new_with_free_func (vg_named_region_free);
      if (image == NULL && vg_region_parse (&region, text, NULL))
        add_drawn (&value, &region, regions, found, data);
      else if (image != NULL && vg_region_settings_is_mask (image, data) &&
               !add_mask (&value, image, regions, notes, error))
        {
          g_ptr_array_unref (value.regions);
          return NULL;
        }
      take (&value, added, rest);
      g_ptr_array_unref (value.regions);
    }
  all = g_ptr_array_new ();
  g_ptr_array_extend (all, added, NULL, NULL);
  g_ptr_array_extend (all, rest, NULL, NULL);
  g_ptr_array_add (all, NULL);
  *own = g_steal_pointer (&added);
  return (const VgNamedRegion **) g_ptr_array_free (all, FALSE);
}
