/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/tables/vg-curves.h"
#include "kernels/base/vg-region.h"
/* Region means against time, for every followed output: bounded, in the order
 * of time.  A time that is there already (a stack that loops, a seek) is
 * overwritten; when the store is full the older points are thinned evenly in time.
 * Safe from every thread. */
G_BEGIN_DECLS

enum {
  VG_TIME_COURSE_POINTS = 65536,
  VG_TIME_COURSE_BYTES = 12 << 20 /* of the points and the curves of one output together */
};

typedef struct _VgTimeCourse VgTimeCourse;

VgTimeCourse *vg_time_course_new (void);
VgTimeCourse *vg_time_course_ref (VgTimeCourse *self);
void vg_time_course_unref (VgTimeCourse *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgTimeCourse, vg_time_course_unref)

/* Forgets everything, marks too, and follows N_OUTPUTS. */
void vg_time_course_reset (VgTimeCourse *self, guint n_outputs);
/* A region that was followed before, of the same shape, keeps its points. */
void vg_time_course_set_regions (VgTimeCourse *self, const VgRegion *regions, guint n);
/* Forgets the points and the marks. */
void vg_time_course_clear (VgTimeCourse *self);
/* VALUES: n_outputs rows of n_regions means; NaN: none. */
void vg_time_course_add (VgTimeCourse *self, double time_s, const float *values);
/* Adds a mark with LABEL (static or interned) at TIME_S, which stays when the regions change.  At
 * most VG_CURVES_MOST_MARKS are kept. */
void vg_time_course_mark (VgTimeCourse *self, double time_s, const char *label);
/* The marks from FROM_S on, of VgCurveMark, ascending; owned. */
GArray *vg_time_course_get_marks (VgTimeCourse *self, double from_s);
/* Begins a gap: no line joins the point that was added last to the next in time, unless they are as
 * close as the points before.  The number of gaps is not limited. */
void vg_time_course_break (VgTimeCourse *self);
/* Ends the gaps from FROM_S on: what was left out there is added next. */
void vg_time_course_join (VgTimeCourse *self, double from_s);
/* The newest time; NaN: there is no point. */
double vg_time_course_get_end (VgTimeCourse *self);
guint vg_time_course_length (VgTimeCourse *self);
/* Copies output I into CURVES: one series per region, with a NaN at each break and none else; and
 * the marks. */
void vg_time_course_get (VgTimeCourse *self, guint i, VgCurves *curves);

G_END_DECLS
