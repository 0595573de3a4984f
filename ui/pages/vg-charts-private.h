/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/pages/vg-charts.h"
#include "ui/pages/vg-page-slots.h"
/* Fields of the plots.  vg-charts.c calls vg-charts-pages.c and vg-charts-requests.c, which
 * requests curves; all call vg-charts-limits.c. */
G_BEGIN_DECLS

struct _VgCharts
{
  VgBin parent_instance;
  VgSession *session;
  VgPipeline *pipeline;
  VgPageSlots *slots;
  GtkWidget *regions, *time_course, *pixel, *objects, *scatter, *profile;
  GPtrArray *plots;    /* pages of the operation's own plots */
  GPtrArray *cautions; /* of these, VgPageCaution */
  GCancellable *cancellable;
  GtkWidget *asked; /* page that the request under way is for; NULL: none */
  /* the page of a slot must be requested anew: there is a newer result, or settings have changed */
  gboolean stale[VG_N_PAGE_SLOTS];
  guint turn;                    /* slot that is requested next */
  guint n_results;               /* number of results so far */
  double time_s;                 /* of the newest */
  int slice, length_unit;        /* of the session's view, when it last changed */
  gboolean has_pixel, has_guess; /* chosen by the user, or for the page Curve without a choice */
  gboolean guessed_last;         /* the guess was made from the final result */
  GCancellable *guessing;        /* of the query for a guess; NULL: none is running */
  int none_of; /* output that had no pixel for a guess before its final result; -1: none */
  double pixel_x, pixel_y;
  int region;                   /* index of the region whose mean the pixel page shows; -1: none */
  int selected;                 /* index of the selected region; -1: none */
  gboolean one_frame, going;    /* going: changing to a page that the user has not chosen */
  gboolean placed, had_regions; /* placed: the view has its pages */
  /* of a slot: the page that is there because none was chosen; NULL: another is there */
  GtkWidget *instead[VG_N_PAGE_SLOTS];
  VgStatistics statistics;                   /* of the newest result's map, */
  int statistics_output, statistics_compare; /* which is this; -1: none */
};

/* vg-charts-limits.c */
/* Sets SPAN to the colour limits if CURVES show the distribution of the shown map, to NaN if of
 * another map; else leaves it. */
void vg_charts_get_limits (VgCharts *self, const VgCurves *curves, double span[2]);
/* Shows the colour limits on the pages in sight. */
void vg_charts_show_limits (VgCharts *self);
/* The user has dragged the limits. */
void vg_charts_take_limits (VgCharts *self, double low, double high);

/* vg-charts-pages.c */
const char *vg_charts_name_page (VgCharts *self, GtkWidget *page);
/* Whether a slot that there is room for has it. */
gboolean vg_charts_is_in_sight (VgCharts *self, GtkWidget *page);
/* Brings PAGE in sight: in the second slot, where there are two. */
void vg_charts_go_to_page (VgCharts *self, GtkWidget *page);
/* Shows the view's pages, or those that say something where none was chosen. */
void vg_charts_choose_pages (VgCharts *self);
/* Shows the pages that were chosen before. */
void vg_charts_restore_pages (VgCharts *self);

/* vg-charts-requests.c */
/* Chooses a typical pixel (vg-typical-pixel.h) for the page Curve until the user chooses one.  The
 * page says so. */
void vg_charts_guess_pixel (VgCharts *self, VgResult *result);
void vg_charts_forget_guess (VgCharts *self);
/* Says so on the page, unless a pixel was chosen or a region is selected. */
void vg_charts_show_note (VgCharts *self);
/* Cancels the request under way. */
void vg_charts_forget_request (VgCharts *self);
/* PAGE shows another pixel or region from now on: an empty answer clears it. */
void vg_charts_forget_shown (GtkWidget *page);
/* Marks the shown frame in the curves of PAGE. */
void vg_charts_show_frame (VgCharts *self, GtkWidget *page);
void vg_charts_set_stale (VgCharts *self);

G_END_DECLS
