/* SPDX-License-Identifier: MIT */
#include "kernels/flow/engine/flow-parts.h"
#include "kernels/flow/model/flow-checks.h"

void
vg_flow_parts_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device)
{
  gsize more = vg_flow_motion_bytes (params, info);

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
  return TRUE;
}

void
vg_flow_parts_free (gpointer data)
{
  VgFlowState *self = data;
  VgFlowMotion *motion = self != NULL ? self->motion : NULL;

  /* The state's frames may be those of the motion correction. */
  vg_flow_state_free (self);
  vg_flow_motion_free (motion);
}

char *
vg_flow_parts_text (gpointer data, guint i, char **file_name, GError **error)
{
  const VgFlowState *self = data;

  if (file_name != NULL)
    *file_name = g_strdup ("motion.csv");
  return vg_flow_motion_log_text (vg_flow_motion_get_log (self->motion));
}
