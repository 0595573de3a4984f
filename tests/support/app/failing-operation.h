/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* An operation for tests: "total" is GAIN times the sum of the last WINDOW
 * frames.  Two engines with the same arithmetic; the second one plays a GPU
 * that fails when it is told to. */
G_BEGIN_DECLS

typedef struct
{
  float gain; /* taken in place, up to 100 */
  int window;
  int steps;   /* steps a frame needs; the last is DONE */
  char *extra; /* FILE */
} FakeParams;

/* When the second engine fails, by call; -1: never.  Counted down. */
typedef struct
{
  int prepare, feed, step, output, results;
  int code;                       /* VgGpuError */
  gboolean other;                 /* fail with an error that is not the GPU's */
  gsize host_bytes, device_bytes; /* what operation->memory says */
  gboolean on_device;             /* the second engine's plane pretends to be there */
  int states;                     /* alive, of both engines */
  int files;                      /* given to the newest prepare */
} FakeTrouble;

extern FakeTrouble fake_trouble;
extern const VgOperation fake_operation, fake_whole_operation;
extern const VgEngine fake_gpu_engine;

void fake_trouble_reset (void);

G_END_DECLS
