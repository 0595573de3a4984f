/* SPDX-License-Identifier: MIT */
#include "ui/bars/vg-held-limits.h"
#include "app/compute/vg-steady-limits.h"

static const VgOutput *
shown_output (VgSession *session)
{
  return &vg_session_get_operation (session)->outputs[vg_session_get_view (session)->output];
}

void
vg_held_limits_take (VgHeldLimits *self, VgSession *session, VgImageView *image,
                     const VgResult *result)
{
  const VgDisplay *display = vg_session_get_display (session);
  const VgOutput *output = shown_output (session);

  if (image == NULL || result == NULL || result->plane.data == NULL ||
      output != &result->operation->outputs[result->output] || result->compare != VG_COMPARE_OFF ||
      vg_session_get_view (session)->compare != VG_COMPARE_OFF || !display->auto_limits ||
      output->kind != VG_OUTPUT_MAP)
    return;
  vg_image_view_fix_limits (image, TRUE);
  vg_session_commit_waiting (session);
  *self = (VgHeldLimits){ output, display->low, display->high };
}

void
vg_held_limits_release (VgHeldLimits *self, VgSession *session)
{
  const VgDisplay *display = vg_session_get_display (session);

  if (self->output == shown_output (session) && !display->auto_limits &&
      display->low == self->low && display->high == self->high)
    vg_steady_limits_release (session);
  self->output = NULL;
}
