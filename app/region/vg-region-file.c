/* SPDX-License-Identifier: MIT */
#include "app/region/vg-region-file.h"
#include <string.h>
#include "app/region/vg-region-labels.h"
#include "io/source/vg-source.h"

enum { MAX_BYTES = 1 << 20, MAX_REGIONS = 1000 };

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

GPtrArray *
vg_region_file_load (const char *path, guint most, int size[2], char **note, GError **error)
{
  g_autoptr (VgImage) file = vg_image_load (path, VG_FILE_IMAGE | VG_FILE_TEXT, NULL, error);

  *note = NULL;
  size[0] = size[1] = 0;
  if (file == NULL)
    return NULL;
  if (file->text != NULL)
    return read_list (file->text, file->text_length, path, error);
  size[0] = file->info.width;
  size[1] = file->info.height;
  return vg_region_labels (file, path, most, note, error);
}

gboolean
vg_region_file_is_list (const char *text)
{
  g_autofree char *first = g_strndup (text, strcspn (text, " \t\r\n"));
  VgRegion region;

  return vg_region_parse (&region, first, NULL) && !g_file_test (text, G_FILE_TEST_EXISTS);
}

GPtrArray *
vg_region_file_parse (const char *text, GError **error)
{
  return read_list (text, strlen (text), "list of regions", error);
}
