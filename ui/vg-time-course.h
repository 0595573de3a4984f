/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-pipeline.h"
#include "vg-plot-page.h"
#include "vg-session.h"
/* The page with each region's mean against time: which output, how much of
 * the past, and the change in per cent against a baseline. */
G_BEGIN_DECLS

#define VG_TYPE_TIME_COURSE (vg_time_course_get_type ())
G_DECLARE_FINAL_TYPE (VgTimeCourse, vg_time_course, VG, TIME_COURSE, GtkWidget)

GtkWidget  *vg_time_course_new      (VgSession *session);
VgPlotPage *vg_time_course_get_page (VgTimeCourse *self);
void        vg_time_course_refresh  (VgTimeCourse *self, VgPipeline *pipeline);
/* FALSE: the operation follows nothing in time. */
gboolean    vg_time_course_is_used  (VgTimeCourse *self);

G_END_DECLS
