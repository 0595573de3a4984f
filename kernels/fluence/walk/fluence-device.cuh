/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/walk/fluence-kernel.cuh"
#include "kernels/shared/vg-cuda-util.cuh"
/* One GPU's share of a simulation: its memory, its launches, what came back. */

typedef struct
{
  const void *kernel;
  int threads, blocks; /* of a block; on a multiprocessor */
  int wait;            /* lanes; 0: as many as suits the walk */
} VgFluenceVariant;

/* A launch under way, and what it leaves on the host. */
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
  guint8 *memory;          /* of all parts of this GPU, in its first one; NULL in the others */
  guint64 *host;           /* the same, page-locked */
  gsize bytes, host_bytes; /* of both */
  gsize lent;              /* parts that have their share of it */
  gsize progress_at;       /* in what a launch leaves: numbers before the progress */
  VgFluenceLaunch launch;
  VgFluencePhoton *photons[2];
  gsize shared_bytes;
  gboolean fixed_wait;
  VgFluenceFlight flights[2]; /* the next one waits on the GPU while the host takes in the first */
  int first, flying;          /* flights */
  /* after the last launch that was waited for; valid until the next but one starts */
  const guint64 *tally;
  guint64 launched, alive, served;
  double ms; /* it took */
  int steps; /* it did */
} VgFluenceDevice;

/* A part of DEVICE: its stream and events, no memory yet. */
VgFluenceDevice *vg_fluence_device_new (int device, GError **error);
/* Freed before the part that lent it memory. */
void vg_fluence_device_free (VgFluenceDevice *self);
/* Gives up the launches under way. */
gboolean vg_fluence_device_stop (VgFluenceDevice *self, GError **error);
/* Begins RUN without a photon, after all parts of this GPU were stopped, if
 * they ran.  VARIANT NULL: the one for these settings.  The part gets stock
 * INDEX of COUNT, and one of so many PARTS of the multiprocessors.  LENDER is
 * the first part of this GPU, which has the memory of all and is started
 * first; NULL: this is it.  Memory of an earlier run is used again. */
gboolean vg_fluence_device_start (VgFluenceDevice *self, int parts, int index, int count,
                                  const VgFluenceParams *params, const VgFluenceMedium *medium,
                                  const VgFluenceVariant *variant, VgFluenceDevice *lender,
                                  GError **error);
/* Starts STEPS steps of every photon, behind a launch that is under way, if
 * any; none is launched from LAST on. */
gboolean vg_fluence_device_go (VgFluenceDevice *self, guint64 last, int steps, GError **error);
/* Has what that launch leaves brought to the host.  Of several parts of a
 * GPU first all are started: streams share its queues, where a copy that waits
 * for one part would hold up the next one. */
gboolean vg_fluence_device_fetch (VgFluenceDevice *self, GError **error);
/* Waits for the launch that was started first. */
gboolean vg_fluence_device_wait (VgFluenceDevice *self, GError **error);
