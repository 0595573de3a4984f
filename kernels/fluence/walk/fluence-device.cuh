/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/walk/fluence-kernel.cuh"
#include "kernels/shared/vg-cuda-util.cuh"
/* The photon walk on one GPU, or on a part of one: memory, launches and results. */

typedef struct
{
  const void *kernel;
  int threads, blocks; /* threads of a block; blocks on a multiprocessor */
  int wait;            /* lanes that wait for each other; 0: adapted to the walk */
} VgFluenceVariant;

/* A launch, and the host memory for its results. */
typedef struct
{
  cudaEvent_t begin, end, copied;
  guint64 *host; /* page-locked: the tally, then the progress */
  int steps, phase;
} VgFluenceFlight;

typedef struct
{
  int device, blocks, threads;
  const void *kernel;
  cudaStream_t stream;
  guint8 *memory;          /* for all parts of the GPU, owned by the first; else NULL */
  guint64 *host;           /* the same, page-locked */
  gsize bytes, host_bytes; /* of `memory` and of `host` */
  gsize assigned;          /* number of parts that have memory */
  gsize progress_at;       /* index of the progress in a launch's results */
  VgFluenceLaunch launch;
  VgFluencePhoton *photons[2];
  gsize shared_bytes;
  gboolean fixed_wait;
  VgFluenceFlight flights[2]; /* one runs while the host processes the results of the other */
  int first, in_flight;       /* flights */
  /* results of the last launch that was waited for; valid until the next but one starts */
  const guint64 *tally;
  guint64 launched, alive, served;
  double ms; /* duration of that launch */
  int steps; /* in that launch */
} VgFluenceDevice;

/* A part of GPU number DEVICE: stream and events, without memory. */
VgFluenceDevice *vg_fluence_device_new (int device, GError **error);
/* SELF must be freed before the part that owns its memory. */
void vg_fluence_device_free (VgFluenceDevice *self);
/* Waits for all launches and ignores their results. */
gboolean vg_fluence_device_stop (VgFluenceDevice *self, GError **error);
/* Prepares a run with PARAMS and MEDIUM; all parts of the GPU must have been stopped.  VARIANT:
 * NULL selects the kernel for these settings.  The part traces every COUNTth stock of photons, from
 * number INDEX on, on one of PARTS parts of the multiprocessors.  OWNER: the first part of the GPU,
 * which owns the memory of all and is started first; NULL if this is the first. */
gboolean vg_fluence_device_start (VgFluenceDevice *self, int parts, int index, int count,
                                  const VgFluenceParams *params, const VgFluenceMedium *medium,
                                  const VgFluenceVariant *variant, VgFluenceDevice *owner,
                                  GError **error);
/* Makes the part, once started, trace only the share of process RANK of RANKS. */
void vg_fluence_device_share (VgFluenceDevice *self, int rank, int ranks);
/* Queues a launch of STEPS steps of every photon.  Photons from index LAST on are not launched. */
gboolean vg_fluence_device_go (VgFluenceDevice *self, guint64 last, int steps, GError **error);
/* Queues the copy of that launch's results to the host.  All parts of a GPU must be started first:
 * streams share queues, in which a copy that waits for one part would delay the next part. */
gboolean vg_fluence_device_fetch (VgFluenceDevice *self, GError **error);
/* Waits for the oldest launch. */
gboolean vg_fluence_device_wait (VgFluenceDevice *self, GError **error);
