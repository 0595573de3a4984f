/* SPDX-License-Identifier: MIT */
#include "app/region/vg-region-segments.h"
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-settings.h"
#include <math.h>
#include <string.h>
#include "app/region/vg-region-labels.h"

typedef struct
{
  GArray *regions;      /* const VgRegion *, borrowed */
  gboolean all_slices;  /* the regions apply to each slice */
  const VgImage *image; /* a mask in their place; or NULL */
  VgDicomAlgorithm algorithm;
} Segment;

struct _VgRegionSegments
{
  const VgImageInfo *info;
  int number;         /* of the series */
  GArray *segments;   /* Segment */
  GPtrArray *labels;  /* their labels, and a NULL */
  GArray *algorithms; /* VgDicomAlgorithm, of the segments */
  const char *finder; /* the operation's search for regions */
  VgRegion *own;      /* the regions of the settings */
};

static Segment *
add (VgRegionSegments *self, const char *label)
{
  Segment segment = { .regions = g_array_new (FALSE, FALSE, sizeof (const VgRegion *)) };

  g_array_append_val (self->segments, segment);
  g_ptr_array_add (self->labels, g_strdup (label));
  return &g_array_index (self->segments, Segment, self->segments->len - 1);
}

static VgDicomAlgorithm
algorithm_of (VgRegionOrigin origin)
{
  return origin == VG_REGION_FOUND     ? VG_DICOM_AUTOMATIC
         : origin == VG_REGION_ADAPTED ? VG_DICOM_SEMIAUTOMATIC
                                       : VG_DICOM_MANUAL;
}

/* How REGION (NULL: a mask), the value of parameter ID, was outlined. */
static VgDicomAlgorithm
find_algorithm (const VgRegion *region, const char *id, const VgNamedRegion *const *regions,
                const GPtrArray *found)
{
  for (guint i = 0; found != NULL && i < found->len; i++)
    if (strcmp (found->pdata[i], id) == 0)
      return VG_DICOM_AUTOMATIC;
  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    if (vg_region_equal (&regions[i]->region, region))
      return algorithm_of (regions[i]->origin);
  return VG_DICOM_MANUAL;
}

/* Adds the regions and masks that are values of parameters, with the labels of these. */
static void
add_settings (VgRegionSegments *self, VgWork *work, const VgNamedRegion *const *regions,
              const GPtrArray *found)
{
  const VgParamTable *table = &vg_work_get_operation (work)->params;
  const void *params = vg_work_get_params (work);

  self->own = g_new (VgRegion, table->n_items);
  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      const char *text = param->kind == VG_PARAM_FILE
                             ? *(char *const *) ((const char *) params + param->offset)
                             : NULL;
      const VgImage *image = vg_work_get_file (work, param->id);
      const VgRegion *region = &self->own[i];

      if (text == NULL || param->file.or_region == VG_FILE_NO_REGION ||
          !vg_param_is_shown (table, param, params))
        continue;
      if (image != NULL && vg_region_settings_is_mask (image, self->info))
        {
          Segment *segment = add (self, param->label);

          segment->image = image;
          segment->algorithm = find_algorithm (NULL, param->id, regions, found);
        }
      else if (image == NULL && vg_region_parse (&self->own[i], text, NULL))
        {
          Segment *segment = add (self, param->label);

          segment->all_slices = param->file.or_region == VG_FILE_REGION_COLUMN;
          segment->algorithm = find_algorithm (region, param->id, regions, found);
          g_array_append_val (segment->regions, region);
        }
    }
}

/* Whether REGION is the value of the parameter that it is named after. */
static gboolean
is_setting (const VgRegionSegments *self, guint settings, const VgRegion *region, const char *name)
{
  for (guint i = 0; i < settings; i++)
    {
      const Segment *segment = &g_array_index (self->segments, Segment, i);

      if (segment->regions->len > 0 && vg_region_settings_is_label (self->labels->pdata[i], name) &&
          vg_region_equal (g_array_index (segment->regions, const VgRegion *, 0), region))
        return TRUE;
    }
  return FALSE;
}

static void
add_named (VgRegionSegments *self, const VgNamedRegion *const *regions)
{
  guint settings = self->segments->len;
  /* of the segments, from 1 */
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    {
      const VgRegion *region = &regions[i]->region;
      g_autofree char *name = vg_region_file_label (regions[i]);
      guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, name));
      Segment *segment;

      if (regions[i]->of_setting || is_setting (self, settings, region, name))
        continue;
      if (number == 0)
        {
          add (self, name)->algorithm = algorithm_of (regions[i]->origin);
          number = self->segments->len;
          g_hash_table_insert (numbers, g_steal_pointer (&name), GUINT_TO_POINTER (number));
        }
      segment = &g_array_index (self->segments, Segment, number - 1);
      g_array_append_val (segment->regions, region);
      if (segment->algorithm != algorithm_of (regions[i]->origin))
        segment->algorithm = VG_DICOM_SEMIAUTOMATIC;
    }
}

