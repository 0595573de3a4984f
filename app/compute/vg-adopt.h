/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* The settings of a run without a window. */
G_BEGIN_DECLS

/* A copy of PARAMS with the values that INFO, the metadata of the data, gives; the caller puts back
 * those that the user has set.  INFO NULL: there are none.  PACED: steps are shown one by one, as
 * in a movie; else as many as possible are computed at once. */
void *vg_adopt_params (const VgOperation *operation, const void *params, const VgImageInfo *info,
                       gboolean paced);

G_END_DECLS
