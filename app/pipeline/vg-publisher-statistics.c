/* SPDX-License-Identifier: MIT */
/* A result's statistics: of the map, of its regions, and those for automatic limits. */
#include <string.h>
#include "app/session/vg-display.h"
#include "app/pipeline/vg-publisher.h"

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
weigh_statistics (VgPublisher *self, const VgResult *result, GError **error)
{
  VgPlane volume = vg_display_get_volume (&result->plane),
          light = vg_display_get_volume (&result->brightness);

  if (result->brightness.data == NULL || result->brightness.place != result->plane.place)
    return TRUE;
  if (result->plane.place == VG_DEVICE)
    return vg_work_get_cuda (self->work)
        ->weigh (&volume, &light, 0, self->brightness_limits, &self->statistics, error);
  vg_statistics_weigh (&self->statistics, &volume, &light, 0, self->brightness_limits, 0);
  return TRUE;
}

/* Automatic limits use the pixels of the operation's limits mask. */
static gboolean
count_labelled (VgPublisher *self, const VgResult *result, GError **error)
{
  const VgOperation *operation = self->operation;
  int i = !result->input_only ? vg_operation_find_role (operation, VG_ROLE_LIMITS_MASK,
                                                        operation->outputs[result->output].id)
                              : -1;
  const VgCuda *cuda = vg_work_get_cuda (self->work);
  g_autofree float *values = NULL, *marks = NULL;
  VgPlane plane = vg_display_get_volume (&result->plane), labels;

  if (i < 0 || operation->outputs[result->output].kind == VG_OUTPUT_LABELS ||
      !vg_work_output (self->work, (guint) i, &labels))
    return TRUE;
  labels = vg_display_get_volume (&labels);
  if (plane.place == VG_DEVICE && labels.place == VG_DEVICE)
    return cuda->count_labelled (&plane, &labels, 0, &self->statistics, error);
  if (vg_work_copy_to_host (self->work, &plane, &values) &&
      vg_work_copy_to_host (self->work, &labels, &marks))
    vg_statistics_count_labelled (&self->statistics, &plane, &labels, 0, 0);
  return TRUE;
}

gboolean
vg_publisher_add_statistics (VgPublisher *self, VgResult *result, gboolean may_be_stale,
                             GError **error)
{
  const VgCuda *cuda = vg_work_get_cuda (self->work);
  VgStatistics brightness = { 0 };
  gint64 now = g_get_monotonic_time ();
  guint n = vg_followed_regions_n (self->followed);
  VgRegionResult *regions = vg_result_add_regions (result, n);

  for (guint i = 0; i < n; i++)
    if (!vg_followed_regions_compute (self->followed, i, &result->plane, cuda,
                                      &regions[i].statistics, error))
      return FALSE;
  self->statistics_stale = may_be_stale && now - self->statistics_us < VG_STATISTICS_US;
  if (!self->statistics_stale)
    {
      if (!compute_statistics (self, &result->plane,
                               !result->input_only &&
                                   self->operation->outputs[result->output].hints.log_scale,
                               &self->statistics, error) ||
          (result->brightness.data &&
           !compute_statistics (self, &result->brightness, FALSE, &brightness, error)))
        return FALSE;
      vg_display_get_brightness (&brightness, self->brightness_limits);
      if (!weigh_statistics (self, result, error) || !count_labelled (self, result, error))
        return FALSE;
      self->statistics_us = now;
    }
  result->statistics = self->statistics;
  memcpy (result->brightness_limits, self->brightness_limits, sizeof result->brightness_limits);
  return TRUE;
}
