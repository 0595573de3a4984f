/* SPDX-License-Identifier: MIT */
/* Plots, tables and curves, of which one or two are in sight. */
#include "ui/pages/vg-charts-private.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/pages/vg-object-table.h"
#include "ui/pages/vg-plane-page.h"
#include "ui/pages/vg-plot-page.h"
#include "ui/pages/vg-profile-page.h"
#include "ui/pages/vg-region-table.h"
#include "ui/pages/vg-time-page.h"
#include "ui/common/vg-widgets.h"
#include "ui/scatter/vg-scatter-page.h"

G_DEFINE_FINAL_TYPE (VgCharts, vg_charts, VG_TYPE_BIN)

static void
on_message (VgCharts *self, gboolean failed, const char *text)
{
  g_signal_emit_by_name (self, "message", failed, text);
}

/* The ends of the span are the settings; the one that makes room goes first. */
static void
take_span_ends (VgCharts *self, const VgParam *first, const VgParam *last, double from, double to)
{
  const void *params = vg_session_get_params (self->session);
  /* of a screen, not of a data set: no more digits than can be seen */
  double step = 1e-3 * (to - from);
  gboolean later = from >= vg_param_get_number (last, params) &&
                   vg_param_get_number (last, params) > 0;

  step = step > 0 ? pow (10, floor (log10 (step))) : 1e-3;
  if (later)
    vg_session_set_number (self->session, last, round (to / step) * step);
  vg_session_set_number (self->session, first, MAX (round (from / step) * step, 0));
  if (!later)
    vg_session_set_number (self->session, last, round (to / step) * step);
}

/* The marked part of the curves was dragged: the samples within, or its ends, are the setting. */
static void
on_span (VgPlotView *plot, VgCharts *self)
{
  const VgParamTable *table = &vg_session_get_operation (self->session)->params;
  const VgCurves *curves = vg_plot_view_get_curves (plot);
  const VgSeries *series;
  int first = 0, last;
  double from, to;
  void *params;

  if (curves != NULL && curves->span_output != NULL && vg_plot_view_get_baseline (plot, &from, &to))
    vg_charts_take_limits (self, from, to);
  if (curves == NULL || curves->span_params[0] == NULL || curves->series->len == 0 ||
      !vg_plot_view_get_baseline (plot, &from, &to))
    return;
  if (vg_params_find (table, curves->span_params[0])->kind == VG_PARAM_FLOAT)
    {
      take_span_ends (self, vg_params_find (table, curves->span_params[0]),
                      vg_params_find (table, curves->span_params[1]), from, to);
      vg_session_commit_later (self->session, curves->span_label);
      return;
    }
  series = g_ptr_array_index (curves->series, 0);
  last = series->n - 1;
  while (first < series->n - 1 && series->x[first] < from)
    first++;
  while (last > first && series->x[last] > to)
    last--;
  params = vg_params_copy (table, vg_session_get_params (self->session));
  vg_param_set_number (vg_params_find (table, curves->span_params[0]), params, first + 1);
  vg_param_set_number (vg_params_find (table, curves->span_params[1]), params, last + 1);
  vg_session_set_params (self->session, params);
  vg_session_commit_later (self->session, curves->span_label);
  vg_params_free (table, params);
}

static void
watch_plot (VgCharts *self, GtkWidget *page)
{
  vg_connect (page, "message", on_message, self);
  g_signal_connect_object (vg_plot_page_get_plot (VG_PLOT_PAGE (page)), "baseline-changed",
                           G_CALLBACK (on_span), self, 0);
}

/* The page has the name of the text that lists them. */
static void
show_objects (VgCharts *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  int output = vg_operation_find_objects (operation);

  vg_object_table_set_columns (VG_OBJECT_TABLE (self->objects),
                               output >= 0 ? operation->objects : NULL);
  gtk_widget_set_visible (self->objects, output >= 0);
  if (output >= 0)
    vg_page_slots_set_title (self->slots, self->objects,
                             vg_translate (operation->outputs[output].label));
}

