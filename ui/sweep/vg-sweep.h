/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-result.h"
/* One setting over nine values: what is to be computed next, and the results so far.  Whoever owns
 * it has the parameters computed.  No window is needed. */
G_BEGIN_DECLS

enum { VG_SWEEP_MOST = 9 };

typedef struct _VgSweep VgSweep;

/* TRUE: PARAM is a number. */
gboolean vg_sweep_accepts (const VgParam *param);
/* A range of PARAM about its value in PARAMS: from half of it to twice, within the slider's. */
void vg_sweep_find_range (const VgParam *param, const void *params, double *from, double *to);

/* PARAMS of OPERATION, copied, with nine values of PARAM from FROM to TO, in equal ratios where the
 * slider moves in decades; fewer where whole numbers are the same. */
VgSweep *vg_sweep_new (const VgOperation *operation, const void *params, const VgParam *param,
                       double from, double to);
void vg_sweep_free (VgSweep *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSweep, vg_sweep_free)
int vg_sweep_count (const VgSweep *self);
double vg_sweep_get_value (const VgSweep *self, int i);
/* The value that is next, or being computed; the number of values: all are done. */
int vg_sweep_get_next (const VgSweep *self);
/* The parameters to compute next, borrowed until the next call; NULL: all are done.  Those that the
 * operation refuses are left out, with an error. */
const void *vg_sweep_next_params (VgSweep *self);
/* They are computed with this SERIAL. */
void vg_sweep_sent (VgSweep *self, guint64 serial);
/* A result came.  TRUE: it completes the value; the next can be computed. */
gboolean vg_sweep_take (VgSweep *self, VgResult *result);
/* The settings with SERIAL were refused.  TRUE: they were those of the value. */
gboolean vg_sweep_refuse (VgSweep *self, guint64 serial, const char *why);
/* Completes the value with RESULT, of the same parameters. */
void vg_sweep_use (VgSweep *self, VgResult *result);
VgResult *vg_sweep_get_result (const VgSweep *self, int i); /* NULL: none yet */
const char *vg_sweep_get_error (const VgSweep *self, int i);
double vg_sweep_get_progress (const VgSweep *self); /* of all, 0 to 1 */

G_END_DECLS
