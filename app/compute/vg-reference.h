/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
#include "app/compute/vg-work.h"
/* A result that was kept to compare others with: every map of a work and the
 * outlines of its objects, copied to host memory.  Reference counted, immutable; the same for
 * every operation. */
G_BEGIN_DECLS

typedef struct _VgReference VgReference;

/* NULL and an error when memory is short or the GPU fails, or there is no map. */
VgReference *vg_reference_new (VgWork *work, GError **error);
VgReference *vg_reference_ref (VgReference *self);
void vg_reference_unref (VgReference *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgReference, vg_reference_unref)

const VgOperation *vg_reference_get_operation (const VgReference *self);
/* In host memory; n 0: there were none. */
const VgOutlines *vg_reference_get_outlines (const VgReference *self);
/* Output I as it was kept, in host memory, borrowed; FALSE: there was none. */
gboolean vg_reference_get_plane (const VgReference *self, guint i, VgPlane *plane);
/* Adds what plot I showed to CURVES, the present ones of it, as far as axes and units are the same:
 * series called "Kept: NAME" in the colours of their likes. */
void vg_reference_add_curves (const VgReference *self, guint i, VgCurves *curves);
/* The labels of the settings that are others in PARAMS than those of the kept
 * result, "Artery, Threshold", but for EXCEPT (an id, or NULL); NULL: none. */
char *vg_reference_differs (const VgReference *self, const void *params, const char *except);
/* TRUE: output I was kept, and a map like PLANE of values in UNIT has the same
 * size, slices, axes and units; else an error says what differs. */
gboolean vg_reference_fits (const VgReference *self, guint i, const VgPlane *plane,
                            const char *unit, GError **error);
/* Makes of PLANE, whose samples are VALUES in host memory and which fits, the
 * kept map itself, the difference to it, or the ratio (NaN where it is 0). */
void vg_reference_compare (const VgReference *self, guint i, VgCompare mode, const VgPlane *plane,
                           float *values);
/* Of the ratio VALUES what is little more than noise becomes NaN: samples where one of the two
 * relative errors is above 30 % or not known, of outputs that name theirs (in %).  ERRORS, in host
 * memory, are the present ones, NULL: not known at all. */
void vg_reference_hide_noise (const VgReference *self, guint i, const VgPlane *plane,
                              const float *errors, float *values);
/* The output with the relative errors of output I; -1: none. */
int vg_reference_find_error (const VgReference *self, guint i);

G_END_DECLS