/* Two maps are plotted against each other. */
static void
show_scatter (VgCharts *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  guint maps = 0;

  for (guint i = 0; i < operation->n_outputs; i++)
    maps += operation->outputs[i].kind == VG_OUTPUT_MAP;
  gtk_widget_set_visible (self->scatter, maps > 1);
}

GtkWidget *
vg_charts_get_objects (VgCharts *self)
{
  return self->objects;
}

GtkWidget *
vg_charts_get_scatter (VgCharts *self)
{
  return self->scatter;
}

GtkWidget *
vg_charts_get_profile (VgCharts *self)
{
  return self->profile;
}

static void
on_page (VgCharts *self, guint slot)
{
  VgView view = *vg_session_get_view (self->session);

  vg_charts_forget_request (self);
  if (self->going || slot >= vg_page_slots_count (self->slots) ||
      !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  view.pages[slot] = vg_charts_name_page (self, vg_page_slots_get (self->slots, slot));
  vg_session_set_view (self->session, &view);
}

static void
show_time_course (VgCharts *self)
{
  gtk_widget_set_visible (self->time_course,
                          !self->one_frame &&
                              vg_time_page_is_used (VG_TIME_PAGE (self->time_course)));
}

void
vg_charts_set_info (VgCharts *self, const VgImageInfo *info)
{
  self->one_frame = info != NULL && info->frames == 1;
  show_time_course (self);
  vg_charts_choose_pages (self);
}

/* A plot that is empty with these settings says which setting fills it. */
static void
show_needs (VgCharts *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);

  for (guint i = 0; i < MIN (self->plots->len, operation->n_plots); i++)
    if (VG_IS_PLOT_PAGE (self->plots->pdata[i]))
      {
        g_autofree char *needs = vg_operation_plot_needs (operation, i,
                                                          vg_session_get_params (self->session));

        vg_plot_view_set_empty_text (vg_plot_page_get_plot (self->plots->pdata[i]),
                                     needs != NULL ? needs : _ ("Nothing to plot yet."));
      }
}

static void
on_setting (VgCharts *self, const char *name)
{
  g_signal_emit_by_name (self, "setting", name);
}

/* Over a plot that a metric may say to be wrong. */
static void
add_caution (VgCharts *self, GtkWidget *page)
{
  GtkWidget *caution;

  if (VG_IS_PLANE_PAGE (page))
    caution = GTK_WIDGET (vg_plane_page_get_caution (VG_PLANE_PAGE (page)));
  else
    vg_plot_page_add_head (VG_PLOT_PAGE (page), caution = vg_page_caution_new (self->session));
  g_signal_connect_object (caution, "setting", G_CALLBACK (on_setting), self, G_CONNECT_SWAPPED);
  g_ptr_array_add (self->cautions, caution);
}

/* A plot that is wrong says so, in the words of the metric that tells. */
static void
show_cautions (VgCharts *self, const VgResult *result)
{
  const VgOperation *operation = vg_session_get_operation (self->session);

  for (guint i = 0; i < self->cautions->len && result->operation == operation; i++)
    {
      const char *id = operation->plots[i].caution;
      const VgMetric *metric = id && result->metrics ? vg_metrics_find (result->metrics, id) : NULL;

      vg_page_caution_set (self->cautions->pdata[i], metric);
    }
}

static void
build_plots (VgCharts *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  gboolean going;

  vg_charts_forget_request (self);
  self->placed = FALSE;
  self->instead[0] = self->instead[1] = NULL;
  going = self->going;
  self->going = TRUE;
  for (guint i = 0; i < self->plots->len; i++)
    vg_page_slots_remove (self->slots, self->plots->pdata[i]);
  g_ptr_array_set_size (self->plots, 0);
  g_ptr_array_set_size (self->cautions, 0);
  for (guint i = 0; i < operation->n_plots; i++)
    {
      gboolean plane = operation->plots[i].plane != NULL;
      GtkWidget *page = plane ? vg_plane_page_new (self->session, i)
                              : vg_plot_page_new (vg_translate (operation->plots[i].label),
                                                  _ ("Nothing to plot yet."), TRUE);

      if (plane)
        vg_connect (page, "message", on_message, self);
      else
        watch_plot (self, page);
      add_caution (self, page);
      g_ptr_array_add (self->plots, page);
      vg_page_slots_add (self->slots, page, vg_translate (operation->plots[i].label));
    }
  show_time_course (self);
  show_objects (self);
  show_scatter (self);
  vg_charts_choose_pages (self);
  self->going = going;
}

