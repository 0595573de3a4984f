/* SPDX-License-Identifier: MIT */
/* Requests for curves from the compute thread: at most one at a time, for the pages in
 * sight by turns. Answers
 * that are out of date are dropped. */
#include "ui/pages/vg-charts-private.h"
#include <math.h>
#include "app/region/vg-region-group.h"
#include "app/scatter/vg-map-pair.h"
#include "ui/words/vg-translation.h"
#include "ui/pages/vg-plane-page.h"
#include "ui/pages/vg-plot-page.h"
#include "ui/pages/vg-profile-page.h"
#include "ui/pages/vg-region-table.h"
#include "ui/pages/vg-time-page.h"
#include "ui/pages/vg-typical-pixel.h"
#include "ui/scatter/vg-scatter-page.h"

void
vg_charts_set_stale (VgCharts *self)
{
  for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
    self->stale[slot] = TRUE;
}

void
vg_charts_forget_request (VgCharts *self)
{
  g_cancellable_cancel (self->cancellable);
  g_set_object (&self->cancellable, NULL);
  self->cancellable = g_cancellable_new ();
  self->asked = NULL;
  vg_charts_set_stale (self);
}

void
vg_charts_show_frame (VgCharts *self, GtkWidget *page)
{
  if (VG_IS_PLOT_PAGE (page))
    vg_plot_view_set_frame (vg_plot_page_get_plot (VG_PLOT_PAGE (page)),
                            vg_session_get_view (self->session)->underlay_frame);
}

enum { MOST_TOGETHER = 12 }; /* regions whose curves are drawn together */

