/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-result.h"
#include "app/compute/vg-result-pool.h"
#include "app/session/vg-session.h"
#include "app/compute/vg-work.h"
/* A reference result, which later results are compared with: every map of a work and the outlines
 * of its objects, copied to host memory.  It is immutable and reference counted, and the same for
 * every operation. */
G_BEGIN_DECLS

typedef struct _VgReference VgReference;

/* Copies the present result of WORK.  NULL and an error: there is no map or no memory, which is
 * checked before it is taken, or the GPU has failed. */
VgReference *vg_reference_new (VgWork *work, GError **error);
VgReference *vg_reference_ref (VgReference *self);
void vg_reference_unref (VgReference *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgReference, vg_reference_unref)

const VgOperation *vg_reference_get_operation (const VgReference *self);
/* The outlines, in host memory; n is 0 if there were none. */
const VgOutlines *vg_reference_get_outlines (const VgReference *self);
/* The plane of output I, in host memory, borrowed; FALSE: the output was not computed. */
gboolean vg_reference_get_plane (const VgReference *self, guint i, VgPlane *plane);
/* Bytes of its maps and outlines. */
gsize vg_reference_get_bytes (const VgReference *self);
/* Parameters that it was computed with. */
const void *vg_reference_get_params (const VgReference *self);
const VgMetrics *vg_reference_get_metrics (const VgReference *self);
/* The unit of the values of output I. */
const char *vg_reference_get_unit (const VgReference *self, guint i);
/* The results of regions that belong to it (vg-region-sums.h); SUMS is taken.  NULL: none. */
void vg_reference_set_sums (VgReference *self, GPtrArray *sums);
const GPtrArray *vg_reference_get_sums (const VgReference *self);
/* Output I as a result to show, whose samples are those of the reference; NULL: it has none. */
VgResult *vg_reference_get_result (VgReference *self, guint i, VgResultPool *pool);
/* Adds the curves of plot I to its present CURVES if axes and units agree.  A curve is called
 * "Kept: NAME" and has the colour of the present curve NAME. */
void vg_reference_add_curves (const VgReference *self, guint i, VgCurves *curves);
/* The labels of the parameters that differ between PARAMS and the reference result, such as
 * "Artery, Threshold", without that of EXCEPT (an id, or NULL); NULL: none differs. */
char *vg_reference_differs (const VgReference *self, const void *params, const char *except);
/* TRUE: output I can be compared with a map like PLANE in UNIT, because size, slices, axes and
 * units agree; else the error says what differs. */
gboolean vg_reference_fits (const VgReference *self, guint i, const VgPlane *plane,
                            const char *unit, GError **error);
/* Whether its maps are of frames that were corrected for motion. */
gboolean vg_reference_is_corrected (const VgReference *self);
/* The value of output ID at column, row and slice XYZ, or the mean or MEDIAN of its valid pixels in
 * REGION.  NaN: there is none, or its map differs from SHOWN in size or axes, or from UNIT. */
double vg_reference_get_value (const VgReference *self, const char *id, const char *unit,
                               const VgPlane *shown, const int xyz[3]);
double vg_reference_get_mean (const VgReference *self, const char *id, const char *unit,
                              const VgPlane *shown, const VgRegion *region, gboolean median);
/* Replaces VALUES, the samples of PLANE, by the reference map, by the difference from it, or by the
 * ratio to it (NaN where it is 0). */
void vg_reference_compare (const VgReference *self, guint i, VgCompare mode, const VgPlane *plane,
                           float *values);
/* Replaces samples of the ratio VALUES of output I by NaN where one of the two relative errors is
 * above 30 % or missing.  ERRORS: the present relative errors, %, in host memory; NULL: unknown. */
void vg_reference_hide_noise (const VgReference *self, guint i, const VgPlane *plane,
                              const float *errors, float *values);
/* The index of the output with the relative errors, %, of output I; -1: there is none. */
int vg_reference_find_error (const VgReference *self, guint i);

G_END_DECLS
