/* SPDX-License-Identifier: MIT */
/* The decoded content of FILE parameters: a dark frame is read once, not at
 * every move of a slider. */
#include "app/compute/vg-file-series.h"
#include "app/compute/vg-work-private.h"
#include "kernels/base/vg-placement.h"
#include <gio/gio.h>
#include <string.h>

typedef struct
{
  char *path;
  gint64 changed_us;
  goffset size;
  VgImage *image;
  VgImage *placed; /* the same, or the segment that it is on the grid of the data */
} VgCachedFile;

/* See vg_work_give_file; IMAGE NULL: none. */
typedef struct
{
  char *name;
  VgImage *image;
} VgGivenFile;

struct _VgFileCache
{
  const VgParamTable *table;
  gboolean bins;         /* the operation takes decays */
  VgCachedFile *entries; /* one per parameter of the table */
  VgGivenFile *given;    /* likewise */
  VgInputFile *files;
  guint n_files;
};

static void
vg_cached_file_clear (VgCachedFile *self)
{
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->image, vg_image_unref);
  g_clear_pointer (&self->placed, vg_image_unref);
}

VgFileCache *
vg_file_cache_new (const VgOperation *operation)
{
  VgFileCache *self = g_new0 (VgFileCache, 1);

  self->table = &operation->params;
  self->bins = vg_input_spec_has_bins (&operation->input);
  self->entries = g_new0 (VgCachedFile, self->table->n_items);
  self->given = g_new0 (VgGivenFile, self->table->n_items);
  self->files = g_new0 (VgInputFile, self->table->n_items);
  return self;
}

void
vg_file_cache_free (VgFileCache *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->table->n_items; i++)
    {
      vg_cached_file_clear (&self->entries[i]);
      g_free (self->given[i].name);
      g_clear_pointer (&self->given[i].image, vg_image_unref);
    }
  g_free (self->entries);
  g_free (self->given);
  g_free (self->files);
  g_free (self);
}

void
vg_file_cache_give (VgFileCache *self, const VgParam *param, const char *name, VgImage *image)
{
  VgGivenFile *given = &self->given[param - self->table->items];

  g_free (given->name);
  given->name = g_strdup (name);
  g_clear_pointer (&given->image, vg_image_unref);
  given->image = image != NULL ? vg_image_ref (image) : NULL;
}

const char *
vg_file_cache_path (const VgParam *param, const void *params)
{
  const char *text;
  VgRegion region;

  if (param->kind != VG_PARAM_FILE)
    return NULL;
  text = *(char *const *) ((const char *) params + param->offset);
  if (text == NULL || *text == '\0')
    return NULL;
  return param->file.or_region && vg_region_parse (&region, text, NULL) ? NULL : text;
}

static double
sum_of (const VgImage *image)
{
  gsize n = vg_image_info_frame_bytes (&image->info) / vg_type_size (image->info.type) *
            (gsize) MAX (image->info.frames, 1);
  double sum = 0.0;

  for (gsize i = 0; i < n; i++)
    sum += vg_image_sample (image, i);
  return sum;
}

/* Of the channels of a file, of which FIRST is the first, the one of the largest sum; FIRST itself
 * when READ_OPTIONS names one. */
static VgImage *
choose_brightest_channel (VgImage *first, const char *path, const char *read_options,
                          const VgParam *param, const VgSourceOptions *options, GError **error)
{
  const VgParam *channel = vg_params_find (&vg_read_options_table, "channel");
  VgImage *best = first;
  int n = first->info.channels_available;
  double most;

  if (n < 2 || (read_options != NULL && strstr (read_options, "channel=") != NULL))
    return first;
  most = sum_of (first);
  for (int i = 2; i <= n; i++)
    {
      g_autofree char *number = g_strdup_printf ("%d", i),
                      *text = vg_read_options_set (read_options, channel, number, error);
      VgSourceOptions other = *options;
      VgImage *image;
      double sum;

      other.read_options = text;
      image = text != NULL ? vg_image_load (path, param->file.kinds, &other, error) : NULL;
      if (image == NULL)
        {
          vg_image_unref (best);
          return NULL;
        }
      sum = sum_of (image);
      if (sum > most)
        {
          most = sum;
          vg_image_unref (best);
          best = g_steal_pointer (&image);
        }
      g_clear_pointer (&image, vg_image_unref);
    }
  return best;
}

