/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-frame.h"
#include "kernels/shared/vg-exposure.h"
/* The frames that a state was fed, and whether the newest map is of frames that do not belong
 * together: of frames from before and after a lost connection or a changed exposure time. */
G_BEGIN_DECLS

typedef struct
{
  guint64 id; /* number and arrival of the newest frame */
  gint64 time_us;
  double exposure_ms; /* of the newest frame that has one; 0: none had */
  int n;              /* frames; since the last break if it is MIXED */
  gboolean mixed;     /* the window of the newest frame begins before a break */
} VgFrameHistory;

/* Adds FRAME, whose map needs NEEDED earlier frames.  CYCLE: the exposure time differs from frame
 * to frame on purpose. */
static inline void
vg_frame_history_add (VgFrameHistory *self, const VgFrame *frame, gboolean cycle, int needed)
{
  /* after a change of settings the same frame may come once more */
  const gboolean again = self->n > 0 && frame->id == self->id && frame->time_us == self->time_us;
  const gboolean changed = frame->exposure_ms > 0 &&
                           vg_exposure_differs (frame->exposure_ms, self->exposure_ms);

  if (self->n > 0 && (frame->interrupted || (changed && self->exposure_ms > 0 && !cycle)))
    {
      self->mixed = TRUE;
      self->n = 0;
    }
  if (!again || self->n == 0)
    self->n = MIN (self->n + 1, G_MAXINT - 1);
  self->mixed = self->mixed && self->n <= needed;
  self->id = frame->id;
  self->time_us = frame->time_us;
  if (changed)
    self->exposure_ms = frame->exposure_ms;
}

G_END_DECLS
