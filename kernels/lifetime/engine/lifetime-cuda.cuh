/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include "kernels/lifetime/engine/lifetime-checks.h"
#include "kernels/lifetime/plan/lifetime-plan.h"
#include "kernels/lifetime/engine/lifetime-view.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* The state of the CUDA engine, and the functions that its files call in each other.
 *
 * The cube has the same layout on the device as on the host, and each page (the pixels of a bin)
 * begins at a multiple of 16 bytes.  All work is queued on one stream, because everything else is
 * short compared with the upload of a cube. */

/* The cube as the kernels use it. */
typedef struct
{
  const guint8 *samples;
  gsize pitch;  /* bytes from page to page, a multiple of 16 */
  gsize pixels; /* of a slice */
  int width, height, slices, bins;
  VgType type;
  float full_scale;
} LifetimeCube;

/* Device memory for a fit: number of planes, of floats, of bytes. */
typedef struct
{
  int planes;
  gsize table, image, tile, area;
} LifetimeFitNeeds;

/* Counts of the lifetime map. */
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
  gsize n; /* pixels of all slices, the stride of planes */
  cudaStream_t stream;
  cudaEvent_t uploaded;
  VgFrame *held; /* referenced until `uploaded` */
  gboolean have_frame, have_map, have_decay;
  guint64 frame_id; /* of the frame on the device */
  gint64 frame_index, frame_time_us;
  gboolean plan_due, pass_due, map_due;

  guint8 *memory; /* all device memory of the engine state */
  guint8 *samples;
  LifetimeCube cube;
  float *sums;      /* VG_LIFETIME_N_SUMS planes of n pixels; binned in place */
  float *intensity; /* photons before binning */
  float *lifetime, *extra, *density;
  float *filtered; /* filtered phasors and the filter's buffers, or NULL */
  int n_filtered;  /* planes in it */
  float *weights;  /* weights of the plan */
  double *table, *decay;
  guint8 *mask;           /* pixels of the region that contains the IRF, or NULL */
  LifetimeCounts *counts; /* two: of the last lifetime map, and cleared for the next one */
  int counts_at;
  LifetimeFitNeeds fit_has; /* memory allocated for fits */
  float *fit;               /* planes of the fit in the order of the outputs, or NULL */
  /* IRF and nodes; number of pixels in each binned one; binned decays */
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

/* The constants of the plan, with the table on the device. */
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

/* lifetime-pass.cu: computes the sums of the cube, and the photons in each bin of all pixels or
 * of those in MASK. */
gboolean lifetime_pass (const LifetimeCube *cube, const VgLifetimePlan *plan, const float *weights,
                        float *sums, gsize n, cudaStream_t stream, GError **error);
gboolean lifetime_decay (const LifetimeCube *cube, const guint8 *mask, int slice, double *decay,
                         cudaStream_t stream, GError **error);
/* COUNTS receives the decay of pixel (x, y) and its neighbours. */
gboolean lifetime_histogram (const LifetimeCube *cube, int slice, int x, int y, int binning,
                             double *counts, cudaStream_t stream, GError **error);

/* lifetime-maps.cu: computes the sums of the frame on the device, binned over pixels in place,
 * and maps; `counted` also counts pixels. */
gboolean lifetime_sums (LifetimeState *self, GError **error);
gboolean lifetime_map (LifetimeState *self, int which, float *map, gboolean counted,
                       GError **error);
gboolean lifetime_density (LifetimeState *self, GError **error);

/* lifetime-filter.cu: filters the phasors of all pixels; the second function returns the planes
 * that it needs. */
gboolean lifetime_filter (LifetimeState *self, GError **error);
int lifetime_filter_planes (const VgLifetimeParams *params);

/* lifetime-fit-frame.cu: the memory that a fit needs; the fit of the frame, for the initial decay
 * host_decay; all outputs of a pixel. */
LifetimeFitNeeds lifetime_fit_needs (const VgLifetimeParams *params, const LifetimeCube *cube);
gboolean lifetime_fit_frame (LifetimeState *self, GError **error);
gboolean lifetime_fit_values (const LifetimeState *self, gsize pixel, float *outputs,
                              GError **error);

/* lifetime-bench-cuda.cu */
extern "C" void vg_lifetime_bench_cuda (const VgContext *context, VgBench *bench);

/* The engine, for the bench. */
extern "C" const VgEngine vg_lifetime_cuda;