typedef struct
{
  VgCharts *self;
  GCancellable *cancellable;
  guint result;     /* newest when it was asked */
  VgCurves *curves; /* of the selected region, while those of the others are asked for; or NULL */
  guint other;      /* index of the region that is asked for */
  int output;       /* the map whose fits are asked for */
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
  g_clear_pointer (&request->curves, vg_curves_free);
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

/* CURVES is taken; NULL: no curves with these settings, which the empty plot says. */
static void
show_curves (Request *request, VgCurves *curves)
{
  VgCharts *self = request->self;

  if (curves != NULL)
    {
      /* as in the picture */
      vg_curves_in_length (curves, vg_session_get_view (self->session)->length_unit);
      vg_charts_get_limits (self, curves, curves->span);
    }
  if (takes_answer (request, curves))
    {
      vg_plot_page_set_curves (VG_PLOT_PAGE (self->asked), curves);
      vg_charts_show_frame (self, self->asked);
    }
  self->asked = NULL;
  request_free (request);
}

/* The samples of a region have its name and its colour. */
static void
name_samples (VgCharts *self, VgSeries *samples, guint region)
{
  const VgNamedRegion *named = vg_session_get_region (self->session, region);

  g_free (samples->name);
  samples->name = g_strdup (named->name ? named->name : "");
  samples->rgb = (guint32) named->rgb[0] << 16 | (guint32) named->rgb[1] << 8 | named->rgb[2];
}

static void ask_other (Request *request);

/* The samples of another region, beside the curves of the selected one. */
static void
on_other (GObject *source, GAsyncResult *result, gpointer data)
{
  Request *request = data;
  VgCharts *self = request->self;
  g_autoptr (VgCurves) curves = vg_pipeline_query_finish (VG_PIPELINE (source), result, NULL);

  if (g_cancellable_is_cancelled (request->cancellable) || !self->asked)
    {
      request_free (request);
      return;
    }
  if (curves != NULL && curves->series->len > 0 &&
      request->other < vg_session_get_n_regions (self->session))
    {
      VgSeries *samples = g_ptr_array_steal_index (curves->series, 0);

      name_samples (self, samples, request->other);
      samples->style = VG_SERIES_LINE;
      g_ptr_array_add (request->curves->series, samples);
    }
  request->other++;
  ask_other (request);
}

/* The curve of a region that has the colour of a setting is among the curves already. */
static gboolean
is_drawn (VgCharts *self, guint region)
{
  const VgParam *param = vg_session_find_region_param (self->session, region);

  return (int) region == self->region || (param != NULL && param->file.rgb != 0);
}

static void
ask_other (Request *request)
{
  VgCharts *self = request->self;
  VgRegion shape;

  while (request->other < vg_session_get_n_regions (self->session) &&
         is_drawn (self, request->other))
    request->other++;
  if (request->other >= MIN (vg_session_get_n_regions (self->session), MOST_TOGETHER))
    {
      show_curves (request, g_steal_pointer (&request->curves));
      return;
    }
  shape = vg_session_get_shape (self->session, request->other);
  vg_pipeline_query_async (self->pipeline,
                           &(VgQuery){ .kind = VG_QUERY_REGION_CURVES, .region = &shape },
                           request->cancellable, on_other, request);
}

static void
on_curves (GObject *source, GAsyncResult *result, gpointer data)
{
  Request *request = data;
  VgCharts *self = request->self;
  VgCurves *curves = vg_pipeline_query_finish (VG_PIPELINE (source), result, NULL);

  if (g_cancellable_is_cancelled (request->cancellable) || !self->asked)
    {
      g_clear_pointer (&curves, vg_curves_free);
      request_free (request);
    }
  else if (curves != NULL && curves->series->len > 0 && self->asked == self->pixel &&
           self->region >= 0 && self->pipeline != NULL &&
           vg_session_get_n_regions (self->session) > 1)
    {
      name_samples (self, curves->series->pdata[0], (guint) self->region);
      request->curves = curves;
      ask_other (request);
    }
  else
    show_curves (request, curves);
}

/* Whether sums of data may have results with standard errors, such as fits of mean curves. */
static gboolean
has_fits (VgCharts *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const VgEngineCurves *curves = operation->cpu->curves;
  gboolean has_errors = FALSE;

  for (guint i = 0; i < operation->n_outputs && !has_errors; i++)
    has_errors = vg_operation_find_role (operation, VG_ROLE_ERROR, operation->outputs[i].id) >= 0;
  return has_errors && curves != NULL && curves->sample_region != NULL;
}

static void
on_fitted (GObject *source, GAsyncResult *result, gpointer data)
{
  Request *request = data;
  VgCharts *self = request->self;
  g_autoptr (GArray) fitted = vg_pipeline_query_finish (VG_PIPELINE (source), result, NULL);

  if (!g_cancellable_is_cancelled (request->cancellable) && self->asked)
    {
      if (fitted != NULL)
        vg_region_table_set_fitted (VG_REGION_TABLE (self->asked), fitted, request->output);
      self->asked = NULL;
    }
  request_free (request);
}

static Request *
request_new (VgCharts *self, guint slot)
{
  Request *request = g_new0 (Request, 1);

  self->asked = vg_page_slots_get (self->slots, slot);
  self->stale[slot] = FALSE;
  self->turn = !slot;
  request->self = g_object_ref (self);
  request->result = self->n_results;
  request->cancellable = g_object_ref (self->cancellable);
  return request;
}

/* ---- the pixel until the user chooses one ---- */

static void
take_guess (VgCharts *self, int x, int y)
{
  self->has_guess = TRUE;
  self->pixel_x = x + 0.5;
  self->pixel_y = y + 0.5;
  vg_charts_show_note (self);
}

/* Chooses the pixel from samples of the map in a grid. */
static void
guess_in_grid (VgCharts *self, VgResult *result, int slice)
{
  enum { SIDE = 32 };
  const VgPlane *plane = &result->plane, *light = &result->brightness;
  int xyz[3 * SIDE * SIDE], found;
  float values[SIDE * SIDE], lights[SIDE * SIDE];
  gboolean has_light = light->data != NULL && light->place != VG_DEVICE;

  for (int i = 0; i < SIDE * SIDE; i++)
    {
      int x = (int) ((i % SIDE + 0.5) * plane->width / SIDE),
          y = (int) ((i / SIDE + 0.5) * plane->height / SIDE);

      xyz[3 * i] = x;
      xyz[3 * i + 1] = y;
      xyz[3 * i + 2] = slice;
      if (has_light)
        lights[i] =
            light->data[((gsize) slice * (gsize) light->height + (gsize) y) * (gsize) light->width +
                        (gsize) x];
    }
  if (!vg_result_probe_many (result, xyz, SIDE * SIDE, values))
    return;
  found = vg_typical_pixel_find (values, has_light ? lights : NULL, NULL, SIDE * SIDE);
  if (found >= 0)
    take_guess (self, xyz[3 * found], xyz[3 * found + 1]);
}

/* Chooses the pixel from a map and its limits mask. */
static void
on_masked (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (VgCharts) self = data;
  VgMapPair *pair = vg_pipeline_query_finish (VG_PIPELINE (source), result, NULL);
  int n = pair != NULL ? pair->width * pair->height : 0,
      found = pair != NULL ? vg_typical_pixel_find (pair->x, NULL, pair->y, n) : -1;

  if (pair != NULL && found < 0) /* no pixel is fitted well */
    found = vg_typical_pixel_find (pair->x, NULL, NULL, n);
  if (self->guessing == g_task_get_cancellable (G_TASK (result)))
    {
      g_clear_object (&self->guessing);
      if (pair == NULL) /* which says nothing of the map */
        self->none_of = -1;
      if (found >= 0 && !self->has_pixel)
        {
          vg_charts_forget_shown (self->pixel);
          take_guess (self, found % pair->width, found / pair->width);
          vg_charts_set_stale (self);
          vg_charts_refresh (self);
        }
    }
  g_clear_pointer (&pair, vg_map_pair_unref);
}

void
vg_charts_forget_guess (VgCharts *self)
{
  self->has_guess = self->guessed_last = FALSE;
  self->none_of = -1;
  g_cancellable_cancel (self->guessing);
  g_clear_object (&self->guessing);
}

void
vg_charts_guess_pixel (VgCharts *self, VgResult *result)
{
  const VgOperation *operation = result->operation;
  int slice = CLAMP (vg_session_get_view (self->session)->slice, 0,
                     MAX (result->plane.slices, 1) - 1),
      mask;

  if (self->has_pixel || self->guessing != NULL || result->input_only ||
      result->plane.data == NULL || operation != vg_session_get_operation (self->session))
    return;
  mask = vg_operation_find_role (operation, VG_ROLE_LIMITS_MASK,
                                 operation->outputs[result->output].id);
  if (mask < 0 || self->pipeline == NULL)
    {
      if (!self->has_guess)
        guess_in_grid (self, result, slice);
    }
  /* An unfinished fit has few pixels, so the final result chooses once more.  A map without a pixel
   * is not copied again for each result. */
  else if ((!self->has_guess && self->none_of != result->output) ||
           (result->final && !self->guessed_last))
    {
      self->guessed_last = result->final;
      self->none_of = result->output; /* until one is found */
      self->guessing = g_cancellable_new ();
      vg_pipeline_query_async (self->pipeline,
                               &(VgQuery){ .kind = VG_QUERY_MAP_PAIR,
                                           .output = result->output,
                                           .other_output = mask,
                                           .slice = slice },
                               self->guessing, on_masked, g_object_ref (self));
    }
}

void
vg_charts_show_note (VgCharts *self)
{
  gboolean guessed = self->has_guess && !self->has_pixel && self->region < 0;

  vg_plot_page_set_note (VG_PLOT_PAGE (self->pixel),
                         guessed ? _ ("This place was chosen automatically. Click another one.")
                                 : NULL);
}

/* The curves of the selected region, with those of its name in other slices. */
static void
ask_region (VgCharts *self, guint slot)
{
  g_autofree const VgNamedRegion **parts = vg_region_group_with (self->session,
                                                                 (guint) self->region);
  const VgRegion shape = vg_session_get_shape (self->session, (guint) self->region);

  vg_pipeline_query_async (
      self->pipeline,
      &(VgQuery){ .kind = VG_QUERY_REGION_CURVES, .region = &shape, .regions = parts },
      self->cancellable, on_curves, request_new (self, slot));
}

/* The fits of the mean curves, for the table. */
static void
ask_fitted (VgCharts *self, guint slot)
{
  g_autofree const VgNamedRegion **regions = vg_session_list_regions (self->session);
  int output = vg_region_table_get_output (VG_REGION_TABLE (self->regions));
  Request *request;

  if (output < 0 || regions[0] == NULL || !has_fits (self))
    return;
  request = request_new (self, slot);
  request->output = output;
  vg_pipeline_query_async (
      self->pipeline, &(VgQuery){ .kind = VG_QUERY_FITTED, .output = output, .regions = regions },
      self->cancellable, on_fitted, request);
}

static void
refresh (VgCharts *self, guint slot)
{
  GtkWidget *page = vg_page_slots_get (self->slots, slot);
  guint plot;

  if (self->pipeline == NULL || page == NULL || !gtk_widget_get_mapped (page))
    return;
  if (page == self->time_course)
    vg_time_page_refresh (VG_TIME_PAGE (self->time_course), self->pipeline, self->time_s);
  else if (page == self->scatter)
    vg_scatter_page_refresh (VG_SCATTER_PAGE (page), self->pipeline, self->n_results);
  else if (page == self->profile)
    vg_profile_page_refresh (VG_PROFILE_PAGE (page), self->pipeline, self->n_results);
  else if (self->asked || !self->stale[slot])
    return; /* a plot may take longer than a map: never twice of the same */
  else if (page == self->regions)
    ask_fitted (self, slot);
  else if (page == self->pixel && self->region >= 0 &&
           vg_session_get_region (self->session, (guint) self->region))
    ask_region (self, slot);
  else if (page == self->pixel && (self->has_pixel || self->has_guess))
    vg_pipeline_query_async (self->pipeline,
                             &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES,
                                         .x = self->pixel_x,
                                         .y = self->pixel_y,
                                         .slice = vg_session_get_view (self->session)->slice },
                             self->cancellable, on_curves, request_new (self, slot));
  else if (g_ptr_array_find (self->plots, page, &plot) && VG_IS_PLANE_PAGE (page))
    vg_pipeline_query_async (self->pipeline,
                             &(VgQuery){ .kind = VG_QUERY_PLOT_PLANE,
                                         .plot = plot,
                                         .x = self->has_pixel ? self->pixel_x : NAN,
                                         .y = self->pixel_y,
                                         .slice = vg_session_get_view (self->session)->slice },
                             self->cancellable, on_plane, request_new (self, slot));
  else if (g_ptr_array_find (self->plots, page, &plot))
    vg_pipeline_query_async (self->pipeline, &(VgQuery){ .kind = VG_QUERY_PLOT, .plot = plot },
                             self->cancellable, on_curves, request_new (self, slot));
}

void
vg_charts_refresh (VgCharts *self)
{
  guint turn = self->turn;

  for (guint i = 0; i < VG_N_PAGE_SLOTS; i++)
    refresh (self, (turn + i) % VG_N_PAGE_SLOTS);
}
