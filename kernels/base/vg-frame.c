/* SPDX-License-Identifier: MIT */
/* References to a frame; its owner gets it back with the last one. */
#include "kernels/base/vg-frame.h"

VgFrame *
vg_frame_ref (VgFrame *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
vg_frame_unref (VgFrame *self)
{
  if (g_atomic_ref_count_dec (&self->ref_count) && self->release != NULL)
    self->release (self);
}
