/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include "kernels/lifetime/engine/lifetime-limits.h"
#include "kernels/lifetime/plan/lifetime-plan.h"
#include "kernels/lifetime/engine/lifetime-view.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* The CUDA engine of lifetime: its state and what its files call in each other.
 *
 * The cube lies on the device as it lies on the host, each page (the pixels
 * of a bin) beginning at a multiple of 16 bytes.  All work goes to one stream:
 * beside the upload of a cube everything else is short. */

/* The cube as kernels see it. */
typedef struct
{
  const guint8 *samples;
  gsize pitch;  /* bytes from page to page, a multiple of 16 */
  gsize pixels; /* of a slice */
  int width, height, slices, bins;
  VgType type;
  float full_scale;
} LifetimeCube;

/* Device memory that a fitting method takes: planes, floats, bytes. */
typedef struct
{
  int planes;
  gsize table, image, tile, area;
} LifetimeFitNeeds;

/* What is counted while the map of lifetimes is made. */
typedef struct
{
  unsigned long long status[VG_LIFETIME_N_STATUS];
  double photons;
} LifetimeCounts;

typedef struct
{
  VgLifetimeParams params;
  VgImageInfo info;
  int device;
  gsize n; /* pixels of all slices: the planes' stride */
  cudaStream_t stream;
  cudaEvent_t uploaded;
  VgFrame *held; /* until `uploaded` */
  gboolean have_frame, have_map, have_decay;
  guint64 frame_id; /* of the frame on the device */
  gint64 frame_index, frame_time_us;
  gboolean plan_due, pass_due, map_due;

  guint8 *memory; /* all device memory of the state */
  guint8 *samples;
  LifetimeCube cube;
  float *sums;      /* VG_LIFETIME_N_SUMS planes of n; binned in place */
  float *intensity; /* photons before binning */
  float *lifetime, *extra, *density;
  float *filtered; /* phasors by a filter and what it works in, or NULL */
  int n_filtered;  /* planes of it */
  float *weights;  /* of the plan */
  double *table, *decay;
  guint8 *mask;           /* of the region that shows the response, or NULL */
  LifetimeCounts *counts; /* two: of the last map of lifetimes, and cleared for the next one */
  int counts_at;
  LifetimeFitNeeds fit_has; /* what was taken for fits */
  float *fit;               /* planes of what a fit finds, in the order of the outputs, or NULL */
  /* IRF and nodes; pixels in a binned one; binned histograms */
  float *fit_table, *fit_area, *tile;
  guint8 *fit_mask, *fit_image;
  gsize tile_bytes;

  double *host_decay; /* page-locked */
  LifetimeCounts *host_counts;
  VgLifetimePlan plan;
  VgLifetimeFitting fitting;
  VgLifetimeSource source;
  VgLifetimeCurve measured;
} LifetimeState;

/* The plan's constants with the table on the device. */
static inline VgLifetimeFinish
lifetime_finish (const LifetimeState *self)
{
  VgLifetimeFinish finish = self->plan.finish;

  finish.table = self->table;
  finish.phasor = self->params.phasor_filter != VG_LIFETIME_FILTER_NONE ? self->filtered : NULL;
  return finish;
}

/* The plane of OUTPUT that the fit computed, or NULL.  Planes lie in the order of the outputs. */
static inline const float *
lifetime_fit_output (const LifetimeState *self, int output)
{
  guint32 finds = vg_lifetime_fit_finds (self->params.method);

  if ((finds & 1u << output) == 0 || self->fit == NULL)
    return NULL;
  return self->fit + (gsize) __builtin_popcount (finds & ((1u << output) - 1)) * self->n;
}

/* lifetime-pass.cu: all sums of the cube; the photons of all pixels (of MASK) by bin. */
gboolean lifetime_pass (const LifetimeCube *cube, const VgLifetimePlan *plan, const float *weights,
                        float *sums, gsize n, cudaStream_t stream, GError **error);
gboolean lifetime_decay (const LifetimeCube *cube, const guint8 *mask, int slice, double *decay,
                         cudaStream_t stream, GError **error);
/* COUNTS by bin of pixel (x, y) and its neighbours. */
gboolean lifetime_histogram (const LifetimeCube *cube, int slice, int x, int y, int binning,
                             double *counts, cudaStream_t stream, GError **error);

/* lifetime-maps.cu: the sums of the frame on the device, binned over pixels in place; maps, with
 * `counted` also the counts. */
gboolean lifetime_sums (LifetimeState *self, GError **error);
gboolean lifetime_map (LifetimeState *self, int which, float *map, gboolean counted,
                       GError **error);
gboolean lifetime_density (LifetimeState *self, GError **error);

/* lifetime-filter.cu: the phasors of all pixels by the filter that the settings choose; the planes
 * it takes. */
gboolean lifetime_filter (LifetimeState *self, GError **error);
int lifetime_filter_planes (const VgLifetimeParams *params);

/* lifetime-fit-frame.cu: what settings need; the fit of the frame, host_decay being its decay; all
 * outputs of a pixel. */
LifetimeFitNeeds lifetime_fit_needs (const VgLifetimeParams *params, const LifetimeCube *cube);
gboolean lifetime_fit_frame (LifetimeState *self, GError **error);
gboolean lifetime_fit_values (const LifetimeState *self, gsize pixel, float *outputs,
                              GError **error);

/* lifetime-bench-cuda.cu, lifetime-bench-fit.cu */
gboolean lifetime_bench_fits (const VgContext *context, VgBench *bench, GError **error);
void lifetime_bench (const VgContext *context, VgBench *bench);

/* The life cycle, for the bench. */
extern "C" const VgEngine vg_lifetime_cuda;