/* VgDicomSegments.mark. */
static gboolean
mark (gconstpointer data, guint i, int slice, guint8 *mask)
{
  const VgRegionSegments *self = data;
  const Segment *segment = &g_array_index (self->segments, Segment, i);
  gsize n = (gsize) self->info->width * (gsize) self->info->height;
  gboolean any = FALSE;

  for (guint k = 0; k < segment->regions->len; k++)
    {
      const VgRegion *region = g_array_index (segment->regions, const VgRegion *, k);

      if (segment->all_slices || region->slice == slice)
        any |= vg_region_mark (region, self->info->width, self->info->height, mask);
    }
  for (gsize k = 0; segment->image != NULL && k < n; k++)
    {
      double value = vg_image_sample (segment->image, (gsize) slice * n + k);

      mask[k] = isfinite (value) && value != 0;
      any |= mask[k] != 0;
    }
  return any;
}

/* Whether segment A, of a setting, and B have the same label and the same voxels.  Without memory
 * to compare them, both are kept. */
static gboolean
is_same (const VgRegionSegments *self, guint a, guint b)
{
  gsize n = (gsize) self->info->width * (gsize) self->info->height;
  g_autofree guint8 *masks = NULL;

  if (!vg_region_settings_is_label (self->labels->pdata[a], self->labels->pdata[b]))
    return FALSE;
  masks = g_try_malloc (2 * n);
  for (int slice = 0; slice < self->info->slices && masks != NULL; slice++)
    {
      memset (masks, 0, 2 * n);
      mark (self, a, slice, masks);
      mark (self, b, slice, masks + n);
      if (memcmp (masks, masks + n, n) != 0)
        return FALSE;
    }
  return masks != NULL;
}

static void
drop (VgRegionSegments *self, guint i)
{
  g_array_unref (g_array_index (self->segments, Segment, i).regions);
  g_array_remove_index (self->segments, i);
  g_ptr_array_remove_index (self->labels, i);
}

/* A file may be the value of a setting, and also give the named regions, which tell how they were
 * outlined. */
static void
remove_copies (VgRegionSegments *self, guint settings)
{
  for (guint i = self->segments->len; i-- > settings;)
    for (guint k = 0; k < settings; k++)
      if (is_same (self, k, i))
        {
          Segment *setting = &g_array_index (self->segments, Segment, k);

          if (setting->image != NULL && setting->algorithm == VG_DICOM_MANUAL)
            setting->algorithm = g_array_index (self->segments, Segment, i).algorithm;
          drop (self, i);
          break;
        }
}

/* A name that settings and other regions have belongs to the latter alone. */
static void
name_settings (VgRegionSegments *self, guint settings)
{
  for (guint k = 0; k < settings; k++)
    for (guint i = settings; i < self->segments->len; i++)
      if (strcmp (self->labels->pdata[k], self->labels->pdata[i]) == 0)
        {
          char *label = self->labels->pdata[k];

          self->labels->pdata[k] = g_strdup_printf (VG_REGION_OF_SETTING, label);
          g_free (label);
          break;
        }
}

/* Without memory to look, the writer of the file says so. */
static gboolean
has_voxel (const VgRegionSegments *self)
{
  g_autofree guint8 *mask = g_try_malloc0 ((gsize) self->info->width * (gsize) self->info->height);

  for (guint i = 0; i < self->segments->len && mask != NULL; i++)
    for (int slice = 0; slice < self->info->slices; slice++)
      if (mark (self, i, slice, mask))
        return TRUE;
  return mask == NULL;
}

VgRegionSegments *
vg_region_segments_new (VgWork *work, const VgNamedRegion *const *regions, const GPtrArray *found)
{
  g_autoptr (VgRegionSegments) self = g_new0 (VgRegionSegments, 1);
  const VgFind *find = vg_work_get_operation (work)->find;
  guint settings;

  self->info = vg_work_get_info (work);
  self->number = (int) vg_work_get_operation (work)->n_outputs + 1;
  self->segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  self->labels = g_ptr_array_new_with_free_func (g_free);
  self->algorithms = g_array_new (FALSE, FALSE, sizeof (VgDicomAlgorithm));
  self->finder = find != NULL ? find->label : "?";
  add_settings (self, work, regions, found);
  settings = self->segments->len;
  add_named (self, regions);
  remove_copies (self, settings);
  name_settings (self, settings);
  for (guint i = 0; i < self->segments->len; i++)
    g_array_append_val (self->algorithms, g_array_index (self->segments, Segment, i).algorithm);
  g_ptr_array_add (self->labels, NULL);
  return has_voxel (self) ? g_steal_pointer (&self) : NULL;
}

gboolean
vg_region_segments_write (const VgRegionSegments *self, VgDicomWriter *dicom, const char *path,
                          GError **error)
{
  g_autofree char *finder = g_strdup_printf ("Vivograph: %s", self->finder);
  const VgDicomSegments segments = {
    .labels = (const char *const *) self->labels->pdata,
    .algorithms = (const VgDicomAlgorithm *) (gconstpointer) self->algorithms->data,
    .algorithm = finder,
    .number = self->number,
    .grid = { .width = self->info->width,
              .height = self->info->height,
              .slices = (int) self->info->slices },
    .mark = mark,
    .data = self
  };

  return vg_dicom_writer_write_segments (dicom, path, &segments, error);
}

void
vg_region_segments_free (VgRegionSegments *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->segments->len; i++)
    g_array_unref (g_array_index (self->segments, Segment, i).regions);
  g_array_unref (self->segments);
  g_array_unref (self->algorithms);
  g_ptr_array_unref (self->labels);
  g_free (self->own);
  g_free (self);
}
