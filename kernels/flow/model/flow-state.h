/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-model.h"
#include "kernels/core/vg-engine.h"
#include "kernels/shared/vg-frame-history.h"
/* State of the CPU engine: its settings, frames, sums and maps.  Contrast and flow index are
 * computed in every step.  Correlation time, relative flow, static fraction and intensity are
 * computed on request and share the plane `extra`. */
G_BEGIN_DECLS

typedef struct
{
  VgFlowParams params;
  VgImageInfo info;
  int width, height, threads;
  gsize pixels, frame_bytes;
  double full_scale; /* DN: samples at or above it are saturated */

  float *dark;         /* DN per pixel, from the dark file; or NULL */
  gboolean dark_whole; /* all of them are whole numbers */

  VgFrame *current;  /* referenced, not copied, until the next frame arrives */
  VgFrame *previous; /* spatial contrast: the other frame of the static fraction */
  gboolean fresh;    /* no step has used `current` yet */
  guint64 n_frames;  /* received so far */
  VgFrameHistory history;
  gboolean have_map;
  gboolean stale; /* contrast and index belong to earlier settings; the next step renews them */

  guint8 *ring; /* the last `params.frames` frames; NULL for spatial contrast */
  int ring_count, ring_next;
  guint32 *s1; /* 8 and 16-bit samples: exact sums of I over the ring, by pixel */
  guint64 *s2; /* and of I^2 */

  guint16 *bad;       /* saturated or invalid samples of each pixel in the window's frames */
  guint64 *frame_bad; /* such samples in each frame of the ring; spatial: in one frame */
  guint64 window_bad; /* their sum */
  guint64 saturated;  /* saturated samples of the current frame */
  guint32 maximum;    /* largest sample of the current frame, if integer */

  float *contrast, *index, *extra;
  float *average; /* the last `params.average` maps of K^2; NULL if that is 1 */
  int average_count, average_next;
  double *baseline;        /* sum of 1 / K^2 over the baseline's maps */
  guint16 *baseline_count; /* number of terms of each sum */
  int baseline_maps;
  VgBaselineState baseline_state;
  double baseline_ms; /* the baseline's exposure time, to which maps are converted; 0: all equal */

  struct _VgFlowMotion *motion;       /* NULL: frames are not moved */
  struct _VgFlowPulse *pulse;         /* NULL: off */
  struct _VgFlowExposures *exposures; /* NULL: one exposure time */

  VgFlowInversion inversion;
  float *table;
  double *scratch; /* `scratch_doubles` for each thread */
  gsize scratch_doubles;
} VgFlowState;

/* Frames in the window: 1 for spatial contrast. */
static inline int
vg_flow_state_depth (const VgFlowState *self)
{
  return self->params.method == VG_FLOW_SPATIAL ? 1 : self->params.frames;
}

/* Pixels from the window's centre to its edge: 0 for temporal contrast. */
static inline int
vg_flow_state_radius (const VgFlowState *self)
{
  return self->params.method == VG_FLOW_TEMPORAL ? 0 : self->params.radius;
}

/* Whether the engines keep sums of I and I^2 over the frames: these are exact for integers only. */
gboolean vg_flow_has_sums (const VgFlowParams *params, const VgImageInfo *info);
/* Bytes of all buffers with THREADS threads (0: one for each processor). */
gsize vg_flow_state_bytes (const VgFlowParams *params, const VgImageInfo *info, int threads);
/* Allocates the buffers; NULL and VG_OPERATION_ERROR_MEMORY if memory is short. */
VgFlowState *vg_flow_state_new (const VgFlowParams *params, const VgImageInfo *info, int threads,
                                GError **error);
/* SELF is a VgFlowState or NULL. */
void vg_flow_state_free (gpointer self);
/* Samples of frame I of the window, 0 the oldest. */
const void *vg_flow_state_frame (const VgFlowState *self, int i);

G_END_DECLS
