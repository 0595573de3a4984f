/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-metrics.h"
#include "kernels/core/vg-param.h"
G_BEGIN_DECLS

/* What the user can do about the advice of a metric. */
typedef struct
{
  const VgParam *param; /* NULL: nothing that a setting could do */
  gboolean known;       /* VALUE of the parameter removes the cause; else the user has to decide */
  double value;
} VgRemedy;

/* The value that METRIC proposes, if it is another one than that in PARAMS and the parameter is
 * shown; else the setting that its advice names. */
VgRemedy vg_remedy_find (const VgParamTable *table, const void *params, const VgMetric *metric);

G_END_DECLS
