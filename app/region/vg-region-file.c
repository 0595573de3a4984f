/* SPDX-License-Identifier: MIT */
#include "app/region/vg-region-file.h"
#include <math.h>
#include <string.h>
#include "io/source/vg-source.h"
#include "kernels/base/vg-placement.h"
#include "kernels/base/vg-text.h"

enum { MAX_BYTES = 1 << 20, MAX_REGIONS = 1000, MOST_LABELS = 255 };

/* NULL without an error: the line is empty or a comment. */
static VgNamedRegion *
read_line (char *line, guint number, const char *path, guint index, GError **error)
{
  g_autoptr (GError) local = NULL;
  VgNamedRegion *region;
  char *name;

  g_strstrip (line);
  if (*line == '\0' || *line == '#')
    return NULL;
  name = line + strcspn (line, " \t");
  if (*name != '\0')
    *name++ = '\0';
  g_strchug (name);
  region = g_new0 (VgNamedRegion, 1);
  if (!vg_region_parse (&region->region, line, &local))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "\"%s\", line %u: %s", path, number,
                   local->message);
      g_free (region);
      return NULL;
    }
  region->name = *name != '\0' ? g_strdup (name) : g_strdup_printf ("Region %u", index + 1);
  return region;
}

/* PATH is for messages. */
static GPtrArray *
read_list (const char *text, gsize length, const char *path, GError **error)
{
  g_autoptr (GPtrArray) regions = g_ptr_array_new_with_free_func (vg_named_region_free);
  g_auto (GStrv) lines = NULL;

  if (length > MAX_BYTES || !g_utf8_validate (text, (gssize) length, NULL))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "\"%s\" is not a list of regions; choose a text file with lines such as "
                   "rect:10,20,30,40 cell, or a label mask",
                   path);
      return NULL;
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr (GError) local = NULL;
      VgNamedRegion *region = read_line (lines[i], i + 1, path, regions->len, &local);

      if (region != NULL)
        g_ptr_array_add (regions, region);
      if (local == NULL && regions->len > MAX_REGIONS)
        g_set_error (&local, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                     "\"%s\" has more than %d regions; use fewer", path, (int) MAX_REGIONS);
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
    }
  if (regions->len > 0)
    return g_steal_pointer (&regions);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\" has no region; write one line for each, such as rect:10,20,30,40 cell",
               path);
  return NULL;
}

/* Adds the regions of SEGMENT in all slices; counts the SIMPLIFIED outlines. */
static gboolean
add_segment (GPtrArray *regions, const VgImage *segment, const char *path, VgSimplified *simplified,
             GError **error)
{
  const VgImageInfo *info = &segment->info;
  gsize n = (gsize) info->width * (gsize) info->height;
  VgImageInfo one = vg_image_info_grey (VG_U8, info->width, info->height);
  guint before = regions->len;

  for (int z = 0; z < info->slices; z++)
    {
      const guint8 *from = (const guint8 *) segment->data + (gsize) z * n;
      g_autoptr (VgImage) slice = NULL;
      g_autoptr (GPtrArray) found = NULL;

      if (memchr (from, 1, n) == NULL)
        continue;
      slice = vg_image_new (&one, segment->name, error);
      if (slice == NULL)
        return FALSE;
      memcpy (slice->data, from, n);
      found = vg_region_labels (slice, path, 1, simplified, error);
      if (found == NULL)
        return FALSE;
      for (guint i = 0; i < found->len; i++)
        {
          VgNamedRegion *region = found->pdata[i];

          region->region.slice = z;
          g_ptr_array_add (regions, region);
        }
      g_ptr_array_set_free_func (found, NULL);
    }
  for (guint i = before; i < regions->len; i++)
    {
      VgNamedRegion *region = regions->pdata[i];

      g_free (region->name);
      region->name = regions->len == before + 1
                         ? g_strdup (info->segment)
                         : g_strdup_printf (VG_REGION_IN_SLICE, info->segment,
                                            region->region.slice + 1);
    }
  return TRUE;
}

