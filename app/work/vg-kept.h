/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
#include "app/work/vg-work.h"
/* A result that was kept to compare others with: every map of a work and the
 * outlines of its objects, copied to host memory.  Reference counted, immutable, knows no modality.
 */
G_BEGIN_DECLS

typedef struct _VgKept VgKept;

/* NULL and an error when memory is short or the GPU fails, or there is no map. */
VgKept *vg_kept_new (VgWork *work, GError **error);
VgKept *vg_kept_ref (VgKept *self);
void vg_kept_unref (VgKept *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgKept, vg_kept_unref)

const VgOperation *vg_kept_get_operation (const VgKept *self);
/* In host memory; n 0: there were none. */
const VgOutlines *vg_kept_get_outlines (const VgKept *self);
/* Output I as it was kept, in host memory, borrowed; FALSE: there was none. */
gboolean vg_kept_get_plane (const VgKept *self, guint i, VgPlane *plane);
/* Adds what plot I showed to CURVES, the present ones of it, as far as axes and units are the same:
 * series called "Kept: NAME" in the colours of their likes. */
void vg_kept_add_curves (const VgKept *self, guint i, VgCurves *curves);
/* The labels of the settings that are others in PARAMS than those of the kept
 * result, "Artery, Threshold", but for EXCEPT (an id, or NULL); NULL: none. */
char *vg_kept_differs (const VgKept *self, const void *params, const char *except);
/* TRUE: output I was kept, and a map like PLANE of values in UNIT has the same
 * size, slices, axes and units; else an error says what differs. */
gboolean vg_kept_fits (const VgKept *self, guint i, const VgPlane *plane, const char *unit,
                       GError **error);
/* Makes of PLANE, whose samples are VALUES in host memory and which fits, the
 * kept map itself, the difference to it, or the ratio (NaN where it is 0). */
void vg_kept_compare (const VgKept *self, guint i, VgCompare mode, const VgPlane *plane,
                      float *values);
/* Of the ratio VALUES what is little more than noise becomes NaN: samples where one of the two
 * relative errors is above 30 % or not known, of outputs that name theirs (in %).  ERRORS, in host
 * memory, are the present ones, NULL: not known at all. */
void vg_kept_hide_noise (const VgKept *self, guint i, const VgPlane *plane, const float *errors,
                         float *values);
/* The output with the relative errors of output I; -1: none. */
int vg_kept_find_error (const VgKept *self, guint i);

G_END_DECLS
