/* SPDX-License-Identifier: MIT */
/* When the notebook asks for curves again: never for what does not change them. */
#include "tests/support/app/pipeline-watch.h"
#include "ui/pages/vg-charts-private.h"
#include <string.h>

/* The session's view of another place, or of what CHANGE says. */
static void
look (GtkWidget *charts, VgSession *session, Watch *watch, void (*change) (VgView *view))
{
  VgView view = *vg_session_get_view (session);

  change (&view);
  vg_session_set_view (session, &view);
  vg_charts_refresh (VG_CHARTS (charts));
  g_assert_true (watch_settle (watch));
}

static void
zoom (VgView *view)
{
  view->zoom = view->zoom > 0 ? 1.1 * view->zoom : 1;
  view->center_x += 0.25;
}

static void
page_down (VgView *view)
{
  view->slice++;
}

static void
choose_unit (VgView *view)
{
  view->length_unit = (view->length_unit + 1) % 2;
}

static void
test_asked (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 3 };
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  GtkWidget *charts = vg_charts_new (session), *window = gtk_window_new ();
  Watch watch;
  int asked;

  watch_play (&watch, fake_pipeline (&source), params);
  gtk_window_set_child (GTK_WINDOW (window), charts);
  gtk_window_present (GTK_WINDOW (window));
  vg_charts_set_pipeline (VG_CHARTS (charts), watch.pipeline);
  while (!gtk_widget_get_mapped (charts))
    g_main_context_iteration (NULL, TRUE);
  vg_charts_choose_pixel (VG_CHARTS (charts), 1, 1);
  vg_charts_refresh (VG_CHARTS (charts));
  g_assert_true (watch_settle (&watch));
  asked = fake_calls ().samples;
  g_assert_cmpint (asked, ==, 1);
  for (int i = 0; i < 20; i++)
    look (charts, session, &watch, zoom);
  g_assert_cmpint (fake_calls ().samples, ==, asked);
  look (charts, session, &watch, page_down);
  g_assert_cmpint (fake_calls ().samples, ==, asked + 1);
  look (charts, session, &watch, choose_unit);
  g_assert_cmpint (fake_calls ().samples, ==, asked + 2);
  vg_session_set_number (session, vg_params_find (&fake_stream.params, "gain"), 2);
  look (charts, session, &watch, zoom);
  g_assert_cmpint (fake_calls ().samples, ==, asked + 3);
  vg_charts_set_result (VG_CHARTS (charts), watch.last, TRUE);
  look (charts, session, &watch, zoom);
  g_assert_cmpint (fake_calls ().samples, ==, asked + 4);
  vg_charts_set_pipeline (VG_CHARTS (charts), NULL);
  gtk_window_destroy (GTK_WINDOW (window));
  watch_end (&watch);
}

/* A session that comes with a selected region comes with its curves. */
static void
test_restored (void)
{
  static const char text[] =
      "[session]\nversion=1\noperation=lifetime\n[lifetime]\ninputs=/data/a.sdt;\n"
      "[lifetime region 1]\nname=Cell\nshape=rect:1,1,5,5\n[lifetime region "
      "2]\nname=Ground\nshape=rect:6,6,9,9\nselected=true\n";
  g_autoptr (VgSession) session = vg_session_new (vg_operation_find ("lifetime"));
  GtkWidget *widget = g_object_ref_sink (vg_charts_new (session));
  VgCharts *charts = VG_CHARTS (widget);

  g_assert_cmpint (charts->region, ==, -1);
  g_assert_true (vg_session_from_text (session, text, strlen (text), NULL));
  g_assert_cmpint (charts->region, ==, 1);
  g_object_unref (widget);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/charts/asked", test_asked);
  g_test_add_func ("/charts/restored", test_restored);
  return g_test_run ();
}