/* The regions of all segments of the file PATH, or of the one that it names, which is FIRST. */
static GPtrArray *
read_segments (const char *path, const VgImage *first, guint most, const VgImageInfo *data,
               char **note, GError **error)
{
  g_autoptr (GPtrArray) regions = g_ptr_array_new_with_free_func (vg_named_region_free);
  g_autofree char *read_options = NULL, *file = vg_source_split_path (path, NULL, &read_options);
  int n = read_options == NULL ? MAX (first->info.series_available, 1) : 1;
  VgSimplified simplified = { 0 };

  for (int i = 1; i <= n; i++)
    {
      g_autofree char *series = g_strdup_printf ("series=%d", i);
      const VgSourceOptions options = { .read_options = n > 1 ? series : read_options };
      g_autoptr (VgImage) own = vg_image_load (file, VG_FILE_IMAGE, &options, error);
      g_autoptr (VgImage) segment = own != NULL && data != NULL
                                        ? vg_image_place (own, data, FALSE, error)
                                    : own != NULL ? vg_image_ref (own)
                                                  : NULL;

      if (segment == NULL || !add_segment (regions, segment, path, &simplified, error))
        return NULL;
      if (regions->len > most)
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                       "the segments of \"%s\" have more than %u slices; choose one, such as "
                       "%s#segment=1",
                       path, most, path);
          return NULL;
        }
    }
  *note = vg_simplified_describe (&simplified, path);
  if (regions->len > 0)
    return g_steal_pointer (&regions);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "no segment of \"%s\" has a voxel%s", path,
               data != NULL ? " in the data; choose the segmentation of this series" : "");
  return NULL;
}

/* ---- volumes of labels ---- */

/* Label of sample I of FILE; NaN: it is none. */
static double
label_of (const VgImage *file, gsize i)
{
  double value;

  switch (file->info.type)
    {
    case VG_U8:
      return ((const guint8 *) file->data)[i];
    case VG_U16:
      return ((const guint16 *) file->data)[i];
    case VG_U32:
      return ((const guint32 *) file->data)[i];
    default:
      value = (double) ((const float *) file->data)[i];
      return value >= 0 && value == floor (value) ? value : NAN;
    }
}

/* Whether the file is one volume of labels, such as a NIfTI mask; its labels, ascending, are set in
 * LABELS (double).  FALSE without an error: it is another image. */
static gboolean
find_labels (const VgImage *file, const char *path, GArray *labels, GError **error)
{
  const VgImageInfo *info = &file->info;
  gsize n = (gsize) info->width * (gsize) info->height * (gsize) MAX (info->slices, 0);
  double last = 0;

  if (info->slices < 2 || info->frames != 1 || info->channels != 1 || info->bins > 1)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      double label = label_of (file, i);
      guint at = 0;

      if (isnan (label))
        return FALSE;
      if (label == 0 || label == last)
        continue;
      last = label;
      while (at < labels->len && g_array_index (labels, double, at) < label)
        at++;
      if (at < labels->len && g_array_index (labels, double, at) == label)
        continue;
      if (labels->len == MOST_LABELS)
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                       "\"%s\" has more than %d labels; choose a mask with fewer labels", path,
                       (int) MOST_LABELS);
          return FALSE;
        }
      g_array_insert_val (labels, at, label);
    }
  if (labels->len == 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "\"%s\" has no labels: every voxel is 0",
                 path);
  return labels->len > 0;
}

/* A segment NAME of the size of FILE, whose pages are its slices, without voxels. */
static VgImage *
make_segment (const VgImage *file, const char *name, GError **error)
{
  VgImageInfo info = file->info;

  info.type = VG_U8;
  info.significant_bits = 0;
  info.slices = (int) vg_image_info_pages (&file->info);
  info.frames = info.bins = 1;
  vg_text_copy (info.segment, sizeof info.segment, name);
  return vg_image_new (&info, file->name, error);
}

