/* SPDX-License-Identifier: MIT */
/* Samples of any type to opaque RGBA. */
#include "kernels/shared/vg-underlay.h"
#include <math.h>
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-memory.h"
#include "kernels/base/vg-statistics.h"

enum { MOST_SAMPLES = 1 << 20 };

static inline float
read_sample (VgType type, const void *data, gsize i)
{
  float value = type == VG_U8    ? ((const guint8 *) data)[i]
                : type == VG_U16 ? ((const guint16 *) data)[i]
                : type == VG_U32 ? (float) ((const guint32 *) data)[i]
                                 : ((const float *) data)[i];

  return isfinite (value) ? value : 0;
}

gboolean
vg_underlay_fits (const VgImageInfo *info, const VgPlane *plane)
{
  return info->width == plane->width && info->height == plane->height && !plane->mirrored &&
         MAX (info->slices, 1) == MAX (plane->slices, 1);
}

void
vg_underlay_limits (const VgImageInfo *info, const void *data, gint64 n_frames, double limits[2])
{
  gsize n = vg_image_info_frame_bytes (info) / vg_type_size (info->type) * (gsize) n_frames;
  gsize taken = MIN (n, MOST_SAMPLES);
  int bits = info->significant_bits > 0 ? info->significant_bits
                                        : (int) (8 * vg_type_size (info->type));
  static GMutex lock;
  static float samples[MOST_SAMPLES]; /* static, so that they cannot lack memory */
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  VgStatistics statistics;

  limits[0] = 0;
  limits[1] = 1;
  if (info->channels >= 3 && info->type != VG_F32)
    {
      limits[1] = exp2 (bits) - 1;
      return;
    }
  if (n == 0)
    return;
  for (gsize i = 0; i < taken; i++)
    samples[i] = read_sample (info->type, data, (gsize) ((double) i * (double) n / (double) taken));
  vg_statistics_compute (
      &statistics, &(VgPlane){ .data = samples, .width = (int) taken, .height = 1, .slices = 1 }, 0,
      0);
  limits[0] = vg_statistics_quantile (&statistics, 0.01);
  limits[1] = vg_statistics_quantile (&statistics, 0.995);
}

/* A row of one slice, added up over frames and bins. */
static void
add_up (const VgImageInfo *info, const void *data, gint64 n_frames, gint64 row, float *sums)
{
  gsize n = (gsize) info->width * info->channels, page = n * info->height;
  gint64 slices = MAX (info->slices, 1), bins = MAX (info->bins, 1), slice = row / info->height;

  for (gsize i = 0; i < n; i++)
    sums[i] = 0;
  for (gint64 frame = 0; frame < n_frames; frame++)
    for (gint64 bin = 0; bin < bins; bin++)
      {
        gsize at = (gsize) ((frame * slices + slice) * bins + bin) * page +
                   (gsize) (row % info->height) * n;

        for (gsize i = 0; i < n; i++)
          sums[i] += read_sample (info->type, data, at + i);
      }
}

void
vg_underlay_apply_window (const double limits[2], const float *means, gsize n, guint8 *rgba)
{
  double scale = limits[1] > limits[0] ? 255 / (limits[1] - limits[0]) : 0;

#pragma omp parallel for schedule(static) if (n > 1 << 16)
  for (gsize i = 0; i < n; i++)
    {
      double level = (means[i] - limits[0]) * scale;

      rgba[4 * i] = rgba[4 * i + 1] = rgba[4 * i + 2] = (guint8) lrint (CLAMP (level, 0, 255));
      rgba[4 * i + 3] = 255;
    }
}

/* Room for N samples of BYTES each; NULL and an error: there is none. */
static void *
find_room (gsize n, gsize bytes, GError **error)
{
  void *room = NULL;

  if (!vg_memory_check (n * bytes, "the underlay", error))
    return NULL;
  room = g_try_malloc_n (n, bytes);
  if (room == NULL)
    g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                         "there is not enough memory for the underlay; turn Overlay off");
  return room;
}