/* The texts of several files in one, with form feeds between them; its names are those of the
 * files.
 */
static VgImage *
join_texts (const GPtrArray *images, const char *name)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char **names = g_new0 (char *, images->len + 1);
  VgImage *all;
  gsize length;

  for (guint i = 0; i < images->len; i++)
    {
      const VgImage *image = images->pdata[i];

      names[i] = g_strdup (image->name);
      g_string_append_printf (text, "%s%s", i > 0 ? "\f" : "", image->text);
    }
  length = text->len;
  all = vg_image_new_text (g_string_free (g_steal_pointer (&text), FALSE), length, name);
  all->names = names;
  return all;
}

/* Files of one size whose frames follow each other in the order of NAMES. */
static VgImage *
load_several (char **names, guint kinds, const VgSourceOptions *options, GError **error)
{
  g_autoptr (GPtrArray) images = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_image_unref);
  g_autoptr (VgImage) all = NULL;
  g_autofree char *name = g_strdup_printf ("%s and %u more", names[0], g_strv_length (names) - 1);
  VgImageInfo info = { 0 };
  gboolean same_pulses = TRUE, flips = TRUE, inversions = TRUE;
  gsize bytes = 0, at = 0;

  for (guint i = 0; names[i] != NULL; i++)
    {
      VgImage *image = vg_image_load (names[i], kinds, options, error);

      if (image == NULL)
        return NULL;
      if (i > 0 && image->text == NULL)
        {
          g_autoptr (VgImage) own = image;

          image = vg_image_place (own, &info, TRUE, error);
          if (image == NULL)
            return NULL;
        }
      g_ptr_array_add (images, image);
      if (image->text != NULL)
        continue;
      if (i == 0)
        info = image->info;
      else if (!vg_file_series_check (&info, names[0], &image->info, names[i], error))
        return NULL;
      else
        info.frames += image->info.frames;
      same_pulses = same_pulses && info.repetition_ms == image->info.repetition_ms;
      flips = flips && (image->flips_deg != NULL || image->info.flip_deg > 0);
      inversions = inversions && (image->inversions_ms != NULL || image->info.inversion_ms > 0);
    }
  if (kinds == VG_FILE_TEXT)
    return join_texts (images, name);
  info.repetition_ms = same_pulses ? info.repetition_ms : 0;
  all = vg_image_new (&info, name, error);
  if (all == NULL)
    return NULL;
  all->flips_deg = flips ? g_new (double, info.frames) : NULL;
  all->inversions_ms = inversions ? g_new (double, info.frames) : NULL;
  for (guint i = 0; i < images->len; i++)
    {
      const VgImage *image = images->pdata[i];

      for (gint64 k = 0; flips && k < image->info.frames; k++)
        all->flips_deg[(gint64) at + k] = image->flips_deg != NULL ? image->flips_deg[k]
                                                                   : image->info.flip_deg;
      for (gint64 k = 0; inversions && k < image->info.frames; k++)
        all->inversions_ms[(gint64) at + k] = image->inversions_ms != NULL
                                                  ? image->inversions_ms[k]
                                                  : image->info.inversion_ms;
      memcpy ((guint8 *) all->data + bytes, image->data,
              vg_image_info_frame_bytes (&image->info) * (gsize) image->info.frames);
      bytes += vg_image_info_frame_bytes (&image->info) * (gsize) image->info.frames;
      at += (gsize) image->info.frames;
    }
  return g_steal_pointer (&all);
}

/* Sums size and modification time of the files, which show whether one has changed. */
static gboolean
look_at (char **names, VgCachedFile *fresh)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *read_options = NULL,
                      *name = vg_source_split_path (names[i], NULL, &read_options);
      g_autoptr (GFile) file = g_file_new_for_path (name);
      g_autoptr (GFileInfo) info = g_file_query_info (file,
                                                      G_FILE_ATTRIBUTE_STANDARD_SIZE
                                                      "," G_FILE_ATTRIBUTE_TIME_MODIFIED
                                                      "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC,
                                                      G_FILE_QUERY_INFO_NONE, NULL, NULL);
      g_autoptr (GDateTime) changed = info != NULL ? g_file_info_get_modification_date_time (info)
                                                   : NULL;

      if (info == NULL)
        return FALSE;
      fresh->size += g_file_info_get_size (info);
      fresh->changed_us += changed == NULL ? 0
                                           : g_date_time_to_unix (changed) * G_USEC_PER_SEC +
                                                 g_date_time_get_microsecond (changed);
    }
  return TRUE;
}

