/* SPDX-License-Identifier: MIT */
/* The colour limits as two handles on the distribution of the map's values, as on the histogram of
 * the page Display. */
#include "ui/pages/vg-charts-private.h"
#include <math.h>
#include "app/session/vg-display.h"
#include "ui/pages/vg-plot-page.h"
#include "app/compute/vg-steady-limits.h"

void
vg_charts_get_limits (VgCharts *self, const VgCurves *curves, double span[2])
{
  const VgView *view = vg_session_get_view (self->session);
  VgColoring coloring;

  if (curves->span_output == NULL)
    return;
  span[0] = span[1] = NAN;
  if (vg_operation_find_output (vg_session_get_operation (self->session), curves->span_output) !=
          view->output ||
      view->compare != VG_COMPARE_OFF || self->statistics_output != view->output ||
      self->statistics_compare != view->compare)
    return;
  vg_steady_limits_get_coloring (
      vg_steady_limits_of (self->session), vg_session_get_display (self->session),
      vg_session_get_output (self->session), view->compare, &self->statistics, &coloring);
  span[0] = MIN (coloring.low, coloring.high);
  span[1] = MAX (coloring.low, coloring.high);
}

static void
show_limits_on (VgCharts *self, GtkWidget *page)
{
  VgPlotView *plot = page && VG_IS_PLOT_PAGE (page) ? vg_plot_page_get_plot (VG_PLOT_PAGE (page))
                                                    : NULL;
  const VgCurves *curves = plot ? vg_plot_view_get_curves (plot) : NULL;
  double span[2];

  if (curves == NULL || curves->span_output == NULL)
    return;
  vg_charts_get_limits (self, curves, span);
  vg_plot_view_set_span (plot, span[0], span[1]);
}

void
vg_charts_show_limits (VgCharts *self)
{
  for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
    show_limits_on (self, vg_page_slots_get (self->slots, slot));
}

void
vg_charts_take_limits (VgCharts *self, double low, double high)
{
  vg_steady_limits_fix (self->session, low, high);
}
