/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/flow/model/flow-limits.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* The CUDA engine of flow: its state and what its files call in each other.
 *
 * Frames lie in a ring of slots on the device.  A slot has zeros around the
 * picture (MARGIN rows above and below, PAD columns at the right, which are
 * also what lies left of the next row), so window sums need no test at the
 * edges: a window that shrinks has the same sums and a smaller n. */

enum { FLOW_MARGIN = 24, FLOW_PAD = 16 };
/* Of a pixel's sum of squares over time: 40 bits are needed, the upper 16 count
 * the bad samples. */
enum { FLOW_COUNT_SHIFT = 48 };
#define FLOW_SQUARES_MASK ((1ull << FLOW_COUNT_SHIFT) - 1)
enum { FLOW_SATURATED, FLOW_INVALID, FLOW_COUNTERS };

/* The ring as kernels see it. */
typedef struct
{
  guint8 *origin;          /* sample (0, 0) of slot 0 */
  gsize pitch, slot_bytes; /* bytes; pitch is a multiple of 16 */
  int slots, width, height;
  VgType type;
  double full_scale; /* a sample from here on is counted as saturated */
  double saturation; /* and from here on it is bad; HUGE_VAL: none is */
  const float *dark; /* per pixel, or NULL */
  double level;      /* dark level when `dark` is NULL */
  /* FLOW_COUNTERS per slot: samples of the frame in it.  The kernel that takes
   * a frame counts in its slot and clears those of the next.  One more at the
   * end for the bad samples of the window. */
  unsigned long long *counters;
} FlowRing;

/* What turns window sums into the two maps. */
typedef struct
{
  VgFlowNoise noise;
  gboolean noisy;
  double scale; /* 1 / (2 T), 1/s */
  double tiny;  /* D below tiny n q is rounding; 0 for exact sums */
  int edges;
  float *contrast, *index;
} FlowFinish;

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
  cudaEvent_t *uploaded; /* by slot: the frame has arrived */
  cudaEvent_t *used;     /* by slot: the step of the frame in it is over */
  VgFrame **held;        /* by slot: until `uploaded` */
  guint64 n_frames;      /* fed; frame k is in slot k mod slots */
  gboolean fresh;        /* the last one has not been through a step */
  gboolean taken;        /* the last one is in the sums and counted */
  gboolean have_map;
  gboolean stale; /* contrast and index are of other settings: a step makes them new */

  guint32 *s1; /* sliding sums over the ring (8 and 16 bits) */
  guint64 *s2;

  float *dark, *contrast, *index, *extra;
  float *host_dark; /* of the dark file, or NULL */
  float *average;   /* ring of K^2 maps when params.average > 1 */
  int average_count, average_next;
  double *baseline; /* sum of K^2 over the baseline's maps */
  guint16 *baseline_count;
  int baseline_maps;

  VgFlowInversion inversion;
  float *table;      /* on the device */
  float *host_table; /* page-locked */
  cudaEvent_t table_sent;
  guint64 *host_counters; /* page-locked, FLOW_COUNTERS */
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

/* Frames of the window of time that are there. */
static inline int
flow_window_count (const FlowState *self)
{
  return (int) MIN (self->n_frames, (guint64) flow_depth (self));
}

/* The first whole sample at or above LEVEL, or one that no sample reaches. */
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
/* Refuses a float frame with samples that are not numbers. */
gboolean flow_check_finite (FlowState *self, const VgFrame *frame, GError **error);

/* flow-spatial.cu: 8 and 16-bit frames, radius 1 to 7, whole dark level;
 * FALSE without error: these settings need the general path. */
gboolean flow_spatial (FlowState *self, gboolean *done, GError **error);

/* flow-temporal.cu: slides the sums by the newest frame (SLIDE) and, for a
 * radius of 0, writes the maps (FINISH). */
gboolean flow_temporal (FlowState *self, gboolean slide, gboolean finish, GError **error);

/* flow-general.cu: any type, radius and method; the maps do not count the bad
 * samples of the newest frame, flow_count_frame does. */
gboolean flow_count_frame (FlowState *self, GError **error);
gboolean flow_general (FlowState *self, GError **error);
gboolean flow_static_map (FlowState *self, float beta, GError **error);

/* flow-maps.cu: into contrast and index; into `extra`. */
gboolean flow_average_push (FlowState *self, GError **error);
gboolean flow_average_maps (FlowState *self, GError **error);
gboolean flow_baseline_add (FlowState *self, GError **error);
gboolean flow_map_relative (FlowState *self, GError **error);
gboolean flow_map_correlation_time (FlowState *self, float beta, GError **error);
gboolean flow_map_intensity (FlowState *self, GError **error);

/* flow-view.cu: figures and curves, from the parts of the frame and the maps
 * that they need on the host. */
/* The coherence factor to compare K^2 with; measures the speckle where the window's bias is
 * corrected. */
float flow_find_beta (FlowState *self);
void flow_add_results (FlowState *self, VgMetrics *metrics);
VgCurves *flow_sample_pixel (gpointer state, double x, double y, int slice);
VgCurves *flow_plot (gpointer state, guint i);

/* flow-bench-cuda.cu */
extern "C" void vg_flow_bench_cuda (const VgContext *context, VgBench *bench);

/* The life cycle, for the bench. */
extern "C" const VgEngine vg_flow_cuda;
