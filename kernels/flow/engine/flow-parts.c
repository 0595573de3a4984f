/* SPDX-License-Identifier: MIT */
#include "kernels/flow/engine/flow-parts.h"
#include "kernels/flow/engine/flow-maps.h"
#include "kernels/flow/model/flow-checks.h"

gsize
vg_flow_parts_bytes (const VgFlowParams *params, const VgImageInfo *info)
{
  return vg_flow_motion_bytes (params, info) + vg_flow_pulse_bytes (params, info) +
         vg_flow_exposures_bytes (params, info);
}

void
vg_flow_parts_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device)
{
  gsize more = vg_flow_parts_bytes (params, info);

  vg_flow_memory (params, info, host, device);
  *host += more;
  *device += more;
}

gboolean
vg_flow_parts_add (VgFlowState *self, GError **error)
{
  const VgFlowParams *params = &self->params;

  if (params->motion != VG_FLOW_MOTION_NONE &&
      (self->motion = vg_flow_motion_new (params, &self->info, self->threads, error)) == NULL)
    return FALSE;
  if (params->exposures != NULL &&
      (self->exposures = vg_flow_exposures_new (params, &self->info, self->threads, error)) == NULL)
    return FALSE;
  return !params->pulse ||
         (self->pulse = vg_flow_pulse_new (params, &self->info, self->threads, error)) != NULL;
}

void
vg_flow_parts_free (gpointer data)
{
  VgFlowState *self = data;
  VgFlowMotion *motion = self != NULL ? self->motion : NULL;

  if (self != NULL)
    {
      vg_flow_pulse_free (self->pulse);
      vg_flow_exposures_free (self->exposures);
    }
  /* The state's frames may be those of the motion correction. */
  vg_flow_state_free (self);
  vg_flow_motion_free (motion);
}

void
vg_flow_parts_update (VgFlowState *self, gboolean restart)
{
  VgFlowTrace *trace = vg_flow_pulse_get_trace (self->pulse);

  if (restart && self->exposures != NULL)
    vg_flow_exposures_restart (self->exposures);
  if (trace == NULL)
    return;
  vg_flow_trace_set_params (trace, &self->params);
  if (restart)
    vg_flow_trace_restart (trace);
}

void
vg_flow_parts_begin (VgFlowState *self)
{
  if (self->exposures == NULL || self->current == NULL)
    return;
  self->params.exposure_ms = (float) self->params.exposures->values[vg_flow_exposures_number (
      &self->params, self->current->index)];
  vg_flow_inversion_refresh (&self->inversion, &self->params);
}

void
vg_flow_parts_step (VgFlowState *self)
{
  if (self->exposures != NULL)
    vg_flow_exposures_add (self->exposures, &self->params, self->contrast, self->current->index);
  if (self->pulse != NULL)
    vg_flow_pulse_add (self->pulse, self->contrast, self->current->time_s);
}

gboolean
vg_flow_parts_map (VgFlowState *self, guint i)
{
  if (i >= VG_FLOW_OUTPUT_FIT_TAU && i <= VG_FLOW_OUTPUT_FIT_RHO && self->exposures != NULL)
    {
      vg_flow_exposures_map (self->exposures, &self->params,
                             (VgFlowFitValue) (i - VG_FLOW_OUTPUT_FIT_TAU), self->extra);
      return TRUE;
    }
  if (i == VG_FLOW_OUTPUT_PERFUSION && self->params.calibrated)
    {
      vg_flow_map_perfusion (self);
      return TRUE;
    }
  if ((i != VG_FLOW_OUTPUT_PULSATILITY && i != VG_FLOW_OUTPUT_RESISTANCE) || self->pulse == NULL)
    return FALSE;
  vg_flow_pulse_map (self->pulse,
                     i == VG_FLOW_OUTPUT_RESISTANCE ? VG_FLOW_BEAT_RESISTANCE
                                                    : VG_FLOW_BEAT_PULSATILITY,
                     self->extra);
  return TRUE;
}

void
vg_flow_parts_results (VgFlowState *self, VgMetrics *metrics)
{
  if (self->motion != NULL)
    vg_flow_motion_log_metrics (vg_flow_motion_get_log (self->motion), metrics);
  if (self->pulse != NULL)
    vg_flow_trace_metrics (vg_flow_pulse_get_trace (self->pulse), metrics);
}

VgCurves *
vg_flow_parts_plot (VgFlowState *self, guint i)
{
  switch (i)
    {
    case VG_FLOW_PLOT_MOTION:
      return vg_flow_motion_log_plot (vg_flow_motion_get_log (self->motion),
                                      self->params.motion == VG_FLOW_MOTION_RIGID);
    case VG_FLOW_PLOT_BEAT:
      return vg_flow_trace_plot_beat (vg_flow_pulse_get_trace (self->pulse));
    case VG_FLOW_PLOT_RATE:
      return vg_flow_trace_plot_rate (vg_flow_pulse_get_trace (self->pulse));
    default:
      return NULL;
    }
}

char *
vg_flow_parts_text (gpointer data, guint i, char **file_name, GError **error)
{
  const VgFlowState *self = data;

  if (file_name != NULL)
    *file_name = g_strdup (i == VG_FLOW_OUTPUT_MOTION ? "motion.csv" : "beat.csv");
  return i == VG_FLOW_OUTPUT_MOTION
             ? vg_flow_motion_log_text (vg_flow_motion_get_log (self->motion))
             : vg_flow_trace_text (vg_flow_pulse_get_trace (self->pulse));
}
