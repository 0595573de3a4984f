/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-result.h"
/* Buffers of results, which are used again after the last reference to a result is released, on any
 * thread.  A few stay idle; the pool is freed with the last result. */
G_BEGIN_DECLS

typedef struct _VgResultPool VgResultPool;

VgResultPool *vg_result_pool_new (void);
void vg_result_pool_unref (VgResultPool *self);
/* A result whose plane is a copy of PLANE: in device memory when PLANE is
 * there, in host memory else.  Complete: a device copy has ended. */
VgResult *vg_result_pool_copy (VgResultPool *self, const VgPlane *plane, const VgCuda *cuda,
                               GError **error);
/* A result with PLANE itself, which OWNER holds until RELEASE is called with it. */
VgResult *vg_result_pool_lend (VgResultPool *self, const VgPlane *plane, gpointer owner,
                               GDestroyNotify release);
/* A result without a plane. */
VgResult *vg_result_pool_plain (VgResultPool *self);
/* Gives the result a copy of PLANE to dim it by, where PLANE has its size and
 * place; else it stays without one. */
gboolean vg_result_set_brightness (VgResult *result, const VgPlane *plane, const VgCuda *cuda,
                                   GError **error);
/* Gives the result a copy of OUTLINES. */
gboolean vg_result_set_outlines (VgResult *result, const VgOutlines *outlines, const VgCuda *cuda,
                                 GError **error);
gboolean vg_result_set_second_outlines (VgResult *result, const VgOutlines *outlines,
                                        const VgCuda *cuda, GError **error);
/* Results alive or kept idle. */
guint vg_result_pool_size (VgResultPool *self);
/* Gives the result N zeroed regions to fill. */
VgRegionResult *vg_result_add_regions (VgResult *result, guint n);

G_END_DECLS
