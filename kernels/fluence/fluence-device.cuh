/* SPDX-License-Identifier: MIT */
#pragma once
#include "fluence-kernel.cuh"
#include "fluence-run.h"
#include "vg-cuda-util.cuh"
/* One GPU's share of a simulation: its memory, its launches, what came back. */

typedef struct
{
  const void *kernel;
  int threads, blocks;         /* of a block; on a multiprocessor */
  int wait;                    /* lanes; 0: as many as suits the walk */
} VgFluenceVariant;

/* A launch under way, and what it leaves on the host. */
typedef struct
{
  cudaEvent_t begin, end, copied;
  guint64 *host;               /* page-locked: the tally, then the progress */
  int steps, phase;
} VgFluenceFlight;

typedef struct
{
  int device, blocks, threads;
  const void *kernel;
  cudaStream_t stream;
  guint8 *memory;              /* of all parts of this GPU, in its first one; NULL in the others */
  guint64 *host;               /* the same, page-locked */
  gsize lent;                  /* parts that have their share of it */
  VgFluenceLaunch launch;
  VgFluencePhoton *photons[2];
  gsize shared_bytes;
  gboolean fixed_wait;
  VgFluenceFlight flights[2];  /* the next one waits on the GPU while the host takes in the first */
  int first, flying;           /* flights */
  const guint64 *tally;        /* after the last launch that was waited for; valid until the next but one starts */
  guint64 launched, alive, served;
  double ms;                   /* it took */
  int steps;                   /* it did */
} VgFluenceDevice;

/* VARIANT NULL: the one for these settings.  DEVICE gets stock INDEX of
 * COUNT, and one of so many PARTS of its multiprocessors.  LENDER is the first
 * part of this GPU, which has the memory of all and is freed last; NULL: this is it. */
VgFluenceDevice *vg_fluence_device_new  (int device, int parts, int index, int count, const VgFluenceRun *run,
                                         const VgFluenceVariant *variant, VgFluenceDevice *lender, GError **error);
void             vg_fluence_device_free (VgFluenceDevice *self);
/* Starts STEPS steps of every photon, behind a launch that is under way, if
 * any; none is launched from LAST on. */
gboolean         vg_fluence_device_go   (VgFluenceDevice *self, guint64 last, int steps, GError **error);
/* Has what that launch leaves brought to the host.  Of several parts of a
 * GPU first all are started: streams share its queues, where a copy that waits
 * for one part would hold up the next one. */
gboolean         vg_fluence_device_fetch (VgFluenceDevice *self, GError **error);
/* Waits for the launch that was started first. */
gboolean         vg_fluence_device_wait (VgFluenceDevice *self, GError **error);
