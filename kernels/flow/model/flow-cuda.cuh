/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/flow/model/flow-checks.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* State of the CUDA engine, and the functions of its files.
 *
 * Frames are stored in a ring of slots on the device.  Each slot has FLOW_MARGIN rows of zeros
 * above and below the frame and FLOW_PAD columns of zeros to the right of a row, which are also
 * left of the next row.  So sums over windows need no test at the edges: for a window that shrinks
 * there, only n is smaller. */

enum { FLOW_MARGIN = 24, FLOW_PAD = 16 };
/* A pixel's sum of squares over time needs 40 bits; the upper 16 bits count its bad samples. */
enum { FLOW_COUNT_SHIFT = 48 };
#define FLOW_SQUARES_MASK ((1ull << FLOW_COUNT_SHIFT) - 1)
enum { FLOW_SATURATED, FLOW_INVALID, FLOW_COUNTERS };

/* The ring of frames, passed to kernels by value. */
typedef struct
{
  guint8 *origin;          /* sample (0, 0) of slot 0 */
  gsize pitch, slot_bytes; /* bytes; pitch is a multiple of 16 */
  int slots, width, height;
  VgType type;
  double full_scale; /* DN: samples at or above it count as saturated */
  double saturation; /* DN: samples at or above it are bad; HUGE_VAL: none */
  const float *dark; /* per pixel, or NULL */
  double level;      /* dark level when `dark` is NULL */
  /* FLOW_COUNTERS for each slot: bad samples of its frame.  The kernel that first reads a frame
   * counts them and clears the counters of the next slot.  The last entries are the window's. */
  unsigned long long *counters;
} FlowRing;

/* Conversion of window sums to the two maps. */
typedef struct
{
  VgFlowNoise noise;
  gboolean noisy;
  double scale; /* 1 / (2 T), 1/s */
  double tiny;  /* D below tiny n q is rounding; 0 for exact sums */
  int edges;
  float *contrast, *index;
} FlowFinish;

typedef struct _FlowMotion FlowMotion;
typedef struct _FlowPulse FlowPulse;
typedef struct _FlowExposures FlowExposures;

typedef struct
{
  VgFlowParams params;
  VgImageInfo info;
  int device, multiprocessors, width, height;
  gsize pixels;
  gboolean dark_whole; /* dark frame or level in whole DN */

  cudaStream_t compute, upload;
  FlowRing ring;
  guint8 *memory;        /* all device memory of the state */
  cudaEvent_t *uploaded; /* by slot: the frame is on the device */
  cudaEvent_t *used;     /* by slot: the step of its frame has ended */
  VgFrame **held;        /* by slot: referenced until `uploaded` */
  guint64 n_frames;      /* received so far; frame k is in slot k mod slots */
  VgFrameHistory history;
  gboolean fresh; /* no step has used the newest frame yet */
  gboolean taken; /* the newest frame is in the sums and counters */
  gboolean have_map;
  gboolean stale; /* contrast and index belong to earlier settings; the next step renews them */

  guint32 *s1; /* sliding sums over the ring (8 and 16 bits) */
  guint64 *s2;

  float *dark, *contrast, *index, *extra;
  float *host_dark; /* of the dark file, or NULL */
  float *average;   /* ring of K^2 maps when params.average > 1 */
  int average_count, average_next;
  double *baseline; /* sum of 1 / K^2 over the baseline's maps */
  guint16 *baseline_count;
  int baseline_maps;
  VgBaselineState baseline_state;
  double baseline_ms; /* the baseline's exposure time, to which maps are converted; 0: all equal */

  VgFlowInversion inversion;
  float *table;      /* on the device */
  float *host_table; /* page-locked */
  cudaEvent_t table_sent;
  guint64 *host_counters;   /* page-locked, FLOW_COUNTERS */
  FlowMotion *motion;       /* NULL: frames are not moved */
  FlowPulse *pulse;         /* NULL: off */
  FlowExposures *exposures; /* NULL: one exposure time */
  double time_s;            /* of the newest frame */
  double exposure_ms;       /* likewise; 0: that of all frames */
  gint64 frame_index;
} FlowState;

