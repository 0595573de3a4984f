/* SPDX-License-Identifier: MIT */
/* A result's statistics: of the map, of its regions, and those for automatic limits. */
#include <math.h>
#include <string.h>
#include "app/session/vg-display.h"
#include "app/pipeline/vg-publisher.h"
#include "kernels/base/vg-length.h"

#define VG_POWER_PER_VOLUME "mW/cm\302\263" /* the unit of maps whose sum is a power */

static gboolean
compute_statistics (VgPublisher *self, const VgPlane *plane, gboolean octaves,
                    VgStatistics *statistics, GError **error)
{
  VgPlane volume = vg_display_get_volume (plane);
  const VgCuda *cuda = vg_work_get_cuda (self->work);

  statistics->weighed_min = statistics->weighed_max = 0;
  if (plane->place != VG_DEVICE)
    vg_statistics_compute (statistics, &volume, 0, 0);
  else if (!cuda->statistics (&volume, 0, statistics, error))
    return FALSE;
  if (octaves && plane->place != VG_DEVICE)
    vg_statistics_count_octaves (statistics, &volume, 0, 0);
  else if (octaves && !cuda->count_octaves (&volume, 0, statistics, error))
    return FALSE;
  statistics->most = plane->most;
  return TRUE;
}

/* Percentiles of a dimmed map are weighted with its brightness. */
static gboolean
weigh_statistics (VgPublisher *self, const VgResult *result, const double limits[2],
                  VgStatistics *statistics, GError **error)
{
  VgPlane volume = vg_display_get_volume (&result->plane),
          light = vg_display_get_volume (&result->brightness);

  if (result->brightness.data == NULL || result->brightness.place != result->plane.place)
    return TRUE;
  if (result->plane.place == VG_DEVICE)
    return vg_work_get_cuda (self->work)->weigh (&volume, &light, 0, limits, statistics, error);
  vg_statistics_weigh (statistics, &volume, &light, 0, limits, 0);
  return TRUE;
}