/* The voxels of LABEL as a segment. */
static VgImage *
take_label (const VgImage *file, double label, const char *name, GError **error)
{
  VgImage *segment = make_segment (file, name, error);
  gsize n = segment != NULL ? vg_image_info_frame_bytes (&segment->info) : 0;

  for (gsize i = 0; i < n; i++)
    ((guint8 *) segment->data)[i] = label_of (file, i) == label;
  return segment;
}

/* The name of a region with LABEL: that of the file without its endings, if it has no other. */
static char *
name_label (const char *path, const GArray *labels, double label)
{
  g_autofree char *base = NULL;

  if (labels->len > 1)
    return g_strdup_printf ("Label %.0f", label);
  base = g_filename_display_basename (path);
  if (strchr (base, '.') > base)
    *strchr (base, '.') = '\0';
  return g_steal_pointer (&base);
}

static gboolean
check_most (const GPtrArray *regions, guint most, const char *path, GError **error)
{
  if (regions->len > most)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "the labels of \"%s\" give more than %u regions, one for each slice of a label; "
                 "choose a mask with fewer labels or slices",
                 path, most);
  return regions->len <= most;
}

/* The regions of the LABELS of a volume, one for each slice of each label: on the grid of DATA, or,
 * if DATA is NULL, as they are stored.  NULL and an error: DATA has its voxels elsewhere. */
static GPtrArray *
list_labels (const char *path, const VgImage *file, const GArray *labels, guint most,
             const VgImageInfo *data, VgSimplified *simplified, GError **error)
{
  g_autoptr (GPtrArray) regions = g_ptr_array_new_with_free_func (vg_named_region_free);

  for (guint i = 0; i < labels->len; i++)
    {
      double label = g_array_index (labels, double, i);
      g_autofree char *name = name_label (path, labels, label);
      g_autoptr (VgImage) own = take_label (file, label, name, error);
      g_autoptr (VgImage) segment = own != NULL && data != NULL
                                        ? vg_image_place (own, data, FALSE, error)
                                    : own != NULL ? vg_image_ref (own)
                                                  : NULL;

      if (segment == NULL || !add_segment (regions, segment, path, simplified, error) ||
          !check_most (regions, most, path, error))
        return NULL;
    }
  for (guint i = 0; i < regions->len; i++)
    ((VgNamedRegion *) regions->pdata[i])->named_after_file = labels->len == 1;
  if (regions->len > 0)
    return g_steal_pointer (&regions);
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "no labelled voxel of \"%s\" lies in the data; choose the mask of this series",
               path);
  return NULL;
}

GPtrArray *
vg_region_file_outline (const VgImage *mask, const char *name, VgSimplified *simplified,
                        GError **error)
{
  g_autoptr (GPtrArray) regions = g_ptr_array_new_with_free_func (vg_named_region_free);
  g_autoptr (VgImage) segment = make_segment (mask, name, error);
  gsize n = segment != NULL ? (gsize) segment->info.width * (gsize) segment->info.height *
                                  (gsize) segment->info.slices
                            : 0;

  for (gsize i = 0; i < n; i++)
    {
      double value = vg_image_sample (mask, i);

      ((guint8 *) segment->data)[i] = isfinite (value) && value != 0;
    }
  return segment != NULL && add_segment (regions, segment, mask->name, simplified, error)
             ? g_steal_pointer (&regions)
             : NULL;
}

gboolean
vg_region_file_needs_data (const char *path)
{
  g_autoptr (VgSource) source = vg_source_open (path, NULL, NULL);

  return source != NULL &&
         (source->info.segment[0] != '\0' || source->info.slices > 1 || source->info.frames > 1);
}

