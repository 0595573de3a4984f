/* SPDX-License-Identifier: MIT */
/* Requests for curves from the compute thread: at most one at a time, for the current page. Answers
 * that are out of date are dropped. */
#include "ui/pages/vg-charts-private.h"
#include <math.h>
#include "ui/pages/vg-plane-page.h"
#include "ui/pages/vg-plot-page.h"
#include "ui/pages/vg-time-page.h"

void
vg_charts_forget_request (VgCharts *self)
{
  g_cancellable_cancel (self->cancellable);
  g_set_object (&self->cancellable, NULL);
  self->cancellable = g_cancellable_new ();
  self->asked = NULL;
  self->stale = TRUE;
}

void
vg_charts_show_frame (VgCharts *self, GtkWidget *page)
{
  if (VG_IS_PLOT_PAGE (page))
    vg_plot_view_set_frame (vg_plot_page_get_plot (VG_PLOT_PAGE (page)),
                            vg_session_get_view (self->session)->underlay_frame);
}

typedef struct
{
  VgCharts *self;
  GCancellable *cancellable;
  guint result; /* newest when it was asked */
} Request;

static const char shown[] = "vg-shown-result"; /* of a page: the result that its curves are of */

void
vg_charts_forget_shown (GtkWidget *page)
{
  g_object_set_data (G_OBJECT (page), shown, NULL);
}

/* Whether the page asked takes an answer.  None (NULL) says nothing new while the picture is still
 * that which the page's curves are of: its successor is being computed, or was cancelled. */
static gboolean
takes_answer (const Request *request, gconstpointer answer)
{
  GtkWidget *page = request->self->asked;

  if (answer == NULL &&
      GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (page), shown)) == request->self->n_results)
    return FALSE;
  g_object_set_data (G_OBJECT (page), shown,
                     answer != NULL ? GUINT_TO_POINTER (request->result) : NULL);
  return TRUE;
}

static void
request_free (Request *request)
{
  g_object_unref (request->cancellable);
  g_object_unref (request->self);
  g_free (request);
}

static void
on_plane (GObject *source, GAsyncResult *result, gpointer data)
{
  Request *request = data;
  VgCharts *self = request->self;
  VgPlotPlane *picture = vg_pipeline_query_finish (VG_PIPELINE (source), result, NULL);

  if (!g_cancellable_is_cancelled (request->cancellable) && self->asked)
    {
      if (takes_answer (request, picture))
        vg_plane_page_set (VG_PLANE_PAGE (self->asked), picture);
      self->asked = NULL;
    }
  else
    g_clear_pointer (&picture, vg_plot_plane_free);
  request_free (request);
}

static void
on_curves (GObject *source, GAsyncResult *result, gpointer data)
{
  Request *request = data;
  VgCharts *self = request->self;
  VgCurves *curves = vg_pipeline_query_finish (VG_PIPELINE (source), result, NULL);

  if (!g_cancellable_is_cancelled (request->cancellable) && self->asked)
    {
      if (curves != NULL)
        {
          /* as in the picture */
          vg_curves_in_length (curves, vg_session_get_view (self->session)->length_unit);
          vg_charts_get_limits (self, curves, curves->span);
        }
      /* NULL: no curves with these settings, which the empty plot says. */
      if (takes_answer (request, curves))
        {
          vg_plot_page_set_curves (VG_PLOT_PAGE (self->asked), curves);
          vg_charts_show_frame (self, self->asked);
        }
      self->asked = NULL;
    }
  else
    g_clear_pointer (&curves, vg_curves_free);
  request_free (request);
}

static Request *
request_new (VgCharts *self, GtkWidget *page)
{
  Request *request = g_new0 (Request, 1);

  self->asked = page;
  self->stale = FALSE;
  request->self = g_object_ref (self);
  request->result = self->n_results;
  request->cancellable = g_object_ref (self->cancellable);
  return request;
}

void
vg_charts_refresh (VgCharts *self)
{
  GtkWidget *page = vg_charts_current_page (self);
  guint plot;

  if (self->pipeline == NULL || page == NULL || !gtk_widget_get_mapped (page))
    return;
  if (page == self->time_course)
    vg_time_page_refresh (VG_TIME_PAGE (self->time_course), self->pipeline);
  else if (self->asked || !self->stale)
    return; /* a plot may take longer than a map: never twice of the same */
  else if (page == self->pixel && self->region >= 0 &&
           vg_session_get_region (self->session, (guint) self->region))
    vg_pipeline_query_async (
        self->pipeline,
        &(VgQuery){
            .kind = VG_QUERY_REGION_CURVES,
            .region = &vg_session_get_region (self->session, (guint) self->region)->region },
        self->cancellable, on_curves, request_new (self, page));
  else if (page == self->pixel && self->has_pixel)
    vg_pipeline_query_async (self->pipeline,
                             &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES,
                                         .x = self->pixel_x,
                                         .y = self->pixel_y,
                                         .slice = vg_session_get_view (self->session)->slice },
                             self->cancellable, on_curves, request_new (self, page));
  else if (g_ptr_array_find (self->plots, page, &plot) && VG_IS_PLANE_PAGE (page))
    vg_pipeline_query_async (self->pipeline,
                             &(VgQuery){ .kind = VG_QUERY_PLOT_PLANE,
                                         .plot = plot,
                                         .x = self->has_pixel ? self->pixel_x : NAN,
                                         .y = self->pixel_y,
                                         .slice = vg_session_get_view (self->session)->slice },
                             self->cancellable, on_plane, request_new (self, page));
  else if (g_ptr_array_find (self->plots, page, &plot))
    vg_pipeline_query_async (self->pipeline, &(VgQuery){ .kind = VG_QUERY_PLOT, .plot = plot },
                             self->cancellable, on_curves, request_new (self, page));
}