/* Sets the image that the engine gets of FRESH: it is placed on the grid of DATA.  A MASK need not
 * cover it.  The image is kept as long as the file and the grid are the same, so that nothing is
 * computed again. */
static gboolean
place (const VgCachedFile *old, VgCachedFile *fresh, gboolean mask, const VgImageInfo *data,
       GError **error)
{
  const VgImageInfo *before = old->image == fresh->image ? &old->placed->info : NULL;

  if (fresh->image->text != NULL || data == NULL)
    fresh->placed = vg_image_ref (fresh->image);
  else if (before != NULL && before->width == data->width && before->height == data->height &&
           before->slices == data->slices &&
           memcmp (&before->placement, &data->placement, sizeof data->placement) == 0)
    fresh->placed = vg_image_ref (old->placed);
  else
    fresh->placed = vg_image_place (fresh->image, data, !mask, error);
  return fresh->placed != NULL;
}

static gboolean
load_entry (VgFileCache *self, guint i, VgCachedFile *fresh, const char *path,
            const VgImageInfo *data, GError **error)
{
  const VgCachedFile *old = &self->entries[i];
  const VgParam *param = &self->table->items[i];
  VgSourceOptions options = { .bins = self->bins,
                              .segment = param->file.or_region ? param->label : NULL };
  g_auto (GStrv) names = vg_param_split_files (param, path);
  g_autofree char *read_options = NULL,
                  *name = names[0] != NULL ? vg_source_split_path (names[0], NULL, &read_options)
                                           : NULL;

  fresh->path = g_strdup (path);
  if (self->given[i].image != NULL && g_strcmp0 (path, self->given[i].name) == 0)
    {
      fresh->image = vg_image_ref (self->given[i].image);
      return place (old, fresh, param->file.or_region != VG_FILE_NO_REGION, data, error);
    }
  if (look_at (names, fresh) && old->image != NULL && g_strcmp0 (old->path, path) == 0 &&
      old->size == fresh->size && old->changed_us == fresh->changed_us)
    {
      fresh->image = vg_image_ref (old->image);
      return place (old, fresh, param->file.or_region != VG_FILE_NO_REGION, data, error);
    }
  fresh->image = names[0] != NULL && names[1] != NULL
                     ? load_several (names, param->file.kinds, &options, error)
                     : vg_image_load (names[0] != NULL ? names[0] : path, param->file.kinds,
                                      &options, error);
  if (fresh->image != NULL && param->file.brightest_channel)
    fresh->image = choose_brightest_channel (fresh->image, name, read_options, param, &options,
                                             error);
  if (fresh->image == NULL ||
      !place (old, fresh, param->file.or_region != VG_FILE_NO_REGION, data, error))
    {
      /* the label leads to the setting in the window, which knows no options */
      g_prefix_error (error, "%s: ", param->label);
      return FALSE;
    }
  return TRUE;
}

gboolean
vg_file_cache_load (VgFileCache *self, const void *params, const VgImageInfo *data, GError **error)
{
  guint n = self->table->n_items, n_files = 0;
  VgCachedFile *fresh = g_new0 (VgCachedFile, n), *drop = fresh;
  gboolean ok = TRUE;

  for (guint i = 0; i < n && ok; i++)
    {
      const VgParam *param = &self->table->items[i];
      const char *path = vg_file_cache_path (param, params);
      gboolean used = vg_param_is_shown (self->table, param, params);

      if (path != NULL)
        ok = load_entry (self, i, &fresh[i], path, used ? data : NULL, error);
    }
  if (ok)
    {
      drop = self->entries;
      self->entries = fresh;
      for (guint i = 0; i < n; i++)
        if (fresh[i].image != NULL)
          self->files[n_files++] = (VgInputFile){ self->table->items[i].id, fresh[i].placed };
      self->n_files = n_files;
    }
  for (guint i = 0; i < n; i++)
    vg_cached_file_clear (&drop[i]);
  g_free (drop);
  return ok;
}

const VgInputFile *
vg_file_cache_get (VgFileCache *self, guint *n)
{
  *n = self->n_files;
  return self->files;
}
