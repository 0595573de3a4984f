/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/pages/vg-charts.h"
/* Shared by the notebook (vg-charts.c) and what asks for its curves (vg-charts-requests.c). */
G_BEGIN_DECLS

struct _VgCharts
{
  GtkWidget parent_instance;
  VgSession *session;
  VgPipeline *pipeline;
  GtkWidget *notebook, *regions, *time_course, *pixel, *objects;
  GPtrArray *plots; /* pages of the operation's own plots */
  GCancellable *cancellable;
  GtkWidget *asked; /* page that the request under way is for; NULL: none */
  /* what the page shows was asked for before the newest result, or something else has changed */
  gboolean stale;
  guint n_results;        /* that have been shown, by number */
  int slice, length_unit; /* of the session's view, when it last changed */
  gboolean has_pixel;
  double pixel_x, pixel_y;
  int region;                /* whose mean the pixel page shows instead; -1: none */
  int selected;              /* region; -1: none */
  gboolean one_frame, going; /* going: to a page that nobody has chosen */
  /* page that is seen only because there are no regions yet; NULL: none */
  GtkWidget *instead;
  VgStatistics statistics;                   /* of the newest result's map, */
  int statistics_output, statistics_compare; /* which is this; -1: none */
};

GtkWidget *vg_charts_current_page (VgCharts *self);
/* vg-charts-limits.c: where CURVES are of the shown map's values, the limits of its colours are
 * their span; else SPAN stays as it is. */
void vg_charts_get_limits (VgCharts *self, const VgCurves *curves, double span[2]);
void vg_charts_show_limits (VgCharts *self);                          /* on the page that is seen */
void vg_charts_take_limits (VgCharts *self, double low, double high); /* dragged */
/* The request under way is forgotten; its answer finds the cancellable cancelled. */
void vg_charts_forget_request (VgCharts *self);
/* PAGE is of another place from now on: an answer that there is nothing empties it. */
void vg_charts_forget_shown (GtkWidget *page);
/* Marks the frame in view in the curves of PAGE. */
void vg_charts_show_frame (VgCharts *self, GtkWidget *page);

G_END_DECLS
