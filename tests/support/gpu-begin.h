/* SPDX-License-Identifier: MIT */
#pragma once
#include <stdio.h>
#include "kernels/core/vg-cuda.h"
/* How the programs that test CUDA engines begin. */

enum { GPU_SKIPPED = 77 }; /* exit status without a GPU */

/* NULL: there is no GPU, which has been said; the program exits with GPU_SKIPPED. */
static inline const VgCuda *
gpu_begin (int *argc, char ***argv)
{
  const char *reason = NULL;
  const VgCuda *cuda;

  g_test_init (argc, argv, NULL);
  cuda = vg_cuda_get (&reason);
  if (cuda == NULL)
    fprintf (stderr, "no GPU: %s\n", reason);
  return cuda;
}
