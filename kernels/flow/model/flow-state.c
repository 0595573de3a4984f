/* SPDX-License-Identifier: MIT */
#include "kernels/flow/model/flow-state.h"
#include "kernels/base/vg-error.h"
/* Memory of the CPU engine. */

static gsize
scratch_doubles (int width)
{
  /* The maximum of the rows in flow-window.c and in the static fraction of flow-maps.c. */
  gsize w = (gsize) width, padded = w + 2 * VG_FLOW_MAX_RADIUS, side = 2 * VG_FLOW_MAX_RADIUS + 1;

  return MAX (3 * padded + 2 * w + 2 * side * w, padded + 3 * (side + 1) * w) + 8;
}

gboolean
vg_flow_has_sums (const VgFlowParams *params, const VgImageInfo *info)
{
  return params->method != VG_FLOW_SPATIAL && (info->type == VG_U8 || info->type == VG_U16);
}

static int
count_threads (int threads)
{
  return threads > 0 ? threads : (int) g_get_num_processors ();
}

gsize
vg_flow_state_bytes (const VgFlowParams *params, const VgImageInfo *info, int threads)
{
  gsize pixels = (gsize) MAX (info->width, 0) * (gsize) MAX (info->height, 0);
  int depth = params->method == VG_FLOW_SPATIAL ? 1 : params->frames;
  gsize bytes = sizeof (VgFlowState);

  bytes += pixels * (3 * sizeof (float) + sizeof (double) + 2 * sizeof (guint16));
  bytes += sizeof (guint64) * (gsize) depth;
  bytes += sizeof (float) * vg_flow_table_floats (params);
  bytes += sizeof (double) * scratch_doubles (info->width) * (gsize) count_threads (threads);
  if (params->method != VG_FLOW_SPATIAL)
    bytes += (gsize) depth * pixels * vg_type_size (info->type);
  if (vg_flow_has_sums (params, info))
    bytes += pixels * (sizeof (guint32) + sizeof (guint64));
  if (params->average > 1)
    bytes += pixels * sizeof (float) * (gsize) params->average;
  if (params->dark_file != NULL)
    bytes += pixels * sizeof (float);
  return bytes;
}

void
vg_flow_state_free (gpointer data)
{
  VgFlowState *self = data;

  if (self == NULL)
    return;
  g_clear_pointer (&self->current, vg_frame_unref);
  g_clear_pointer (&self->previous, vg_frame_unref);
  vg_table_free (self->params.exposures);
  g_free (self->dark);
  g_free (self->ring);
  g_free (self->s1);
  g_free (self->s2);
  g_free (self->bad);
  g_free (self->frame_bad);
  g_free (self->contrast);
  g_free (self->index);
  g_free (self->extra);
  g_free (self->average);
  g_free (self->baseline);
  g_free (self->baseline_count);
  g_free (self->table);
  g_free (self->scratch);
  g_free (self);
}

static gboolean
allocate (VgFlowState *self)
{
  const VgFlowParams *params = &self->params;
  gsize n = self->pixels, depth = (gsize) vg_flow_state_depth (self);
  gboolean sums = vg_flow_has_sums (params, &self->info), timed = params->method != VG_FLOW_SPATIAL;
  gboolean averaged = params->average > 1;

  self->bad = g_try_new0 (guint16, n);
  self->frame_bad = g_try_new0 (guint64, depth);
  self->contrast = g_try_new (float, n);
  self->index = g_try_new (float, n);
  self->extra = g_try_new (float, n);
  self->baseline = g_try_new0 (double, n);
  self->baseline_count = g_try_new0 (guint16, n);
  self->table = g_try_new (float, vg_flow_table_floats (params));
  self->scratch = g_try_new (double, self->scratch_doubles *(gsize) self->threads);
  if (timed)
    self->ring = g_try_malloc_n (depth, self->frame_bytes);
  if (sums)
    {
      self->s1 = g_try_new0 (guint32, n);
      self->s2 = g_try_new0 (guint64, n);
    }
  if (averaged)
    self->average = g_try_malloc_n ((gsize) params->average * n, sizeof (float));
  return self->bad && self->frame_bad && self->contrast && self->index && self->extra &&
         self->baseline && self->baseline_count && self->table && self->scratch &&
         (!timed || self->ring) && (!sums || (self->s1 && self->s2)) &&
         (!averaged || self->average);
}

VgFlowState *
vg_flow_state_new (const VgFlowParams *params, const VgImageInfo *info, int threads, GError **error)
{
  VgFlowState *self = g_new0 (VgFlowState, 1);

  self->params = *params;
  self->params.dark_file = NULL;
  self->params.exposures = vg_table_copy (params->exposures);
  self->info = *info;
  self->width = info->width;
  self->height = info->height;
  self->pixels = (gsize) self->width * (gsize) self->height;
  self->frame_bytes = vg_image_info_frame_bytes (info);
  self->threads = count_threads (threads);
  self->scratch_doubles = scratch_doubles (self->width);
  if (allocate (self))
    return self;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "%d frames of %dx%d need %.1f GB of memory; use fewer frames or a smaller image",
               vg_flow_state_depth (self), self->width, self->height,
               (double) vg_flow_state_bytes (params, info, threads) / 1e9);
  vg_flow_state_free (self);
  return NULL;
}

const void *
vg_flow_state_frame (const VgFlowState *self, int i)
{
  int depth = vg_flow_state_depth (self);

  if (self->ring == NULL)
    return self->current->data;
  return self->ring +
         (gsize) ((self->ring_next + depth - self->ring_count + i) % depth) * self->frame_bytes;
}
