/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-model.h"
#include "kernels/base/vg-frame.h"
#include "kernels/core/vg-operation.h"
#include "kernels/base/vg-simd.h"
/* State of the CPU engine.  Computed in every step: contrast and flow index
 * (and the baseline while it forms).  Computed when asked for by output():
 * correlation time, relative flow, static fraction, intensity, all in the one
 * plane `extra`. */
G_BEGIN_DECLS

typedef struct
{
  VgFlowParams params;
  VgImageInfo info;
  int width, height, threads;
  gsize pixels, frame_bytes;
  double full_scale; /* samples from here on are saturated */

  float *dark; /* of the dark file, or NULL */
  gboolean dark_whole;

  VgFrame *current;  /* zero-copy: given back when the next one comes */
  VgFrame *previous; /* spatial: for the static fraction */
  gboolean fresh;    /* current has not been through a step */
  guint64 n_frames;  /* fed */
  gboolean have_map;
  gboolean stale; /* contrast and index are of other settings: a step makes them new */

  guint8 *ring; /* temporal: `frames` frames */
  int ring_count, ring_next;
  guint32 *s1; /* exact sliding sums of I and I^2 over the ring (8 and 16 bits) */
  guint64 *s2;

  guint16 *bad;       /* saturated or invalid samples of each pixel in the window of time */
  guint64 *frame_bad; /* how many in each ring frame (spatial: one) */
  guint64 window_bad;
  guint64 saturated; /* in the current frame */
  guint32 maximum;   /* of the current frame's 8 or 16-bit samples */

  float *contrast, *index, *extra;
  float *average; /* ring of K^2 maps when average > 1 */
  int average_count, average_next;
  double *baseline;        /* sum of K^2 over the baseline's maps */
  guint16 *baseline_count; /* of valid ones */
  int baseline_maps;

  VgFlowInversion inversion;
  float *table;
  double *scratch; /* per thread, scratch_doubles each */
  gsize scratch_doubles;
} VgFlowState;

/* Frames in the window of time: 1 for spatial. */
static inline int
vg_flow_state_depth (const VgFlowState *self)
{
  return self->params.method == VG_FLOW_SPATIAL ? 1 : self->params.frames;
}

static inline int
vg_flow_state_radius (const VgFlowState *self)
{
  return self->params.method == VG_FLOW_TEMPORAL ? 0 : self->params.radius;
}

/* Frame I of the window of time, 0 the oldest. */
const void *vg_flow_state_frame (const VgFlowState *self, int i);

/* Bytes of all buffers; THREADS 0: of this machine. */
gsize vg_flow_state_bytes (const VgFlowParams *params, const VgImageInfo *info, int threads);

/* Sums over windows by rows of doubles (flow-box.c).  COLUMNS has WIDTH + 2 RADIUS
 * entries with zeros at both ends and is spoilt; OUT gets WIDTH sums. */
void vg_flow_box_row (double *columns, double *out, int width, int radius);
/* Samples of row Y of a frame, less the dark level; invalid ones are 0. */
void vg_flow_sample_row (const VgFlowState *self, const void *frame, int y, double *row);

/* Contrast (and flow index) of the window of time, all rows. */
void vg_flow_contrast_window (VgFlowState *self);
/* The same for spatial contrast of 8 and 16-bit frames whose sums fit 32 bits;
 * FALSE: these settings need the general one. */
gboolean vg_flow_contrast_fast (VgFlowState *self);

/* Takes the new frame into ring, sums and counts of bad pixels. */
gboolean vg_flow_take_frame (VgFlowState *self, GError **error);
/* NaN into every window that holds a bad pixel. */
void vg_flow_mask_bad (VgFlowState *self);

/* The lazy maps, into `extra`; BETA: the coherence factor of the window at hand. */
void vg_flow_map_correlation_time (VgFlowState *self, float beta);
void vg_flow_map_relative (VgFlowState *self);
void vg_flow_map_static (VgFlowState *self, float beta);
void vg_flow_map_intensity (VgFlowState *self);

G_END_DECLS