void
vg_charts_choose_pixel (VgCharts *self, double x, double y)
{
  self->has_pixel = TRUE;
  self->region = -1;
  vg_charts_show_note (self);
  self->pixel_x = x;
  self->pixel_y = y;
  vg_charts_forget_request (self);
  vg_charts_forget_shown (self->pixel);
  /* a page over a plane marks the pixel itself, and the objects' the one chosen */
  if (!vg_charts_is_in_sight (self, self->objects) &&
      !vg_charts_is_in_sight (self, self->scatter) &&
      !VG_IS_PLANE_PAGE (vg_page_slots_get (self->slots, 0)))
    vg_charts_go_to_page (self, self->pixel);
  vg_charts_refresh (self);
}

void
vg_charts_set_result (VgCharts *self, VgResult *result, gboolean current)
{
  vg_charts_guess_pixel (self, result);
  vg_charts_set_stale (self);
  self->n_results++;
  self->time_s = result->time_s;
  self->statistics = result->statistics;
  self->statistics_output = result->output;
  self->statistics_compare = (int) result->compare;
  vg_charts_show_limits (self);
  show_cautions (self, result);
  vg_region_table_set_result (VG_REGION_TABLE (self->regions), result, current);
}

void
vg_charts_set_pipeline (VgCharts *self, VgPipeline *pipeline)
{
  vg_charts_forget_request (self);
  vg_charts_forget_guess (self);
  g_set_object (&self->pipeline, pipeline);
}

/* A region that is selected is looked at until a pixel is clicked. */
static gboolean
has_region_curves (VgCharts *self)
{
  const VgEngineCurves *curves = vg_session_get_operation (self->session)->cpu->curves;

  return curves != NULL && curves->sample_region != NULL;
}

static void
follow_selection (VgCharts *self)
{
  guint n = vg_session_get_n_regions (self->session);
  int selected = -1;

  for (guint i = 0; i < n; i++)
    if (vg_session_get_region (self->session, i)->selected)
      selected = (int) i;
  if (selected >= 0 && selected != self->selected && has_region_curves (self))
    self->region = selected;
  else if (self->region >= (int) n)
    self->region = -1;
  vg_charts_forget_shown (self->pixel);
  vg_charts_show_note (self);
  self->selected = selected;
}

/* Of the view, curves depend on the slice and on the unit of length alone: pan and zoom leave them
 * as they are. */
static gboolean
changes_curves (VgCharts *self, guint flags)
{
  const VgView *view = vg_session_get_view (self->session);
  gboolean seen_otherwise = view->slice != self->slice || view->length_unit != self->length_unit;

  self->slice = view->slice;
  self->length_unit = view->length_unit;
  return seen_otherwise || flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS | VG_CHANGED_PARAMS |
                                    VG_CHANGED_REGIONS);
}