static inline int
flow_depth (const FlowState *self)
{
  return self->params.method == VG_FLOW_SPATIAL ? 1 : self->params.frames;
}

static inline int
flow_radius (const FlowState *self)
{
  return self->params.method == VG_FLOW_TEMPORAL ? 0 : self->params.radius;
}

static inline int
flow_slot (const FlowState *self, guint64 frame)
{
  return (int) (frame % (guint64) self->ring.slots);
}

/* Frames of the window that were received so far. */
static inline int
flow_window_count (const FlowState *self)
{
  return (int) MIN (self->n_frames, (guint64) flow_depth (self));
}

/* The smallest integer sample at or above LEVEL; G_MAXUINT if none is. */
static inline unsigned
flow_whole_level (double level)
{
  return level < 4294967295.0 ? (unsigned) ceil (level) : G_MAXUINT;
}

/* EXACT: the sums are whole numbers without rounding. */
static inline FlowFinish
flow_finish (const FlowState *self, gboolean exact)
{
  FlowFinish finish;

  finish.noise = vg_flow_noise (&self->params);
  finish.noisy = finish.noise.shot > 0.0 || finish.noise.floor > 0.0;
  finish.scale = vg_flow_index_scale (&self->params);
  finish.tiny = exact ? 0.0 : 1e-14;
  finish.edges = self->params.edges;
  finish.contrast = self->contrast;
  finish.index = self->index;
  return finish;
}

/* flow-frames.cu: the ring. */
gboolean flow_ring_layout (FlowRing *ring, const VgImageInfo *info, int slots, gsize *bytes,
                           GError **error);
gboolean flow_upload (FlowState *self, VgFrame *frame, GError **error);
void flow_upload_poll (FlowState *self, gboolean wait);
/* FALSE and an error if the float FRAME has samples that are not finite. */
gboolean flow_check_finite (FlowState *self, const VgFrame *frame, GError **error);

/* flow-spatial.cu: spatial contrast of 8 and 16-bit frames, radius 1 to 7, dark level in whole DN.
 * *DONE is FALSE if the settings need flow_general(). */
gboolean flow_spatial (FlowState *self, gboolean *done, GError **error);

/* flow-temporal.cu.  SLIDE: adds the newest frame to the sums and removes the oldest.  FINISH:
 * writes the maps of temporal contrast. */
gboolean flow_temporal (FlowState *self, gboolean slide, gboolean finish, GError **error);

/* flow-general.cu: all sample types, radii and methods.  flow_general() writes the maps,
 * flow_count_frame() counts the bad samples of the newest frame, flow_static_map() writes the
 * static fraction into `extra`; BETA: coherence factor. */
gboolean flow_count_frame (FlowState *self, GError **error);
gboolean flow_general (FlowState *self, GError **error);
gboolean flow_static_map (FlowState *self, float beta, GError **error);

/* flow-maps.cu: the averaged maps, the baseline, and the maps on request, into `extra`. */
gboolean flow_average_push (FlowState *self, GError **error);
gboolean flow_average_maps (FlowState *self, GError **error);
gboolean flow_baseline_add (FlowState *self, GError **error);
gboolean flow_map_relative (FlowState *self, GError **error);
gboolean flow_map_perfusion (FlowState *self, GError **error);
gboolean flow_map_correlation_time (FlowState *self, float beta, GError **error);
gboolean flow_map_intensity (FlowState *self, GError **error);

/* flow-view.cu: metrics and curves.  flow_find_beta() finds the coherence factor of the window; it
 * measures the speckle size if the window bias is corrected. */
gboolean flow_find_beta (FlowState *self, float *beta, GError **error);
gboolean flow_add_results (FlowState *self, VgMetrics *metrics, GError **error);
VgCurves *flow_sample_pixel (gpointer state, double x, double y, int slice, GError **error);
VgCurves *flow_plot (gpointer state, guint i, GError **error);

/* flow-bench-cuda.cu */
extern "C" void vg_flow_bench_cuda (const VgContext *context, VgBench *bench);

/* The life cycle, for the bench. */
extern "C" const VgEngine vg_flow_cuda;