GPtrArray *
vg_region_file_load (const char *path, guint most, const VgImageInfo *data, int size[2],
                     char **note, GError **error)
{
  g_autoptr (VgImage) file = vg_image_load (path, VG_FILE_IMAGE | VG_FILE_TEXT, NULL, error);
  g_autoptr (GArray) labels = g_array_new (FALSE, FALSE, sizeof (double));
  GError *local = NULL;
  GPtrArray *regions;
  VgSimplified simplified = { 0 };

  *note = NULL;
  size[0] = size[1] = 0;
  if (file == NULL)
    return NULL;
  if (file->text != NULL)
    return read_list (file->text, file->text_length, path, error);
  if (file->info.segment[0] != '\0')
    {
      size[0] = data != NULL ? data->width : file->info.width;
      size[1] = data != NULL ? data->height : file->info.height;
      return read_segments (path, file, most, data, note, error);
    }
  /* pages of a TIFF are slices, too */
  if (data != NULL && data->slices > 1 && file->info.slices < 2 &&
      file->info.frames == data->slices)
    {
      file->info.slices = data->slices;
      file->info.frames = 1;
    }
  if (find_labels (file, path, labels, &local))
    {
      size[0] = data != NULL ? data->width : file->info.width;
      size[1] = data != NULL ? data->height : file->info.height;
      regions = list_labels (path, file, labels, most, data, &simplified, error);
      if (regions != NULL)
        *note = vg_simplified_describe (&simplified, path);
      return regions;
    }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  size[0] = file->info.width;
  size[1] = file->info.height;
  regions = vg_region_labels (file, path, most, &simplified, error);
  if (regions != NULL)
    *note = vg_simplified_describe (&simplified, path);
  return regions;
}

/* TEXT with a new line in place of each semicolon before a shape; owned.  Other semicolons stand
 * between the points of a polygon, or in a name. */
static char *
split_list (const char *text)
{
  char *list = g_strdup (text);

  for (char *c = strchr (list, ';'); c != NULL; c = strchr (c + 1, ';'))
    if (vg_region_is_meant (c + 1 + strspn (c + 1, " \t")))
      *c = '\n';
  return list;
}

gboolean
vg_region_file_is_list (const char *text)
{
  g_autofree char *list = split_list (text), *first = g_strndup (list, strcspn (list, " \t\r\n"));
  VgRegion region;

  return vg_region_parse (&region, first, NULL) && !g_file_test (text, G_FILE_TEST_EXISTS);
}

GPtrArray *
vg_region_file_parse (const char *text, GError **error)
{
  g_autofree char *list = split_list (text);

  return read_list (list, strlen (list), "list of regions", error);
}

char *
vg_region_file_label (const VgNamedRegion *region)
{
  g_autofree char *slice = g_strdup_printf (VG_REGION_IN_SLICE, "", region->region.slice + 1);

  return g_str_has_suffix (region->name, slice)
             ? g_strndup (region->name, strlen (region->name) - strlen (slice))
             : g_strdup (region->name);
}

const VgNamedRegion **
vg_region_file_hide_names (const VgNamedRegion *const *regions, GPtrArray **renamed)
{
  guint n = 0, number = 0;
  const VgNamedRegion **hidden;
  /* from the labels to the new ones, which no other region may have */
  g_autoptr (GHashTable) labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                         taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  *renamed = g_ptr_array_new_with_free_func (vg_named_region_free);
  for (; regions != NULL && regions[n] != NULL; n++)
    if (!regions[n]->named_after_file)
      g_hash_table_add (taken, vg_region_file_label (regions[n]));
  hidden = g_new0 (const VgNamedRegion *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = vg_region_file_label (regions[i]);
      gboolean in_slice = !g_str_equal (label, regions[i]->name);
      const char *other = g_hash_table_lookup (labels, label);
      VgNamedRegion *copy;

      hidden[i] = regions[i];
      if (!regions[i]->named_after_file)
        continue;
      if (other == NULL)
        {
          char *name = NULL;

          do
            {
              g_free (name);
              name = g_strdup_printf ("Region %u", ++number);
            }
          while (g_hash_table_contains (taken, name));
          g_hash_table_insert (labels, g_steal_pointer (&label), name);
          other = name;
        }
      copy = g_memdup2 (regions[i], sizeof *copy);
      copy->name = in_slice ? g_strdup_printf (VG_REGION_IN_SLICE, other, copy->region.slice + 1)
                            : g_strdup (other);
      g_ptr_array_add (*renamed, copy);
      hidden[i] = copy;
    }
  return hidden;
}
