/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
#include "app/staging/vg-staging.h"
/* The true maps of synthetic data: truth_OUTPUT.tif for every output that has one. */
G_BEGIN_DECLS

gboolean vg_truth_write (VgStaging *staging, const VgOperation *operation, const void *params,
                         const VgSyntheticSize *size, GError **error);

G_END_DECLS
