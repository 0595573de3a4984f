/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/pages/vg-charts.h"
/* Fields of the notebook.  vg-charts.c calls vg-charts-requests.c, which requests curves, and both
 * call vg-charts-limits.c. */
G_BEGIN_DECLS

struct _VgCharts
{
  VgBin parent_instance;
  VgSession *session;
  VgPipeline *pipeline;
  GtkWidget *notebook, *regions, *time_course, *pixel, *objects;
  GPtrArray *plots; /* pages of the operation's own plots */
  GCancellable *cancellable;
  GtkWidget *asked; /* page that the request under way is for; NULL: none */
  /* the page must be requested anew: there is a newer result, or settings have changed */
  gboolean stale;
  guint n_results;        /* number of results so far */
  int slice, length_unit; /* of the session's view, when it last changed */
  gboolean has_pixel;
  double pixel_x, pixel_y;
  int region;                /* index of the region whose mean the pixel page shows; -1: none */
  int selected;              /* index of the selected region; -1: none */
  gboolean one_frame, going; /* going: changing to a page that the user has not chosen */
  /* page shown only because there are no regions yet; NULL: none */
  GtkWidget *instead;
  VgStatistics statistics;                   /* of the newest result's map, */
  int statistics_output, statistics_compare; /* which is this; -1: none */
};

GtkWidget *vg_charts_current_page (VgCharts *self);
/* vg-charts-limits.c */
/* Sets SPAN to the colour limits if CURVES show the distribution of the shown map, to NaN if of
 * another map; else leaves it. */
void vg_charts_get_limits (VgCharts *self, const VgCurves *curves, double span[2]);
/* Shows the colour limits on the current page. */
void vg_charts_show_limits (VgCharts *self);
/* The user has dragged the limits. */
void vg_charts_take_limits (VgCharts *self, double low, double high);

/* vg-charts-requests.c */
/* Cancels the request under way. */
void vg_charts_forget_request (VgCharts *self);
/* PAGE shows another pixel or region from now on: an empty answer clears it. */
void vg_charts_forget_shown (GtkWidget *page);
/* Marks the shown frame in the curves of PAGE. */
void vg_charts_show_frame (VgCharts *self, GtkWidget *page);

G_END_DECLS