/* The means of colour samples, between the limits. */
static void
put_colors (const VgImageInfo *info, const float *means, const double limits[2], guint8 *rgba)
{
  double scale = limits[1] > limits[0] ? 255 / (limits[1] - limits[0]) : 0;

  for (int x = 0; x < info->width; x++)
    for (int k = 0; k < 4; k++)
      {
        double level = k == 3 ? 255 : (means[(gsize) x * info->channels + k] - limits[0]) * scale;

        rgba[4 * x + k] = (guint8) lrint (CLAMP (level, 0, 255));
      }
}

/* GREY receives the means of grey samples; NULL: they are in colour. */
static void
put_rows (const VgImageInfo *info, const void *data, gint64 n_frames, const double limits[2],
          float *grey, guint8 *rgba)
{
  gint64 rows = MAX (info->slices, 1) * info->height;
  gsize row_samples = (gsize) info->width * info->channels, width = (gsize) info->width;
  double count = (double) n_frames * (double) MAX (info->bins, 1);

#pragma omp parallel if ((double) row_samples * (double) rows * count > 1 << 16)
  {
    g_autofree float *sums = g_new (float, row_samples);

#pragma omp for schedule(static)
    for (gint64 row = 0; row < rows; row++)
      {
        guint8 *line = rgba + (gsize) row * width * 4;

        add_up (info, data, n_frames, row, sums);
        for (gsize i = 0; i < row_samples; i++)
          sums[i] = (float) (sums[i] / count);
        if (grey == NULL)
          {
            put_colors (info, sums, limits, line);
            continue;
          }
        for (gsize x = 0; x < width; x++)
          grey[(gsize) row * width + x] = sums[x * (gsize) info->channels];
        vg_underlay_apply_window (limits, grey + (gsize) row * width, width, line);
      }
  }
}

VgUnderlay *
vg_underlay_new (const VgImageInfo *info, const void *data, gint64 n_frames, const double limits[2],
                 GError **error)
{
  gsize n = (gsize) MAX (info->slices, 1) * (gsize) info->height * (gsize) info->width;
  gboolean colour = info->channels >= 3;
  float *grey = colour ? NULL : find_room (n, sizeof (float), error);
  guint8 *rgba = colour || grey != NULL ? find_room (n, 4, error) : NULL;
  VgUnderlay *self;

  if (rgba == NULL)
    {
      g_free (grey);
      return NULL;
    }
  put_rows (info, data, n_frames, limits, grey, rgba);
  self = g_new0 (VgUnderlay, 1);
  *self = (VgUnderlay){ .width = info->width,
                        .height = info->height,
                        .slices = (int) MAX (info->slices, 1),
                        .rgba = rgba,
                        .grey = grey,
                        .means = grey != NULL ? g_bytes_new_take (grey, n * sizeof (float)) : NULL,
                        .limits = { limits[0], limits[1] },
                        .automatic = { limits[0], limits[1] },
                        .ct = info->ct };
  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

VgUnderlay *
vg_underlay_new_window (VgUnderlay *self, const double limits[2], GError **error)
{
  gsize n = (gsize) self->slices * (gsize) self->height * (gsize) self->width;
  guint8 *rgba;
  VgUnderlay *other;

  if (self->grey == NULL)
    return vg_underlay_ref (self);
  rgba = find_room (n, 4, error);
  if (rgba == NULL)
    return NULL;
  vg_underlay_apply_window (limits, self->grey, n, rgba);
  other = g_memdup2 (self, sizeof *self);
  other->rgba = rgba;
  other->means = g_bytes_ref (self->means);
  other->limits[0] = limits[0];
  other->limits[1] = limits[1];
  g_atomic_ref_count_init (&other->ref_count);
  return other;
}

VgUnderlay *
vg_underlay_ref (VgUnderlay *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
vg_underlay_unref (VgUnderlay *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->means, g_bytes_unref);
  g_free (self->rgba);
  g_free (self);
}

void
vg_underlay_mix (guint8 *rgba, const float *values, const guint8 *under, gsize n, double opacity,
                 gboolean skip_zero)
{
#pragma omp parallel for schedule(static) if (n > 1 << 16)
  for (gsize i = 0; i < n; i++)
    {
      double part = isfinite (values[i]) && !(skip_zero && values[i] == 0) ? opacity : 0;

      for (int k = 0; k < 3; k++)
        rgba[4 * i + k] = (guint8) (under[4 * i + k] + part * (rgba[4 * i + k] - under[4 * i + k]) +
                                    0.5);
    }
}
