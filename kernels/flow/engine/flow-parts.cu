/* SPDX-License-Identifier: MIT */
#include "kernels/flow/engine/flow-parts.cuh"
#include "kernels/tables/vg-table.h"

gboolean
flow_parts_add (FlowState *self, GError **error)
{
  return (self->params.motion == VG_FLOW_MOTION_NONE || flow_motion_new (self, error)) &&
         (self->params.exposures == NULL || flow_exposures_new (self, error)) &&
         (!self->params.pulse || flow_pulse_new (self, error));
}

void
flow_parts_free (FlowState *self)
{
  flow_motion_free (self->motion);
  flow_pulse_free (self->pulse);
  flow_exposures_free (self->exposures);
}

gboolean
flow_parts_update (FlowState *self, gboolean restart)
{
  VgFlowTrace *trace = flow_pulse_get_trace (self->pulse);

  flow_parts_begin (self);
  if (trace != NULL)
    vg_flow_trace_set_params (trace, &self->params);
  if (trace != NULL && restart)
    vg_flow_trace_restart (trace);
  return !restart || self->exposures == NULL || flow_exposures_restart (self, NULL);
}

void
flow_parts_begin (FlowState *self)
{
  if (self->exposures == NULL)
    return;
  self->params.exposure_ms = (float) self->params.exposures->values[vg_flow_exposures_number (
      &self->params, self->frame_index)];
  vg_flow_inversion_refresh (&self->inversion, &self->params);
}

gboolean
flow_parts_step (FlowState *self, GError **error)
{
  return (self->exposures == NULL || flow_exposures_add (self, self->frame_index, error)) &&
         (self->pulse == NULL || flow_pulse_add (self, self->time_s, error));
}

gboolean
flow_parts_map (FlowState *self, guint i, GError **error)
{
  switch (i)
    {
    case VG_FLOW_OUTPUT_PULSATILITY:
      return self->pulse != NULL && flow_pulse_map (self, VG_FLOW_BEAT_PULSATILITY, error);
    case VG_FLOW_OUTPUT_RESISTANCE:
      return self->pulse != NULL && flow_pulse_map (self, VG_FLOW_BEAT_RESISTANCE, error);
    case VG_FLOW_OUTPUT_FIT_TAU:
    case VG_FLOW_OUTPUT_FIT_BETA:
    case VG_FLOW_OUTPUT_FIT_RHO:
      return self->exposures != NULL &&
             flow_exposures_map (self, (VgFlowFitValue) (i - VG_FLOW_OUTPUT_FIT_TAU), error);
    case VG_FLOW_OUTPUT_PERFUSION:
      return self->params.calibrated && flow_map_perfusion (self, error);
    default:
      return FALSE;
    }
}

gboolean
flow_parts_results (FlowState *self, VgMetrics *metrics, GError **error)
{
  if (self->motion != NULL)
    {
      const VgFlowMotionLog *log = flow_motion_get_log (self, error);

      if (log == NULL)
        return FALSE;
      vg_flow_motion_log_metrics (log, metrics);
    }
  if (self->pulse != NULL)
    vg_flow_trace_metrics (flow_pulse_get_trace (self->pulse), metrics);
  return TRUE;
}

char *
flow_parts_text (gpointer data, guint i, char **file_name, GError **error)
{
  FlowState *self = (FlowState *) data;
  const VgFlowMotionLog *log = NULL;

  if (!vg_cuda_use (self->device, error) ||
      (i == VG_FLOW_OUTPUT_MOTION && (log = flow_motion_get_log (self, error)) == NULL))
    return NULL;
  if (file_name != NULL)
    *file_name = g_strdup (log != NULL ? "motion.csv" : "beat.csv");
  return log != NULL ? vg_flow_motion_log_text (log)
                     : vg_flow_trace_text (flow_pulse_get_trace (self->pulse));
}

VgCurves *
flow_parts_plot (gpointer data, guint i, GError **error)
{
  FlowState *self = (FlowState *) data;
  const VgFlowMotionLog *log;

  if (!vg_cuda_use (self->device, error))
    return NULL;
  switch (i)
    {
    case VG_FLOW_PLOT_MOTION:
      log = flow_motion_get_log (self, error);
      return log != NULL
                 ? vg_flow_motion_log_plot (log, self->params.motion == VG_FLOW_MOTION_RIGID)
                 : NULL;
    case VG_FLOW_PLOT_BEAT:
      return vg_flow_trace_plot_beat (flow_pulse_get_trace (self->pulse));
    case VG_FLOW_PLOT_RATE:
      return vg_flow_trace_plot_rate (flow_pulse_get_trace (self->pulse));
    default:
      return flow_plot (self, i, error);
    }
}
