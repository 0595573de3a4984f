/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-time-page.h"
#include "app/events/vg-event-average.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"

static const char *const span_labels[] = { N_ ("All"),          N_ ("Last 5 min"),
                                           N_ ("Last minute"),  N_ ("Last 10 s"),
                                           N_ ("Around marks"), NULL };
static const double span_seconds[] = { INFINITY, 300, 60, 10 };

enum { AROUND_MARKS = G_N_ELEMENTS (span_seconds), MOST_AROUND_S = 3600 };

struct _VgTimePage
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *page, *output, *span;
  GtkWidget *around, *before, *after; /* a mark, s */
  GArray *outputs;                    /* indices of those that are followed */
  int shown;                          /* output that the map showed last; -1: none yet */
};

G_DEFINE_FINAL_TYPE (VgTimePage, vg_time_page, VG_TYPE_BIN)

static void
fill_outputs (VgTimePage *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  g_autoptr (GtkStringList) labels = gtk_string_list_new (NULL);
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = 0; i < (int) operation->n_outputs; i++)
    if (operation->outputs[i].time_course &&
        vg_operation_output_is_shown (operation, i, vg_session_get_params (self->session)))
      {
        g_array_append_val (outputs, i);
        gtk_string_list_append (labels,
                                vg_translate (vg_operation_output_label (
                                    operation, (guint) i, vg_session_get_params (self->session))));
      }
  if (outputs->len == self->outputs->len &&
      memcmp (outputs->data, self->outputs->data, outputs->len * sizeof (int)) == 0)
    return;
  g_array_unref (self->outputs);
  self->outputs = g_steal_pointer (&outputs);
  self->shown = -1;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->output), G_LIST_MODEL (labels));
  gtk_widget_set_visible (self->output, self->outputs->len > 1);
}

/* Keeps what is at most SECONDS older than the newest point. */
static void
keep_last (VgCurves *curves, double seconds)
{
  double newest = -INFINITY;

  for (guint i = 0; i < curves->series->len; i++)
    {
      VgSeries *series = g_ptr_array_index (curves->series, i);
      if (series->n > 0)
        newest = fmax (newest, series->x[series->n - 1]);
    }
  for (guint i = 0; i < curves->series->len && isfinite (seconds); i++)
    {
      VgSeries *series = g_ptr_array_index (curves->series, i);
      int skip = 0;
      while (skip < series->n && series->x[skip] < newest - seconds)
        skip++;
      series->n -= skip;
      memmove (series->x, series->x + skip, series->n * sizeof *series->x);
      memmove (series->y, series->y + skip, series->n * sizeof *series->y);
      if (series->error)
        memmove (series->error, series->error + skip, series->n * sizeof *series->error);
    }
}

/* CURVES averaged around their marks, in place of these. */
static VgCurves *
average (VgTimePage *self, VgCurves *curves)
{
  g_autoptr (VgCurves) course = curves;
  g_autoptr (GArray) marks = vg_event_average_marks (course);
  VgEventWindow window = { gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->before)),
                           gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->after)) };

  return vg_event_average_new (course, marks, &window);
}

void
vg_time_page_refresh (VgTimePage *self, VgPipeline *pipeline, double time_s)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->output)),
        n = vg_session_get_n_regions (self->session);
  guint span = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->span));
  g_autofree VgPlotColor *colors = g_new (VgPlotColor, n + 1);
  VgCurves *curves = NULL;

  /* The old curves go first: an hour of points is not held twice. */
  vg_plot_view_set_curves (vg_plot_page_get_plot (VG_PLOT_PAGE (self->page)), NULL, NULL, 0);
  if (selected < self->outputs->len)
    curves = vg_pipeline_time_course (pipeline, g_array_index (self->outputs, int, selected));
  for (guint i = 0; i < n; i++)
    {
      const VgNamedRegion *region = vg_session_get_region (self->session, i);
      colors[i] = (VgPlotColor){ region->rgb[0] / 255.0, region->rgb[1] / 255.0,
                                 region->rgb[2] / 255.0 };
      if (curves && i < curves->series->len)
        {
          VgSeries *series = g_ptr_array_index (curves->series, i);
          g_free (series->name);
          series->name = g_strdup (region->name ? region->name : "");
        }
    }
  gtk_widget_set_visible (self->span, !curves || g_strcmp0 (curves->x_unit, "s") == 0);
  gtk_widget_set_visible (self->around,
                          span == AROUND_MARKS && gtk_widget_get_visible (self->span));
  vg_plot_page_set_note (VG_PLOT_PAGE (self->page), NULL);
  if (curves && gtk_widget_get_visible (self->around))
    {
      curves = average (self, curves);
      if (!curves)
        vg_plot_page_set_note (VG_PLOT_PAGE (self->page),
                               _ ("Mark each event with M. A mark is included once the time after "
                                  "it has passed."));
    }
  else if (curves && gtk_widget_get_visible (self->span) && span < G_N_ELEMENTS (span_seconds))
    keep_last (curves, span_seconds[span]);
  vg_plot_view_set_curves (vg_plot_page_get_plot (VG_PLOT_PAGE (self->page)), curves, colors, n);
  vg_plot_view_set_moment (vg_plot_page_get_plot (VG_PLOT_PAGE (self->page)),
                           gtk_widget_get_visible (self->around) ? NAN : time_s);
}

