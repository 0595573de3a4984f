/* SPDX-License-Identifier: MIT */
/* The inputs of works: files, several as one series, or synthetic data. */
#include <glib/gstdio.h>
#include <string.h>
#include "kernels/base/vg-memory.h"
#include "app/compute/vg-file-series.h"
#include "app/compute/vg-tile-sample.h"
#include "app/compute/vg-work.h"
#include "io/live/vg-live.h"

/* How the operation needs a file to be read. */
static VgSourceOptions
options_for (const VgOperation *operation, const char *read_options)
{
  gboolean bins = vg_input_spec_has_bins (&operation->input);

  return (VgSourceOptions){ .read_options = read_options,
                            .colour = vg_input_spec_has_color (&operation->input),
                            .bins = bins,
                            .brightest_channel = bins,
                            .channels = !bins,
                            .curves = operation->input.curves };
}

static VgSource *
open_synthetic (const VgOperation *operation, const void *params, const char *read_options,
                const VgSyntheticSize *size, GError **error)
{
  VgSyntheticSize own;

  if (operation->synthetic != NULL)
    {
      own = size == NULL ? operation->synthetic->batch : *size;
      if (read_options != NULL && !vg_source_choose_sample (operation, read_options, &own, error))
        return NULL;
      return vg_source_open_synthetic (operation, params, &own, error);
    }
  g_set_error (error, VG_USAGE_ERROR, 0, "%s has no sample data; name a file", operation->id);
  return NULL;
}

VgSource *
vg_work_open_source (const VgOperation *operation, const void *params, const char *const *files,
                     const char *read_options, const VgSyntheticSize *size, GError **error)
{
  VgSourceOptions options = options_for (operation, read_options);

  if (files == NULL || files[0] == NULL)
    return open_synthetic (operation, params, read_options, size, error);
  if (!vg_live_is_address (files[0]))
    return vg_file_series_open (files, &options, error);
  if (files[1] == NULL)
    return vg_live_open (files[0], &options, error);
  g_set_error (error, VG_USAGE_ERROR, 0,
               "\"%s\" is a live source, so \"%s\" cannot follow it; name only one of them",
               files[0], files[1]);
  return NULL;
}

/* Reads a source with an end to that end. */
static VgImage *
read_whole (VgSource *source, GError **error)
{
  gsize bytes = vg_image_info_frame_bytes (&source->info), total;
  g_autoptr (VgImage) image = NULL;

  if (source->info.frames < 0 || !g_size_checked_mul (&total, bytes, (gsize) source->info.frames))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" has no known end, but this operation needs all data at once",
                   source->name);
      return NULL;
    }
  if (!vg_memory_check (total, source->name, error))
    return NULL;
  image = vg_image_new (&source->info, source->name, error);
  if (image != NULL)
    {
      image->details = g_strdup (source->details);
      image->caution = g_strdup (source->caution);
      image->times_s = g_memdup2 (
          source->times_s, source->times_s ? (gsize) source->info.frames * sizeof (double) : 0);
      image->names = g_strdupv (source->names);
    }
  for (gint64 i = 0; image != NULL && i < source->info.frames; i++)
    if (!vg_source_read (source, i, (char *) image->data + i * bytes, error))
      return NULL;
  return g_steal_pointer (&image);
}

/* A sample of the level of SOURCE: BEFORE if that is of the same level of the same file. */
static VgImage *
look_at_slide (VgSource *source, const char *file, VgImage *before, GError **error)
{
  GStatBuf found = { 0 };
  g_autofree char *details = NULL;
  VgImage *slide;

  g_stat (file, &found);
  details = g_strdup_printf (
      "level %d of %s, %" G_GINT64_FORMAT " bytes, changed at %" G_GINT64_FORMAT,
      source->pyramid->level, file, (gint64) found.st_size, (gint64) found.st_mtime);
  if (before != NULL && g_strcmp0 (before->details, details) == 0)
    return vg_image_ref (before);
  slide = vg_tile_sample (source, error);
  if (slide != NULL)
    slide->details = g_steal_pointer (&details);
  return slide;
}

/* An image of a slide region has a sample of its slide, for the slide calibration. */
static VgImage *
load_file (const VgOperation *operation, const char *file, const VgSourceOptions *options,
           VgImage *before, GError **error)
{
  g_autoptr (VgImage) image = vg_image_load (file, VG_FILE_IMAGE, options, error);
  g_autoptr (VgSource) source = NULL;

  if (image == NULL || image->info.downsample <= 0.0 || operation->tiled == NULL)
    return g_steal_pointer (&image);
  source = vg_source_open (file, options, error);
  if (source == NULL || (source->pyramid != NULL &&
                         (image->slide = look_at_slide (source, file, before, error)) == NULL))
    return NULL;
  return g_steal_pointer (&image);
}

VgImage *
vg_work_load_dataset (const VgOperation *operation, const void *params, const char *const *files,
                      const char *read_options, const VgSyntheticSize *size, GError **error)
{
  return vg_work_load_part (operation, params, files, read_options, size, NULL, error);
}

VgImage *
vg_work_load_part (const VgOperation *operation, const void *params, const char *const *files,
                   const char *read_options, const VgSyntheticSize *size, VgImage *slide,
                   GError **error)
{
  VgSourceOptions options = options_for (operation, read_options);
  g_autoptr (VgSource) source = NULL;

  if (files != NULL && files[0] != NULL && files[1] == NULL && !vg_live_is_address (files[0]))
    return load_file (operation, files[0], &options, slide, error);
  source = vg_work_open_source (operation, params, files, read_options, size, error);
  return source == NULL ? NULL : read_whole (source, error);
}