static void
on_changed (VgCharts *self, guint flags)
{
  if (changes_curves (self, flags))
    {
      vg_charts_set_stale (self);
      self->none_of = -1;
    }
  /* a region that came selected is looked at as if it had just been */
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS))
    {
      self->has_pixel = FALSE;
      vg_charts_forget_guess (self);
      self->region = self->selected = -1;
      vg_charts_show_note (self);
      vg_plot_page_set_curves (VG_PLOT_PAGE (self->pixel), NULL);
    }
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS | VG_CHANGED_REGIONS))
    follow_selection (self);
  self->going = TRUE;
  if (flags & VG_CHANGED_OPERATION)
    build_plots (self);
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_PARAMS))
    show_needs (self);
  if (!(flags & VG_CHANGED_OPERATION) && (flags & VG_CHANGED_REGIONS) &&
      vg_session_get_n_regions (self->session) > 0)
    vg_charts_choose_pages (self);
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_VIEW))
    vg_charts_restore_pages (self);
  self->going = FALSE;
  if (flags & VG_CHANGED_VIEW)
    {
      vg_charts_show_limits (self);
      for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
        vg_charts_show_frame (self, vg_page_slots_get (self->slots, slot));
    }
}

static void
vg_charts_dispose (GObject *object)
{
  VgCharts *self = VG_CHARTS (object);

  if (self->slots != NULL)
    g_signal_handlers_disconnect_by_data (self->slots, self);
  self->slots = NULL;
  G_OBJECT_CLASS (vg_charts_parent_class)->dispose (object);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  vg_charts_forget_guess (self);
  g_clear_object (&self->pipeline);
  g_clear_pointer (&self->plots, g_ptr_array_unref);
  g_clear_pointer (&self->cautions, g_ptr_array_unref);
  self->asked = NULL;
}

static void
vg_charts_class_init (VgChartsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_charts_dispose;
  vg_signal_new (VG_TYPE_CHARTS, "message", 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
  vg_signal_new (VG_TYPE_CHARTS, "setting", 1, G_TYPE_STRING);
}

static void
vg_charts_init (VgCharts *self)
{
  self->plots = g_ptr_array_new ();
  self->cautions = g_ptr_array_new ();
  self->region = self->selected = self->statistics_output = self->none_of = -1;
  self->slots = VG_PAGE_SLOTS (vg_page_slots_new ());
  vg_widget_describe (GTK_WIDGET (self->slots), _ ("Plots and regions"), NULL);
  gtk_widget_set_parent (GTK_WIDGET (self->slots), GTK_WIDGET (self));
}

GtkWidget *
vg_charts_new (VgSession *session)
{
  VgCharts *self = g_object_new (VG_TYPE_CHARTS, NULL);

  self->session = vg_hold (self, session);
  self->time_course = vg_time_page_new (session);
  self->regions = vg_region_table_new (session);
  self->pixel = vg_plot_page_new (_ ("Curve"), _ ("Click the image to see the curve there."), TRUE);
  self->objects = vg_object_table_new ();
  self->scatter = vg_scatter_page_new (session);
  self->profile = vg_profile_page_new (session);
  gtk_widget_set_visible (self->objects,
                          vg_operation_find_objects (vg_session_get_operation (session)) >= 0);
  gtk_widget_set_visible (self->time_course,
                          vg_time_page_is_used (VG_TIME_PAGE (self->time_course)));
  vg_page_slots_add (self->slots, self->time_course, _ ("Time course"));
  vg_page_slots_add (self->slots, self->regions, _ ("Table"));
  vg_page_slots_add (self->slots, self->pixel, _ ("Curve"));
  vg_page_slots_add (self->slots, self->objects, _ ("Objects"));
  vg_page_slots_add (self->slots, self->scatter, _ ("Scatter"));
  vg_page_slots_add (self->slots, self->profile, _ ("Profile"));
  g_signal_connect_swapped (vg_time_page_get_page (VG_TIME_PAGE (self->time_course)), "message",
                            G_CALLBACK (on_message), self);
  g_signal_connect_swapped (self->regions, "message", G_CALLBACK (on_message), self);
  vg_connect (self->scatter, "message", on_message, self);
  vg_connect (self->profile, "message", on_message, self);
  watch_plot (self, self->pixel);
  vg_connect (self->slots, "changed", on_page, self);
  build_plots (self);
  vg_connect (session, "changed", on_changed, self);
  vg_connect (self, "map", vg_charts_choose_pages, self);
  return GTK_WIDGET (self);
}
