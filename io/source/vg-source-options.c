/* SPDX-License-Identifier: MIT */
/* What the read options change in a source that has been opened. */
#include "io/source/vg-source-private.h"

/* A read option that the file has no use for is a usage error. */
static gboolean
check_read_options (const VgSource *source, const VgReadOptions *read_options, GError **error)
{
  if (read_options->sample)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "--sample chooses among the sample data, but %s is a file; omit the option",
                   source->name);
      return FALSE;
    }
  if (read_options->segment && source->info.segment[0] == '\0')
    {
      g_set_error (
          error, VG_USAGE_ERROR, 0,
          "segment=%s has no effect on %s (%s), which is not a DICOM segmentation; omit it",
          read_options->segment, source->name, source->format);
      return FALSE;
    }
  for (guint i = 0; i < vg_read_options_table.n_items; i++)
    {
      const VgParam *param = &vg_read_options_table.items[i];
      g_autofree char *option = NULL;

      /* the first channel of a file that has one is that */
      if (vg_read_options_is_default (read_options, param) || (source->info.readings & 1u << i) ||
          (1u << i == VG_READ_OPTIONS_CHANNEL && read_options->channel == 1))
        continue;
      option = vg_param_option_name (param);
      g_set_error (error, VG_USAGE_ERROR, 0, "--%s has no effect on %s (%s); omit the option",
                   option, source->name, source->format);
      return FALSE;
    }
  return TRUE;
}

/* Marks stay at their frames when the frame interval changes. */
static void
move_marks (VgSource *source, double interval_s)
{
  for (guint i = 0; source->marks != NULL && i < source->marks->len; i++)
    {
      VgCurveMark *mark = &g_array_index (source->marks, VgCurveMark, i);

      mark->x = (double) vg_source_find_frame (source, mark->x) * interval_s;
    }
}

/* The user's pixel size and frame interval replace those of the file. */
static void
override_scales (VgSource *source, const VgReadOptions *read_options, gboolean in_series)
{
  VgImageInfo *info = &source->info;
  double um[2], pixel_um = read_options->pixel_um * (info->downsample > 0 ? info->downsample : 1);

  if (!info->placement.known)
    info->readings |= VG_READ_OPTIONS_PIXEL;
  if (info->frames != 1 || in_series)
    info->readings |= VG_READ_OPTIONS_FRAME_INTERVAL;
  if (pixel_um > 0 && !info->placement.known)
    {
      /* slices keep their distance, in the same unit */
      info->pixel_size[2] *= vg_image_info_pixel_um (info, um) ? um[0] / info->pixel_size[0] : 0;
      info->pixel_size[0] = info->pixel_size[1] = pixel_um;
      g_strlcpy (info->pixel_unit, "\302\265m", sizeof info->pixel_unit);
    }
  if (read_options->frame_interval_ms > 0 && info->readings & VG_READ_OPTIONS_FRAME_INTERVAL)
    {
      move_marks (source, read_options->frame_interval_ms / 1000.0);
      info->frame_interval_s = read_options->frame_interval_ms / 1000.0;
      info->frame_interval_claimed_s = 0;
      g_clear_pointer (&source->times_s, g_free);
    }
}

gboolean
vg_source_apply_read_options (VgSource *source, const VgReadOptions *read_options,
                              gboolean in_series, GError **error)
{
  override_scales (source, read_options, in_series);
  return check_read_options (source, read_options, error);
}
