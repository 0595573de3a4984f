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
} VgFluenceVariant;

typedef struct
{
  int device, blocks, threads;
  const void *kernel;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  VgFluenceLaunch launch;
  guint64 *host;               /* page-locked: the tally, then the progress */
  gsize shared_bytes;
  gboolean flying;
  guint64 launched, alive;     /* after the last launch that was waited for */
  double ms;                   /* it took */
} VgFluenceDevice;

/* VARIANT NULL: the one for these settings.  DEVICE gets stock INDEX of COUNT. */
VgFluenceDevice *vg_fluence_device_new  (int device, int index, int count, const VgFluenceRun *run,
                                         const VgFluenceVariant *variant, GError **error);
void             vg_fluence_device_free (VgFluenceDevice *self);
/* Starts STEPS steps of every photon; none is launched from LAST on. */
gboolean         vg_fluence_device_go   (VgFluenceDevice *self, guint64 last, int steps, GError **error);
/* Waits for it. */
gboolean         vg_fluence_device_wait (VgFluenceDevice *self, GError **error);