/* Automatic limits use the pixels of the operation's limits mask. */
static gboolean
count_labelled (VgPublisher *self, const VgResult *result, VgStatistics *statistics, GError **error)
{
  const VgOperation *operation = self->operation;
  int i = !result->input_only ? vg_operation_find_role (operation, VG_ROLE_LIMITS_MASK,
                                                        operation->outputs[result->output].id)
                              : -1;
  const VgCuda *cuda = vg_work_get_cuda (self->work);
  g_autofree float *values = NULL, *marks = NULL;
  VgPlane plane = vg_display_get_volume (&result->plane), labels;
  GError *local = NULL;

  if (i < 0 || operation->outputs[result->output].kind == VG_OUTPUT_LABELS)
    return TRUE;
  if (!vg_work_output (self->work, (guint) i, &labels, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return local == NULL;
    }
  labels = vg_display_get_volume (&labels);
  if (plane.place == VG_DEVICE && labels.place == VG_DEVICE)
    return cuda->count_labelled (&plane, &labels, 0, statistics, error);
  if (!vg_work_copy_to_host (self->work, &plane, &values, error) ||
      !vg_work_copy_to_host (self->work, &labels, &marks, error))
    return FALSE;
  vg_statistics_count_labelled (statistics, &plane, &labels, 0, 0);
  return TRUE;
}

/* The statistics of region I of REGIONS in RESULT's plane, which may be a comparison. */
static gboolean
measure_region (VgPublisher *self, const VgResult *result, VgFollowedRegions *regions, guint i,
                gboolean may_be_stale, VgRegionStatistics *statistics, GError **error)
{
  const VgCuda *cuda = vg_work_get_cuda (self->work);
  const char *id = self->operation->outputs[result->output].id;
  int role = vg_operation_find_role (self->operation, VG_ROLE_NUMERATOR, id);
  VgPlane numerator;
  gboolean ok;

  if (result->compare == VG_COMPARE_OFF && !result->input_only)
    ok = vg_work_measure_region (self->work, (guint) result->output, &result->plane, regions, i,
                                 statistics, error);
  else
    ok = vg_followed_regions_compute (regions, i, &result->plane, cuda, 0, statistics, error) &&
         (result->compare != VG_COMPARE_KEPT || role < 0 ||
          !vg_reference_get_plane (self->reference, (guint) role, &numerator) ||
          vg_followed_regions_set_ratio (regions, i, &result->plane, &numerator, cuda, statistics,
                                         error));
  return ok && vg_followed_regions_add_quartiles (regions, i, &result->plane, cuda, FALSE,
                                                  may_be_stale, statistics, error);
}

/* The volume of the rings of REGION, or of a part of it that lies in PLANE; NaN: its unit is no
 * length. */
static double
find_ring_volume (const VgRegion *region, const VgPlane *plane)
{
  double to_cm, sum = 0, dr, dz;
  const char *unit = vg_length_convert (plane->unit, VG_LENGTH_CM, &to_cm);
  g_autofree guint8 *mask = NULL;
  VgRegionCover cover;

  if (strcmp (unit, "cm") != 0 || !vg_region_cover (region, plane, &cover))
    return NAN;
  mask = cover.mask;
  for (int y = cover.y0; mask != NULL && y < cover.y1; y++)
    for (int x = cover.x0; x < cover.x1; x++)
      if (mask[(gsize) (y - cover.y0) * (gsize) (cover.x1 - cover.x0) + (gsize) (x - cover.x0)])
        sum += x + 0.5;
  dr = to_cm * plane->pixel_size[0];
  dz = to_cm * plane->pixel_size[1];
  return sum > 0 ? 2 * G_PI * sum * dr * dr * dz : NAN;
}

/* The volume of REGION, which covers N pixels of PLANE, in ml. */
static double
find_volume (VgPublisher *self, const VgRegion *region, const VgPlane *plane, guint64 n)
{
  const VgImageInfo *info = vg_work_get_info (self->work);

  if (plane->mirrored)
    return find_ring_volume (region, plane);
  return info != NULL && plane->slices > 1 ? vg_image_info_volume_ml (info, (double) n) : NAN;
}

/* The statistics of REGIONS, and their means in % of the baseline if there is one, in MEASURED. */
static gboolean
measure_regions (VgPublisher *self, const VgResult *result, VgFollowedRegions *regions,
                 gboolean may_be_stale, VgRegionResult *measured, GError **error)
{
  guint n = vg_followed_regions_n (regions);
  int baseline = vg_operation_find_role (self->operation, VG_ROLE_BASELINE, NULL);
  const VgOutput *output = &self->operation->outputs[result->output];
  const char *unit = vg_operation_output_unit (self->operation, (guint) result->output,
                                               vg_work_get_params (self->work));
  const VgImageInfo *info = vg_work_get_info (self->work);
  VgRegionStatistics of_baseline;
  GError *local = NULL;
  VgPlane relative;

  for (guint i = 0; i < n; i++)
    {
      measured[i].of_baseline = NAN;
      measured[i].kept = result->compare == VG_COMPARE_DIFFERENCE
                             ? vg_reference_get_mean (self->reference, output->id, unit,
                                                      &result->plane,
                                                      vg_followed_regions_get (regions, i), FALSE)
                             : NAN;
      if (!measure_region (self, result, regions, i, may_be_stale, &measured[i].statistics, error))
        return FALSE;
      measured[i].volume_ml = find_volume (
          self, vg_followed_regions_get (regions, i), &result->plane,
          measured[i].statistics.valid + measured[i].statistics.invalid);
      measured[i].power_mw = result->compare != VG_COMPARE_RATIO &&
                                     g_str_equal (unit, VG_POWER_PER_VOLUME)
                                 ? measured[i].statistics.mean * measured[i].volume_ml
                                 : NAN;
    }
  if (n == 0 || baseline < 0 || baseline == result->output ||
      (info != NULL && info->frames == 1)) /* it would be 100 % of itself */
    return TRUE;
  if (!vg_work_output (self->work, (guint) baseline, &relative, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return local == NULL;
    }
  for (guint i = 0; i < n; i++)
    {
      if (!vg_work_measure_region (self->work, (guint) baseline, &relative, regions, i,
                                   &of_baseline, error))
        return FALSE;
      measured[i].of_baseline = of_baseline.mean;
    }
  return TRUE;
}

static gboolean
add_regions (VgPublisher *self, VgResult *result, gboolean may_be_stale, GError **error)
{
  const guint n = vg_followed_regions_n (self->followed);
  const VgOutput *output = &self->operation->outputs[result->output];
  VgRegionResult *measured = vg_result_add_regions (result, n);

  if (!measure_regions (self, result, self->followed, may_be_stale, measured, error))
    return FALSE;
  if (output->kind != VG_OUTPUT_LABELS ||
      (output->hints.instance == NULL && output->hints.categories == NULL))
    return TRUE;
  for (guint i = 0; i < n; i++) /* numbers that name objects or classes have no mean */
    {
      VgRegionStatistics *row = &measured[i].statistics;

      row->mean = row->sd = row->median = row->q25 = row->q75 = row->min = row->max = NAN;
    }
  return TRUE;
}

/* The statistics of all pixels of the slice, if they are wanted. */
static gboolean
add_whole (VgPublisher *self, VgResult *result, gboolean may_be_stale, GError **error)
{
  const VgRegion all = { .kind = VG_REGION_RECTANGLE,
                         .n_points = 2,
                         .slice = self->whole,
                         .x = { 0, result->plane.width },
                         .y = { 0, result->plane.height } };

  result->whole = (VgRegionResult){ VG_REGION_STATISTICS_NONE, NAN, NAN, NAN };
  if (self->whole < 0)
    return TRUE;
  if (self->all == NULL || !vg_region_equal (vg_followed_regions_get (self->all, 0), &all))
    {
      vg_followed_regions_free (self->all);
      self->all = vg_followed_regions_new (&all, 1);
    }
  return measure_regions (self, result, self->all, may_be_stale, &result->whole, error);
}

/* All that limits need of a result's plane and of its brightness. */
static gboolean
measure (VgPublisher *self, const VgResult *result, VgStatistics *statistics, double limits[2],
         GError **error)
{
  VgStatistics brightness = { 0 };

  if (!compute_statistics (self, &result->plane,
                           !result->input_only &&
                               self->operation->outputs[result->output].hints.log_scale,
                           statistics, error) ||
      (result->brightness.data &&
       !compute_statistics (self, &result->brightness, FALSE, &brightness, error)))
    return FALSE;
  vg_display_get_brightness (&brightness, limits);
  return weigh_statistics (self, result, limits, statistics, error) &&
         count_labelled (self, result, statistics, error);
}

gboolean
vg_publisher_add_statistics (VgPublisher *self, VgResult *result, gboolean may_be_stale,
                             GError **error)
{
  gint64 now = g_get_monotonic_time ();

  self->statistics_stale = may_be_stale && now - self->statistics_us < VG_STATISTICS_US;
  if (!add_regions (self, result, self->statistics_stale, error) ||
      !add_whole (self, result, self->statistics_stale, error))
    return FALSE;
  if (!self->statistics_stale)
    {
      if (!measure (self, result, &self->statistics, self->brightness_limits, error))
        return FALSE;
      self->statistics_us = now;
    }
  result->statistics = self->statistics;
  memcpy (result->brightness_limits, self->brightness_limits, sizeof result->brightness_limits);
  return TRUE;
}

gboolean
vg_publisher_add_beside_statistics (VgPublisher *self, VgResult *beside, gboolean may_be_stale,
                                    GError **error)
{
  gint64 now = g_get_monotonic_time ();

  if (!may_be_stale || self->beside_measured != beside->output ||
      now - self->beside_us >= VG_STATISTICS_US)
    {
      if (!measure (self, beside, &self->beside_statistics, self->beside_limits, error))
        return FALSE;
      self->beside_measured = beside->output;
      self->beside_us = now;
    }
  beside->statistics = self->beside_statistics;
  memcpy (beside->brightness_limits, self->beside_limits, sizeof beside->brightness_limits);
  return TRUE;
}
