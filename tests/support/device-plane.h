/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-plane.h"
/* Planes in device memory with chosen content, for tests of the CUDA module. */
G_BEGIN_DECLS

/* Copies width * height * slices samples of HOST to device 0 on a stream of its own. */
void device_plane_init (VgPlane *plane, const float *host, int width, int height, int slices);
void device_plane_clear (VgPlane *plane);

G_END_DECLS