VgPlotPage *
vg_time_page_get_page (VgTimePage *self)
{
  return VG_PLOT_PAGE (self->page);
}

gboolean
vg_time_page_is_used (VgTimePage *self)
{
  return self->outputs->len > 0;
}

/* The quantity of the shown map, when another map is shown; else as it was chosen. */
static void
follow_map (VgTimePage *self)
{
  int output = vg_session_get_view (self->session)->output;

  for (guint i = 0; i < self->outputs->len && output != self->shown; i++)
    if (g_array_index (self->outputs, int, i) == output)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->output), i);
  self->shown = output;
}

static void
on_changed (VgTimePage *self, guint flags)
{
  if (flags & VG_CHANGED_OPERATION)
    self->shown = -1;
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_PARAMS))
    fill_outputs (self);
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_PARAMS | VG_CHANGED_VIEW))
    follow_map (self);
}

static void
vg_time_page_finalize (GObject *object)
{
  VgTimePage *self = VG_TIME_PAGE (object);

  g_clear_pointer (&self->outputs, g_array_unref);
  G_OBJECT_CLASS (vg_time_page_parent_class)->finalize (object);
}

static void
vg_time_page_class_init (VgTimePageClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_time_page_finalize;
}

static void
add_around (VgTimePage *self)
{
  self->around = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->before = vg_number_entry_new (0, MOST_AROUND_S, 1, FALSE);
  self->after = vg_number_entry_new (1, MOST_AROUND_S, 1, FALSE);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->before), vg_event_window_usual.before_s);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->after), vg_event_window_usual.after_s);
  vg_box_add_line (self->around, _ ("_Before, s"), self->before, _ ("Time before a mark"),
                   _ ("Seconds before each mark that are averaged"));
  vg_box_add_line (self->around, _ ("_After, s"), self->after, _ ("Time after a mark"),
                   _ ("Seconds after each mark that are averaged"));
  vg_plot_page_add (VG_PLOT_PAGE (self->page), self->around);
}

static void
vg_time_page_init (VgTimePage *self)
{
  self->outputs = g_array_new (FALSE, FALSE, sizeof (int));
  self->page = vg_plot_page_new (_ ("Time course"), _ ("Draw a region to plot its mean over time."),
                                 FALSE);
  self->output = gtk_drop_down_new (NULL, NULL);
  self->span = vg_choice_new (span_labels);
  vg_widget_describe (self->output, _ ("Plotted quantity"), _ ("Quantity to plot against time"));
  vg_widget_describe (self->span, _ ("Time range"), _ ("Time range to plot"));
  vg_plot_page_add (VG_PLOT_PAGE (self->page), self->span);
  add_around (self);
  vg_plot_page_add (VG_PLOT_PAGE (self->page), self->output);
  gtk_widget_set_parent (self->page, GTK_WIDGET (self));
}

GtkWidget *
vg_time_page_new (VgSession *session)
{
  VgTimePage *self = g_object_new (VG_TYPE_TIME_PAGE, NULL);

  self->session = vg_hold (self, session);
  vg_connect (session, "changed", on_changed, self);
  self->shown = -1;
  fill_outputs (self);
  follow_map (self);
  return GTK_WIDGET (self);
}
