/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-plane.h"
#include "kernels/core/vg-cuda.h"
/* Copies in host memory of volumes in device memory, as large as these and no larger. */
G_BEGIN_DECLS

enum { VG_HOST_COPIES = 2 };

typedef struct
{
  float *memory[VG_HOST_COPIES]; /* NULL: none */
  gsize room[VG_HOST_COPIES];    /* samples in each */
} VgHostCopy;

/* The samples of PLANE: its own in host memory, else in copy I, which lasts until the next call
 * or vg_host_copy_clear.  NULL, and an error if there is one. */
const float *vg_host_copy_take (VgHostCopy *self, int i, const VgPlane *plane, const VgCuda *cuda,
                                GError **error);
void vg_host_copy_clear (VgHostCopy *self);

G_END_DECLS
