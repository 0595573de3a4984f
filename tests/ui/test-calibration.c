/* SPDX-License-Identifier: MIT */
/* The button that sets a parameter to the mean of a region. */
#include <math.h>
#include "io/write/vg-output-file.h"
#include "tests/support/ui/window-fixture.h"

enum { SIDE = 32, FRAMES = 120, AVERAGED = 25 };

/* A stack of frames without times, ever more blurred. */
static char *
write_stack (const char *folder)
{
  char *path = g_build_filename (folder, "stack.tif", NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GError) error = NULL;
  float frame[SIDE * SIDE];
  g_autoptr (VgTiffWriter)
      writer = vg_tiff_writer_new (path, SIDE, SIDE, FRAMES, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  for (int k = 0; k < FRAMES; k++)
    {
      for (int i = 0; i < SIDE * SIDE; i++)
        frame[i] = (float) (1000 + g_rand_double_range (random, -1, 1) * (500 - 3 * k));
      g_assert_true (vg_tiff_writer_add (writer, frame, &error));
    }
  g_assert_true (vg_tiff_writer_commit (writer, &error));
  g_assert_no_error (error);
  return path;
}

static gboolean
is_flow (WindowFixture *self)
{
  return window_has_opened (self) && window_is_done (self) &&
         g_str_equal (self->window->result->operation->id, "flow");
}

static gboolean
has_followed (WindowFixture *self)
{
  g_autoptr (VgCurves) curves = vg_pipeline_time_course (
      self->window->pipeline, vg_operation_find_output (vg_operation_find ("flow"), "flow_index"));

  return is_flow (self) && self->window->result->frame_index == FRAMES - 1 &&
         vg_theatre_get_region (VG_THEATRE (self->window->theatre)) == 0 &&
         curves->series->len == 1 && ((const VgSeries *) curves->series->pdata[0])->n >= AVERAGED;
}

/* The mean of the last frames, because nothing says which are of the last second. */
static void
check_untimed (WindowFixture *self, const VgParam *zero)
{
  VgWindow *window = self->window;
  g_autoptr (VgCurves) curves = vg_pipeline_time_course (
      window->pipeline, vg_operation_find_output (vg_operation_find ("flow"), "flow_index"));
  const VgSeries *series = curves->series->pdata[0];
  double sum = 0;

  for (int i = series->n - AVERAGED; i < series->n; i++)
    sum += series->y[i];
  vg_window_take_mean (window, zero->id);
  g_assert_cmpfloat_with_epsilon (
      vg_param_get_number (zero, vg_session_get_params (window->session)), sum / AVERAGED,
      1e-5 * sum);
  g_assert_true (window_tells (GTK_WIDGET (window), "over the last 25 frames"));
}

static void
test_mean (void)
{
  const VgOperation *flow = vg_operation_find ("flow");
  const VgParam *zero = vg_params_find (&flow->params, "zero_index");
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 4, 28 }, .y = { 4, 28 }
  };
  WindowFixture self = { GTK_APPLICATION (g_application_get_default ()) };
  g_autoptr (VgSession) session = vg_session_new (flow);
  g_autofree char *path = NULL, *saved = NULL;
  const char *files[2] = { NULL };
  VgWindow *window;
  VgView view;

  window_begin (&self);
  window = self.window;
  vg_window_take_mean (window, zero->id); /* the view has no such parameter */
  files[0] = path = write_stack (self.folder);
  view = *vg_session_get_view (session);
  view.loop = FALSE;
  view.playback_fps = 40;
  vg_session_set_view (session, &view);
  vg_session_set_inputs (session, files);
  vg_session_add_region (session, &region);
  vg_session_select_region (session, 0);
  saved = g_build_filename (self.folder, "stack.vivograph", NULL);
  g_assert_true (vg_session_save (session, saved, NULL, NULL));
  vg_window_open_session (window, saved);
  window_go_on_until (has_followed, &self);
  vg_window_take_mean (window, "threads"); /* has no mean */
  vg_window_take_mean (window, "set_baseline");
  check_untimed (&self, zero);
  gtk_window_close (GTK_WINDOW (window));
  window_end (&self);
}

static void
add_tests (void)
{
  g_test_add_func ("/calibration/mean", test_mean);
}

int
main (int argc, char **argv)
{
  return window_main (argc, argv, add_tests);
}
