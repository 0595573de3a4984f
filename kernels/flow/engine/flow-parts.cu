/* SPDX-License-Identifier: MIT */
#include "kernels/flow/engine/flow-parts.cuh"

gboolean
flow_parts_add (FlowState *self, GError **error)
{
  return (self->params.motion == VG_FLOW_MOTION_NONE || flow_motion_new (self, error)) &&
         (!self->params.pulse || flow_pulse_new (self, error));
}

void
flow_parts_free (FlowState *self)
{
  flow_motion_free (self->motion);
  flow_pulse_free (self->pulse);
}

void
flow_parts_update (FlowState *self, gboolean restart)
{
  VgFlowTrace *trace = flow_pulse_get_trace (self->pulse);

  if (trace == NULL)
    return;
  vg_flow_trace_set_params (trace, &self->params);
  if (restart)
    vg_flow_trace_restart (trace);
}

gboolean
flow_parts_step (FlowState *self, double time_s, GError **error)
{
  return self->pulse == NULL || flow_pulse_add (self, time_s, error);
}

gboolean
flow_parts_map (FlowState *self, guint i)
{
  switch (i)
    {
    case VG_FLOW_OUTPUT_PULSATILITY:
      return self->pulse != NULL && flow_pulse_map (self, VG_FLOW_BEAT_PULSATILITY, NULL);
    case VG_FLOW_OUTPUT_RESISTANCE:
      return self->pulse != NULL && flow_pulse_map (self, VG_FLOW_BEAT_RESISTANCE, NULL);
    default:
      return FALSE;
    }
}

void
flow_parts_results (FlowState *self, VgMetrics *metrics)
{
  if (self->motion != NULL)
    vg_flow_motion_log_metrics (flow_motion_get_log (self), metrics);
  if (self->pulse != NULL)
    vg_flow_trace_metrics (flow_pulse_get_trace (self->pulse), metrics);
}

char *
flow_parts_text (gpointer data, guint i, char **file_name, GError **error)
{
  FlowState *self = (FlowState *) data;

  if (!vg_cuda_use (self->device, error))
    return NULL;
  if (file_name != NULL)
    *file_name = g_strdup (i == VG_FLOW_OUTPUT_MOTION ? "motion.csv" : "beat.csv");
  return i == VG_FLOW_OUTPUT_MOTION ? vg_flow_motion_log_text (flow_motion_get_log (self))
                                    : vg_flow_trace_text (flow_pulse_get_trace (self->pulse));
}

VgCurves *
flow_parts_plot (gpointer data, guint i)
{
  FlowState *self = (FlowState *) data;

  if (!vg_cuda_use (self->device, NULL))
    return NULL;
  switch (i)
    {
    case VG_FLOW_PLOT_MOTION:
      return vg_flow_motion_log_plot (flow_motion_get_log (self),
                                      self->params.motion == VG_FLOW_MOTION_RIGID);
    case VG_FLOW_PLOT_BEAT:
      return vg_flow_trace_plot_beat (flow_pulse_get_trace (self->pulse));
    case VG_FLOW_PLOT_RATE:
      return vg_flow_trace_plot_rate (flow_pulse_get_trace (self->pulse));
    default:
      return flow_plot (self, i);
    }
}
